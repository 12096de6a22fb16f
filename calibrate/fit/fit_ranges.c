#include "fit_ranges.h"

#include <math.h>
#include <string.h>

#include "model/base/moments.h"

size_t fit_ranges_coefficients(const fit_ranges *f) {
    size_t count = 0;
    for (size_t r = 0; r < f->count; r++) {
        count += (size_t)__builtin_popcount(f->items[r].terms);
    }
    return count;
}

size_t fit_ranges_places(const fit_ranges *f, fit_place *places) {
    size_t count = 0;
    for (size_t r = 0; r < f->count; r++) {
        for (size_t t = 0; t < f->law->count; t++) {
            if ((f->items[r].terms >> t & 1U) != 0) {
                places[count++] = (fit_place){r, t};
            }
        }
    }
    return count;
}

size_t fit_ranges_at(const fit_ranges *f, double size) {
    size_t r = 0;
    while (r + 1 < f->count && size >= f->items[r + 1].from) {
        r++;
    }
    return r;
}

double fit_ranges_terms(const fit_ranges *f, const fit_point *at) {
    const fit_range *range = &f->items[fit_ranges_at(f, at->m)];
    const isocast_term_point place = {at->p, at->m, at->nodes, at->p_node};
    double seconds = 0;
    for (size_t t = 0; t < f->law->count; t++) {
        /* A term that is not in it may have no value here. */
        if ((range->terms >> t & 1U) != 0) {
            seconds += range->coefficient[t] * isocast_term_value(fit_law_term(f->law, t), &place);
        }
    }
    return seconds;
}

double fit_ranges_time(const fit_ranges *f, const fit_point *at) {
    return at->known + fit_ranges_terms(f, at);
}

_Static_assert((int)FIT_LAW_TERMS_MAX <= (int)ISOCAST_MOMENTS_MAX,
               "the sums have room for every term");

double fit_ranges_row(const fit_law *law, unsigned mask, const fit_point *at, double *row) {
    const isocast_term_point place = {at->p, at->m, at->nodes, at->p_node};
    double scale = at->weight / at->seconds;
    for (size_t t = 0; t < law->count; t++) {
        bool has = (mask >> t & 1U) != 0;
        double value = has ? isocast_term_value(fit_law_term(law, t), &place) * scale : 0;
        row[t] = isfinite(value) ? value : 0;
    }
    return (1 - at->known / at->seconds) * at->weight;
}

/* Sums over the points of one range. */
static void sum_range(const fit_point *points, size_t count, const fit_ranges *f, size_t r,
                      isocast_moments *out) {
    *out = (isocast_moments){.terms = f->law->count};
    for (size_t k = 0; k < count; k++) {
        if (fit_ranges_at(f, points[k].m) == r) {
            double row[FIT_LAW_TERMS_MAX];
            double due = fit_ranges_row(f->law, f->items[r].terms, &points[k], row);
            isocast_moments_add(out, row, due);
        }
    }
}

bool fit_ranges_solve(const fit_point *points, size_t count, bool signs, fit_ranges *f) {
    fit_ranges solved = *f;
    bool good = true;
    for (size_t r = 0; r < f->count && good; r++) {
        isocast_moments moments;
        isocast_moments_system system;
        double squares = 0;
        sum_range(points, count, f, r, &moments);
        isocast_moments_system_make(&moments, &system);
        good = isocast_moments_solve(&system, f->items[r].terms, signs, solved.items[r].coefficient,
                                     &squares);
    }
    if (good) {
        *f = solved;
    }
    return good;
}

/* The variance of a residual in one range. */
static double variance_in(const fit_point *points, size_t count, const fit_ranges *f, size_t r) {
    static const double rounding = 1e-12; /* relative: points on the curve */
    double squares = 0;
    double freedom = -(double)__builtin_popcount(f->items[r].terms);
    for (size_t k = 0; k < count; k++) {
        if (fit_ranges_at(f, points[k].m) == r) {
            double error = fit_ranges_time(f, &points[k]) / points[k].seconds - 1;
            squares += fabs(error) > rounding ? pow(error * points[k].weight, 2) : 0;
            freedom++;
        }
    }
    return freedom > 0 ? squares / freedom : 0;
}

