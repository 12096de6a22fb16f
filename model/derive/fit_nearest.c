#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "law_growth.h"
#include "view.h"

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

typedef struct search {
    const isocast_candidates *candidates;
    derive_view view;
    isocast_law_kind kind;
    size_t *meant; /* [meant_count], the monomials that the kind has, the simplest first */
    size_t meant_count;
    /* Runs of the same sizes: what they differ by no law of sizes explains. */
    size_t groups;
    double noise;      /* sum of squares, relative, of what they differ by */
    double allowed[2]; /* sum of squares that laws of one and two terms may leave by it */
    bool acceptable;   /* the noise does not reject `law` */
    double best;       /* score of `law` */
    isocast_law law;
} search;

static bool is_one_of(const char *text, const char *const *texts, size_t count) {
    bool is = false;
    for (size_t i = 0; i < count; i++) {
        is = is || strcmp(text, texts[i]) == 0;
    }
    return is;
}

/* Whether a factor is a whole power of a size, its largest share over processes, or 1. */
static bool is_share(const isocast_law_factor *factor) {
    static const char *const shares[] = {
        "", "$", "$^2", "$^3", "ceil($/p)", "ceil($/rows)", "ceil($/columns)"};
    return is_one_of(factor->text, shares, sizeof shares / sizeof *shares);
}

/* A share of the points between two ends hardly differs from that of all points. Where no exact law
 * has it, it is one chance more. */
static bool is_between_ends(const isocast_law_factor *factor) {
    static const char share[] = "ceil(($ - 2)/";
    return factor->grid < 3 && strncmp(factor->text, share, sizeof share - 1) == 0;
}

/* What one process computes, of the kinds of laws that are of this alone. */
static bool is_computing(isocast_law_kind kind, const isocast_monomial *m) {
    static const char *const busiest[] = {
        "", "/p", "/(p + 1)", "/max(1, p - 1)", "(p - 1)/p^2", "log2(p)"};
    static const char *const growing[] = {"",        "p",         "(p - 1)", "sqrt(p)",
                                          "log2(p)", "p*log2(p)", "p^2"};
    const char *process = isocast_law_process_factors[m->process].text;
    bool shares = kind == ISOCAST_LAW_BUSIEST;
    bool meant = shares ? is_one_of(process, busiest, sizeof busiest / sizeof *busiest)
                        : is_one_of(process, growing, sizeof growing / sizeof *growing);
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        const isocast_law_factor *factor = &isocast_law_size_factors[m->factors[i]];
        meant = meant && (factor->is_smooth || (shares && m->process == 0 && is_share(factor)));
    }
    return meant;
}

static bool is_meant(const search *s, const isocast_monomial *m) {
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        if (is_between_ends(&isocast_law_size_factors[m->factors[i]])) {
            return false;
        }
    }
    if (s->kind == ISOCAST_LAW_BUSIEST || s->kind == ISOCAST_LAW_GROWING) {
        return is_computing(s->kind, m);
    }
    bool shares = s->kind == ISOCAST_LAW_SHARES;
    const char *process = isocast_law_process_factors[m->process].text;
    bool meant = m->process == 0 || (shares && strcmp(process, "/p") == 0);
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        const isocast_law_factor *factor = &isocast_law_size_factors[m->factors[i]];
        bool exponential =
            isocast_law_is_exponential(m->factors[i]) && s->candidates->exponents[m->sizes[i]];
        meant = meant && (exponential || (shares ? is_share(factor) : factor->is_smooth));
    }
    return meant || s->kind == ISOCAST_LAW_ANY;
}

static bool is_in_bounds(const isocast_growth_bounds *bounds, const isocast_monomial *m) {
    double growth =
        bounds->from != NULL ? isocast_monomial_growth(m, bounds->from, true) : bounds->least;
    return growth >= bounds->least && (!(bounds->most > 0) || growth <= bounds->most) &&
           (!(bounds->cost > 0) || m->cost <= bounds->cost);
}

