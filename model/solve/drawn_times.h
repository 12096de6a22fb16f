/* W and T of one system at one N for all draws of the machine's numbers at once. Where formulas
 * hang linearly on the numbers that have errors, as costs do on coefficients, one gradient states T
 * with every draw, but for rounding. Solves nothing. */
#ifndef ISOCAST_DRAWN_TIMES_H
#define ISOCAST_DRAWN_TIMES_H

#include "model.h"
#include "model/formula/gradient.h"
#include "uncertainty.h"

typedef struct isocast_drawn_times isocast_drawn_times;

/* *out is NULL where W depends on a number that has an error, T does so other than linearly, or a
 * marked speed has an error. Model and uncertainty must outlive it. Not thread-safe. Errors:
 * NO_MEMORY. */
isocast_status isocast_drawn_times_create(const isocast_model *model, const isocast_uncertainty *u,
                                          isocast_drawn_times **out);
/* NULL is allowed. */
void isocast_drawn_times_free(isocast_drawn_times *times);

/* From here on questions about this system with N from `low` to `high` take less: what formulas do
 * not need there is left out. For one system and range at a time. Errors: NO_MEMORY. */
isocast_status isocast_drawn_times_narrow(isocast_drawn_times *times, const isocast_system *system,
                                          const double *other_sizes, double low, double high);
/* Whether N is of such a range. */
bool isocast_drawn_times_is_narrow(const isocast_drawn_times *times, const isocast_system *system,
                                   const double *other_sizes, double N);

/* W, flop, and T, s, at some N of such a range, each with the machine's parameters of its own,
 * [count][parameter_count]; NAN where there is no value. Errors: NO_MEMORY. */
isocast_status isocast_drawn_times_evaluate(isocast_drawn_times *times, size_t count,
                                            const double *N, const double *parameters,
                                            isocast_effort *effort, double *W, double *T);

/* At one N: T = T_0 + the sum of slopes[i] errors[numbers[i]]. */
typedef struct isocast_drawn_point {
    double N;
    double W;        /* flop; NAN where W or T has no value */
    double T_0;      /* s, without errors */
    size_t count;    /* numbers that T depends on */
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

/* The same with some draws, which[0] to which[count - 1], of errors by number, [number][draws]; T
 * is [count]. */
void isocast_drawn_times_of(const isocast_drawn_point *point, const double *errors, size_t draws,
                            const size_t *which, size_t count, double *T);

/* What a point is expected to take of an effort, in steps, with so many draws taken from it. */
double isocast_drawn_times_steps(const isocast_drawn_times *times, size_t draws);

#endif
