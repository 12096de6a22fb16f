#include <math.h>
#include <stdlib.h>

#include "fit.h"
#include "view.h"

enum { SINGLES_MOST = 3000, PAIRS_MOST = 250 };

/* A factor more has to be worth so much of the error. */
static const double factor_price = 0.05;
static const double term_price = 0.1;

typedef struct search {
    const isocast_candidates *candidates;
    derive_view view;
    bool sizes_only;
    double best; /* score of `law` */
    isocast_law law;
} search;

static bool is_meant(const search *s, size_t monomial) {
    if (!s->sizes_only) {
        return true;
    }
    const isocast_monomial *m = &s->candidates->monomials[monomial];
    bool sizes = m->process == 0;
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        sizes = sizes && isocast_law_size_factors[m->factors[i]].is_smooth;
    }
    return sizes;
}

/* Each run counts by its relative error; one of value 0 as one of the smallest other value. */
static double weight_of(double observed, double least) {
    return 1 / fmax(fabs(observed), least);
}

static double least_of(const derive_view *v) {
    double least = INFINITY;
    for (size_t k = 0; k < v->count; k++) {
        least = v->observed[k] != 0 ? fmin(least, fabs(v->observed[k])) : least;
    }
    return isfinite(least) ? least : 1;
}

static void consider(search *s, const size_t *monomials, const double *coefficients, size_t count,
                     double least) {
    const derive_view *v = &s->view;
    double squares = 0;
    for (size_t k = 0; k < v->count; k++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            sum += coefficients[i] * v->values[monomials[i] * v->count + k];
        }
        double relative = (sum - v->observed[k]) * weight_of(v->observed[k], least);
        squares += relative * relative;
    }
    double free = (double)v->count - (double)count;
    double error = sqrt(squares / fmax(free, 1));
    double cost = 0;
    for (size_t i = 0; i < count; i++) {
        cost += s->candidates->monomials[monomials[i]].cost;
    }
    double score = (error + 1e-6) * (1 + factor_price * cost + term_price * (double)(count - 1));
    if (!(score < s->best)) {
        return;
    }
    s->best = score;
    s->law = (isocast_law){.known = true, .guard = v->guard, .term_count = count};
    for (size_t i = 0; i < count; i++) {
        s->law.terms[i] = s->candidates->monomials[monomials[i]];
        s->law.numerators[i] = coefficients[i];
        s->law.denominators[i] = 1;
    }
}

static void try_singles(search *s, double least) {
    const derive_view *v = &s->view;
    for (size_t m = 0; m < v->monomial_count; m++) {
        double ff = 0;
        double fy = 0;
        for (size_t k = 0; k < v->count; k++) {
            double w = weight_of(v->observed[k], least);
            double f = v->values[m * v->count + k] * w;
            ff += f * f;
            fy += f * v->observed[k] * w;
        }
        double coefficient = fy / ff;
        if (coefficient > 0 && isfinite(coefficient) && is_meant(s, m)) {
            consider(s, &m, &coefficient, 1, least);
        }
    }
}

static void try_pair(search *s, size_t a, size_t b, double least) {
    const derive_view *v = &s->view;
    double ff = 0;
    double fg = 0;
    double gg = 0;
    double fy = 0;
    double gy = 0;
    for (size_t k = 0; k < v->count; k++) {
        double w = weight_of(v->observed[k], least);
        double f = v->values[a * v->count + k] * w;
        double g = v->values[b * v->count + k] * w;
        double y = v->observed[k] * w;
        ff += f * f;
        fg += f * g;
        gg += g * g;
        fy += f * y;
        gy += g * y;
    }
    double determinant = ff * gg - fg * fg;
    if (determinant > 1e-9 * ff * gg) {
        double c[] = {(fy * gg - gy * fg) / determinant, (ff * gy - fg * fy) / determinant};
        if (c[0] > 0 && c[1] > 0) {
            consider(s, (size_t[]){a, b}, c, 2, least);
        }
    }
}

static void try_pairs(search *s, double least) {
    size_t most = s->view.monomial_count < PAIRS_MOST ? s->view.monomial_count : PAIRS_MOST;
    for (size_t a = 1; a < most; a++) {
        for (size_t b = 0; b < a && is_meant(s, a); b++) {
            if (is_meant(s, b)) {
                try_pair(s, a, b, least);
            }
        }
    }
}

void isocast_law_measure(const isocast_candidates *candidates, const double *values,
                         isocast_law *law) {
    double squares = 0;
    double worst = 0;
    size_t count = 0;
    for (size_t i = 0; i < candidates->point_count; i++) {
        double value = isocast_law_value(law, &candidates->points[i]);
        if (values[i] != 0) {
            double relative = value / values[i] - 1;
            squares += relative * relative;
            worst = fmax(worst, fabs(relative));
            count++;
        }
    }
    law->mean_error = count > 0 ? sqrt(squares / (double)count) : 0;
    law->worst_error = worst;
}

isocast_status isocast_law_fit_nearest(const isocast_candidates *candidates, const double *values,
                                       size_t terms, bool sizes_only, double least_value,
                                       isocast_law *law) {
    search s = {.candidates = candidates, .sizes_only = sizes_only, .best = INFINITY};
    isocast_status status = ISOCAST_OK;
    for (size_t guard = 0; guard < ISOCAST_LAW_GUARDS && status == ISOCAST_OK; guard++) {
        if (!isocast_derive_view_makes_sense(candidates, values, (isocast_law_guard)guard)) {
            continue;
        }
        status = isocast_derive_view_create(candidates, values, (isocast_law_guard)guard,
                                            SINGLES_MOST, &s.view);
        if (status == ISOCAST_OK) {
            double least = fmax(least_of(&s.view), least_value);
            try_singles(&s, least);
            if (terms > 1 && s.view.count > 3) {
                try_pairs(&s, least);
            }
            isocast_derive_view_free(&s.view);
        }
    }
    if (status == ISOCAST_OK) {
        isocast_law_measure(candidates, values, &s.law);
        *law = s.law;
    }
    return status;
}

isocast_status isocast_law_fit(const isocast_candidates *candidates, const double *values,
                               isocast_law *law) {
    isocast_law found = {0};
    isocast_status status = isocast_law_fit_exact(candidates, values, &found);
    if (status == ISOCAST_OK && !found.known) {
        status = isocast_law_fit_nearest(candidates, values, 2, false, 0, &found);
    }
    if (status == ISOCAST_OK) {
        *law = found;
    }
    return status;
}
