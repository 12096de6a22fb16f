/* What each kind of result becomes as a picture. Draws nothing, reads no file (plot_read.h). */
#ifndef CLI_PLOT_RESULTS_H
#define CLI_PLOT_RESULTS_H

#include "plot_data.h"
#include "plot_json.h"

void plot_read_prediction(const json_t *root, plot_data *out);
void plot_read_scalability(const json_t *root, plot_data *out);
void plot_read_found(const json_t *root, plot_data *out);
void plot_read_explanation(const json_t *root, plot_data *out);
void plot_read_comparison(const json_t *root, plot_data *out);
void plot_read_scaling(const json_t *root, plot_data *out);
void plot_read_validation(const json_t *root, plot_data *out);
void plot_read_sets(const json_t *root, plot_data *out);
void plot_read_growth(const json_t *root, plot_data *out);
void plot_read_predictions(const json_t *root, plot_data *out);
void plot_read_founds(const json_t *root, plot_data *out);
void plot_read_explanations(const json_t *root, plot_data *out);
void plot_read_growths(const json_t *root, plot_data *out);
void plot_read_ranking(const json_t *root, plot_data *out);
void plot_read_offers(const json_t *root, plot_data *out);

/* E over N as measured, the trend lines and what was read from them, in a picture beside those of
 * the rows, which `data` has already. Adds nothing where the result has no measured E. */
void plot_readings(const json_t *root, plot_data *data);

/* psi between all pairs, where the result has them: true then, and the picture is of nothing else.
 * The title is there already. */
bool plot_matrix(const json_t *root, plot_data *data);

#endif
