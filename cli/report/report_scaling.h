/* Lines of scaling, and the choice of a number of processes, as reports (tables, Markdown, CSV) and
 * as JSON ("isocast.scaling/1" of docs/result-schema.json). */
#ifndef CLI_REPORT_SCALING_H
#define CLI_REPORT_SCALING_H

#include "cli/options/prediction_run.h"
#include "cli/output/report.h"
#include "model/solve/least_time.h"
#include "subject.h"

/* What is written: a line, or a choice whose one row is the line. */
typedef struct cli_scaling_view {
    cli_subject subject;
    const isocast_scaling *scaling;
    const isocast_choice *choice; /* NULL: none was asked for */
    isocast_prediction_row unknown;
} cli_scaling_view;

/* `other_sizes` like in the requests. */
cli_scaling_view cli_scaling_view_of(const cli_prediction_run *run, const double *other_sizes,
                                     const isocast_scaling *scaling, const isocast_choice *choice);

/* A base is a row of its own, but for CSV. */
size_t cli_reports_of_scaling(const void *view, bool csv, cli_report **reports);

#endif
