/* A validation as reports and as JSON. */
#ifndef CLI_REPORT_VALIDATION_H
#define CLI_REPORT_VALIDATION_H

#include <jansson.h>

#include "cli/output/render.h"
#include "model/runs/validation.h"

/* Of the same runs, at one value each of what is held. */
typedef struct cli_validations {
    const isocast_validation *const *items; /* [count], at least one */
    size_t count;
    const char *runs_name;
} cli_validations;

/* The reports: points, sizes (N and psi), summary. Shape [VALIDATION_REPORTS]; free each. */
enum { VALIDATION_POINTS, VALIDATION_SIZES, VALIDATION_SUMMARY, VALIDATION_REPORTS };
void cli_report_validation(const cli_validations *validations,
                           cli_report *reports[VALIDATION_REPORTS]);

/* {"schema": "isocast.validation/1", ...}; takes the provenance over. NULL where memory is short.
 */
json_t *cli_json_validation(const cli_validations *validations, json_t *provenance);

#endif
