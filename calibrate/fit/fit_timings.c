#include "fit_timings.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "calibrate/samples/median.h"
#include "model/base/order.h"
#include "model/base/random_bits.h"

ISOCAST_ORDER_BY(by_number, double, *x)

/* Sorts, and keeps each number once. */
static size_t make_distinct(double *numbers, size_t count) {
    qsort(numbers, count, sizeof *numbers, by_number);
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        if (kept == 0 || numbers[kept - 1] != numbers[k]) {
            numbers[kept++] = numbers[k];
        }
    }
    return kept;
}

/* The mean over points, each for its degrees of freedom; but for points that jump from launch to
 * launch, which are taken for no more than ten times the median. */
static double typical_variance(const fit_timings *t, double *scratch) {
    size_t known = 0;
    for (size_t k = 0; k < t->count; k++) {
        if (!isnan(t->items[k].variance)) {
            scratch[known++] = t->items[k].variance;
        }
    }
    if (known == 0) {
        return 0;
    }
    double most = 10 * isocast_median(scratch, known);
    double sum = 0;
    double freedom = 0;
    for (size_t k = 0; k < t->count; k++) {
        double share = (double)t->items[k].launches - 1;
        if (!isnan(t->items[k].variance)) {
            sum += share * (most > 0 ? fmin(t->items[k].variance, most) : t->items[k].variance);
            freedom += share;
        }
    }
    return sum / freedom;
}

static void fill(const observations *o, size_t begin, size_t end, double *scratch, fit_timings *t) {
    for (size_t k = begin; k < end;) {
        const observation *first = &o->items[k];
        fit_summary *item = &t->items[t->count++];
        *item =
            (fit_summary){.operation = first->operation, .p = first->p, .m = first->m, .first = k};
        size_t launches = 0;
        while (k < end && o->items[k].p == first->p && o->items[k].m == first->m) {
            scratch[launches++] = o->items[k++].seconds;
        }
        fit_summary_take(item, scratch, launches);
        t->launches_most = launches > t->launches_most ? launches : t->launches_most;
        if (t->p_count == 0 || t->counts_of_p[t->p_count - 1] != item->p) {
            t->p_begin[t->p_count] = t->count - 1;
            t->counts_of_p[t->p_count++] = item->p;
        }
        t->sizes[t->size_count++] = item->m;
    }
    t->p_begin[t->p_count] = t->count;
    t->size_count = make_distinct(t->sizes, t->size_count);
    t->launch_variance = typical_variance(t, scratch);
    size_t known = 0;
    for (size_t k = begin; k < end; k++) {
        if (!isnan(o->items[k].deviation)) {
            scratch[known++] = o->items[k].deviation * o->items[k].deviation;
        }
    }
    t->within_variance = known > 0 ? isocast_median(scratch, known) : NAN;
}

bool fit_timings_make(const observations *o, uint32_t operation, double p_most, fit_timings *out) {
    size_t begin = 0;
    while (begin < o->count && o->items[begin].operation != operation) {
        begin++;
    }
    size_t end = begin;
    while (end < o->count && o->items[end].operation == operation && o->items[end].p <= p_most) {
        end++;
    }
    size_t room = end - begin + 1;
    fit_timings t = {.items = calloc(room, sizeof *t.items),
                     .counts_of_p = malloc(room * sizeof *t.counts_of_p),
                     .p_begin = calloc(room + 1, sizeof *t.p_begin),
                     .sizes = malloc(room * sizeof *t.sizes)};
    double *scratch = malloc(room * sizeof *scratch);
    bool good = t.items != NULL && t.counts_of_p != NULL && t.p_begin != NULL && t.sizes != NULL &&
                scratch != NULL;
    if (good) {
        double noted = operation < o->per_node_count ? o->per_node[operation] : 0;
        t.per_node = noted >= 1 ? noted : 1;
        fill(o, begin, end, scratch, &t);
        *out = t;
    } else {
        fit_timings_free(&t);
    }
    free(scratch);
    return good;
}

void fit_timings_free(fit_timings *t) {
    free(t->items);
    free(t->counts_of_p);
    free(t->p_begin);
    free(t->sizes);
    *t = (fit_timings){0};
}

