#include "curve_fit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/median.h"

/* Hypotheses of noise, with their weights. The variance of ln T of a point is
 *     sigma^2 + tau^2 ln(p0/p)^2 + what its own runs show (+ outlier^2, if it is one):
 * sigma is the scatter of runs; tau the drift by which points that are further off say less, as
 * programs change their regime; an outlier is one of the last two points, which weigh most. */
static const struct {
    double value, weight;
} sigmas[] = {{.006, .2}, {.025, .3}, {.08, .3}, {.3, .2}}, taus[] = {{.06, .4}, {.24, .6}};
static const double outlier = 0.5;
static const double weight_outlier = 0.05; /* of each of the two; from three points on */
/* The drift goes on beyond p0, as it did before. */
static const double drift_beyond = 1;

enum {
    SIGMAS = sizeof sigmas / sizeof sigmas[0],
    TAUS = sizeof taus / sizeof taus[0],
    OUTLIERS = 3, /* none, the last point, the one before it */
    HYPOTHESES = SIGMAS * TAUS * OUTLIERS
};

/* A curve that comes to less than this part of T at p0 is none that a program follows. */
static const double value_least = 1e-3;
/* Weights below this part of the largest are left out: 1/500. */
static const double log_weight_least = -6.2;

/* One curve under one hypothesis. */
typedef struct component {
    double weight; /* 1 for the likeliest */
    double log_T0; /* ln T at p0 */
    unsigned curve, hypothesis;
} component;

struct isocast_curve_fit {
    isocast_curve curves[ISOCAST_CURVES_MAX];
    double p0, log_T_last;
    double precision[HYPOTHESES]; /* of ln T at p0 */
    component *components;        /* [count] */
    size_t count;
};

static double sigma_of(size_t hypothesis) {
    return sigmas[hypothesis % SIGMAS].value;
}

static double tau_of(size_t hypothesis) {
    return taus[hypothesis / SIGMAS % TAUS].value;
}

/* Of all hypotheses: the precisions of the points, their sums, and what all curves have of the ln
 * likelihood, that of a normal of ln T whose mean, the scale of the curve, was integrated out. */
typedef struct weighing {
    double precision[ISOCAST_POINTS_MAX][HYPOTHESES];
    double sum[HYPOTHESES];
    double log_common[HYPOTHESES];
} weighing;

static void weigh(const isocast_point *points, size_t count, size_t h, weighing *w) {
    size_t out = h / SIGMAS / TAUS;
    double of_none = count > 2 ? 1 - (OUTLIERS - 1) * weight_outlier : 1;
    double sigma = sigma_of(h);
    w->sum[h] = 0;
    w->log_common[h] = log(sigmas[h % SIGMAS].weight * taus[h / SIGMAS % TAUS].weight *
                           (out == 0 ? of_none : weight_outlier));
    for (size_t i = 0; i < count; i++) {
        double drift = tau_of(h) * log(points[count - 1].p / points[i].p);
        double variance = sigma * sigma + drift * drift + points[i].variance;
        variance += out > 0 && i == count - out ? outlier * outlier : 0;
        w->precision[i][h] = 1 / variance;
        w->sum[h] += 1 / variance;
        w->log_common[h] -= log(variance) / 2;
    }
    w->log_common[h] -= log(w->sum[h]) / 2;
}

/* Of all hypotheses, ln of the weight without the curve's own, and the mean of the residuals; these
 * are ln T less ln of the curve, [count]. The loops run over hypotheses, so that compilers can do
 * several at once. */
static void find_likelihoods(const weighing *w, const double *residuals, size_t count,
                             double *log_weights, double *means) {
    double sums[HYPOTHESES] = {0};
    double squares[HYPOTHESES] = {0};
    double last = residuals[count - 1];
    for (size_t i = 0; i < count; i++) {
        double off = residuals[i] - last;
        for (size_t h = 0; h < HYPOTHESES; h++) {
            sums[h] += w->precision[i][h] * off;
            squares[h] += w->precision[i][h] * off * off;
        }
    }
    for (size_t h = 0; h < HYPOTHESES; h++) {
        means[h] = last + sums[h] / w->sum[h];
        log_weights[h] = w->log_common[h] - (squares[h] - sums[h] * sums[h] / w->sum[h]) / 2;
    }
}

