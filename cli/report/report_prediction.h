/* A prediction as a report: the table, CSV and Markdown of `isocast predict`. */
#ifndef CLI_REPORT_PREDICTION_H
#define CLI_REPORT_PREDICTION_H

#include "above_one.h"
#include "cli/output/render.h"
#include "model/solve/prediction.h"

/* `with_base`: the base is the first row, with the status "base" (CSV has the predicted systems
 * only, as JSON's rows). NULL where memory is short. */
cli_report *cli_report_of_prediction(const isocast_prediction *prediction,
                                     const double *other_sizes, bool with_base);

/* Takes its rows whose E is above 1, where that is what it is about; the base counts where it is
 * shown. */
void cli_prediction_take_above_one(const isocast_prediction *prediction, const double *other_sizes,
                                   bool with_base, cli_above_one *rows);

/* Appends the title of a result: "TITLE (NAME) on MACHINE", and what is held constant. */
void cli_report_held(cli_report *report, const isocast_prediction *prediction,
                     const double *other_sizes);

/* The same as one line of text. */
void cli_title_held(const isocast_prediction *prediction, const double *other_sizes,
                    isocast_buffer *out);

/* One footnote for each remark, naming the systems that share it. */
void cli_report_remarks(cli_report *report, const isocast_prediction *prediction);

/* The line over a table: the algorithm and the machine. */
void cli_report_subject(cli_report *report, const isocast_model *model);
/* "N (matrix rank)". */
void cli_report_append_size(const isocast_size *size, isocast_buffer *out);
/* "; K = 7" for the further sizes; nothing where there are none. */
void cli_report_append_other_sizes(const isocast_algorithm *algorithm, const double *other_sizes,
                                   isocast_buffer *out);

#endif
