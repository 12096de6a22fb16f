/* A result file of isocast as what a plot script reads: JSON by its schema, CSV by its columns. */
#ifndef CLI_PLOT_READ_H
#define CLI_PLOT_READ_H

#include <jansson.h>

#include "model/base/source.h"
#include "plot_data.h"

/* Reads any file that isocast plot draws. Start from {0}. What is wrong is told on stderr; gives an
 * exit status. Free in either case. */
int plot_read(const char *path, plot_data *out);

/* Members of an object: NAN and "" where there is none of the kind. */
double plot_number_of(const json_t *object, const char *key);
const char *plot_text_of(const json_t *object, const char *key);

/* One file of each: what a result becomes. */
void plot_read_prediction(const json_t *root, plot_data *out);
void plot_read_scalability(const json_t *root, plot_data *out);
void plot_read_found(const json_t *root, plot_data *out);
void plot_read_explanation(const json_t *root, plot_data *out);
void plot_read_comparison(const json_t *root, plot_data *out);
void plot_read_validation(const json_t *root, plot_data *out);

/* A CSV file whose columns are those of RUNS.csv, or of a table of predict, scalability or measure
 * --find. Gives an exit status, like plot_read. */
int plot_read_runs(const char *path, plot_data *out);

#endif
