/* A prediction as a report: the table, CSV and Markdown of `isocast predict`. */
#ifndef CLI_REPORT_PREDICTION_H
#define CLI_REPORT_PREDICTION_H

#include <jansson.h>

#include "cli/options/prediction_run.h"
#include "cli/output/render.h"
#include "model/base/field.h"
#include "model/solve/prediction.h"
#include "model/solve/psi_matrix.h"
#include "report_notes.h"

/* What is held: "size", "speed" or "efficiency". */
const char *cli_held_word(const isocast_prediction *prediction);
extern const char *const cli_held_words[]; /* ending in NULL */

/* Psi between all pairs where the view has a matrix, else the rows; the base is the first of them,
 * with the status "base", but for CSV, which has the predicted systems only, as JSON's rows. The
 * result is an isocast_prediction. */
size_t cli_reports_of_prediction(const void *view, bool csv, cli_report **reports);
/* Says at the end of a report why E is above 1 in rows of all answers. */
void cli_note_above_one_of(const cli_prediction_run *answer, bool csv, cli_report *report);

/* Appends the title of a result: "TITLE (NAME) on MACHINE", and what is held constant. */
void cli_report_held(cli_report *report, const isocast_prediction *prediction,
                     const double *other_sizes);

/* One footnote for each remark, naming the systems that share it. */
void cli_report_remarks(cli_report *report, const isocast_prediction *prediction);

/* The line over a table: the algorithm and the machine. */
void cli_report_subject(cli_report *report, const isocast_model *model);
/* "N (matrix rank)". */
void cli_report_append_size(const isocast_size *size, isocast_buffer *out);
/* What a size that is the same on every system is called: strong scaling, where the work is the
 * same, too; nothing where it grows with p. */
const char *cli_report_strong(const isocast_prediction *prediction);

/* "; K = 7" for the further sizes; nothing where there are none. */
void cli_report_append_other_sizes(const isocast_algorithm *algorithm, const double *other_sizes,
                                   isocast_buffer *out);

#endif
