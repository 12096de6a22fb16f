/* Sums of series over a running variable: exact where the terms are powers of it (Faulhaber), by
 * the integral and what it may be off where they are real powers or have a logarithm. */
#ifndef ISOCAST_SERIES_SUM_H
#define ISOCAST_SERIES_SUM_H

#include "series.h"

/* The sum of `term` over the running variable number `running` from `from` to `to`, which do not
 * hold it, with to >= from - 1. Fails with RUNNING where no such rule is known. */
isocast_series isocast_series_sum(isocast_series_room *room, isocast_series term, size_t running,
                                  isocast_series from, isocast_series to);

/* The series with `value` in place of the running variable, which must stand in whole powers of it
 * alone; fails with RUNNING otherwise. */
isocast_series isocast_series_substitute(isocast_series_room *room, isocast_series a,
                                         size_t running, isocast_series value);

#endif
