/* A validation as reports and as JSON. */
#ifndef CLI_REPORT_VALIDATION_H
#define CLI_REPORT_VALIDATION_H

#include "cli/output/output.h"
#include "cli/output/render.h"
#include "model/runs/validation.h"
#include "subject.h"

/* The predicted T and E of one system over the sizes measured on it. */
typedef struct cli_validation_curve cli_validation_curve;

/* The reports: points, sizes (N and psi), summary. */
enum { VALIDATION_POINTS, VALIDATION_SIZES, VALIDATION_SUMMARY, VALIDATION_REPORTS };

/* Of the same runs, at one value each of what is held. */
typedef struct cli_validations {
    cli_subject subject;
    const isocast_validation *const *items; /* [count], at least one */
    size_t count;
    isocast_error_summary errors[ISOCAST_VALIDATION_PSI + 1]; /* of all together */
    size_t only;                 /* the report that is asked for; VALIDATION_REPORTS: all */
    const char *fitted;          /* what the runs say of a value that was fitted; NULL: none was */
    cli_validation_curve *curve; /* the one that is written; NULL outside of it */
} cli_validations;

/* Sums up the errors. */
void cli_validations_sum(cli_validations *all);

/* Writes them, and another output with them (fields.h). Gives an exit status. */
int cli_validations_write(const cli_validations *validations, const cli_common *common,
                          cli_output *other);

#endif
