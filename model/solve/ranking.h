/* Which of several algorithms, or of one on several machines, is fastest where: over N on each
 * system, or over p at each N. Formats nothing. */
#ifndef ISOCAST_RANKING_H
#define ISOCAST_RANKING_H

#include "crossing.h"

/* Two contenders at one place. */
typedef struct isocast_ranking_pair {
    size_t place; /* index of the system, or of N */
    size_t first, second;
    isocast_crossings crossings;
} isocast_ranking_pair;

/* A range over which one contender is fastest. */
typedef struct isocast_ranking_range {
    size_t place;
    double from, to;
    size_t fastest; /* the number of contenders where none works */
} isocast_ranking_range;

/* Start from {0}. */
typedef struct isocast_ranking {
    isocast_ranking_pair *pairs; /* [pair_count], place by place */
    size_t pair_count;
    isocast_ranking_range *ranges; /* [range_count], place by place, rising */
    size_t range_count, range_capacity;
    isocast_crossing_processes processes; /* of a ranking over p: those that count */
} isocast_ranking;

/* Over N from `low` to `high`. Shape of contenders: [places][count], with their systems. One that
 * has not the concurrency at an N, or whose rules its system breaks, is no contender there. Errors:
 * NO_MEMORY. */
isocast_status isocast_ranking_over_N(const isocast_crossing_side *contenders, size_t count,
                                      size_t places, double low, double high,
                                      isocast_effort *effort, isocast_ranking *out);

/* Over p from 1 to `most`, at each N (shape [places]). Shape of contenders: [count]. Up to
 * ISOCAST_CROSSING_PROCESSES only those p count that keep the rules of systems of all contenders;
 * beyond, rules are left aside. Where no p counts there are no ranges. Errors: NO_MEMORY. */
isocast_status isocast_ranking_over_p(const isocast_crossing_side *contenders, size_t count,
                                      const double *N, size_t places, double most,
                                      isocast_effort *effort, isocast_ranking *out);
/* The times of one contender as a ranking compares them, s, shape [count]: over N on its system at
 * each x; or, where `N` is a number, over p at that N. NAN where it does not work. Errors:
 * NO_MEMORY.
 */
isocast_status isocast_ranking_times(const isocast_crossing_side *contender, double N,
                                     const double *x, size_t count, isocast_effort *effort,
                                     double *T);
void isocast_ranking_free(isocast_ranking *ranking);

#endif
