/* Fitted operations for people and for programs. */
#ifndef CLI_REPORT_FIT_H
#define CLI_REPORT_FIT_H

#include "calibrate/fit/fit_result.h"
#include "cli/output/fields.h"
#include "subject.h"

/* What is written. */
typedef struct cli_fit_view {
    cli_subject subject; /* the command line alone */
    const fit_results *results;
    const double *to; /* [to_count]: numbers of processes to forecast; none: 2, 4 and 8 times the
                         largest measured */
    size_t to_count;
    const char *const *files; /* [file_count] */
    size_t file_count;
} cli_fit_view;

/* A row an operation, the verdicts below; and a row a coefficient, of every formula that has names
 * for them. */
cli_reports_maker cli_reports_of_fit;

/* What was measured and what the formula says, a row for each launch of each (p, m): CSV. */
void cli_fit_residuals(const observations *o, const fit_results *results, isocast_buffer *out);

#endif
