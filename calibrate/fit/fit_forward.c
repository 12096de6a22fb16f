#include "fit_forward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/median.h"
#include "fit_trust.h"

/* A forecast further off is not worse: ln T. */
static const double error_most = 1.5;
/* What is expected of the median before anything is known, worth three forecasts: an error of ln T
 * over three doublings of p. */
static const double expected_drift = 0.45 * 0.45 / 3;
static const double expected_count = 3;
/* Variance of ln T between launches where no point has two. Two launches on large machines differ
 * by this spread times the square root of two (docs/accuracy.md). */
static const double expected_launches = 0.12 * 0.12;
/* Sizes further apart have nothing to speak of what lies between them. */
static const double gap_most = 600;

/* More sizes are thinned out: between those kept, times lie on straight lines. */
static const size_t sizes_most = 64;

/* Of more points than this one in so many is looked at, so that the work grows as the timings do.
 */
enum { POINTS_MAX = 1024 };

enum {
    POINTS_FOLLOWED = 16, /* the last of them count most */
    FIT_DOUBLINGS = 3     /* of p, beyond the last */
};

static size_t step_over(size_t count) {
    return 1 + count / (POINTS_MAX + 1);
}

/* ln T between two sizes along a straight line over ln m; 1 B for 0 B. */
static double between(const fit_summary *a, const fit_summary *b, double m) {
    double from = log(fmax(a->m, 1));
    double share = (log(fmax(m, 1)) - from) / fmax(log(fmax(b->m, 1)) - from, 1e-9);
    return exp(log(a->seconds) + share * log(b->seconds / a->seconds));
}

/* The time at a size among the points of one p (shape [count], rising m). False where it was not
 * measured, nor near enough on both sides. */
static bool time_at(const fit_summary *points, size_t count, double m, fit_growth_point *out) {
    size_t above = 0;
    for (size_t end = count; above < end;) {
        size_t middle = (above + end) / 2;
        if (points[middle].m < m) {
            above = middle + 1;
        } else {
            end = middle;
        }
    }
    if (above == count) {
        return false;
    }
    if (points[above].m == m) {
        *out = (fit_growth_point){points[above].p, points[above].seconds, false};
        return true;
    }
    if (above == 0 || fmax(points[above].m, 1) > gap_most * fmax(points[above - 1].m, 1)) {
        return false;
    }
    *out =
        (fit_growth_point){points[above].p, between(&points[above - 1], &points[above], m), true};
    return true;
}

/* The times at one size on the first `p_count` numbers of processes; their number. points: shape
 * [p_count]. */
static size_t row_of(const fit_timings *t, size_t p_count, double m, fit_growth_point *points) {
    size_t found = 0;
    for (size_t i = 0; i < p_count; i++) {
        size_t begin = t->p_begin[i];
        found += time_at(t->items + begin, t->p_begin[i + 1] - begin, m, &points[found]);
    }
    return found;
}

static double error_of(double forecast, double measured) {
    return fmin(fabs(log(forecast / measured)), error_most);
}

/* The paces at the sizes that are kept, on the first `known` numbers of processes. */
typedef struct pace_table {
    const fit_timings *t;
    size_t known;
    fit_growth_point *row; /* [p_count], of the size at hand */
    size_t count;
    double *sizes;    /* [size_count], rising, B */
    fit_paces *paces; /* [size_count] */
    size_t size_count;
} pace_table;

static bool pace_table_create(const fit_timings *t, pace_table *out) {
    *out = (pace_table){.t = t,
                        .row = malloc((t->p_count + 1) * sizeof *out->row),
                        .sizes = malloc((sizes_most + 1) * sizeof *out->sizes),
                        .paces = malloc((sizes_most + 1) * sizeof *out->paces)};
    return out->row != NULL && out->sizes != NULL && out->paces != NULL;
}

static void pace_table_free(pace_table *table) {
    free(table->row);
    free(table->sizes);
    free(table->paces);
}

