/* CSV files of runs, and the tables that isocast writes in CSV, as what a plot script reads. */
#ifndef CLI_PLOT_RUNS_H
#define CLI_PLOT_RUNS_H

#include "model/base/source.h"
#include "plot_data.h"

/* A CSV file whose columns are those of RUNS.csv, or of a table of predict, scalability or measure
 * --find. Start from {0}. What is wrong is told on stderr; gives an exit status. Takes the source
 * over. */
int plot_read_runs(isocast_source *source, plot_data *out);

#endif
