/* Several reports with the same columns as one table. Knows no command. */
#ifndef CLI_REPORT_JOIN_H
#define CLI_REPORT_JOIN_H

#include "report.h"

/* What tells the reports apart. */
typedef struct cli_join {
    const cli_column *column; /* a first column that says which report a row is of; NULL: none */
    const double *values;     /* [count], what stands in it */
    char *const *labels;      /* [count], "E = 0.3", before a footnote that is not one of all */
    const char *title;        /* in place of all titles but the first */
} cli_join;

/* The rows of the reports (shape [count], count above 0), one report after the other. NULL where
 * memory is short. */
cli_report *cli_report_join(const cli_report *const *reports, size_t count, const cli_join *join);

#endif
