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
/* The terms of each sum. */
typedef struct terms_of_sum {
    isocast_curve_term of[ISOCAST_SUM_TERMS];
    size_t count;
} terms_of_sum;

static const terms_of_sum terms_amdahl = {{ISOCAST_CURVE_SHARED, ISOCAST_CURVE_SERIAL}, 2};
static const terms_of_sum terms_surface = {
    {ISOCAST_CURVE_SHARED, ISOCAST_CURVE_SURFACE, ISOCAST_CURVE_SERIAL}, 3};
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

void isocast_plain_learn(const isocast_point *points, size_t count, isocast_plain *out) {
    const isocast_point *last = &points[count - 1];
    double pace = log(last->T / last[-1].T) / log(last->p / last[-1].p);
    *out = (isocast_plain){.p0 = last->p, .T0 = last->T};
    out->pace = fmin(fmax(pace, exponent_least), exponent_most);
    out->amdahl = fit_sum(&terms_amdahl, points, count, weight_power, anchored);
    out->surface = fit_sum(&terms_surface, points, count, weight_power, anchored);
    out->rival_five = fit_sum(&terms_five, points, count, 0, 0);
    out->rival_amdahl = fit_sum(&terms_amdahl, points, count, 0, 0);
}

double isocast_plain_time(const isocast_plain *plain, isocast_forecaster forecaster, double p) {
    switch (forecaster) {
    case ISOCAST_FORECASTER_AMDAHL:
        return sum_time(&plain->amdahl, &terms_amdahl, p, plain->p0);
    case ISOCAST_FORECASTER_SURFACE:
        return sum_time(&plain->surface, &terms_surface, p, plain->p0);
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
        return plain->T0 * pow(p / plain->p0, plain->pace);
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
                : rival == ISOCAST_RIVAL_POWER ? plain->pace
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
