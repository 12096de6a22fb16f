/* CSV as what a plot script reads: runs, tables that isocast writes, and the residuals of isocast
 * fit-operations. Draws nothing. */
#ifndef CLI_PLOT_CSV_H
#define CLI_PLOT_CSV_H

#include "plot_data.h"

/* The columns of residuals. */
#define CLI_RESIDUALS_HEADER "operation,p,m,launch,measured,fitted,ratio"

/* Reads a file whose columns are those of RUNS.csv, of a table of predict, scalability or measure
 * --find, or of residuals. Start from {0}. What is wrong is told on stderr; gives an exit status.
 */
int plot_csv_read(const char *path, const isocast_buffer *text, plot_data *out);

#endif
