/* The residuals of isocast fit-operations as the columns that a plot script reads. Draws nothing.
 */
#ifndef CLI_PLOT_RESIDUALS_H
#define CLI_PLOT_RESIDUALS_H

#include "model/base/source.h"
#include "plot_data.h"

/* The columns of such a file. */
#define CLI_RESIDUALS_HEADER "operation,p,m,launch,measured,fitted,ratio"

/* Whether a file starts with that header. */
bool plot_residuals_recognise(const isocast_source *source);

/* Reads one into `out`: measured/fitted over m, by operation, or by p where there is only one. What
 * is wrong is told on stderr; gives an exit status. Takes the source over. */
int plot_residuals_read(isocast_source *source, plot_data *out);

#endif