typedef struct term_values {
    double of[ISOCAST_CURVE_TERM_COUNT];
} term_values;

static term_values terms_at(double p, double p0) {
    term_values values;
    for (int t = 0; t < ISOCAST_CURVE_TERM_COUNT; t++) {
        values.of[t] = isocast_curve_term_value((isocast_curve_term)t, p, p0);
    }
    return values;
}

/* False where the curve falls too low at one of the points. */
static bool residuals_of(const isocast_curve *curve, const isocast_point *points,
                         const term_values *terms, size_t count, double *residuals) {
    for (size_t i = 0; i < count; i++) {
        double value = isocast_curve_value(curve, terms[i].of);
        if (value < value_least) {
            return false;
        }
        residuals[i] = log(points[i].T / value);
    }
    return true;
}

/* Drops what weighs too little, and makes weights of their logarithms. */
static void drop_light(isocast_curve_fit *fit, double largest) {
    size_t kept = 0;
    for (size_t i = 0; i < fit->count; i++) {
        if (fit->components[i].weight - largest >= log_weight_least) {
            fit->components[kept] = fit->components[i];
            fit->components[kept++].weight = exp(fit->components[i].weight - largest);
        }
    }
    fit->count = kept;
}

isocast_status isocast_curve_fit_make(const isocast_point *points, size_t count,
                                      isocast_curve_fit **out) {
    isocast_curve_fit *fit = malloc(sizeof *fit);
    component *components = malloc((size_t)ISOCAST_CURVES_MAX * HYPOTHESES * sizeof *components);
    if (fit == NULL || components == NULL) {
        free(fit);
        free(components);
        return ISOCAST_NO_MEMORY;
    }
    *fit = (isocast_curve_fit){.p0 = points[count - 1].p,
                               .log_T_last = log(points[count - 1].T),
                               .components = components};
    size_t curves = isocast_curves_make(fit->curves);
    size_t hypotheses = count > 2 ? HYPOTHESES : HYPOTHESES / OUTLIERS;
    weighing weighings;
    for (size_t h = 0; h < HYPOTHESES; h++) {
        weigh(points, count, h, &weighings);
        fit->precision[h] = h < hypotheses ? weighings.sum[h] : 0;
    }
    term_values terms[ISOCAST_POINTS_MAX];
    for (size_t i = 0; i < count; i++) {
        terms[i] = terms_at(points[i].p, fit->p0);
    }
    double largest = -INFINITY;
    for (size_t k = 0; k < curves; k++) {
        double residuals[ISOCAST_POINTS_MAX];
        if (!residuals_of(&fit->curves[k], points, terms, count, residuals)) {
            continue;
        }
        double log_weights[HYPOTHESES];
        double means[HYPOTHESES];
        find_likelihoods(&weighings, residuals, count, log_weights, means);
        for (size_t h = 0; h < hypotheses; h++) {
            double weight = fit->curves[k].log_prior + log_weights[h];
            if (weight - largest >= log_weight_least) {
                components[fit->count++] = (component){weight, means[h], (unsigned)k, (unsigned)h};
                largest = weight > largest ? weight : largest;
            }
        }
    }
    drop_light(fit, largest);
    *out = fit;
    return ISOCAST_OK;
}

void isocast_curve_fit_free(isocast_curve_fit *fit) {
    if (fit != NULL) {
        free(fit->components);
        free(fit);
    }
}

/* A normal as seven points of equal distance to each other's quantiles: their deviations and
 * weights. */
static const struct {
    double deviation, weight;
} normal[] = {{-1.645, .1}, {-1.04, .135}, {-.52, .175}, {0, .18},
              {.52, .175},  {1.04, .135},  {1.645, .1}};

enum { NORMALS = sizeof normal / sizeof normal[0] };

/* A histogram of ln T about the last point: 8 on both sides are a factor of 3000. */
enum { BINS = 6400 };
static const double bin_of_last = BINS / 2.0;
static const double bins_each = 400;

static double bin_middle(const isocast_curve_fit *fit, size_t bin) {
    return exp(((double)bin + 0.5 - bin_of_last) / bins_each + fit->log_T_last);
}

static size_t bin_of(double deviation) {
    double bin = deviation * bins_each + bin_of_last;
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : (size_t)bin;
}

