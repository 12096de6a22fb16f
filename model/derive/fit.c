#include "fit.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the runs that a guard leaves ---- */

typedef struct view {
    const isocast_candidates *c;
    isocast_law_guard guard;
    size_t *runs;     /* [count], the largest value first, then the smallest */
    double *observed; /* [count] */
    double *weights;  /* [count], by which errors of the nearest laws count */
    size_t count;     /* 0: the guard says nothing */
    size_t different; /* values of `observed` that differ */
} view;

static double value_at(const view *v, size_t monomial, size_t k) {
    return v->c->values[monomial * v->c->point_count + v->runs[k]];
}

static const isocast_law_point *point_at(const view *v, size_t k) {
    return &v->c->points[v->runs[k]];
}

/* Whether it leaves out runs, all of which have the value 0, and keeps some. NONE always does. */
static bool makes_sense(const isocast_candidates *c, const double *values,
                        isocast_law_guard guard) {
    size_t kept = 0;
    for (size_t i = 0; i < c->point_count; i++) {
        bool holds = isocast_guard_holds(guard, &c->points[i]);
        kept += holds;
        if (!holds && values[i] != 0) {
            return false;
        }
    }
    return kept > 0 && (guard == ISOCAST_GUARD_NONE || kept < c->point_count);
}

/* The largest first and the smallest next, from which two coefficients are reported best. */
static void order(view *v, const double *values) {
    for (size_t place = 0; place < 2 && place < v->count; place++) {
        size_t best = place;
        for (size_t i = place + 1; i < v->count; i++) {
            double a = values[v->runs[i]];
            double b = values[v->runs[best]];
            best = (place == 0 ? a > b : a < b) ? i : best;
        }
        size_t swapped = v->runs[place];
        v->runs[place] = v->runs[best];
        v->runs[best] = swapped;
    }
}

static void close_views(view *views) {
    for (size_t g = 0; g < ISOCAST_LAW_GUARDS; g++) {
        free(views[g].runs);
        free(views[g].observed);
        free(views[g].weights);
    }
}

