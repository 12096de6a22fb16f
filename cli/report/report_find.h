/* The sizes that measure --find found, as a report and as JSON. */
#ifndef CLI_REPORT_FIND_H
#define CLI_REPORT_FIND_H

#include "calibrate/campaign/efficiency_search.h"
#include "cli/output/render.h"
#include "subject.h"

/* What the results are of. */
typedef struct cli_find_subject {
    cli_subject subject;
    const char *kernel;
    isocast_size_search search;
    size_t repetitions;
    const campaign_search_row *rows; /* [count] */
    size_t count;
    bool simulated; /* the runs are */
} cli_find_subject;

/* Free with cli_report_free(). */
cli_report *cli_report_find(const cli_find_subject *subject);

/* Those of several targets as one, with a column of the targets, shape [count]; takes the reports
 * over. NULL where memory is short. */
cli_report *cli_report_finds(cli_report **reports, const double *targets, size_t count,
                             isocast_metric metric);

#endif