isocast_band isocast_curve_fit_at(const isocast_curve_fit *fit, double p) {
    double bins[BINS];
    double total = 0;
    double sd[HYPOTHESES];
    double log_values[ISOCAST_CURVES_MAX];
    double least = INFINITY;
    double most = -INFINITY;
    term_values terms = terms_at(p, fit->p0);
    double distance = log(p / fit->p0);
    for (size_t h = 0; h < HYPOTHESES; h++) {
        double drift = drift_beyond * tau_of(h) * distance;
        sd[h] = sqrt(1 / fit->precision[h] + sigma_of(h) * sigma_of(h) + drift * drift);
    }
    for (size_t i = 0; i < fit->count; i++) {
        const component *c = &fit->components[i];
        if (i == 0 || c->curve != c[-1].curve) {
            const isocast_curve *curve = &fit->curves[c->curve];
            log_values[c->curve] = log(fmax(isocast_curve_value(curve, terms.of), value_least));
        }
        double middle = c->log_T0 + log_values[c->curve] - fit->log_T_last;
        double reach = sd[c->hypothesis] * normal[NORMALS - 1].deviation;
        least = middle - reach < least ? middle - reach : least;
        most = middle + reach > most ? middle + reach : most;
    }
    size_t first = bin_of(least);
    size_t last = bin_of(most);
    memset(bins + first, 0, (last - first + 1) * sizeof *bins);
    for (size_t i = 0; i < fit->count; i++) {
        const component *c = &fit->components[i];
        double middle = c->log_T0 + log_values[c->curve] - fit->log_T_last;
        for (size_t k = 0; k < NORMALS; k++) {
            bins[bin_of(middle + sd[c->hypothesis] * normal[k].deviation)] +=
                c->weight * normal[k].weight;
        }
        total += c->weight;
    }
    static const double quantiles[] = {0.05, 0.5, 0.95};
    double found[3] = {0, 0, 0};
    double sum = 0;
    size_t next = 0;
    for (size_t bin = first; bin <= last && next < 3; bin++) {
        sum += bins[bin];
        while (next < 3 && sum >= quantiles[next] * total * 0.99999) {
            found[next++] = bin_middle(fit, bin);
        }
    }
    return (isocast_band){.T = found[1], .low = found[0], .high = found[2]};
}

/* The weight of each curve, shape [ISOCAST_CURVES_MAX]. */
static void weights_of(const isocast_curve_fit *fit, isocast_weighed *curves) {
    memset(curves, 0, ISOCAST_CURVES_MAX * sizeof *curves);
    for (size_t i = 0; i < fit->count; i++) {
        curves[fit->components[i].curve].weight += fit->components[i].weight;
    }
}

isocast_share isocast_curve_fit_share(const isocast_curve_fit *fit, unsigned terms) {
    isocast_weighed curves[ISOCAST_CURVES_MAX];
    weights_of(fit, curves);
    double sum = 0;
    double total = 0;
    for (size_t k = 0; k < ISOCAST_CURVES_MAX; k++) {
        curves[k].value = 0;
        for (int t = 0; t < ISOCAST_CURVE_TERM_COUNT; t++) {
            curves[k].value += (terms >> t & 1U) != 0 ? fit->curves[k].share[t] : 0;
        }
        sum += curves[k].weight * curves[k].value;
        total += curves[k].weight;
    }
    isocast_share share = {.mean = sum / total};
    isocast_weighed_interval(curves, ISOCAST_CURVES_MAX, &share.low, &share.high);
    return share;
}

void isocast_curve_fit_stop(const isocast_curve_fit *fit, const double *p, size_t count,
                            double pays, double *low, double *high) {
    isocast_weighed curves[ISOCAST_CURVES_MAX];
    weights_of(fit, curves);
    for (size_t k = 0; k < ISOCAST_CURVES_MAX; k++) {
        curves[k].value = INFINITY;
    }
    for (size_t i = count; i-- > 0;) {
        term_values here = terms_at(p[i], fit->p0);
        term_values twice = terms_at(2 * p[i], fit->p0);
        for (size_t k = 0; k < ISOCAST_CURVES_MAX; k++) {
            double ratio = isocast_curve_value(&fit->curves[k], twice.of) /
                           isocast_curve_value(&fit->curves[k], here.of);
            curves[k].value = ratio > pays ? p[i] : curves[k].value;
        }
    }
    isocast_weighed_interval(curves, ISOCAST_CURVES_MAX, low, high);
}