/* views: [ISOCAST_LAW_GUARDS], to be closed in every case. least: see isocast_fit_nearest(). */
static isocast_status open_views(const isocast_candidates *c, const double *values, double least,
                                 view *views) {
    bool made = true;
    for (size_t g = 0; g < ISOCAST_LAW_GUARDS; g++) {
        view *v = &views[g];
        *v = (view){.c = c,
                    .guard = (isocast_law_guard)g,
                    .runs = calloc(c->point_count + 1, sizeof *v->runs),
                    .observed = calloc(c->point_count + 1, sizeof *v->observed),
                    .weights = calloc(c->point_count + 1, sizeof *v->weights)};
        made = made && v->runs != NULL && v->observed != NULL && v->weights != NULL;
        bool sense = made && makes_sense(c, values, v->guard);
        for (size_t i = 0; i < c->point_count && sense; i++) {
            if (isocast_guard_holds(v->guard, &c->points[i])) {
                v->runs[v->count++] = i;
            }
        }
        order(v, values);
        double smallest = INFINITY;
        for (size_t i = 0; i < v->count; i++) {
            v->observed[i] = values[v->runs[i]];
            bool is_new = true;
            for (size_t k = 0; k < i; k++) {
                is_new = is_new && v->observed[k] != v->observed[i];
            }
            v->different += is_new;
            smallest = v->observed[i] != 0 ? fmin(smallest, fabs(v->observed[i])) : smallest;
        }
        /* Each run counts by its relative error; one of value 0 as one of the smallest other one.
         */
        smallest = fmax(isfinite(smallest) ? smallest : 1, least);
        for (size_t i = 0; i < v->count; i++) {
            v->weights[i] = 1 / fmax(fabs(v->observed[i]), smallest);
        }
    }
    return made ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

/* ---- exact laws ---- */

/* Monomials that are tried by themselves, in twos and in threes. */
static const size_t tried[] = {(size_t)1 << 20, 2000, 70};

/* Numbers of a record are whole, or means with nine digits. */
static const double residual_most = 1e-8;
static const double term_cost = 1; /* of each term after the first */
static const double step_cost_most = 3.5;
static const double guard_cost = 0.5;            /* how complex a guard is, in factors */
static const double denominator_cost_most = 2.9; /* of what is done every 20th step */

typedef struct search {
    const view *v;
    size_t monomials; /* that are tried, the simplest ones */
    double best;      /* cost, or score, of `law` */
    isocast_law law;
    /* Of the nearest ones. */
    size_t *meant; /* [meant_count], the monomials that the kind has, the simplest first */
    size_t meant_count;
    double allowed[2]; /* sum of squares that laws of one and two terms may leave by the noise */
    bool acceptable;   /* the noise does not reject `law` */
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
static bool is_above_zero(const isocast_candidates *c, const isocast_law *law) {
    enum { PROCESSES_MOST = 4096 };
    bool falls = false;
    for (size_t i = 0; i < law->term_count; i++) {
        falls = falls || law->numerators[i] < 0;
    }
    size_t least = PROCESSES_MOST;
    for (size_t r = 0; r < c->point_count; r++) {
        size_t p = (size_t)c->points[r].p;
        least = p < least ? p : least;
    }
    for (size_t r = 0; falls && r < c->point_count; r++) {
        const isocast_law_point *run = &c->points[r];
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
static void consider_exact(search *s, const size_t *monomials, const double *coefficients,
                           size_t count) {
    const view *v = s->v;
    isocast_law law = {.known = true, .exact = true, .guard = v->guard, .term_count = count};
    double cost = law.guard != ISOCAST_GUARD_NONE ? guard_cost : 0;
    for (size_t i = 0; i < count; i++) {
        if (!as_fraction(coefficients[i], &law.numerators[i], &law.denominators[i])) {
            return;
        }
        law.terms[i] = v->c->monomials[monomials[i]];
        cost += law.terms[i].cost + number_cost(law.numerators[i], law.denominators[i]) +
                (i > 0 ? term_cost : 0);
    }
    if (cost >= s->best) {
        return;
    }
    for (size_t k = 0; k < v->count; k++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            sum += law.numerators[i] / law.denominators[i] * value_at(v, monomials[i], k);
        }
        if (fabs(sum - v->observed[k]) > residual_most * fmax(1, fabs(v->observed[k]))) {
            return;
        }
    }
    if (is_above_zero(v->c, &law)) {
        s->best = cost;
        s->law = law;
    }
}

static double cost_of(const search *s, size_t monomial) {
    return s->v->c->monomials[monomial].cost;
}

static bool is_near(double value, double observed) {
    return fabs(value - observed) <= 1e-6 * fmax(1, fabs(observed));
}

static void try_singles(search *s) {
    const view *v = s->v;
    for (size_t m = 0; m < s->monomials && cost_of(s, m) < s->best; m++) {
        bool is_constant = cost_of(s, m) == 0;
        double first = value_at(v, m, 0);
        if (first != 0 && (is_constant || v->count > 2)) {
            double coefficient = v->observed[0] / first;
            if (v->count < 2 || is_near(coefficient * value_at(v, m, 1), v->observed[1])) {
                consider_exact(s, &m, &coefficient, 1);
            }
        }
    }
}

/* Two coefficients from the first run and another one that distinguishes them. */
static bool solve_pair(const view *v, size_t a, size_t b, double *c) {
    double f = value_at(v, a, 0);
    double g = value_at(v, b, 0);
    for (size_t k = 1; k < v->count; k++) {
        double f_k = value_at(v, a, k);
        double g_k = value_at(v, b, k);
        double determinant = f * g_k - f_k * g;
        if (fabs(determinant) > 1e-9 * (fabs(f * g_k) + fabs(f_k * g))) {
            c[0] = (v->observed[0] * g_k - v->observed[k] * g) / determinant;
            c[1] = (f * v->observed[k] - f_k * v->observed[0]) / determinant;
            return true;
        }
    }
    return false;
}

/* Whether a sum is near at a run, before all are looked at. */
static bool is_sum_near(const view *v, const size_t *monomials, const double *c, size_t count,
                        size_t k) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += c[i] * value_at(v, monomials[i], k);
    }
    return is_near(sum, v->observed[k]);
}

static void try_pairs(search *s) {
    const view *v = s->v;
    bool three = v->count == 3 && v->different == 3;
    if (!three && (v->count < 4 || v->different < 2)) {
        return;
    }
    /* Two values are a step, and three runs leave one to check with. More than the simplest sums
     * would be a coincidence. */
    double most = three || v->different < 3 ? step_cost_most : s->best;
    for (size_t b = 1; b < s->monomials && cost_of(s, b) + term_cost < fmin(s->best, most); b++) {
        for (size_t a = 0; a < b && cost_of(s, a) + cost_of(s, b) + term_cost < fmin(s->best, most);
             a++) {
            const size_t both[] = {b, a}; /* the more complex term leads */
            double c[2];
            if (solve_pair(v, b, a, c) && is_sum_near(v, both, c, 2, 2) &&
                (three || is_sum_near(v, both, c, 2, 3))) {
                consider_exact(s, both, c, 2);
            }
        }
    }
}

/* Three coefficients by least squares over the runs; false: these do not distinguish them. */
static bool solve_triple(const view *v, const size_t *monomials, double *c) {
    enum { ROWS_MOST = 64 };
    double rows[3 * ROWS_MOST];
    double observed[ROWS_MOST];
    double left[ROWS_MOST];
    double tau[3];
    size_t count = v->count < ROWS_MOST ? v->count : ROWS_MOST;
    for (size_t k = 0; k < count; k++) {
        double scale = 0;
        for (size_t i = 0; i < 3; i++) {
            scale += fabs(value_at(v, monomials[i], k));
        }
        for (size_t i = 0; i < 3; i++) {
            rows[3 * k + i] = scale > 0 ? value_at(v, monomials[i], k) / scale : 0;
        }
        observed[k] = scale > 0 ? v->observed[k] / scale : 0;
    }
    gsl_matrix_view QR = gsl_matrix_view_array(rows, count, 3);
    gsl_vector_view t = gsl_vector_view_array(tau, 3);
    gsl_vector_view x = gsl_vector_view_array(c, 3);
    gsl_vector_view y = gsl_vector_view_array(observed, count);
    gsl_vector_view rest = gsl_vector_view_array(left, count);
    gsl_linalg_QR_decomp(&QR.matrix, &t.vector);
    bool apart = true;
    for (size_t i = 0; i < 3; i++) {
        apart = apart && fabs(rows[3 * i + i]) > 1e-9;
    }
    return apart && gsl_linalg_QR_lssolve(&QR.matrix, &t.vector, &y.vector, &x.vector,
                                          &rest.vector) == GSL_SUCCESS;
}

static void try_triples(search *s) {
    const view *v = s->v;
    if (v->count < 6 || v->different < 5) {
        return;
    }
    for (size_t a = 2; a < s->monomials; a++) {
        for (size_t b = 1; b < a; b++) {
            for (size_t d = 0; d < b; d++) {
                const size_t all[] = {a, b, d};
                double cost = cost_of(s, a) + cost_of(s, b) + cost_of(s, d) + 2 * term_cost;
                double c[3];
                if (cost < s->best && solve_triple(v, all, c) && is_sum_near(v, all, c, 3, 0) &&
                    is_sum_near(v, all, c, 3, 5)) {
                    consider_exact(s, all, c, 3);
                }
            }
        }
    }
}

/* law->known is false where no such law is found. */
static isocast_status fit_exact(const isocast_candidates *c, const double *values,
                                isocast_law *law) {
    static void (*const tries[])(search *) = {try_singles, try_pairs, try_triples};
    bool all_zero = true;
    for (size_t i = 0; i < c->point_count; i++) {
        all_zero = all_zero && values[i] == 0;
    }
    if (all_zero) {
        *law = (isocast_law){.known = true, .exact = true};
        return ISOCAST_OK;
    }
    view views[ISOCAST_LAW_GUARDS];
    search s = {.best = INFINITY};
    isocast_status status = open_views(c, values, 0, views);
    for (size_t terms = 0; terms < ISOCAST_LAW_TERMS_MAX && status == ISOCAST_OK; terms++) {
        for (size_t g = 0; g < ISOCAST_LAW_GUARDS; g++) {
            s.v = &views[g];
            s.monomials = c->count < tried[terms] ? c->count : tried[terms];
            if (s.v->count > 0) {
                tries[terms](&s);
            }
        }
    }
    close_views(views);
    *law = s.law;
    return status;
}

/* ---- the nearest laws ---- */

enum { SINGLES_MOST = 3000, PAIRS_MOST = 250 };

/* A factor more has to be worth so much of the error. */
static const double factor_price = 0.05;
static const double term_price = 0.1;

/* What a factor more has to gain in n ln(sum of squares), of laws that the noise does not reject: a
 * law without a usual form has odds of 50 to 1 against it. */
static const double simplicity = 8;

/* How sure the noise has to be that it does not make a law's lack of fit. */
static const double sure = 0.99;
/* Few runs of the same sizes say so little of noise that the test would allow any law: lack of fit
 * counts as noise up to so many times the mean square of that. */
static const double ratio_most = 5;
/* Noise of exact values, relative: that of their computation. */
static const double noise_least = 1e-6;

/* Whether such a law may have a monomial. */
static bool is_meant(const isocast_fitter *f, const isocast_question *q,
                     const isocast_monomial *m) {
    const unsigned own = 1U << q->kind;
    const unsigned smooth = 1U << ISOCAST_LAW_SIZES;
    bool meant = (isocast_law_process_factors[m->process].is & own) != 0;
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        unsigned is = isocast_law_size_factors[m->factors[i]].is;
        bool exponent = (is & ISOCAST_FACTOR_EXPONENT) != 0 && !f->exponents[m->sizes[i]];
        meant = meant && (is & own) != 0 && (!exponent || q->kind == ISOCAST_LAW_ANY);
        /* Who has the largest of whole shares is the busiest one by that alone. */
        meant = meant && (q->kind != ISOCAST_LAW_BUSIEST || m->process == 0 || (is & smooth) != 0);
    }
    const isocast_growth_bounds *b = &q->bounds;
    double growth = b->from != NULL && meant ? isocast_monomial_growth(m, b->from) : b->least;
    return meant && growth >= b->least && (!(b->most > 0) || growth <= b->most) &&
           (!(b->cost > 0) || m->cost <= b->cost);
}

