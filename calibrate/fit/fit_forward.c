#include "fit_forward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/median.h"

/* What is expected of a forecast before anything is known: an error of ln T of a half, worth three
 * forecasts. */
static const double expected_error = 0.5;
static const double expected_count = 3;
/* A forecast further off is not worse: ln T. */
static const double error_most = 1.5;
/* The same for the mean of the chosen, over three doublings of p. */
static const double expected_drift = 0.45 * 0.45 / 3;
/* Of ln T between launches where no point has two: half of what launches on large machines were
 * found to differ by (docs/fitting.md). */
static const double expected_launches = 0.12 * 0.12;
/* Sizes further apart have nothing to tell of what lies between them. */
static const double gap_most = 600;

/* More sizes are thinned out: between those kept, times lie on straight lines. */
static const size_t sizes_most = 64;

/* Of more points than this one in so many is looked at, so that the work grows as the timings do.
 */
enum { POINTS_MAX = 1024 };

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

static double square_of(double forecast, double measured) {
    double error = fmin(fabs(log(forecast / measured)), error_most);
    return error * error;
}

/* Fits without the last `left_out` numbers of processes and scores there. scratch: [p_count]. */
static void score_forward(const fit_timings *t, size_t left_out, fit_growth_point *scratch,
                          fit_forward_score *scores) {
    size_t known = t->p_count - left_out;
    size_t step = step_over(t->count - t->p_begin[known]);
    for (size_t k = t->p_begin[known]; k < t->count; k += step) {
        size_t count = row_of(t, known, t->items[k].m, scratch);
        for (int kind = 0; count > 0 && kind < FIT_GROWTH_KINDS; kind++) {
            fit_growth growth;
            if (fit_growth_fit((fit_growth_kind)kind, scratch, count, &growth)) {
                scores[kind].squares +=
                    square_of(fit_growth_time(&growth, t->items[k].p), t->items[k].seconds);
                scores[kind].count++;
            }
        }
    }
}

/* How well each kind follows what it is fitted to: one that cannot is wrong beyond, too. */
static void score_inside(const fit_timings *t, fit_growth_point *scratch,
                         fit_forward_score *scores) {
    double counts[FIT_GROWTH_KINDS] = {0};
    for (size_t i = 0; i < t->size_count; i += step_over(t->size_count)) {
        size_t count = row_of(t, t->p_count, t->sizes[i], scratch);
        for (int kind = 0; count > 1 && kind < FIT_GROWTH_KINDS; kind++) {
            fit_growth growth;
            if (!fit_growth_fit((fit_growth_kind)kind, scratch, count, &growth)) {
                continue;
            }
            for (size_t k = 0; k < count; k++) {
                scores[kind].inside +=
                    square_of(fit_growth_time(&growth, scratch[k].p), scratch[k].seconds);
                counts[kind]++;
            }
        }
    }
    for (int kind = 0; kind < FIT_GROWTH_KINDS; kind++) {
        scores[kind].inside /= fmax(counts[kind], 1);
    }
}

/* At most three numbers of processes are left out: what is near the end tells most. */
static size_t left_out_most(const fit_timings *t) {
    return t->p_count - 1 < 3 ? t->p_count - 1 : 3;
}

static void score(const fit_timings *t, fit_growth_point *scratch, fit_forward *f) {
    for (size_t left_out = 1; left_out <= left_out_most(t); left_out++) {
        score_forward(t, left_out, scratch, f->scores);
    }
    score_inside(t, scratch, f->scores);
    for (int kind = 0; kind < FIT_GROWTH_KINDS; kind++) {
        fit_forward_score *s = &f->scores[kind];
        s->error = (expected_count * expected_error * expected_error + s->squares) /
                       (expected_count + (double)s->count) +
                   s->inside;
    }
}

