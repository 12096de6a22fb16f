#include "calm.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double isocast_calm_time(double *times, size_t count, size_t *calm) {
    gsl_sort(times, 1, count);
    size_t within = 1;
    while (within < count && times[within] <= ISOCAST_CALM_WITHIN * times[0]) {
        within++;
    }
    *calm = within;
    return gsl_stats_median_from_sorted_data(times, 1, within);
}

static bool is_same_name(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool is_same_value(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* Whether two rows are repetitions of one run. */
static bool is_same(const isocast_runs *runs, const isocast_run *a, const isocast_run *b) {
    bool same = is_same_value(a->N, b->N) && is_same_value(a->p, b->p) &&
                is_same_name(a->system, b->system) && is_same_name(a->algorithm, b->algorithm) &&
                is_same_name(a->machine, b->machine);
    for (size_t k = 0; k < runs->other_count && same; k++) {
        same = is_same_value(a->others[k], b->others[k]);
    }
    return same;
}

static bool is_calm(const isocast_runs *runs, const isocast_run *row) {
    for (size_t i = 0; i < runs->count; i++) {
        if (row->T > ISOCAST_CALM_WITHIN * runs->rows[i].T && is_same(runs, row, &runs->rows[i])) {
            return false;
        }
    }
    return true;
}

isocast_status isocast_runs_put_calm_first(isocast_runs *runs, size_t *calm) {
    isocast_run *ordered = malloc((runs->count + 1) * sizeof *ordered);
    bool *is = malloc((runs->count + 1) * sizeof *is);
    if (ordered == NULL || is == NULL) {
        free(ordered);
        free(is);
        return ISOCAST_NO_MEMORY;
    }
    size_t first = 0;
    for (size_t i = 0; i < runs->count; i++) {
        is[i] = is_calm(runs, &runs->rows[i]);
        first += is[i];
    }
    size_t calm_at = 0;
    size_t other_at = first;
    for (size_t i = 0; i < runs->count; i++) {
        ordered[is[i] ? calm_at++ : other_at++] = runs->rows[i];
    }
    memcpy(runs->rows, ordered, runs->count * sizeof *ordered);
    free(ordered);
    free(is);
    *calm = first;
    return ISOCAST_OK;
}
