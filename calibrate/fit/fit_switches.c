#include "fit_switches.h"

#include <math.h>
#include <stdlib.h>

#include "fit_borders.h"
#include "model/base/moments.h"

/* Worse than any criterion. */
static const double last_resort = 1e9;

_Static_assert((int)FIT_LAW_TERMS_MAX <= (int)ISOCAST_MOMENTS_MAX, "a law's terms fit");

/* The best terms of a range for each number of terms. */
typedef struct segment {
    double squares[FIT_LAW_TERMS_MAX + 1]; /* [number of terms]; infinite where there are none */
    unsigned terms[FIT_LAW_TERMS_MAX + 1];
} segment;

/* The least squares of everything before a border in so many ranges with so many coefficients in
 * all, and how it came about. */
typedef struct step {
    double squares;
    size_t begin; /* border that the last range begins with */
    size_t terms; /* number of terms of it */
} step;

typedef struct table {
    const fit_point *points;
    size_t count;
    const fit_search *search;
    size_t terms_most; /* of one range */
    size_t coefficients_most;
    fit_borders borders;
    segment *segments; /* [borders][borders + 1]: from border, up to (not with) border */
    step *steps;       /* [FIT_RANGES_MAX + 1][coefficients_most + 1][borders + 1] */
} table;

static step *step_at(const table *t, size_t ranges, size_t coefficients, size_t end) {
    size_t width = t->borders.count + 1;
    return &t->steps[(ranges * (t->coefficients_most + 1) + coefficients) * width + end];
}

static segment *segment_at(const table *t, size_t begin, size_t end) {
    return &t->segments[begin * (t->borders.count + 1) + end];
}

/* Whether a range may have just these terms. */
static bool may_be(const fit_law *law, unsigned terms, bool smallest) {
    return (!smallest || law->starts == 0 || (terms & law->starts) != 0) &&
           ((terms & law->behind_first) == 0 || (terms & 1U) != 0);
}

static void fill_segment(const fit_search *search, const isocast_moments *moments, bool smallest,
                         segment *out) {
    isocast_moments_system system;
    isocast_moments_system_make(moments, &system);
    for (size_t k = 0; k <= FIT_LAW_TERMS_MAX; k++) {
        out->squares[k] = INFINITY;
        out->terms[k] = 0;
    }
    /* Every subset, rising. */
    unsigned allowed = search->allowed;
    for (unsigned terms = -allowed & allowed; terms != 0; terms = (terms - allowed) & allowed) {
        double coefficients[FIT_LAW_TERMS_MAX];
        double squares = 0;
        size_t size = (size_t)__builtin_popcount(terms);
        if (size <= moments->rows && may_be(search->law, terms, smallest) &&
            isocast_moments_solve(&system, terms, false, coefficients, &squares) &&
            squares < out->squares[size] - 1e-12 * moments->y_squares) {
            out->squares[size] = squares;
            out->terms[size] = terms;
        }
    }
}

/* A range has two sizes at least, unless it is alone: else it would follow single points. */
static bool is_range(const table *t, size_t begin, size_t end) {
    const fit_point *first = &t->points[t->borders.first[begin]];
    const fit_point *last = &t->points[t->borders.first[end] - 1];
    return (begin == 0 && end == t->borders.count) || last->m > first->m;
}

static void fill_segments(table *t) {
    for (size_t begin = 0; begin < t->borders.count; begin++) {
        isocast_moments sum = {.terms = t->search->law->count};
        for (size_t end = begin + 1; end <= t->borders.count; end++) {
            for (size_t k = t->borders.first[end - 1]; k < t->borders.first[end]; k++) {
                double row[FIT_LAW_TERMS_MAX];
                double due = fit_ranges_row(t->search->law, t->search->allowed, &t->points[k], row);
                isocast_moments_add(&sum, row, due);
            }
            if (is_range(t, begin, end)) {
                fill_segment(t->search, &sum, begin == 0, segment_at(t, begin, end));
            }
        }
    }
}

/* One step: the last range goes from `begin` to `end`. */
static void try_range(table *t, size_t ranges, size_t begin, size_t end) {
    const segment *last = segment_at(t, begin, end);
    size_t before_most = (ranges - 1) * t->terms_most;
    for (size_t own = 1; own <= t->terms_most; own++) {
        for (size_t before = ranges - 1;
             before <= before_most && before + own <= t->coefficients_most &&
             isfinite(last->squares[own]);
             before++) {
            double squares = step_at(t, ranges - 1, before, begin)->squares + last->squares[own];
            step *best = step_at(t, ranges, before + own, end);
            if (squares < best->squares) {
                *best = (step){squares, begin, own};
            }
        }
    }
}

