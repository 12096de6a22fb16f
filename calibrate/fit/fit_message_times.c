#include "fit_message_times.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

bool fit_message_times_add(fit_message_times *times, double m, double seconds) {
    double *sizes = realloc(times->m, (times->count + 1) * sizeof *sizes);
    if (sizes == NULL) {
        return false;
    }
    times->m = sizes;
    double *values = realloc(times->seconds, (times->count + 1) * sizeof *values);
    if (values == NULL) {
        return false;
    }
    times->seconds = values;
    times->m[times->count] = m;
    times->seconds[times->count++] = seconds;
    return true;
}

void fit_message_times_finish(fit_message_times *times) {
    gsl_sort2(times->m, 1, times->seconds, 1, times->count);
    size_t kept = 0;
    for (size_t begin = 0; begin < times->count;) {
        size_t end = begin;
        double sum = 0;
        while (end < times->count && times->m[end] == times->m[begin]) {
            sum += times->seconds[end++];
        }
        times->m[kept] = times->m[begin];
        times->seconds[kept++] = sum / (double)(end - begin);
        begin = end;
    }
    times->count = kept;
}

double fit_message_time(const fit_message_times *times, double m) {
    if (times->count == 0) {
        return NAN;
    }
    size_t last = times->count - 1;
    if (m <= times->m[0]) {
        return times->seconds[0];
    }
    if (m >= times->m[last]) {
        return times->seconds[last] * m / times->m[last];
    }
    size_t k = 1;
    while (times->m[k] < m) {
        k++;
    }
    double share = (m - times->m[k - 1]) / (times->m[k] - times->m[k - 1]);
    return times->seconds[k - 1] + share * (times->seconds[k] - times->seconds[k - 1]);
}

void fit_message_times_free(fit_message_times *times) {
    free(times->m);
    free(times->seconds);
    *times = (fit_message_times){0};
}
