/* A sweep as a picture: response curves where one name varies, heat maps with contours over the
 * first two where several do. Rows that fall together are averaged, so that a file of millions of
 * rows becomes a picture. */
#ifndef CLI_PLOT_SWEEP_H
#define CLI_PLOT_SWEEP_H

#include "plot_data.h"

/* Reads a file that sweep_rows_recognise() knows. Gives an exit status. */
int plot_sweep_read(const char *path, plot_data *data);

#endif
