/* The sizes that measure --find found, as a report and as JSON. */
#ifndef CLI_REPORT_FIND_H
#define CLI_REPORT_FIND_H

#include <jansson.h>

#include "calibrate/campaign/efficiency_search.h"
#include "cli/output/render.h"

/* What the results are of. */
typedef struct cli_find_subject {
    const isocast_algorithm *algorithm;
    const isocast_machine *machine;
    const char *kernel;
    const char *runs_name; /* of the runs file */
    isocast_size_search search;
    isocast_metric metric;
    long repetitions;
    bool simulated; /* the runs are */
} cli_find_subject;

/* Free with cli_report_free(). */
cli_report *cli_report_find(const cli_find_subject *subject, const campaign_search_row *rows,
                            size_t count);

/* Those of several targets as one, with a column of the targets, shape [count]; takes the reports
 * over. NULL where memory is short. */
cli_report *cli_report_finds(cli_report **reports, const double *targets, size_t count,
                             isocast_metric metric);

/* {"schema": "isocast.measurement/1", ...}; takes the provenance over. NULL where memory is short.
 */
json_t *cli_json_find(const cli_find_subject *subject, const campaign_search_row *rows,
                      size_t count, json_t *provenance);

#endif