/* R. Bellman's dynamic programming over the last range (Commun. ACM 4, 1961). */
static void fill_steps(table *t) {
    size_t all = ((size_t)FIT_RANGES_MAX + 1) * (t->coefficients_most + 1) * (t->borders.count + 1);
    for (size_t k = 0; k < all; k++) {
        t->steps[k] = (step){INFINITY, 0, 0};
    }
    step_at(t, 0, 0, 0)->squares = 0;
    for (size_t ranges = 1; ranges <= FIT_RANGES_MAX; ranges++) {
        for (size_t end = 1; end <= t->borders.count; end++) {
            for (size_t begin = 0; begin < end; begin++) {
                if (is_range(t, begin, end)) {
                    try_range(t, ranges, begin, end);
                }
            }
        }
    }
}

/* Reads the ranges off the steps, last first. */
static void trace(const table *t, size_t ranges, size_t coefficients, fit_ranges *out) {
    size_t end = t->borders.count;
    *out = (fit_ranges){.law = t->search->law, .count = ranges};
    for (size_t r = ranges; r > 0; r--) {
        const step *last = step_at(t, r, coefficients, end);
        size_t first = t->borders.first[last->begin];
        fit_range *range = &out->items[r - 1];
        *range = (fit_range){.first = t->points[first].m,
                             .terms = segment_at(t, last->begin, end)->terms[last->terms]};
        if (r > 1) {
            range->below = t->points[first - 1].m;
            range->from = fit_border_between(range->below, range->first);
        }
        coefficients -= last->terms;
        end = last->begin;
    }
}

/* *score: infinite where there is none. */
static void choose(const table *t, fit_ranges *out, double *score) {
    size_t best_ranges = 0;
    size_t best_coefficients = 0;
    *score = INFINITY;
    for (size_t ranges = 1; ranges <= FIT_RANGES_MAX; ranges++) {
        for (size_t k = ranges; k <= t->coefficients_most; k++) {
            double squares = step_at(t, ranges, k, t->borders.count)->squares;
            if (!isfinite(squares)) {
                continue;
            }
            size_t parameters = k + t->search->criterion.switch_parameters * (ranges - 1);
            double own = fit_criterion_score(&t->search->criterion, squares, t->count, parameters);
            /* One coefficient can always be had, if nothing better can. */
            own = k == 1 ? fmin(own, last_resort) : own;
            if (own < *score) {
                *score = own;
                best_ranges = ranges;
                best_coefficients = k;
            }
        }
    }
    if (isfinite(*score)) {
        trace(t, best_ranges, best_coefficients, out);
    }
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

isocast_status fit_switches_choose(const fit_point *points, size_t count, const fit_search *search,
                                   fit_ranges *out, double *score) {
    table t = {.points = points,
               .count = count,
               .search = search,
               .terms_most = (size_t)__builtin_popcount(search->allowed),
               .coefficients_most = smaller(FIT_COEFFICIENTS_MAX, count)};
    if (count == 0 || search->allowed == 0) {
        return ISOCAST_NUMERIC;
    }
    if (!fit_borders_find(points, count, &t.borders)) {
        return ISOCAST_NO_MEMORY;
    }
    size_t borders = t.borders.count;
    t.segments = malloc(borders * (borders + 1) * sizeof *t.segments);
    t.steps = malloc(((size_t)FIT_RANGES_MAX + 1) * (t.coefficients_most + 1) * (borders + 1) *
                     sizeof *t.steps);
    isocast_status status = t.segments != NULL && t.steps != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    fit_ranges chosen = {0};
    if (status == ISOCAST_OK) {
        fill_segments(&t);
        fill_steps(&t);
        choose(&t, &chosen, score);
        bool found = isfinite(*score) && fit_ranges_solve(points, count, false, &chosen);
        status = found ? ISOCAST_OK : ISOCAST_NUMERIC;
    }
    if (status == ISOCAST_OK) {
        *out = chosen;
    }
    free(t.segments);
    free(t.steps);
    return status;
}