/* The test for lack of fit: the sum of squares that runs of the same sizes, by how they differ from
 * their mean, allow a law of `count` coefficients. Only laws of sizes alone have it. */
static double allowance_of(const view *v, isocast_law_kind kind, size_t count) {
    size_t groups = 0;
    double squares = 0;
    for (size_t k = 0; k < v->count; k++) {
        double sum = 0;
        size_t alike = 0;
        bool is_first = true;
        for (size_t i = 0; i < v->count; i++) {
            if (isocast_law_same_sizes(point_at(v, k), point_at(v, i))) {
                is_first = is_first && i >= k;
                sum += v->observed[i];
                alike++;
            }
        }
        double relative = (v->observed[k] - sum / (double)alike) * v->weights[k];
        groups += is_first;
        squares += relative * relative;
    }
    size_t again = v->count - groups;
    if (kind != ISOCAST_LAW_SIZES || again < 2 || groups <= count) {
        return -1;
    }
    double lacks = (double)(groups - count);
    double noise = fmax(squares / (double)again, noise_least * noise_least);
    return squares +
           lacks * noise * fmin(gsl_cdf_fdist_Pinv(sure, lacks, (double)again), ratio_most);
}

static void consider_near(search *s, const size_t *monomials, const double *coefficients,
                          size_t count) {
    const view *v = s->v;
    double squares = 0;
    for (size_t k = 0; k < v->count; k++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            sum += coefficients[i] * value_at(v, monomials[i], k);
        }
        double relative = (sum - v->observed[k]) * v->weights[k];
        squares += relative * relative;
    }
    /* Runs that the guard leaves out are 0, as the law says. */
    double free = (double)v->c->point_count - (double)count;
    double error = sqrt(squares / fmax(free, 1));
    double cost = 0;
    double more = (double)(count - 1); /* terms */
    for (size_t i = 0; i < count; i++) {
        cost += cost_of(s, monomials[i]);
    }
    /* Laws that the noise does not reject are weighed: likelihood against simplicity. */
    bool acceptable = squares <= s->allowed[count - 1];
    double runs = (double)v->count;
    double score = acceptable ? runs * log(squares / runs + noise_least * noise_least) +
                                    simplicity * (cost + more)
                              : (error + 1e-6) * (1 + factor_price * cost + term_price * more);
    bool better = acceptable == s->acceptable ? score < s->best : acceptable;
    if (!better || !isfinite(score)) {
        return;
    }
    s->acceptable = acceptable;
    s->best = score;
    s->law = (isocast_law){.known = true, .guard = v->guard, .term_count = count};
    for (size_t i = 0; i < count; i++) {
        s->law.terms[i] = v->c->monomials[monomials[i]];
        s->law.numerators[i] = coefficients[i];
        s->law.denominators[i] = 1;
    }
}

