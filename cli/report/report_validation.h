/* A validation as reports and as JSON. */
#ifndef CLI_REPORT_VALIDATION_H
#define CLI_REPORT_VALIDATION_H

#include <jansson.h>

#include "cli/output/render.h"
#include "model/runs/validation.h"
#include "subject.h"

/* The predicted T and E of one system over the sizes measured on it. */
typedef struct cli_validation_curve cli_validation_curve;

/* Of the same runs, at one value each of what is held. */
typedef struct cli_validations {
    cli_subject subject;
    const isocast_validation *const *items; /* [count], at least one */
    size_t count;
    isocast_error_summary errors[ISOCAST_VALIDATION_PSI + 1]; /* of all together */
    cli_validation_curve *curve; /* the one that is written; NULL outside of it */
} cli_validations;

/* Sums up the errors. */
void cli_validations_sum(cli_validations *all);

/* What each says: the whole of points and systems is an isocast_validation, that of errors and of
 * the JSON a cli_validations. */
extern const isocast_table cli_validation_points, cli_validation_systems, cli_validation_errors;
isocast_item cli_validation_point_item, cli_validation_system_item, cli_validation_error_item;

/* What is held, as "E" or "average speed". */
const char *cli_validation_held(const isocast_validation *v);

/* The reports: points, sizes (N and psi), summary. Shape [VALIDATION_REPORTS]; free each. */
enum { VALIDATION_POINTS, VALIDATION_SIZES, VALIDATION_SUMMARY, VALIDATION_REPORTS };
void cli_report_validation(const cli_validations *validations,
                           cli_report *reports[VALIDATION_REPORTS]);

/* {"schema": "isocast.validation/1", ...}. NULL where memory is short. */
json_t *cli_json_validation(const cli_validations *validations);

#endif