/* The sizes that are kept: all of a few, or some of many. */
static size_t kept_sizes(const fit_timings *t) {
    return t->size_count < sizes_most ? t->size_count : sizes_most;
}

static double kept_size(const fit_timings *t, size_t k) {
    size_t kept = kept_sizes(t);
    return t->sizes[kept < 2 ? 0 : k * (t->size_count - 1) / (kept - 1)];
}

static void pace_table_fill(pace_table *table, size_t known) {
    table->known = known;
    table->size_count = 0;
    for (size_t k = 0; k < kept_sizes(table->t); k++) {
        double m = kept_size(table->t, k);
        size_t count = row_of(table->t, known, m, table->row);
        if (count >= 2) {
            table->sizes[table->size_count] = m;
            table->paces[table->size_count++] = fit_paces_of(table->t->per_node, table->row, count);
        }
    }
}

/* Of the sizes nearest to m, half of them below it. */
static fit_paces paces_around(const pace_table *table, double m) {
    size_t at = 0;
    while (at < table->size_count && table->sizes[at] < m) {
        at++;
    }
    size_t from = at > FIT_PACES_AROUND / 2 ? at - FIT_PACES_AROUND / 2 : 0;
    size_t to = at + FIT_PACES_AROUND / 2 + 1;
    to = to < table->size_count ? to : table->size_count;
    return fit_paces_median(table->paces + from, to > from ? to - from : 0);
}

/* What each forecaster makes of a size; how many points it has. */
static size_t forecast_size(pace_table *table, double m, fit_forecasts *out) {
    size_t count = row_of(table->t, table->known, m, table->row);
    if (count > 0) {
        fit_paces around = paces_around(table, m);
        fit_forecasts_make(table->t->per_node, table->row, count, &around, out);
    }
    return count;
}

/* At most three numbers of processes are left out: what is near the end states most. */
static size_t left_out_most(const fit_timings *t) {
    return t->p_count - 1 < 3 ? t->p_count - 1 : 3;
}

/* How each forecaster did at a point that is not among the known ones. */
static fit_trial trial_of(const fit_forecasts *forecasts, const fit_summary *at) {
    fit_trial trial = {.m = at->m};
    for (int i = 0; i < FIT_FORECASTERS; i++) {
        double error =
            forecasts->known[i] ? error_of(fit_forecast_of(forecasts, i, at->p), at->seconds) : NAN;
        trial.squares[i] = error * error;
    }
    return trial;
}

/* False where memory is short. */
static bool try_forecasters(pace_table *table, fit_trust *trust) {
    const fit_timings *t = table->t;
    bool room = true;
    for (size_t left_out = 1; left_out <= left_out_most(t); left_out++) {
        pace_table_fill(table, t->p_count - left_out);
        size_t step = step_over(t->count - t->p_begin[table->known]);
        for (size_t k = t->p_begin[table->known]; room && k < t->count; k += step) {
            fit_forecasts forecasts;
            if (forecast_size(table, t->items[k].m, &forecasts) > 0) {
                fit_trial trial = trial_of(&forecasts, &t->items[k]);
                room = fit_trust_add(trust, &trial);
            }
        }
    }
    return room;
}

/* The weights at the sizes that are kept; weights: shape [kept sizes][FIT_FORECASTERS]. */
static void weigh_sizes(const fit_timings *t, const fit_trust *trust, double *weights) {
    for (size_t k = 0; k < kept_sizes(t); k++) {
        fit_trust_weigh(trust, kept_size(t, k), weights + k * FIT_FORECASTERS);
    }
}

/* Those of the first kept size that is not below m, or of the largest. */
static const double *weights_at(const fit_timings *t, const double *weights, double m) {
    size_t k = 0;
    while (k + 1 < kept_sizes(t) && kept_size(t, k) < m) {
        k++;
    }
    return weights + k * FIT_FORECASTERS;
}