/* One monomial, or two that differ, by least squares. */
static void try_near(search *s, size_t a, size_t b) {
    const view *v = s->v;
    double ff = 0;
    double fg = 0;
    double gg = 0;
    double fy = 0;
    double gy = 0;
    for (size_t k = 0; k < v->count; k++) {
        double f = value_at(v, a, k) * v->weights[k];
        double g = value_at(v, b, k) * v->weights[k];
        double y = v->observed[k] * v->weights[k];
        ff += f * f;
        fg += f * g;
        gg += g * g;
        fy += f * y;
        gy += g * y;
    }
    double determinant = ff * gg - fg * fg;
    double c[] = {fy / ff, 0};
    if (a == b && c[0] > 0 && isfinite(c[0])) {
        consider_near(s, &a, c, 1);
    } else if (a != b && determinant > 1e-9 * ff * gg) {
        c[0] = (fy * gg - gy * fg) / determinant;
        c[1] = (ff * gy - fg * fy) / determinant;
        if (c[0] > 0 && c[1] > 0) {
            consider_near(s, (size_t[]){a, b}, c, 2);
        }
    }
}

/* Takes the error of a law at all runs. */
static void measure(const isocast_candidates *c, const double *values, isocast_law *law) {
    double squares = 0;
    size_t count = 0;
    for (size_t i = 0; i < c->point_count; i++) {
        if (values[i] != 0) {
            double relative = isocast_law_value(law, &c->points[i]) / values[i] - 1;
            squares += relative * relative;
            count++;
        }
    }
    law->mean_error = count > 0 ? sqrt(squares / (double)count) : 0;
}