/* The best kinds that the points at a size allow, with the weights 1/error. */
static size_t choose(const fit_forward_score *scores, const bool *possible, fit_growth_kind *chosen,
                     double *weights) {
    size_t count = 0;
    double sum = 0;
    bool taken[FIT_GROWTH_KINDS] = {false};
    for (; count < FIT_FORWARD_CHOSEN; count++) {
        int best = -1;
        for (int kind = 0; kind < FIT_GROWTH_KINDS; kind++) {
            if (possible[kind] && !taken[kind] &&
                (best < 0 || scores[kind].error < scores[best].error)) {
                best = kind;
            }
        }
        if (best < 0) {
            break;
        }
        taken[best] = true;
        chosen[count] = (fit_growth_kind)best;
        weights[count] = 1 / scores[best].error;
        sum += weights[count];
    }
    for (size_t i = 0; i < count; i++) {
        weights[i] /= sum;
    }
    return count;
}

/* The mean of the best kinds at one size; false without points. kinds: their growths, or NULL. */
static bool average(const fit_forward_score *scores, const fit_growth_point *points, size_t count,
                    fit_growth *mean, fit_growth kinds[FIT_FORWARD_CHOSEN], fit_growth_kind *chosen,
                    double *weights) {
    fit_growth growths[FIT_GROWTH_KINDS];
    bool possible[FIT_GROWTH_KINDS];
    for (int kind = 0; kind < FIT_GROWTH_KINDS; kind++) {
        possible[kind] =
            count > 0 && fit_growth_fit((fit_growth_kind)kind, points, count, &growths[kind]);
    }
    size_t found = choose(scores, possible, chosen, weights);
    *mean = (fit_growth){0};
    for (size_t i = 0; i < FIT_FORWARD_CHOSEN; i++) {
        weights[i] = i < found ? weights[i] : 0;
        kinds[i] = i < found ? growths[chosen[i]] : (fit_growth){0};
        for (int f = 0; f < FIT_GROWTH_FUNCTIONS; f++) {
            mean->coefficient[f] += weights[i] * kinds[i].coefficient[f];
        }
    }
    return found > 0;
}

/* Forecasts of the mean itself: how far its errors drift a doubling of p, and their median. errors:
 * shape [3 times the points]. */
static void validate(const fit_timings *t, fit_growth_point *scratch, double *errors,
                     fit_forward *f) {
    double drift = expected_count * expected_drift;
    for (size_t left_out = 1; left_out <= left_out_most(t); left_out++) {
        size_t known = t->p_count - left_out;
        size_t step = step_over(t->count - t->p_begin[known]);
        for (size_t k = t->p_begin[known]; k < t->count; k += step) {
            size_t count = row_of(t, known, t->items[k].m, scratch);
            fit_growth mean;
            fit_growth kinds[FIT_FORWARD_CHOSEN];
            fit_growth_kind chosen[FIT_FORWARD_CHOSEN];
            double weights[FIT_FORWARD_CHOSEN];
            /* From one p alone growth cannot be learnt: nothing is forecast like that later. */
            if (count < 2 || !average(f->scores, scratch, count, &mean, kinds, chosen, weights)) {
                continue;
            }
            double forecast = fit_growth_time(&mean, t->items[k].p);
            double factor = t->items[k].p / scratch[count - 1].p;
            errors[f->validated_count++] = fabs(forecast / t->items[k].seconds - 1);
            drift += square_of(forecast, t->items[k].seconds) / fmax(log2(factor), 0.4);
            f->validated_factor = fmax(f->validated_factor, factor);
        }
    }
    f->drift = drift / (expected_count + (double)f->validated_count);
    f->validated = f->validated_count > 0 ? median_of(errors, f->validated_count) : NAN;
}

