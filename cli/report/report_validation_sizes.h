/* The part of a validation that is about N and psi: what was predicted, what the runs show, and
 * what was learnt. */
#ifndef CLI_REPORT_VALIDATION_SIZES_H
#define CLI_REPORT_VALIDATION_SIZES_H

#include "cli/output/render.h"
#include "model/runs/validation.h"

/* What is held, as "E" or "average speed". */
const char *cli_validation_held(const isocast_validation *v);

/* The sizes at each value that is held: validations, shape [count], are of the same runs, at one
 * value each. NULL where memory is short; else free it. */
cli_report *cli_report_validation_sizes(const isocast_validation *const *validations, size_t count);

#endif
