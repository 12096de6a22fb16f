#include <math.h>
#include <stdlib.h>

#include "fit.h"
#include "view.h"

enum {
    SINGLES_MOST = 1 << 20,
    PAIRS_MOST = 2000, /* monomials that are tried in twos */
    TRIPLES_MOST = 70  /* in threes */
};

/* Numbers of a record are whole, or means with nine digits. */
static const double residual_most = 1e-8;
static const double term_cost = 1; /* of each term after the first */
static const double step_cost_most = 3.5;

static const double guard_cost = 0.5; /* how complex a guard is, in factors */

typedef struct search {
    const isocast_candidates *candidates;
    derive_view view;
    double best; /* cost of `law` */
    isocast_law law;
} search;

/* Small ones, and those of what programs do every so many steps. */
static const int denominators[] = {1,  2,  3,  4,  5,  6,  7,  8,   9,   10,  11,  12,
                                   15, 16, 20, 25, 32, 50, 64, 100, 128, 200, 500, 1000};

static bool as_fraction(double value, double *numerator, double *denominator) {
    for (size_t i = 0; i < sizeof denominators / sizeof *denominators; i++) {
        int q = denominators[i];
        double whole = round(value * q);
        if (whole != 0 && fabs(whole) < 1e15 &&
            fabs(value * q - whole) <= residual_most * fmax(1, fabs(whole))) {
            *numerator = whole;
            *denominator = q;
            return true;
        }
    }
    return false;
}

static const double denominator_cost_most = 2.9; /* of what is done every 20th step */

/* Numbers with an odd part, such as 37, are more of a coincidence than 8. */
static double number_cost(double numerator, double denominator) {
    double odd = fabs(numerator);
    double cost = numerator < 0 ? 0.5 : 0;
    for (int i = 0; i < 60 && fmod(odd, 2) == 0; i++) {
        odd /= 2;
        cost += 0.05;
    }
    return cost + 0.3 * log2(odd) + fmin(0.8 * log2(denominator), denominator_cost_most);
}

/* Whether a law is nowhere below 0, as counts and sizes are, on as many processes as were recorded
 * and more. A share of a size is no smaller there than in the records. */
static bool is_above_zero(const isocast_candidates *candidates, const isocast_law *law) {
    enum { PROCESSES_MOST = 4096 };
    bool falls = false;
    for (size_t i = 0; i < law->term_count; i++) {
        falls = falls || law->numerators[i] < 0;
    }
    size_t least = PROCESSES_MOST;
    for (size_t r = 0; r < candidates->point_count; r++) {
        size_t p = (size_t)candidates->points[r].p;
        least = p < least ? p : least;
    }
    for (size_t r = 0; falls && r < candidates->point_count; r++) {
        const isocast_law_point *run = &candidates->points[r];
        for (size_t p = least; p <= PROCESSES_MOST; p += p < 64 ? 1 : p / 4) {
            isocast_law_point at = {.p = (double)p};
            for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
                at.sizes[i] = run->sizes[i] * ceil(fmax(at.p / run->p, 1));
            }
            if (isocast_law_value(law, &at) < 0) {
                return false;
            }
        }
    }
    return true;
}

/* Takes a sum where its numbers are fractions, it is simpler than what there is, and has no
 * residual. */
static void consider(search *s, const size_t *monomials, const double *coefficients, size_t count) {
    isocast_law law = {.known = true, .exact = true, .guard = s->view.guard, .term_count = count};
    double cost = law.guard != ISOCAST_GUARD_NONE ? guard_cost : 0;
    for (size_t i = 0; i < count; i++) {
        if (!as_fraction(coefficients[i], &law.numerators[i], &law.denominators[i])) {
            return;
        }
        law.terms[i] = s->candidates->monomials[monomials[i]];
        cost += law.terms[i].cost + number_cost(law.numerators[i], law.denominators[i]) +
                (i > 0 ? term_cost : 0);
    }
    if (cost >= s->best) {
        return;
    }
    for (size_t k = 0; k < s->view.count; k++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            sum += law.numerators[i] / law.denominators[i] *
                   s->view.values[monomials[i] * s->view.count + k];
        }
        if (fabs(sum - s->view.observed[k]) > residual_most * fmax(1, fabs(s->view.observed[k]))) {
            return;
        }
    }
    if (!is_above_zero(s->candidates, &law)) {
        return;
    }
    s->best = cost;
    s->law = law;
}

static double cost_of(const search *s, size_t monomial) {
    return s->candidates->monomials[monomial].cost;
}

static bool is_near(double value, double observed) {
    return fabs(value - observed) <= 1e-6 * fmax(1, fabs(observed));
}

static void try_singles(search *s) {
    const derive_view *v = &s->view;
    for (size_t m = 0; m < v->monomial_count && cost_of(s, m) < s->best; m++) {
        const double *f = v->values + m * v->count;
        bool is_constant = s->candidates->monomials[m].cost == 0;
        if (f[0] == 0 || (!is_constant && v->count < 3)) {
            continue;
        }
        double coefficient = v->observed[0] / f[0];
        if (v->count < 2 || is_near(coefficient * f[1], v->observed[1])) {
            consider(s, &m, &coefficient, 1);
        }
    }
}

/* Two coefficients from the first run and another one that tells them apart. */
static bool solve_pair(const derive_view *v, const double *f, const double *g, double *c) {
    for (size_t k = 1; k < v->count; k++) {
        double determinant = f[0] * g[k] - f[k] * g[0];
        if (fabs(determinant) > 1e-9 * (fabs(f[0] * g[k]) + fabs(f[k] * g[0]))) {
            c[0] = (v->observed[0] * g[k] - v->observed[k] * g[0]) / determinant;
            c[1] = (f[0] * v->observed[k] - f[k] * v->observed[0]) / determinant;
            return true;
        }
    }
    return false;
}

