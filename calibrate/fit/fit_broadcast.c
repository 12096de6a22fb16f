#include "fit_broadcast.h"

#include <math.h>
#include <stdlib.h>

const char *const fit_broadcast_endings[FIT_BROADCASTS] = {
    [FIT_BROADCAST_TREE] = "_tree",
    [FIT_BROADCAST_SCATTER] = "_scatter",
    [FIT_BROADCAST_RING] = "_ring",
};

/* MPICH's thresholds (MPIR_CVAR_BCAST_SHORT_MSG_SIZE, _LONG_MSG_SIZE, _MIN_PROCS). */
static const double short_most = 12288;
static const double long_least = 524288;
static const double processes_least = 8;

static bool is_power_of_two(double p) {
    return exp2(round(log2(p))) == p;
}

bool fit_broadcast_depends(double p, double m) {
    return m >= short_most && p >= processes_least && is_power_of_two(p);
}

fit_broadcast_algorithm fit_broadcast_kind(fit_broadcast_powers powers, double p, double m) {
    if (m < short_most || p < processes_least) {
        return FIT_BROADCAST_TREE;
    }
    if (!is_power_of_two(p)) {
        return FIT_BROADCAST_RING;
    }
    if (powers == FIT_POWERS_TREE) {
        return FIT_BROADCAST_TREE;
    }
    return m < long_least ? FIT_BROADCAST_SCATTER : FIT_BROADCAST_RING;
}

static void call(const char *name, fit_broadcast_algorithm kind, isocast_buffer *out) {
    isocast_buffer_printf(out, "%s%s(m, p)", name, fit_broadcast_endings[kind]);
}

/* An algorithm that was not measured is taken to be like one that was. */
static fit_broadcast_algorithm seen_or(const bool seen[FIT_BROADCASTS],
                                       fit_broadcast_algorithm wanted) {
    static const fit_broadcast_algorithm instead[FIT_BROADCASTS] = {
        [FIT_BROADCAST_TREE] = FIT_BROADCAST_TREE,
        [FIT_BROADCAST_SCATTER] = FIT_BROADCAST_RING,
        [FIT_BROADCAST_RING] = FIT_BROADCAST_SCATTER};
    if (seen[wanted]) {
        return wanted;
    }
    return seen[instead[wanted]] ? instead[wanted] : FIT_BROADCAST_TREE;
}

void fit_broadcast_choice(const char *name, fit_broadcast_powers powers,
                          const bool seen[FIT_BROADCASTS], isocast_buffer *out) {
    isocast_buffer_printf(out, "if(m < %.0f B, ", short_most);
    call(name, FIT_BROADCAST_TREE, out);
    isocast_buffer_printf(out, ", if(p < %.0f, ", processes_least);
    call(name, FIT_BROADCAST_TREE, out);
    isocast_buffer_puts(out, ", if(2^round(log2(p)) == p, ");
    if (powers == FIT_POWERS_TREE) {
        call(name, FIT_BROADCAST_TREE, out);
    } else {
        isocast_buffer_printf(out, "if(m < %.0f B, ", long_least);
        call(name, seen_or(seen, FIT_BROADCAST_SCATTER), out);
        isocast_buffer_puts(out, ", ");
        call(name, seen_or(seen, FIT_BROADCAST_RING), out);
        isocast_buffer_puts(out, ")");
    }
    isocast_buffer_puts(out, ", ");
    call(name, seen_or(seen, FIT_BROADCAST_RING), out);
    isocast_buffer_puts(out, ")))");
}

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

/* There are few values, so a simple sort is enough. It moves both arrays. */
static void sort(fit_message_times *times) {
    for (size_t i = 1; i < times->count; i++) {
        for (size_t k = i; k > 0 && times->m[k] < times->m[k - 1]; k--) {
            double m = times->m[k];
            double seconds = times->seconds[k];
            times->m[k] = times->m[k - 1];
            times->seconds[k] = times->seconds[k - 1];
            times->m[k - 1] = m;
            times->seconds[k - 1] = seconds;
        }
    }
}

void fit_message_times_finish(fit_message_times *times) {
    sort(times);
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
