/* Medians and quantiles, of values that count alike and of values with weights. */
#ifndef ISOCAST_MEDIAN_H
#define ISOCAST_MEDIAN_H

#include <stddef.h>

/* The quantile of 0.95 of a normal error: standard deviations to each end of a 90 % interval. */
#define ISOCAST_NORMAL_95 1.6448536269514722

/* The median of values, shape [count], count >= 1; sorts them. */
double isocast_median(double *values, size_t count);

typedef struct isocast_weighed {
    double value, weight; /* the weight is not negative */
} isocast_weighed;

/* The median by weights, of which one is above 0: each value stands for its weight about its own
 * place, and between two of them the median is on a straight line. Sorts them. */
double isocast_weighed_median(isocast_weighed *values, size_t count);

/* The values at which the weights below come to 5 % and 95 % of all. Sorts them. */
void isocast_weighed_interval(isocast_weighed *values, size_t count, double *low, double *high);

#endif