static void try_pairs(search *s) {
    const derive_view *v = &s->view;
    size_t most = v->monomial_count < PAIRS_MOST ? v->monomial_count : PAIRS_MOST;
    bool three = v->count == 3 && v->different == 3;
    if (!three && (v->count < 4 || v->different < 2)) {
        return;
    }
    /* Two values are a step, and three runs leave one to check with. More than the simplest sums
     * would be a coincidence. */
    double cost_most = three || v->different < 3 ? step_cost_most : s->best;
    for (size_t b = 1; b < most && cost_of(s, b) + term_cost < fmin(s->best, cost_most); b++) {
        const double *g = v->values + b * v->count;
        for (size_t a = 0;
             a < b && cost_of(s, a) + cost_of(s, b) + term_cost < fmin(s->best, cost_most); a++) {
            const double *f = v->values + a * v->count;
            double c[2];
            if (solve_pair(v, f, g, c) && is_near(c[0] * f[2] + c[1] * g[2], v->observed[2]) &&
                (three || is_near(c[0] * f[3] + c[1] * g[3], v->observed[3]))) {
                /* The more complex term leads. */
                consider(s, (size_t[]){b, a}, (double[]){c[1], c[0]}, 2);
            }
        }
    }
}

/* Three coefficients by elimination over the runs with the largest pivots. */
static bool solve_triple(const derive_view *v, const double *const *f, double *c) {
    enum { ROWS_MOST = 64 };
    double rows[ROWS_MOST][4];
    size_t count = v->count < ROWS_MOST ? v->count : ROWS_MOST;
    for (size_t k = 0; k < count; k++) {
        double scale = fabs(f[0][k]) + fabs(f[1][k]) + fabs(f[2][k]);
        for (size_t i = 0; i < 4; i++) {
            rows[k][i] = scale > 0 ? (i < 3 ? f[i][k] : v->observed[k]) / scale : 0;
        }
    }
    for (size_t i = 0; i < 3; i++) {
        size_t pivot = i;
        for (size_t k = i; k < count; k++) {
            pivot = fabs(rows[k][i]) > fabs(rows[pivot][i]) ? k : pivot;
        }
        if (fabs(rows[pivot][i]) < 1e-9) {
            return false;
        }
        for (size_t j = 0; j < 4; j++) {
            double swapped = rows[i][j];
            rows[i][j] = rows[pivot][j];
            rows[pivot][j] = swapped;
        }
        for (size_t k = i + 1; k < count; k++) {
            double by = rows[k][i] / rows[i][i];
            for (size_t j = i; j < 4; j++) {
                rows[k][j] -= by * rows[i][j];
            }
        }
    }
    for (size_t i = 3; i-- > 0;) {
        c[i] = rows[i][3];
        for (size_t j = i + 1; j < 3; j++) {
            c[i] -= rows[i][j] * c[j];
        }
        c[i] /= rows[i][i];
    }
    return true;
}

static void try_triples(search *s) {
    const derive_view *v = &s->view;
    size_t most = v->monomial_count < TRIPLES_MOST ? v->monomial_count : TRIPLES_MOST;
    if (v->count < 6 || v->different < 5) {
        return;
    }
    for (size_t a = 2; a < most; a++) {
        for (size_t b = 1; b < a; b++) {
            for (size_t d = 0; d < b; d++) {
                double cost = cost_of(s, a) + cost_of(s, b) + cost_of(s, d) + 2 * term_cost;
                const double *f[] = {v->values + a * v->count, v->values + b * v->count,
                                     v->values + d * v->count};
                double c[3];
                if (cost < s->best && solve_triple(v, f, c) &&
                    is_near(c[0] * f[0][0] + c[1] * f[1][0] + c[2] * f[2][0], v->observed[0]) &&
                    is_near(c[0] * f[0][5] + c[1] * f[1][5] + c[2] * f[2][5], v->observed[5])) {
                    consider(s, (size_t[]){a, b, d}, c, 3);
                }
            }
        }
    }
}

static bool all_zero(const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (values[i] != 0) {
            return false;
        }
    }
    return true;
}

isocast_status isocast_law_fit_exact(const isocast_candidates *candidates, const double *values,
                                     isocast_law *law) {
    search s = {.candidates = candidates, .best = INFINITY};
    if (all_zero(values, candidates->point_count)) {
        *law = (isocast_law){.known = true, .exact = true};
        return ISOCAST_OK;
    }
    isocast_status status = ISOCAST_OK;
    for (size_t terms = 1; terms <= ISOCAST_LAW_TERMS_MAX && status == ISOCAST_OK; terms++) {
        for (size_t guard = 0; guard < ISOCAST_LAW_GUARDS && status == ISOCAST_OK; guard++) {
            if (!isocast_derive_view_makes_sense(candidates, values, (isocast_law_guard)guard)) {
                continue;
            }
            size_t most = terms == 1   ? (size_t)SINGLES_MOST
                          : terms == 2 ? (size_t)PAIRS_MOST
                                       : (size_t)TRIPLES_MOST;
            status = isocast_derive_view_create(candidates, values, (isocast_law_guard)guard, most,
                                                &s.view);
            if (status == ISOCAST_OK) {
                void (*const tries[])(search *) = {try_singles, try_pairs, try_triples};
                tries[terms - 1](&s);
                isocast_derive_view_free(&s.view);
            }
        }
    }
    if (status == ISOCAST_OK) {
        *law = s.law;
    }
    return status;
}
