#include "fit_parts.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/known_operation.h"

static bool add_time(fit_message_times *times, double m, double seconds) {
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

/* Sorts, and makes means where a size was measured several times. */
static void finish(fit_message_times *times) {
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

/* Straight lines between the sizes measured, proportional beyond; NAN where nothing was. */
static double time_of(const fit_message_times *times, double m) {
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

/* Where an operation was measured on several nodes only, or on one only, that is all there is. */
const fit_message_times *fit_part_of(const fit_message_times part[2], bool one_node) {
    return part[one_node].count > 0 ? &part[one_node] : &part[!one_node];
}

/* The allgather of a broadcast's blocks: p - 1 steps round a ring, or L steps with blocks that
 * double. What was measured of such steps holds for any p. 0 for other operations. */
double fit_parts_known(const fit_parts *parts, fit_kind kind, const fit_summary *item) {
    const fit_message_times *shift = fit_part_of(parts->shift, item->nodes == 1);
    double size = item->m / item->p;
    double seconds = 0;
    if (shift->count > 0 && kind == FIT_KIND_RING) {
        seconds = (item->p - 1) * time_of(shift, size);
    }
    for (double q = 1; shift->count > 0 && kind == FIT_KIND_DOUBLING && q < item->p; q *= 2) {
        seconds += time_of(shift, size * q);
    }
    return seconds;
}

const char *fit_parts_formula(fit_kind kind, bool shifts) {
    if (shifts && kind == FIT_KIND_RING) {
        return "(p - 1)*T_sendrecv(m/p)";
    }
    if (shifts && kind == FIT_KIND_DOUBLING) {
        return "sum(k, 1, ceil(log2(p)), T_sendrecv(m/p*2^(k - 1)))";
    }
    return "";
}

bool fit_parts_find(const samples *s, const fit_summaries *all, fit_parts *out) {
    const char *name = isocast_known_operations[ISOCAST_KNOWN_sendrecv].name;
    for (size_t k = 0; k < all->count; k++) {
        const fit_summary *item = &all->items[k];
        if (strcmp(s->operations[item->operation], name) == 0 &&
            !add_time(&out->shift[item->nodes == 1], item->m, item->seconds)) {
            return false;
        }
    }
    finish(&out->shift[0]);
    finish(&out->shift[1]);
    return true;
}

void fit_parts_free(fit_parts *parts) {
    for (size_t i = 0; i < 2; i++) {
        free(parts->shift[i].m);
        free(parts->shift[i].seconds);
    }
}