/* Forecasts of the median itself: how far its errors drift a doubling of p, and their median.
 * errors: shape [3 times the points]. */
static void validate(pace_table *table, const double *weights, double *errors, fit_forward *f) {
    const fit_timings *t = table->t;
    double drift = expected_count * expected_drift;
    for (size_t left_out = 1; left_out <= left_out_most(t); left_out++) {
        pace_table_fill(table, t->p_count - left_out);
        size_t step = step_over(t->count - t->p_begin[table->known]);
        for (size_t k = t->p_begin[table->known]; k < t->count; k += step) {
            fit_forecasts forecasts;
            /* From one p alone growth cannot be learnt: nothing is forecast like that later. */
            if (forecast_size(table, t->items[k].m, &forecasts) < 2) {
                continue;
            }
            double forecast = fit_forecast_median(&forecasts, weights_at(t, weights, t->items[k].m),
                                                  t->items[k].p);
            double factor = t->items[k].p / forecasts.p_last;
            double error = error_of(forecast, t->items[k].seconds);
            errors[f->validated_count++] = fabs(forecast / t->items[k].seconds - 1);
            drift += error * error / fmax(log2(factor), 0.4);
            f->validated_factor = fmax(f->validated_factor, factor);
        }
    }
    f->drift = drift / (expected_count + (double)f->validated_count);
    f->validated = f->validated_count > 0 ? isocast_median(errors, f->validated_count) : NAN;
}

/* A size that was measured at one p alone grows as the nearest one that says more. */
static void borrow_growth(fit_forward *f, const size_t *counts) {
    for (size_t i = 0; i < f->size_count; i++) {
        double nearest = INFINITY;
        size_t from = i;
        for (size_t k = 0; counts[i] < 2 && k < f->size_count; k++) {
            double distance = fabs(log(fmax(f->sizes[k].m, 1) / fmax(f->sizes[i].m, 1)));
            if (counts[k] >= 2 && distance < nearest) {
                nearest = distance;
                from = k;
            }
        }
        if (from != i) {
            fit_forward_size *own = &f->sizes[i];
            double seconds = fit_growth_time(&own->growth, own->p_last);
            double factor = seconds / fit_growth_time(&f->sizes[from].growth, own->p_last);
            for (int g = 0; g < FIT_GROWTH_FUNCTIONS; g++) {
                own->growth.coefficient[g] = factor * f->sizes[from].growth.coefficient[g];
            }
            own->forecasts = f->sizes[from].forecasts;
            memcpy(own->weights, f->sizes[from].weights, sizeof own->weights);
            fit_forecasts_scale(&own->forecasts, factor);
        }
    }
}

/* A sum of functions of p that follows the points and, beyond them, the median of the forecasts at
 * the next doublings. */
static bool follow_median(const fit_forecasts *forecasts, const double *weights,
                          fit_growth_point *points, size_t count, fit_growth *out) {
    fit_growth_point all[POINTS_FOLLOWED + FIT_DOUBLINGS];
    size_t from = count > POINTS_FOLLOWED ? count - POINTS_FOLLOWED : 0;
    size_t used = 0;
    for (size_t k = from; k < count; k++) {
        all[used++] = points[k];
    }
    for (int d = 1; d <= FIT_DOUBLINGS; d++) {
        double p = ldexp(forecasts->p_last, d);
        all[used++] = (fit_growth_point){p, fit_forecast_median(forecasts, weights, p), false};
    }
    return fit_growth_follow(forecasts->per_node, all, used, count - from, out);
}

static void fit_sizes(pace_table *table, const double *weights, size_t *counts, fit_forward *f) {
    const fit_timings *t = table->t;
    pace_table_fill(table, t->p_count);
    for (size_t k = 0; k < kept_sizes(t); k++) {
        fit_forward_size *size = &f->sizes[f->size_count];
        double m = kept_size(t, k);
        size_t count = forecast_size(table, m, &size->forecasts);
        memcpy(size->weights, weights + k * FIT_FORECASTERS, sizeof size->weights);
        if (count == 0 ||
            !follow_median(&size->forecasts, size->weights, table->row, count, &size->growth)) {
            continue;
        }
        size->m = m;
        size->p_last = size->forecasts.p_last;
        counts[f->size_count++] = count;
    }
    borrow_growth(f, counts);
}