static isocast_status fit_nearest(const isocast_fitter *f, const isocast_candidates *c,
                                  const double *values, const isocast_question *q,
                                  isocast_law *law) {
    view views[ISOCAST_LAW_GUARDS];
    size_t most = c->count < SINGLES_MOST ? c->count : SINGLES_MOST;
    search s = {.best = INFINITY, .meant = calloc(most + 1, sizeof *s.meant)};
    isocast_status status = open_views(c, values, q->least, views);
    status = s.meant != NULL ? status : ISOCAST_NO_MEMORY;
    for (size_t m = 0; m < most && status == ISOCAST_OK; m++) {
        if (is_meant(f, q, &c->monomials[m])) {
            s.meant[s.meant_count++] = m;
        }
    }
    for (size_t g = 0; g < ISOCAST_LAW_GUARDS && status == ISOCAST_OK; g++) {
        s.v = &views[g];
        s.allowed[0] = allowance_of(s.v, q->kind, 1);
        s.allowed[1] = allowance_of(s.v, q->kind, 2);
        for (size_t i = 0; i < s.meant_count && s.v->count > 0; i++) {
            try_near(&s, s.meant[i], s.meant[i]);
        }
        for (size_t a = 1; a < s.meant_count && a < PAIRS_MOST && q->terms > 1 && s.v->count > 3;
             a++) {
            for (size_t b = 0; b < a; b++) {
                try_near(&s, s.meant[a], s.meant[b]);
            }
        }
    }
    if (status == ISOCAST_OK) {
        measure(c, values, &s.law);
        *law = s.law;
    }
    free(s.meant);
    close_views(views);
    return status;
}

bool isocast_law_is_reported(double alone, double both, size_t count) {
    static const double chance = 0.05;
    static const double laws = 1000; /* that differ by more than the noise */
    double free = (double)count - 3;
    if (free < 1 || !(both < alone * 2 / 3)) {
        return false;
    }
    double gained = (alone * alone / (both * both) - 1) * free;
    return both == 0 || gained > gsl_cdf_fdist_Qinv(chance / laws, 1, free);
}

