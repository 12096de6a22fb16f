/* A result file of isocast as what a plot script reads: JSON by its schema, CSV by its columns. */
#ifndef CLI_PLOT_READ_H
#define CLI_PLOT_READ_H

#include "plot_table.h"

/* The columns of residuals. */
#define CLI_RESIDUALS_HEADER "operation,p,m,launch,measured,fitted,ratio"

/* Reads any file that isocast plot draws. Start from {0}. What is wrong is reported on stderr;
 * gives an exit status. Free in either case. */
int plot_read(const char *path, plot_data *out);

#endif
