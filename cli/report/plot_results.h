/* What each kind of result becomes as a picture. Draws nothing, reads no file (plot_read.h).
 * Results get members of their own on the way, which tables read. */
#ifndef CLI_PLOT_RESULTS_H
#define CLI_PLOT_RESULTS_H

#include "plot_table.h"

void plot_read_prediction(json_t *root, plot_data *out);
void plot_read_scalability(json_t *root, plot_data *out);
void plot_read_found(json_t *root, plot_data *out);
void plot_read_explanation(json_t *root, plot_data *out);
void plot_read_comparison(json_t *root, plot_data *out);
void plot_read_scaling(json_t *root, plot_data *out);
void plot_read_validation(json_t *root, plot_data *out);
void plot_read_sets(json_t *root, plot_data *out);
void plot_read_growth(json_t *root, plot_data *out);
void plot_read_predictions(json_t *root, plot_data *out);
void plot_read_founds(json_t *root, plot_data *out);
void plot_read_explanations(json_t *root, plot_data *out);
void plot_read_growths(json_t *root, plot_data *out);
void plot_read_ranking(json_t *root, plot_data *out);
void plot_read_offers(json_t *root, plot_data *out);
void plot_read_suite(json_t *root, plot_data *out);
void plot_read_forecast(json_t *root, plot_data *out);
void plot_read_joined(json_t *root, plot_data *out);

/* psi between all pairs, where the result has them: true then, and the picture is of nothing else.
 * The title is there already. */
bool plot_matrix(json_t *root, plot_data *data);

#endif