static isocast_status list_meant(search *s) {
    s->meant = calloc(s->view.monomial_count + 1, sizeof *s->meant);
    s->meant_count = 0;
    for (size_t m = 0; s->meant != NULL && m < s->view.monomial_count; m++) {
        const isocast_monomial *monomial = &s->candidates->monomials[m];
        if (is_meant(s, monomial) && is_in_bounds(&s->candidates->bounds, monomial)) {
            s->meant[s->meant_count++] = m;
        }
    }
    return s->meant != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
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

/* Runs of the same sizes, each group by its mean. */
static void find_noise(search *s, double least) {
    const derive_view *v = &s->view;
    s->groups = 0;
    s->noise = 0;
    for (size_t k = 0; k < v->count; k++) {
        const isocast_law_point *at = &s->candidates->points[v->runs[k]];
        double sum = 0;
        size_t count = 0;
        bool is_first = true;
        for (size_t i = 0; i < v->count; i++) {
            const isocast_law_point *other = &s->candidates->points[v->runs[i]];
            if (isocast_law_same_sizes(at, other)) {
                is_first = is_first && i >= k;
                sum += v->observed[i];
                count++;
            }
        }
        double relative = (v->observed[k] - sum / (double)count) * weight_of(v->observed[k], least);
        s->groups += is_first;
        s->noise += relative * relative;
    }
}

/* The test for lack of fit: the sum of squares that runs of the same sizes, by how they differ
 * among themselves, allow a law of `count` coefficients. Only laws of sizes alone have it. */
static double allowance_of(const search *s, size_t count) {
    size_t again = s->view.count - s->groups;
    if (s->kind != ISOCAST_LAW_SIZES || again < 2 || s->groups <= count) {
        return -1;
    }
    double lacks = (double)(s->groups - count);
    double noise = fmax(s->noise / (double)again, noise_least * noise_least);
    return s->noise +
           lacks * noise * fmin(gsl_cdf_fdist_Pinv(sure, lacks, (double)again), ratio_most);
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
    /* Runs that the guard leaves out are 0, as the law says. */
    double free = (double)s->candidates->point_count - (double)count;
    double error = sqrt(squares / fmax(free, 1));
    double cost = 0;
    for (size_t i = 0; i < count; i++) {
        cost += s->candidates->monomials[monomials[i]].cost;
    }
    /* Laws that the noise does not reject are weighed: likelihood against simplicity. */
    bool acceptable = squares <= s->allowed[count - 1];
    double runs = (double)v->count;
    double price = simplicity * (cost + (double)(count - 1));
    double score =
        acceptable ? runs * log(squares / runs + noise_least * noise_least) + price
                   : (error + 1e-6) * (1 + factor_price * cost + term_price * (double)(count - 1));
    bool better = acceptable == s->acceptable ? score < s->best : acceptable;
    if (!better || !isfinite(score)) {
        return;
    }
    s->acceptable = acceptable;
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
    for (size_t i = 0; i < s->meant_count; i++) {
        size_t m = s->meant[i];
        double ff = 0;
        double fy = 0;
        for (size_t k = 0; k < v->count; k++) {
            double w = weight_of(v->observed[k], least);
            double f = v->values[m * v->count + k] * w;
            ff += f * f;
            fy += f * v->observed[k] * w;
        }
        double coefficient = fy / ff;
        if (coefficient > 0 && isfinite(coefficient)) {
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
    size_t most = s->meant_count < PAIRS_MOST ? s->meant_count : PAIRS_MOST;
    for (size_t a = 1; a < most; a++) {
        for (size_t b = 0; b < a; b++) {
            try_pair(s, s->meant[a], s->meant[b], least);
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
                                       size_t terms, isocast_law_kind kind, double least_value,
                                       isocast_law *law) {
    search s = {.candidates = candidates, .kind = kind, .best = INFINITY};
    isocast_status status = ISOCAST_OK;
    for (size_t guard = 0; guard < ISOCAST_LAW_GUARDS && status == ISOCAST_OK; guard++) {
        if (!isocast_derive_view_makes_sense(candidates, values, (isocast_law_guard)guard)) {
            continue;
        }
        status = isocast_derive_view_create(candidates, values, (isocast_law_guard)guard,
                                            SINGLES_MOST, &s.view);
        if (status != ISOCAST_OK) {
            break;
        }
        status = list_meant(&s);
        if (status == ISOCAST_OK) {
            double least = fmax(least_of(&s.view), least_value);
            find_noise(&s, least);
            s.allowed[0] = allowance_of(&s, 1);
            s.allowed[1] = allowance_of(&s, 2);
            try_singles(&s, least);
            if (terms > 1 && s.view.count > 3) {
                try_pairs(&s, least);
            }
        }
        free(s.meant);
        isocast_derive_view_free(&s.view);
    }
    if (status == ISOCAST_OK) {
        isocast_law_measure(candidates, values, &s.law);
        *law = s.law;
    }
    return status;
}

bool isocast_law_is_told(double alone, double both, size_t count) {
    static const double chance = 0.05;
    static const double tried = 1000; /* laws that differ by more than the noise */
    double free = (double)count - 3;
    if (free < 1 || !(both < alone * 2 / 3)) {
        return false;
    }
    double gained = (alone * alone / (both * both) - 1) * free;
    return both == 0 || gained > gsl_cdf_fdist_Qinv(chance / tried, 1, free);
}

/* A second term that only the noise asks for says anything of other p. */
isocast_status isocast_law_fit_told(const isocast_candidates *candidates, const double *values,
                                    isocast_law_kind kind, isocast_law *law) {
    isocast_law alone = {0};
    isocast_law both = {0};
    isocast_status status = isocast_law_fit_nearest(candidates, values, 1, kind, 0, &alone);
    if (status == ISOCAST_OK) {
        status = isocast_law_fit_nearest(candidates, values, 2, kind, 0, &both);
    }
    if (status == ISOCAST_OK) {
        size_t count = 0; /* of runs that the errors are of */
        for (size_t k = 0; k < candidates->point_count; k++) {
            count += values[k] != 0;
        }
        bool told = isocast_law_is_told(alone.mean_error, both.mean_error, count);
        *law = alone.known && !told ? alone : both;
    }
    return status;
}

isocast_status isocast_law_fit(const isocast_candidates *candidates, const double *values,
                               isocast_law *law) {
    isocast_law found = {0};
    isocast_status status = isocast_law_fit_exact(candidates, values, &found);
    if (status == ISOCAST_OK && !found.known) {
        status = isocast_law_fit_told(candidates, values, ISOCAST_LAW_ANY, &found);
    }
    if (status == ISOCAST_OK) {
        *law = found;
    }
    return status;
}