/* A second term that only the noise asks for says anything of other p. */
static isocast_status fit_reported(const isocast_fitter *f, const isocast_candidates *c,
                                   const double *values, isocast_question q, isocast_law *law) {
    isocast_law alone = {0};
    isocast_law both = {0};
    q.terms = 1;
    isocast_status status = fit_nearest(f, c, values, &q, &alone);
    q.terms = 2;
    status = status == ISOCAST_OK ? fit_nearest(f, c, values, &q, &both) : status;
    size_t count = 0; /* of runs that the errors are of */
    for (size_t k = 0; k < c->point_count; k++) {
        count += values[k] != 0;
    }
    bool reported = isocast_law_is_reported(alone.mean_error, both.mean_error, count);
    *law = alone.known && !reported ? alone : both;
    return status;
}

/* ---- parts ---- */

void isocast_fitter_create(const isocast_law_point *points, size_t run_count, size_t size_count,
                           isocast_fitter *out) {
    *out = (isocast_fitter){.points = points, .run_count = run_count, .size_count = size_count};
}

static void free_part(isocast_fitter_part *part) {
    isocast_candidates_free(&part->candidates);
    free(part->known);
    free(part->values);
    free(part->laws);
    *part = (isocast_fitter_part){0};
}

void isocast_fitter_free(isocast_fitter *fitter) {
    for (size_t i = 0; i < ISOCAST_FITTER_PARTS; i++) {
        free_part(&fitter->parts[i]);
    }
}

/* The points that are known, closed up. */
static isocast_status make_part(const isocast_fitter *f, const bool *known, unsigned favoured,
                                isocast_fitter_part *part) {
    isocast_law_point *points = calloc(f->run_count + 1, sizeof *points);
    part->known = calloc(f->run_count + 1, sizeof *part->known);
    size_t count = 0;
    if (points == NULL || part->known == NULL) {
        free(points);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < f->run_count; i++) {
        part->known[i] = known == NULL || known[i];
        if (part->known[i]) {
            points[count++] = f->points[i];
        }
    }
    return isocast_candidates_create(points, count, f->size_count, favoured, &part->candidates);
}