/* The inverse of the normal equations of a range, shape [own][own] of its `own` terms; false where
 * its terms cannot be distinguished. */
static bool invert_range(const fit_point *points, size_t count, const fit_ranges *f, size_t r,
                         double inverse[ISOCAST_MOMENTS_MAX * ISOCAST_MOMENTS_MAX]) {
    isocast_moments moments;
    isocast_moments_system system;
    sum_range(points, count, f, r, &moments);
    isocast_moments_system_make(&moments, &system);
    return isocast_moments_invert(&system, f->items[r].terms, inverse);
}

void fit_ranges_scatter(const fit_point *points, size_t count, const fit_ranges *f,
                        double *covariance) {
    size_t all = fit_ranges_coefficients(f);
    memset(covariance, 0, all * all * sizeof *covariance);
    size_t begin = 0;
    for (size_t r = 0; r < f->count; r++) {
        double inverse[ISOCAST_MOMENTS_MAX * ISOCAST_MOMENTS_MAX];
        size_t own = (size_t)__builtin_popcount(f->items[r].terms);
        bool known = invert_range(points, count, f, r, inverse);
        double variance = variance_in(points, count, f, r);
        for (size_t i = 0; known && i < own * own; i++) {
            covariance[(begin + i / own) * all + begin + i % own] = variance * inverse[i];
        }
        begin += own;
    }
}

static bool same_placement(const fit_point *a, const fit_point *b) {
    return a->p == b->p && a->nodes == b->nodes && a->p_node == b->p_node;
}

/* What one factor on the times of a placement adds to the normal equations of a range, in the order
 * of its terms. */
static void sum_placement(const fit_point *points, size_t count, const fit_ranges *f, size_t r,
                          const fit_point *placement, double *sums) {
    size_t own = (size_t)__builtin_popcount(f->items[r].terms);
    memset(sums, 0, own * sizeof *sums);
    for (size_t k = 0; k < count; k++) {
        if (fit_ranges_at(f, points[k].m) != r || !same_placement(&points[k], placement)) {
            continue;
        }
        double row[FIT_LAW_TERMS_MAX];
        fit_ranges_row(f->law, f->items[r].terms, &points[k], row);
        size_t i = 0;
        for (size_t t = 0; t < f->law->count; t++) {
            if ((f->items[r].terms >> t & 1) != 0) {
                sums[i++] += row[t] * points[k].weight;
            }
        }
    }
}

/* The coefficients of a range are off by inverse * sums for each placement that is off by 1. */
static void add_placement(const double *inverse, const double *sums, size_t own, double shared,
                          double *covariance, size_t begin, size_t all) {
    double off[FIT_LAW_TERMS_MAX] = {0};
    for (size_t i = 0; i < own; i++) {
        for (size_t j = 0; j < own; j++) {
            off[i] += inverse[i * own + j] * sums[j];
        }
    }
    for (size_t i = 0; i < own * own; i++) {
        covariance[(begin + i / own) * all + begin + i % own] +=
            shared * off[i / own] * off[i % own];
    }
}

void fit_ranges_add_shared(const fit_point *points, size_t count, const fit_ranges *f,
                           double shared, double *covariance) {
    size_t all = fit_ranges_coefficients(f);
    size_t begin = 0;
    for (size_t r = 0; r < f->count; r++) {
        double inverse[ISOCAST_MOMENTS_MAX * ISOCAST_MOMENTS_MAX];
        size_t own = (size_t)__builtin_popcount(f->items[r].terms);
        bool known = invert_range(points, count, f, r, inverse);
        for (size_t k = 0; known && k < count; k++) {
            size_t first = 0;
            while (!same_placement(&points[first], &points[k])) {
                first++;
            }
            if (first == k) {
                double sums[FIT_LAW_TERMS_MAX];
                sum_placement(points, count, f, r, &points[k], sums);
                add_placement(inverse, sums, own, shared, covariance, begin, all);
            }
        }
        begin += own;
    }
}
