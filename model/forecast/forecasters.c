#include "forecasters.h"

#include <math.h>

#include "model/base/moments.h"

/* Points count in proportion to their p to this power, as what is asked for lies beyond. */
static const double weight_power = 0.7;
/* So much of the way, in ln T, sums go through the last point. */
static const double anchored = 0.7;
/* Exponents of programs: faster than 1/p by caches, slower than p at most. */
static const double exponent_least = -1.15;
static const double exponent_most = 1;
/* A bend counts half of what was seen, inside these limits, and less by each doubling. */
static const double bend_counts = 0.5;
static const double bend_least = -0.1;
static const double bend_most = 0.3;
static const double bend_kept = 0.7;
static const double bent_least = -1.1;
/* What is left of a damped exponent after a doubling. */
static const double damped_kept = 0.85;

static double clip(double value, double least, double most) {
    return fmin(fmax(value, least), most);
}

/* The terms of each sum. */
typedef struct terms_of_sum {
    isocast_curve_term of[ISOCAST_SUM_TERMS];
    size_t count;
} terms_of_sum;

static const terms_of_sum terms_amdahl = {{ISOCAST_CURVE_SHARED, ISOCAST_CURVE_SERIAL}, 2};
static const terms_of_sum terms_surface = {
    {ISOCAST_CURVE_SHARED, ISOCAST_CURVE_SURFACE, ISOCAST_CURVE_SERIAL}, 3};
static const terms_of_sum terms_tree = {{ISOCAST_CURVE_SHARED, ISOCAST_CURVE_TREE}, 2};
static const terms_of_sum terms_five = {{ISOCAST_CURVE_SHARED, ISOCAST_CURVE_SERIAL,
                                         ISOCAST_CURVE_TREE, ISOCAST_CURVE_GRID,
                                         ISOCAST_CURVE_RING},
                                        5};

static double sum_time(const isocast_sum *sum, const terms_of_sum *t, double p, double p0) {
    double T = 0;
    for (size_t k = 0; k < t->count; k++) {
        T += sum->coefficient[k] * isocast_curve_term_value(t->of[k], p, p0);
    }
    return sum->known ? T : NAN;
}

/* Least squares of the relative error with coefficients that are not negative. */
static isocast_sum fit_sum(const terms_of_sum *t, const isocast_point *points, size_t count,
                           double power, double anchor) {
    const isocast_point *last = &points[count - 1];
    isocast_moments moments = {.terms = t->count};
    for (size_t i = 0; i < count; i++) {
        double weight = pow(points[i].p / last->p, power);
        double row[ISOCAST_SUM_TERMS];
        for (size_t k = 0; k < t->count; k++) {
            row[k] = weight * isocast_curve_term_value(t->of[k], points[i].p, last->p) /
                     points[i].T * last->T;
        }
        isocast_moments_add(&moments, row, weight);
    }
    isocast_sum sum = {.known = false};
    double coefficients[ISOCAST_MOMENTS_MAX] = {0};
    double squares = 0;
    sum.known = isocast_moments_nonnegative(&moments, (1U << t->count) - 1, coefficients, &squares);
    double at_last = 0;
    for (size_t k = 0; k < t->count; k++) {
        at_last += coefficients[k];
    }
    for (size_t k = 0; sum.known && k < t->count; k++) {
        sum.coefficient[k] = coefficients[k] * last->T * pow(at_last, -anchor);
    }
    return sum;
}

/* a + b f(p) of the smallest relative error: *a is at f = 0. */
static void fit_line(const isocast_point *points, size_t count, double (*f)(double x), double *a,
                     double *b) {
    const isocast_point *last = &points[count - 1];
    double sum = 0;
    double sum_x = 0;
    double sum_y = 0;
    double sum_xx = 0;
    double sum_xy = 0;
    for (size_t i = 0; i < count; i++) {
        double y = points[i].T / last->T;
        double x = f(points[i].p / last->p);
        double weight = pow(points[i].p / last->p, 2 * weight_power) / (y * y);
        sum += weight;
        sum_x += weight * x;
        sum_y += weight * y;
        sum_xx += weight * x * x;
        sum_xy += weight * x * y;
    }
    *b = (sum_xy - sum_x * sum_y / sum) / (sum_xx - sum_x * sum_x / sum);
    *a = (sum_y - *b * sum_x) / sum;
}

static double inverse_root(double x) {
    return 1 / sqrt(x);
}

static double exponent_between(const isocast_point *from, const isocast_point *to) {
    return log(to->T / from->T) / log(to->p / from->p);
}