/* The part of some runs, and their values, closed up: NULL where there are none. To be freed. */
static isocast_status find_part(isocast_fitter *f, const double *values, const bool *known,
                                unsigned favoured, isocast_fitter_part **out, double **some) {
    size_t count = 0;
    bool all = favoured == ISOCAST_FAVOURED_NONE;
    for (size_t i = 0; i < f->run_count; i++) {
        count += known == NULL || known[i];
    }
    all = all && count == f->run_count;
    *out = NULL;
    *some = count > 0 ? calloc(count + 1, sizeof **some) : NULL;
    if (*some == NULL) {
        return count > 0 ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    for (size_t i = 0, at = 0; i < f->run_count; i++) {
        if (known == NULL || known[i]) {
            (*some)[at++] = values[i];
        }
    }
    for (size_t i = 0; i < ISOCAST_FITTER_PARTS && *out == NULL; i++) {
        isocast_fitter_part *part = &f->parts[i];
        bool same = part->known != NULL && part->candidates.favoured == favoured;
        for (size_t k = 0; k < f->run_count && same; k++) {
            same = part->known[k] == (known == NULL || known[k]);
        }
        *out = same ? part : NULL;
    }
    if (*out != NULL) {
        return ISOCAST_OK;
    }
    /* The first one is that of all runs, which is asked for most. */
    size_t place = all ? 0 : 1 + f->part_count++ % (ISOCAST_FITTER_PARTS - 1);
    free_part(&f->parts[place]);
    isocast_status status = make_part(f, known, favoured, &f->parts[place]);
    if (status != ISOCAST_OK) {
        free_part(&f->parts[place]);
        free(*some);
        *some = NULL;
        return status;
    }
    *out = &f->parts[place];
    return ISOCAST_OK;
}

/* A part that has the same values again has the same law. Gives the place of the law. */
static isocast_status remember(isocast_fitter_part *part, const double *values, bool *is_new,
                               isocast_law **law) {
    size_t points = part->candidates.point_count;
    *is_new = false;
    for (size_t i = 0; i < part->count; i++) {
        if (memcmp(part->values + i * points, values, points * sizeof *values) == 0) {
            *law = &part->laws[i];
            return ISOCAST_OK;
        }
    }
    if (part->count == part->capacity) {
        size_t capacity = part->capacity > 0 ? 2 * part->capacity : 16;
        double *more = realloc(part->values, capacity * points * sizeof *more);
        part->values = more != NULL ? more : part->values;
        isocast_law *laws = realloc(part->laws, capacity * sizeof *laws);
        part->laws = laws != NULL ? laws : part->laws;
        if (more == NULL || laws == NULL) {
            return ISOCAST_NO_MEMORY;
        }
        part->capacity = capacity;
    }
    *is_new = true;
    memcpy(part->values + part->count * points, values, points * sizeof *values);
    part->laws[part->count] = (isocast_law){0};
    *law = &part->laws[part->count++];
    return ISOCAST_OK;
}

/* The law of some runs. A part is always asked in the same way: of shifts for exact laws alone. */
static isocast_status fit_some(isocast_fitter *f, const double *values, const bool *known,
                               unsigned favoured, isocast_law *law) {
    isocast_fitter_part *part = NULL;
    double *some = NULL;
    isocast_law *found = NULL;
    bool is_new = false;
    const isocast_question any = {.kind = ISOCAST_LAW_ANY};
    isocast_status status = find_part(f, values, known, favoured, &part, &some);
    *law = (isocast_law){0};
    if (status == ISOCAST_OK && part != NULL) {
        status = remember(part, some, &is_new, &found);
        if (status == ISOCAST_OK && is_new) {
            status = fit_exact(&part->candidates, some, found);
        }
        if (status == ISOCAST_OK && is_new && !found->known &&
            favoured != ISOCAST_FAVOURED_SHIFTS) {
            status = fit_reported(f, &part->candidates, some, any, found);
        }
        *law = found != NULL ? *found : *law;
    }
    free(some);
    return status;
}

static size_t count_different(const double *values, const bool *known, size_t count) {
    size_t different = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_new = known == NULL || known[i];
        for (size_t k = 0; k < i && is_new; k++) {
            is_new = (known != NULL && !known[k]) || values[k] != values[i];
        }
        different += is_new;
    }
    return different;
}

/* With fewer values that differ a sum is one by chance; with fewer than the second number a product
 * is, too. */
enum { DIFFERENT_LEAST = 5, DIFFERENT_ONCE = 3 };

isocast_status isocast_fit(isocast_fitter *fitter, const double *values, const bool *known,
                           unsigned favoured, isocast_law *law) {
    isocast_law shifted = {0};
    size_t different = count_different(values, known, fitter->run_count);
    isocast_status status = fit_some(fitter, values, known, favoured, law);
    /* Loops that leave out a first or last step make (N + 1)*(M - 1), a sum of four terms. */
    bool shifts = law->known && !law->exact && (favoured & ISOCAST_FAVOURED_CUBE) == 0;
    if (status == ISOCAST_OK && shifts && different >= DIFFERENT_ONCE) {
        status = fit_some(fitter, values, known, ISOCAST_FAVOURED_SHIFTS, &shifted);
    }
    if (shifted.exact && (different >= DIFFERENT_LEAST || shifted.term_count == 1)) {
        *law = shifted;
    }
    return status;
}

isocast_status isocast_fit_nearest(isocast_fitter *fitter, const double *values, const bool *known,
                                   const isocast_question *q, isocast_law *law) {
    bool computing = q->kind == ISOCAST_LAW_BUSIEST || q->kind == ISOCAST_LAW_GROWING;
    isocast_fitter_part *part = NULL;
    double *some = NULL;
    isocast_status status =
        find_part(fitter, values, known,
                  computing ? ISOCAST_FAVOURED_COMPUTING : ISOCAST_FAVOURED_NONE, &part, &some);
    *law = (isocast_law){0};
    if (status == ISOCAST_OK && part != NULL) {
        status = q->terms == 0 ? fit_reported(fitter, &part->candidates, some, *q, law)
                               : fit_nearest(fitter, &part->candidates, some, q, law);
    }
    free(some);
    return status;
}
