/* The functions of the formula language on series: what each comes to on the room's path. Where a
 * value is only known to lie between two others, so is the result. */
#ifndef ISOCAST_SERIES_FUNCTION_H
#define ISOCAST_SERIES_FUNCTION_H

#include "series.h"

/* What a comparison of two series comes to on the path. */
typedef enum isocast_series_order {
    ISOCAST_SERIES_BELOW,
    ISOCAST_SERIES_SAME, /* for all p and N */
    ISOCAST_SERIES_ABOVE,
    ISOCAST_SERIES_UNSURE
} isocast_series_order;

typedef enum isocast_series_rounding {
    ISOCAST_SERIES_FLOOR,
    ISOCAST_SERIES_CEIL,
    ISOCAST_SERIES_ROUND
} isocast_series_rounding;

isocast_series isocast_series_divide(isocast_series_room *room, isocast_series a, isocast_series b);
isocast_series isocast_series_power(isocast_series_room *room, isocast_series a, double exponent);
/* The natural logarithm. */
isocast_series isocast_series_log(isocast_series_room *room, isocast_series a);
/* e^a, where a is a sum of logarithms and what stays bounded. */
isocast_series isocast_series_exp(isocast_series_room *room, isocast_series a);
isocast_series isocast_series_round(isocast_series_room *room, isocast_series a,
                                    isocast_series_rounding rounding);
isocast_series_order isocast_series_compare(isocast_series_room *room, isocast_series a,
                                            isocast_series b);
/* One of the two, or a value between them, where it is not known which. */
isocast_series isocast_series_either(isocast_series_room *room, isocast_series a, isocast_series b);
isocast_series isocast_series_larger(isocast_series_room *room, isocast_series a, isocast_series b);
isocast_series isocast_series_smaller(isocast_series_room *room, isocast_series a,
                                      isocast_series b);
isocast_series isocast_series_abs(isocast_series_room *room, isocast_series a);
/* The function binomial_volume() of p (model/base/binomial.h): between (l^2 - l)/2 and
 * (l + 1)(l + 2)/2 with l = log2 p. */
isocast_series isocast_series_binomial_volume(isocast_series_room *room, isocast_series a);

/* The sum of `term` over the running variable number `running` from `from` to `to`, which do not
 * hold it, with to >= from - 1. Fails with RUNNING where no such rule is known. */
isocast_series isocast_series_sum(isocast_series_room *room, isocast_series term, size_t running,
                                  isocast_series from, isocast_series to);

/* The series with `value` in place of the running variable, which must stand in whole powers of it
 * alone; fails with RUNNING otherwise. */
isocast_series isocast_series_substitute(isocast_series_room *room, isocast_series a,
                                         size_t running, isocast_series value);

#endif
