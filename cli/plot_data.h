/* A result file as the columns that a plot script reads. Draws nothing. */
#ifndef CLI_PLOT_DATA_H
#define CLI_PLOT_DATA_H

#include <stdbool.h>

#include "buffer.h"

typedef struct plot_data {
    const char *script; /* of plots/ */
    isocast_buffer title;
    isocast_buffer systems; /* names, parted by blanks; a blank in a name became _ */
    isocast_buffer labels;  /* what the legend calls them */
    isocast_buffer points;  /* CSV with a header */
    isocast_buffer curves;  /* likewise; may be empty */
    isocast_buffer routes;  /* likewise: psi by each route, a row a system */
    bool has_routes;        /* some psi is known */
    bool has_interval;      /* N_low and N_high are known somewhere */
    double x_low, x_high;   /* of the horizontal axis */
} plot_data;

/* Reads a JSON of validate or predict, a RUNS.csv, or residuals of fit-operations. Start from {0}.
 * What is wrong is told on stderr; gives an exit status. Free in either case. */
int plot_data_read(const char *path, plot_data *out);
void plot_data_free(plot_data *data);

#endif