bool fit_forward_learn(const fit_timings *t, fit_forward *out) {
    fit_forward f = {.sizes = calloc(t->size_count + 1, sizeof *f.sizes)};
    size_t *counts = calloc(t->size_count + 1, sizeof *counts);
    double *errors = malloc((3 * t->count + 1) * sizeof *errors);
    double *weights = malloc((kept_sizes(t) + 1) * FIT_FORECASTERS * sizeof *weights);
    pace_table table = {0};
    fit_trust trust = {0};
    bool good = pace_table_create(t, &table) && f.sizes != NULL && counts != NULL &&
                errors != NULL && weights != NULL && t->count > 0 &&
                try_forecasters(&table, &trust);
    if (good) {
        weigh_sizes(t, &trust, weights);
        validate(&table, weights, errors, &f);
        fit_sizes(&table, weights, counts, &f);
        f.launches = t->launch_variance > 0 ? t->launch_variance : expected_launches;
        good = f.size_count > 0;
    }
    pace_table_free(&table);
    fit_trust_free(&trust);
    free(weights);
    free(counts);
    free(errors);
    if (good) {
        *out = f;
    } else {
        fit_forward_free(&f);
    }
    return good;
}

/* The sizes around m and how much of the upper one counts; above the largest both are it, and
 * *factor is what m is of it. */
static size_t size_below(const fit_forward *f, double m, double *share, double *factor) {
    size_t last = f->size_count - 1;
    *share = 0;
    *factor = 1;
    if (m <= f->sizes[0].m || last == 0) {
        *factor = last == 0 && f->sizes[0].m > 0 ? fmax(m / f->sizes[0].m, 1) : 1;
        return 0;
    }
    if (m >= f->sizes[last].m) {
        *factor = m / f->sizes[last].m;
        return last;
    }
    size_t below = 0;
    while (f->sizes[below + 1].m <= m) {
        below++;
    }
    *share = (m - f->sizes[below].m) / (f->sizes[below + 1].m - f->sizes[below].m);
    return below;
}

double fit_forward_time(const fit_forward *f, double p, double m) {
    double share = 0;
    double factor = 1;
    size_t below = size_below(f, m, &share, &factor);
    double seconds = fit_growth_time(&f->sizes[below].growth, p);
    if (share > 0) {
        seconds += share * (fit_growth_time(&f->sizes[below + 1].growth, p) - seconds);
    }
    return seconds * factor;
}

double fit_forward_band(const fit_forward *f, double p, double m, double *low, double *high) {
    double share = 0;
    double factor = 1;
    double seconds = fit_forward_time(f, p, m);
    const fit_forward_size *size = &f->sizes[size_below(f, m, &share, &factor)];
    size += share > 0.5 ? 1 : 0;
    /* Three parts: forecasters differ, forecasts drift, launches differ. */
    double variance = f->launches + f->drift * fmax(log2(p / size->p_last), 0);
    double mean = fit_growth_time(&size->growth, p);
    double weights = 0;
    double differences = 0;
    for (int i = 0; i < FIT_FORECASTERS; i++) {
        if (size->forecasts.known[i]) {
            double one = fit_forecast_of(&size->forecasts, i, p);
            differences += size->weights[i] * pow(log(one / mean), 2);
            weights += size->weights[i];
        }
    }
    variance += weights > 0 ? differences / weights : 0;
    double width = 1.645 * sqrt(variance);
    *low = seconds * exp(-width);
    *high = seconds * exp(width);
    return seconds;
}

void fit_forward_free(fit_forward *f) {
    free(f->sizes);
    *f = (fit_forward){0};
}