/* A size that was measured at one p alone grows as the nearest one that tells more. */
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
            double seconds = fit_growth_time(&own->mean, own->p_last);
            *own = (fit_forward_size){own->m, own->p_last, {{{0}}}, f->sizes[from].mean};
            double factor = seconds / fit_growth_time(&own->mean, own->p_last);
            for (int g = 0; g < FIT_GROWTH_FUNCTIONS; g++) {
                own->mean.coefficient[g] *= factor;
            }
            for (size_t c = 0; c < FIT_FORWARD_CHOSEN; c++) {
                own->kinds[c] = f->sizes[from].kinds[c];
                double at = fit_growth_time(&own->kinds[c], own->p_last);
                for (int g = 0; g < FIT_GROWTH_FUNCTIONS; g++) {
                    own->kinds[c].coefficient[g] *= at > 0 ? seconds / at : 0;
                }
            }
        }
    }
}

static void fit_sizes(const fit_timings *t, fit_growth_point *scratch, size_t *counts,
                      fit_forward *f) {
    size_t most = 0;
    size_t kept = t->size_count < sizes_most ? t->size_count : sizes_most;
    for (size_t k = 0; k < kept; k++) {
        size_t i = kept < 2 ? 0 : k * (t->size_count - 1) / (kept - 1);
        fit_forward_size *size = &f->sizes[f->size_count];
        fit_growth_kind chosen[FIT_FORWARD_CHOSEN] = {FIT_GROWTH_KIND_NONE};
        double weights[FIT_FORWARD_CHOSEN];
        size_t count = row_of(t, t->p_count, t->sizes[i], scratch);
        if (!average(f->scores, scratch, count, &size->mean, size->kinds, chosen, weights)) {
            continue;
        }
        size->m = t->sizes[i];
        size->p_last = scratch[count - 1].p;
        counts[f->size_count++] = count;
        /* What is told of the whole is what most of its sizes can have. */
        if (count > most) {
            most = count;
            memcpy(f->chosen, chosen, sizeof chosen);
            memcpy(f->weights, weights, sizeof weights);
        }
    }
    borrow_growth(f, counts);
}

bool fit_forward_learn(const fit_timings *t, fit_forward *out) {
    fit_forward f = {.sizes = calloc(t->size_count + 1, sizeof *f.sizes)};
    fit_growth_point *scratch = malloc((t->p_count + 1) * sizeof *scratch);
    size_t *counts = calloc(t->size_count + 1, sizeof *counts);
    double *errors = malloc((3 * t->count + 1) * sizeof *errors);
    bool good =
        f.sizes != NULL && scratch != NULL && counts != NULL && errors != NULL && t->count > 0;
    if (good) {
        score(t, scratch, &f);
        validate(t, scratch, errors, &f);
        fit_sizes(t, scratch, counts, &f);
        f.launches = t->launch_variance > 0 ? t->launch_variance : expected_launches;
        good = f.size_count > 0;
    }
    free(scratch);
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
    double seconds = fit_growth_time(&f->sizes[below].mean, p);
    if (share > 0) {
        seconds += share * (fit_growth_time(&f->sizes[below + 1].mean, p) - seconds);
    }
    return seconds * factor;
}

double fit_forward_band(const fit_forward *f, double p, double m, double *low, double *high) {
    double share = 0;
    double factor = 1;
    double seconds = fit_forward_time(f, p, m);
    const fit_forward_size *size = &f->sizes[size_below(f, m, &share, &factor)];
    size += share > 0.5 ? 1 : 0;
    /* Three parts: the kinds chosen differ, forecasts drift, launches differ. */
    double variance = f->launches + f->drift * fmax(log2(p / size->p_last), 0);
    double mean = fit_growth_time(&size->mean, p);
    for (size_t i = 0; i < FIT_FORWARD_CHOSEN; i++) {
        double one = fit_growth_time(&size->kinds[i], p);
        variance += one > 0 ? f->weights[i] * pow(log(one / mean), 2) : 0;
    }
    double width = 1.645 * sqrt(variance);
    *low = seconds * exp(-width);
    *high = seconds * exp(width);
    return seconds;
}

void fit_forward_free(fit_forward *f) {
    free(f->sizes);
    *f = (fit_forward){0};
}
