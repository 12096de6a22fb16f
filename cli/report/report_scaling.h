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

/* What each says: the whole is a cli_scaling_view. */
extern const isocast_table cli_scaling_rows;
isocast_item cli_scaling_row_item;

/* A base is a row of its own where `with_base`. */
cli_report *cli_report_of_scaling(const cli_scaling_view *view, bool with_base);
cli_report *cli_report_of_choice(const cli_scaling_view *view);

#endif
