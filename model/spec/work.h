/* The work W(N) of an algorithm by itself, without a machine: what turns measured runs and lists of
 * sizes into speed-efficiency and scalability. Knows nothing of times. */
#ifndef ISOCAST_WORK_H
#define ISOCAST_WORK_H

#include "algorithm.h"

typedef struct isocast_work isocast_work;

/* Binds the work formula to the size parameters and the algorithm's definitions alone. The
 * algorithm must outlive it. Errors, each with diagnostics: INVALID (a work that needs more than
 * the sizes), NO_MEMORY. */
isocast_status isocast_work_create(const isocast_algorithm *algorithm,
                                   isocast_diagnostics *diagnostics, isocast_work **out);
void isocast_work_free(isocast_work *work);
const isocast_algorithm *isocast_work_algorithm(const isocast_work *work);

/* W in flop at each N; shapes [count]. other_sizes: the further sizes, [size_count - 1], the same
 * at every N; NULL where there are none. A value outside the formula's domain is NAN. Errors:
 * NO_MEMORY. */
isocast_status isocast_work_evaluate(const isocast_work *work, const double *N,
                                     const double *other_sizes, size_t count, double *W);

#endif