fit_timings fit_timings_without_last(const fit_timings *t, size_t left_out) {
    fit_timings known = *t;
    known.p_count -= left_out;
    known.count = t->p_begin[known.p_count];
    return known;
}

size_t fit_random_below(fit_random *random, size_t below) {
    random->state += ISOCAST_RANDOM_STEP;
    return (size_t)(isocast_random_unit(isocast_random_bits(random->state)) * (double)below);
}

/* The launches of one p, each once; their number. */
static size_t list_launches(const observations *o, const fit_summary *points, size_t count,
                            double *launches) {
    size_t listed = 0;
    for (size_t k = 0; k < count; k++) {
        for (size_t l = 0; l < points[k].launches; l++) {
            launches[listed++] = o->items[points[k].first + l].launch;
        }
    }
    return make_distinct(launches, listed);
}

void fit_draws_free(fit_draws *d) {
    free(d->by_seconds);
    free(d->launches);
    free(d->launch_counts);
    free(d->times);
    free(d->scratch);
    *d = (fit_draws){0};
}

/* Where the observations of a point, or of a p, begin in what is kept of all. */
static size_t place_of(const fit_timings *t, size_t point) {
    return t->items[point].first - t->items[0].first;
}

bool fit_draws_make(const observations *o, const fit_timings *t, fit_draws *out) {
    size_t room = 1;
    for (size_t k = 0; k < t->count; k++) {
        room += t->items[k].launches;
    }
    fit_draws d = {.by_seconds = malloc(room * sizeof *d.by_seconds),
                   .launches = malloc(room * sizeof *d.launches),
                   .launch_counts = malloc((t->p_count + 1) * sizeof *d.launch_counts),
                   .times = calloc(o->launches.count + 1, sizeof *d.times),
                   .scratch = malloc(room * sizeof *d.scratch)};
    if (d.by_seconds == NULL || d.launches == NULL || d.launch_counts == NULL || d.times == NULL ||
        d.scratch == NULL) {
        fit_draws_free(&d);
        return false;
    }
    for (size_t k = 0; k < t->count; k++) {
        const fit_summary *point = &t->items[k];
        for (size_t l = 0; l < point->launches; l++) {
            d.scratch[l] = o->items[point->first + l].seconds;
        }
        gsl_sort_index(d.by_seconds + place_of(t, k), d.scratch, 1, point->launches);
    }
    for (size_t i = 0; i < t->p_count; i++) {
        size_t begin = t->p_begin[i];
        d.launch_counts[i] = list_launches(o, t->items + begin, t->p_begin[i + 1] - begin,
                                           d.launches + place_of(t, begin));
    }
    *out = d;
    return true;
}

/* A point's times in the launches drawn (times[launch] of them each), made into one. Where none was
 * drawn the point keeps all of its own. */
static void redraw_point(const observations *o, const size_t *by_seconds, const fit_draws *d,
                         fit_summary *point) {
    size_t drawn = 0;
    for (size_t l = 0; l < point->launches; l++) {
        const observation *item = &o->items[point->first + by_seconds[l]];
        for (unsigned k = 0; k < d->times[item->launch]; k++) {
            d->scratch[drawn++] = item->seconds;
        }
    }
    if (drawn > 0) {
        point->seconds = interquartile_mean_of_sorted(d->scratch, drawn);
    }
}

void fit_timings_redraw(const observations *o, const fit_draws *d, fit_random *random,
                        fit_timings *t) {
    for (size_t i = 0; i < t->p_count; i++) {
        size_t begin = t->p_begin[i];
        const double *launches = d->launches + place_of(t, begin);
        size_t count = d->launch_counts[i];
        for (size_t k = 0; k < count; k++) {
            d->times[(size_t)launches[k]] = 0;
        }
        for (size_t k = 0; k < count; k++) {
            d->times[(size_t)launches[fit_random_below(random, count)]]++;
        }
        for (size_t k = begin; k < t->p_begin[i + 1]; k++) {
            redraw_point(o, d->by_seconds + place_of(t, k), d, &t->items[k]);
        }
    }
}
