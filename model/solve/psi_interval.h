/* The interval of psi between two rows of a prediction. */
#ifndef ISOCAST_PSI_INTERVAL_H
#define ISOCAST_PSI_INTERVAL_H

#include "interval_request.h"

/* A row with how it came about. */
typedef struct isocast_interval_row {
    isocast_interval_request request;
    isocast_prediction_row *row; /* its moves may get draws */
} isocast_interval_row;

/* The interval of psi from a row to another, where both have moves; else NAN. `psi` is its value.
 * As with N, first order is tested at both ends, and draws are taken where it is too rough. Errors:
 * NO_MEMORY. */
isocast_status isocast_interval_of_psi(const isocast_interval_row *from,
                                       const isocast_interval_row *to, double psi, double *low,
                                       double *high);

#endif