void isocast_plain_learn(const isocast_point *points, size_t count, isocast_plain *out) {
    const isocast_point *last = &points[count - 1];
    double step = exponent_between(last - 1, last);
    *out = (isocast_plain){.p0 = last->p, .T0 = last->T, .bending = NAN};
    out->last = clip(step, exponent_least, exponent_most);
    out->two = out->last;
    if (count > 2) {
        out->two = clip(exponent_between(last - 2, last), exponent_least, exponent_most);
        double change = step - exponent_between(last - 2, last - 1);
        out->bending =
            clip(bend_counts * change / (log(last->p / (last - 2)->p) / 2), bend_least, bend_most);
    }
    fit_line(points, count, inverse_root, &out->saturates[0], &out->saturates[1]);
    fit_line(points, count, log, &out->rises[0], &out->rises[1]);
    out->rises[1] = fmax(out->rises[1], 0);
    out->rises[0] = pow(out->rises[0], 1 - anchored); /* NAN where T falls so steeply */
    out->amdahl = fit_sum(&terms_amdahl, points, count, weight_power, anchored);
    out->surface = fit_sum(&terms_surface, points, count, weight_power, anchored);
    out->tree = fit_sum(&terms_tree, points, count, weight_power, anchored);
    out->rival_five = fit_sum(&terms_five, points, count, 0, 0);
    out->rival_amdahl = fit_sum(&terms_amdahl, points, count, 0, 0);
}

/* ln T/T0 where the exponent bends, in small steps of ln p. */
static double bent(const isocast_plain *plain, double distance) {
    const double step_most = 0.1;
    double sum = 0;
    double exponent = plain->last;
    for (double at = 0; at < distance - 1e-9; at += step_most) {
        double step = fmin(step_most, distance - at);
        sum += clip(exponent, bent_least, exponent_most) * step;
        exponent += plain->bending * step * pow(bend_kept, at / log(2));
    }
    return sum;
}

double isocast_plain_time(const isocast_plain *plain, isocast_forecaster forecaster, double p) {
    double distance = log(p / plain->p0);
    double pace = (plain->last + plain->two) / 2;
    switch (forecaster) {
    case ISOCAST_FORECASTER_AMDAHL:
        return sum_time(&plain->amdahl, &terms_amdahl, p, plain->p0);
    case ISOCAST_FORECASTER_SURFACE:
        return sum_time(&plain->surface, &terms_surface, p, plain->p0);
    case ISOCAST_FORECASTER_TREE:
        return sum_time(&plain->tree, &terms_tree, p, plain->p0);
    case ISOCAST_FORECASTER_BEND:
        return plain->T0 * exp(isnan(plain->bending) ? NAN : bent(plain, distance));
    case ISOCAST_FORECASTER_HALF:
        return plain->T0 * exp(plain->two * distance / 2);
    case ISOCAST_FORECASTER_OUTSIDE:
        return plain->saturates[1] < 0
                   ? plain->T0 *
                         (plain->saturates[0] + plain->saturates[1] * inverse_root(p / plain->p0))
                   : NAN;
    case ISOCAST_FORECASTER_LOG:
        return plain->T0 * (plain->rises[0] + plain->rises[1] * distance);
    case ISOCAST_FORECASTER_PACE:
        return plain->T0 * (pace > 0 ? 1 + pace * distance : 1 / (1 - pace * distance));
    case ISOCAST_FORECASTER_LAST:
        return plain->T0;
    case ISOCAST_FORECASTER_DAMPED:
        return plain->T0 * exp(plain->two * log(2) * (1 - pow(damped_kept, distance / log(2))) /
                               -log(damped_kept));
    case ISOCAST_FORECASTER_LIBRARY:
    case ISOCAST_FORECASTER_COUNT:
        break;
    }
    return NAN;
}

double isocast_rival_time(const isocast_plain *plain, isocast_rival rival, double ideal, double p) {
    switch (rival) {
    case ISOCAST_RIVAL_IDEAL:
        return plain->T0 * pow(p / plain->p0, ideal);
    case ISOCAST_RIVAL_POWER:
        return plain->T0 * pow(p / plain->p0, plain->last);
    case ISOCAST_RIVAL_FIVE:
        return sum_time(&plain->rival_five, &terms_five, p, plain->p0);
    case ISOCAST_RIVAL_AMDAHL:
        return sum_time(&plain->rival_amdahl, &terms_amdahl, p, plain->p0);
    case ISOCAST_RIVAL_COUNT:
        break;
    }
    return NAN;
}

size_t isocast_rival_terms(const isocast_plain *plain, isocast_rival rival, double ideal,
                           isocast_curve_term *terms, double *coefficients, double *exponent) {
    bool five = rival == ISOCAST_RIVAL_FIVE;
    const isocast_sum *sum = five ? &plain->rival_five : &plain->rival_amdahl;
    const terms_of_sum *of = five ? &terms_five : &terms_amdahl;
    *exponent = rival == ISOCAST_RIVAL_IDEAL   ? ideal
                : rival == ISOCAST_RIVAL_POWER ? plain->last
                                               : NAN;
    if (rival == ISOCAST_RIVAL_IDEAL || rival == ISOCAST_RIVAL_POWER) {
        coefficients[0] = plain->T0 * pow(plain->p0, -*exponent);
        return isnan(*exponent) ? 0U : 1U;
    }
    for (size_t k = 0; k < of->count; k++) {
        terms[k] = of->of[k];
        coefficients[k] = sum->coefficient[k];
    }
    return sum->known ? of->count : 0U;
}
