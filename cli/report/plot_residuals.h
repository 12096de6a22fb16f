/* The residuals of isocast fit-operations as the columns that a plot script reads. Draws nothing.
 */
#ifndef CLI_PLOT_RESIDUALS_H
#define CLI_PLOT_RESIDUALS_H

#include "plot_data.h"

/* The columns of such a file. */
#define CLI_RESIDUALS_HEADER "operation,p,m,launch,measured,fitted,ratio"

/* Whether a file starts with that header. */
bool plot_residuals_recognise(const isocast_buffer *text);

/* Reads one into `out`: measured/fitted over m, by operation, or by p where there is only one. What
 * is wrong is told on stderr; gives an exit status. */
int plot_residuals_read(const char *path, plot_data *out);

#endif
