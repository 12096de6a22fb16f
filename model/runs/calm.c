#include "calm.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/order.h"

double isocast_calm_time(double *times, size_t count, size_t *calm) {
    gsl_sort(times, 1, count);
    size_t within = 1;
    while (within < count && times[within] <= ISOCAST_CALM_WITHIN * times[0]) {
        within++;
    }
    *calm = within;
    return gsl_stats_median_from_sorted_data(times, 1, within);
}

/* A row on its way to the others that are repetitions of the same run. */
typedef struct entry {
    const isocast_runs *runs;
    size_t row;
} entry;

static int order_names(const char *a, const char *b) {
    return a == NULL || b == NULL ? (a != NULL) - (b != NULL) : strcmp(a, b);
}

/* What has no value comes last. */
static int order_values(double a, double b) {
    return isnan(a) || isnan(b) ? !!isnan(a) - !!isnan(b) : isocast_order(a, b);
}

bool isocast_runs_is_outcome(const char *column) {
    return (column[0] == 'T' && column[1] == '_') || strcmp(column, "flop") == 0 ||
           strcmp(column, "residual") == 0;
}

static int by_run(const void *left, const void *right) {
    const isocast_runs *runs = ((const entry *)left)->runs;
    const isocast_run *a = &runs->rows[((const entry *)left)->row];
    const isocast_run *b = &runs->rows[((const entry *)right)->row];
    int order = order_values(a->N, b->N);
    order = order != 0 ? order : order_values(a->p, b->p);
    order = order != 0 ? order : order_names(a->system, b->system);
    order = order != 0 ? order : order_names(a->algorithm, b->algorithm);
    order = order != 0 ? order : order_names(a->machine, b->machine);
    for (size_t k = 0; k < runs->other_count && order == 0; k++) {
        bool shows = !isocast_runs_is_outcome(runs->other_names[k]);
        order = shows ? order_values(a->others[k], b->others[k]) : 0;
    }
    return order;
}

/* is: [runs->count]; entries: [count], scratch. */
static void mark_calm(const isocast_runs *runs, entry *entries, bool *is) {
    for (size_t i = 0; i < runs->count; i++) {
        entries[i] = (entry){runs, i};
    }
    qsort(entries, runs->count, sizeof *entries, by_run);
    for (size_t begin = 0; begin < runs->count;) {
        size_t end = begin;
        double shortest = NAN;
        while (end < runs->count && by_run(&entries[begin], &entries[end]) == 0) {
            shortest = fmin(shortest, runs->rows[entries[end].row].T);
            end++;
        }
        for (; begin < end; begin++) {
            size_t row = entries[begin].row;
            is[row] = !(runs->rows[row].T > ISOCAST_CALM_WITHIN * shortest);
        }
    }
}

isocast_status isocast_runs_find_calm(const isocast_runs *runs, bool *is, size_t *calm) {
    entry *entries = malloc((runs->count + 1) * sizeof *entries);
    if (entries == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    mark_calm(runs, entries, is);
    free(entries);
    *calm = 0;
    for (size_t i = 0; i < runs->count; i++) {
        *calm += is[i];
    }
    return ISOCAST_OK;
}

isocast_status isocast_runs_put_calm_first(isocast_runs *runs, size_t *calm) {
    isocast_run *ordered = malloc((runs->count + 1) * sizeof *ordered);
    bool *is = malloc((runs->count + 1) * sizeof *is);
    size_t first = 0;
    isocast_status status = ordered != NULL && is != NULL ? isocast_runs_find_calm(runs, is, &first)
                                                          : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK) {
        size_t calm_at = 0;
        size_t other_at = first;
        for (size_t i = 0; i < runs->count; i++) {
            ordered[is[i] ? calm_at++ : other_at++] = runs->rows[i];
        }
        memcpy(runs->rows, ordered, runs->count * sizeof *ordered);
        *calm = first;
    }
    free(ordered);
    free(is);
    return status;
}
