#include "median.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <stdlib.h>

#include "order.h"

double isocast_median(double *values, size_t count) {
    gsl_sort(values, 1, count);
    return gsl_stats_median_from_sorted_data(values, 1, count);
}

ISOCAST_ORDER_BY(compare, isocast_weighed, x->value)

/* Sorts them; gives the sum of the weights. */
static double sort(isocast_weighed *values, size_t count) {
    double sum = 0;
    qsort(values, count, sizeof *values, compare);
    for (size_t i = 0; i < count; i++) {
        sum += values[i].weight;
    }
    return sum;
}

double isocast_weighed_median(isocast_weighed *values, size_t count) {
    double half = sort(values, count) / 2;
    double before = values[0].value;
    double middle_before = 0;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double middle = sum + values[i].weight / 2;
        if (middle >= half) {
            double part = i == 0 ? 1 : (half - middle_before) / (middle - middle_before);
            return before + part * (values[i].value - before);
        }
        before = values[i].value;
        middle_before = middle;
        sum += values[i].weight;
    }
    return before;
}

void isocast_weighed_interval(isocast_weighed *values, size_t count, double *low, double *high) {
    double total = sort(values, count);
    double sum = 0;
    *low = *high = values[0].value;
    for (size_t i = 0; i < count && sum < 0.95 * total; i++) {
        *low = sum < 0.05 * total ? values[i].value : *low;
        *high = values[i].value;
        sum += values[i].weight;
    }
}
