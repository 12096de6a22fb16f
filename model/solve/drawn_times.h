/* W and T of one system at one N for all draws of the machine's numbers at once. Where formulas
 * hang linearly on the numbers that have errors, as costs do on coefficients, one gradient tells T
 * with every draw, but for rounding. Solves nothing. */
#ifndef ISOCAST_DRAWN_TIMES_H
#define ISOCAST_DRAWN_TIMES_H

#include "model.h"
#include "model/formula/gradient.h"
#include "uncertainty.h"

typedef struct isocast_drawn_times isocast_drawn_times;

/* *out is NULL where W hangs on a number that has an error, T does so other than linearly, or a
 * marked speed has an error. Model and uncertainty must outlive it. Not thread-safe. Errors:
 * NO_MEMORY. */
isocast_status isocast_drawn_times_create(const isocast_model *model, const isocast_uncertainty *u,
                                          isocast_drawn_times **out);
/* NULL is allowed. */
void isocast_drawn_times_free(isocast_drawn_times *times);

/* At one N: T = T_0 + the sum of slopes[i] errors[numbers[i]]. */
typedef struct isocast_drawn_point {
    double N;
    double W;        /* flop; NAN where W or T has no value */
    double T_0;      /* s, without errors */
    size_t count;    /* numbers that T hangs on */
    size_t *numbers; /* [count], indices of the uncertainty's numbers */
    double *slopes;  /* [count], s over the number's unit */
} isocast_drawn_point;

/* `other_sizes` like in isocast_model_points; `effort` takes what it costs. Errors: NO_MEMORY. */
isocast_status isocast_drawn_times_at(isocast_drawn_times *times, const isocast_system *system,
                                      const double *other_sizes, double N, isocast_effort *effort,
                                      isocast_drawn_point *out);
void isocast_drawn_point_free(isocast_drawn_point *point);

/* T with a row of errors, [number_count], s. */
double isocast_drawn_time(const isocast_drawn_point *point, const double *errors);

/* What a point is expected to take of an effort, in steps, with so many draws taken from it. */
double isocast_drawn_times_steps(const isocast_drawn_times *times, size_t draws);

#endif
