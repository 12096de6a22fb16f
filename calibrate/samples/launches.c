#include "launches.h"

#include <math.h>

#include "median.h"
#include "model/base/order.h"

int launches_by_point(const void *left, const void *right) {
    const sample *a = left;
    const sample *b = right;
    int order = isocast_order(a->operation, b->operation);
    order = order != 0 ? order : isocast_order(a->p, b->p);
    order = order != 0 ? order : isocast_order(a->m, b->m);
    return order != 0 ? order : isocast_order(a->launch, b->launch);
}

size_t launches_point_end(const sample *rows, size_t count, size_t begin) {
    const sample *first = &rows[begin];
    size_t end = begin;
    while (end < count && rows[end].operation == first->operation && rows[end].p == first->p &&
           rows[end].m == first->m) {
        end++;
    }
    return end;
}

size_t launches_medians(const sample *rows, size_t count, double least, double *scratch,
                        double *medians) {
    size_t launches = 0;
    for (size_t begin = 0; begin < count;) {
        size_t end = begin;
        while (end < count && rows[end].launch == rows[begin].launch) {
            scratch[end - begin] = rows[end].seconds;
            end++;
        }
        medians[launches++] = fmax(median_of(scratch, end - begin), least);
        begin = end;
    }
    return launches;
}

double launches_variance(const double *medians, size_t count) {
    double mean = 0;
    for (size_t k = 0; k < count; k++) {
        mean += log(medians[k]) / (double)count;
    }
    double squares = 0;
    for (size_t k = 0; k < count; k++) {
        squares += pow(log(medians[k]) - mean, 2);
    }
    return count < 2 ? NAN : squares / ((double)count - 1);
}
