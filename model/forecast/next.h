/* Which runs to make next, so that T at some p is known as well as a budget of processor time
 * allows. */
#ifndef ISOCAST_NEXT_H
#define ISOCAST_NEXT_H

#include "forecast.h"
#include "series.h"

/* Runs at one p. */
typedef struct isocast_next_run {
    const isocast_series *series;
    double target;       /* the p that T is asked for at */
    double width_before; /* upper over lower end of the band of T there, as it is now */
    double p;
    size_t runs;
    double T;     /* s, expected of each */
    double cost;  /* processor s, of all of them */
    double width; /* as width_before, expected after these runs and those of the rows before */
} isocast_next_run;

enum { ISOCAST_NEXT_MAX = 5 }; /* rows of a series */

/* The runs for a series and the forecast that was made of it, at most ISOCAST_NEXT_MAX rows; none
 * where nothing that the budget (processor s) allows would narrow the band by 2 %. Each is the one
 * that narrows the band most, by what T may come out as there. Tried are doublings of the smallest
 * p below the target, and p that were run where it is known how far runs scatter. Errors:
 * NO_MEMORY. */
isocast_status isocast_next_find(const isocast_series *series, const isocast_forecast *forecast,
                                 double target, double budget, isocast_next_run *out,
                                 size_t *count);

#endif
