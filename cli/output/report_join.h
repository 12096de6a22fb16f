/* Several reports with the same columns as one table. Knows no command. */
#ifndef CLI_REPORT_JOIN_H
#define CLI_REPORT_JOIN_H

#include "report.h"

/* What tells the reports apart. */
typedef struct cli_join {
    const cli_column *column; /* a first column that says which report a row is of; NULL: none */
    /* What stands in it, of report k. */
    double (*value)(const void *context, size_t k);
    const void *context;
    /* "E = 0.3", before a footnote that is not one of all: what is before the value, its unit and
     * significant digits. */
    const char *name, *sign, *unit;
    int digits;
} cli_join;

/* The rows of the reports (shape [count], count above 0), one report after the other, with a title
 * in place of all but the first; frees them. NULL where memory is short. */
cli_report *cli_report_join(cli_report **reports, size_t count, const cli_join *join,
                            const char *title, ...) __attribute__((format(printf, 4, 5)));

#endif
