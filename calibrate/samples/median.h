/* Medians and how well they are known, for measuring and for fitting. No MPI. */
#ifndef MEDIAN_H
#define MEDIAN_H

#include "model/base/median.h"

/* The interquartile mean of values, shape [count], count >= 1; sorts them. What lies outside the
 * quartiles counts nothing, the values at the quartiles for their share inside; of two values it is
 * the mean. */
double interquartile_mean(double *values, size_t count);
double interquartile_mean_of_sorted(const double *values, size_t count);

/* Half the 95 % interval of the median by order statistics, relative to the median; infinite where
 * the samples are too few to have one. The count is lowered to what it is worth by the lag-1
 * autocorrelation r: n (1 - r)/(1 + r). Exact binomial below 30 samples. values: shape [count], in
 * the order they were measured; scratch: the same shape. */
double median_uncertainty(const double *values, size_t count, double *scratch);

#endif
