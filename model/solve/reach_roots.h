/* All N at which W/(size T) is the target, by bands (model/formula/reach.h): a piece of the range
 * is left where the bounds of the balance exclude 0, and cut else, down to pieces that are one
 * number for all purposes. Nothing is given up to chance: where that does not come to an end, it is
 * said that nothing is known. Private to the batch solver. */
#ifndef ISOCAST_REACH_ROOTS_H
#define ISOCAST_REACH_ROOTS_H

#include "model.h"
#include "model/formula/reach.h"
#include "solution.h"

typedef struct isocast_reach_roots {
    size_t count;
    double N[ISOCAST_ROOTS_MAX]; /* [count], rising; roots as solver.h defines them */
    bool more;                   /* there are more than were kept */
    double jump_N;               /* as in isocast_solution */
} isocast_reach_roots;

/* Looks from low to high, both above 0. `reach` is bound to the condition; its outputs are W, T_c
 * and the terms of T_o. weight = 1/(target size), s/flop. *known is false where it is not known
 * whether these are all. `effort` takes what it costs. Errors: NO_MEMORY. */
isocast_status isocast_reach_roots_find(isocast_reach *reach, size_t output_count, double weight,
                                        double low, double high, isocast_effort *effort,
                                        isocast_reach_roots *out, bool *known);

/* The outputs at one N, shape [output_count]; false where one is not known. */
bool isocast_reach_values(isocast_reach *reach, size_t output_count, double N, double *values);

#endif
