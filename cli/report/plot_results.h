/* What each kind of result becomes as a picture, and the reader of files. Draws nothing. Results
 * get members of their own on the way, which tables read. */
#ifndef CLI_PLOT_RESULTS_H
#define CLI_PLOT_RESULTS_H

#include "plot_table.h"

typedef void plot_reader(json_t *root, plot_data *out);
plot_reader plot_read_prediction, plot_read_scalability, plot_read_found, plot_read_explanation,
    plot_read_comparison, plot_read_scaling, plot_read_validation, plot_read_sets, plot_read_growth,
    plot_read_predictions, plot_read_founds, plot_read_explanations, plot_read_growths,
    plot_read_ranking, plot_read_offers, plot_read_suite, plot_read_forecast, plot_read_joined;

/* Of the columns of residuals of fit-operations. */
#define CLI_RESIDUALS_HEADER "operation,p,m,launch,measured,fitted,ratio"

/* Reads any file that isocast plot draws: JSON by its schema, CSV by its columns. Start from {0}.
 * What is wrong is reported on stderr; gives an exit status. Free in either case. */
int plot_read(const char *path, plot_data *out);

/* A file of isocast sweep as a picture: response curves where one name varies, heat maps with
 * contours over the first two where several do. Rows that fall together are averaged, so that a
 * file of millions of rows becomes a picture. Whether a file that begins so is one of these; and
 * the picture of such a file, with an exit status. */
bool plot_sweep_recognise(const isocast_buffer *start);
int plot_sweep_read(const char *path, plot_data *data);

/* psi between all pairs, where the result has them: true then, and the picture is of nothing else.
 * The title is there already. */
bool plot_matrix(json_t *root, plot_data *data);

#endif
