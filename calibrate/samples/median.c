#include "median.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <string.h>

double interquartile_mean(double *values, size_t count) {
    gsl_sort(values, 1, count);
    return interquartile_mean_of_sorted(values, count);
}

double interquartile_mean_of_sorted(const double *values, size_t count) {
    double quarter = (double)count / 4;
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        /* Value k stands for the ranks from k to k + 1. */
        double from = fmax((double)k, quarter);
        double to = fmin((double)k + 1, (double)count - quarter);
        sum += values[k] * fmax(to - from, 0);
    }
    return sum / ((double)count / 2);
}

/* The number of independent samples that the values are worth. */
static double effective_count(const double *values, size_t count) {
    double r = gsl_stats_lag1_autocorrelation(values, 1, count);
    if (!isfinite(r) || r <= 0) {
        return (double)count;
    }
    return fmax(1, (double)count * (1 - r) / (1 + r));
}

/* The largest k such that the k-th smallest and k-th largest of n hold the median with 95 %. */
static double rank_below(double n) {
    if (n >= 30) {
        return floor(n / 2 - 1.96 * sqrt(n) / 2);
    }
    double k = 0;
    while (k + 1 < n / 2 && gsl_cdf_binomial_P((unsigned)k, 0.5, (unsigned)n) <= 0.025) {
        k++;
    }
    return k;
}

double median_uncertainty(const double *values, size_t count, double *scratch) {
    if (count < 6) {
        return INFINITY;
    }
    double worth = floor(effective_count(values, count));
    double rank = rank_below(worth) * (double)count / worth;
    if (rank < 1) {
        return INFINITY;
    }
    memcpy(scratch, values, count * sizeof *values);
    gsl_sort(scratch, 1, count);
    size_t low = (size_t)rank - 1;
    double median = gsl_stats_median_from_sorted_data(scratch, 1, count);
    return (scratch[count - 1 - low] - scratch[low]) / 2 / median;
}
