/* Forecasts are made of about 1.5, 2 and 3 times as many processes as a law is chosen from. */
#include "fit_misses.h"

#include <math.h>
#include <stdlib.h>

#include "calibrate/samples/median.h"
#include "fit_summary.h"

static const double steps[] = {1.5, 2, 3};
/* What simulated operations drift: half of 147 times that were forecast for three to four times the
 * processes, on five platforms drawn at random, were off by less than this for each unit of ln p
 * (docs/explanation/intervals.md). */
static const double usual_drift = 0.003;
enum { STEPS = sizeof steps / sizeof steps[0], TO_LEARN = 2 /* counts that speak of growth */ };

/* The variance of ln T that launches that differ leave in the time of a point. */
static double noise_of(const fit_summary *items, size_t count) {
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        sum += items[k].launches > 1 && items[k].variance > 0
                   ? items[k].variance / (double)items[k].launches
                   : 0;
    }
    return count > 0 ? sum / (double)count * fit_launch_inflation(items, count) : 0;
}

static double square(double x) {
    return x * x;
}

/* The next larger count of processes; INFINITY where there is none. */
static double next_count(const fit_chosen *chosen, double p) {
    double next = INFINITY;
    for (size_t k = 0; k < chosen->count; k++) {
        double own = chosen->points[k].p;
        next = own > p ? fmin(next, own) : next;
    }
    return next;
}

/* The largest count of processes that is at least so many times smaller than the largest one, and
 * has others below it; 0 where there is none. */
static double count_below(const fit_chosen *chosen, double most, double step) {
    double found = 0;
    for (size_t k = 0; k < chosen->count; k++) {
        double p = chosen->points[k].p;
        found = p * step <= most * (1 + 1e-9) ? fmax(found, p) : found;
    }
    size_t counts = 0;
    for (double p = next_count(chosen, 0); p <= found; p = next_count(chosen, p)) {
        counts++;
    }
    return counts >= TO_LEARN ? found : 0;
}

/* The standard deviation of normal errors of ln T whose mean size is that of a law's on p
 * processes. The few sizes next to a switch, which may be far off, do not make up a program. */
static double spread_at(const fit_chosen *chosen, const fit_ranges *ranges, double p) {
    double sum = 0;
    double count = 0;
    for (size_t k = 0; k < chosen->count; k++) {
        const fit_point *at = &chosen->points[k];
        double seconds = at->p == p ? fit_ranges_time(ranges, at) : 0;
        if (seconds > 0) {
            sum += fabs(log(seconds / at->seconds));
            count++;
        }
    }
    return count > 0 ? sum / count * sqrt(acos(-1) / 2) : 0;
}

/* What a law that is chosen from up to `below` processes misses on more of them. */
static isocast_status forecast(const fit_request *request, const fit_summary *items, size_t count,
                               const fit_chosen *chosen, double below, double noise,
                               fit_misses *misses) {
    fit_chosen fewer = {0};
    isocast_status status = fit_chosen_of_fewer(request, items, count, chosen, below, &fewer);
    for (double p = next_count(chosen, below); isfinite(p) && status == ISOCAST_OK;
         p = next_count(chosen, p)) {
        misses->far_squares += fmax(0, square(spread_at(chosen, &fewer.ranges, p)) - 2 * noise);
        misses->far_weight += square(log(p / below));
    }
    fit_chosen_free(&fewer);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

isocast_status fit_misses_add(const fit_request *request, const fit_summary *items, size_t count,
                              const fit_chosen *chosen, fit_misses *misses) {
    double noise = noise_of(items, count);
    double most = 0;
    misses->simulated = request->simgrid;
    misses->places += fit_count_processes(items, count);
    for (size_t k = 0; k < chosen->count; k++) {
        const fit_point *at = &chosen->points[k];
        double seconds = fit_corrected_time(&chosen->ranges, chosen->corrections, at);
        most = fmax(most, at->p);
        if (seconds > 0) {
            misses->squares += square(log(seconds / at->seconds));
            misses->noise += noise;
            misses->weight++;
        }
    }
    double done = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < STEPS && chosen->facts.kind != FIT_KIND_SINGLE; i++) {
        double below = count_below(chosen, most, steps[i]);
        if (below > 0 && below != done && status == ISOCAST_OK) {
            status = forecast(request, items, count, chosen, below, noise, misses);
            done = below;
        }
    }
    return status;
}

double fit_misses_misfit(const fit_misses *misses) {
    if (!(misses->weight > 0)) {
        return NAN;
    }
    /* Above what launches may well make of it. */
    double most = misses->noise * (1 + 2 * sqrt(2 / (double)misses->places));
    double left = (misses->squares - most) / misses->weight;
    left = misses->simulated || left > 0 ? fmax(left, 0) : NAN;
    /* Counts of processes are few, and the law was fitted to them. */
    return sqrt(left * fit_few_launches((double)misses->places - 1));
}

double fit_misses_drift(const fit_misses *misses) {
    return misses->far_weight > 0 ? sqrt(misses->far_squares / misses->far_weight) : NAN;
}

static bool has_drift(const fit_operation *o) {
    return !o->is_kernel && !isnan(o->drift);
}

/* Whether it depends on p, but was measured on too few counts of processes to show how. */
static bool lacks_drift(const fit_operation *o) {
    fit_kind kind = fit_kind_of(o->name);
    bool fitted = !o->is_kernel && o->ranges > 0;
    return fitted && isnan(o->drift) && kind != FIT_KIND_SINGLE && kind != FIT_KIND_WORK;
}

isocast_status fit_misses_fill(bool simulated, fit *f) {
    double *known = malloc((f->operation_count + 1) * sizeof *known);
    if (known == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    size_t count = 0;
    for (size_t i = 0; i < f->operation_count; i++) {
        if (has_drift(&f->operations[i])) {
            known[count++] = f->operations[i].drift;
        }
    }
    double middle = count > 0 ? isocast_median(known, count) : simulated ? usual_drift : NAN;
    free(known);
    for (size_t i = 0; i < f->operation_count; i++) {
        if (lacks_drift(&f->operations[i])) {
            f->operations[i].drift = middle;
        }
    }
    return ISOCAST_OK;
}
