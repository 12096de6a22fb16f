#include "closed_form.h"

#include <math.h>

#include "model/base/moments.h"

/* How many p of a forecast a formula is fitted to, and the most terms that it gets. */
enum { STEPS = 24, SIZE_MOST = 4 };
/* A formula with fewer terms is taken where it is as near as this. */
static const double near = 0.005;

static double value_of(const isocast_closed_term *term, double p) {
    return term->is_tree ? log2(p + 1) : pow(p, term->exponent);
}

double isocast_closed_form_value(const isocast_closed_form *form, double p) {
    double T = 0;
    for (size_t i = 0; i < form->count; i++) {
        T += form->terms[i].coefficient * value_of(&form->terms[i], p);
    }
    return form->count > 0 ? T : NAN;
}

static void take(isocast_closed_form *form, const isocast_closed_term *terms,
                 const double *coefficients) {
    form->count = 0;
    for (size_t k = 0; k < ISOCAST_CLOSED_TERMS_MAX; k++) {
        if (coefficients[k] > 0) {
            form->terms[form->count] = terms[k];
            form->terms[form->count++].coefficient = coefficients[k];
        }
    }
}

isocast_closed_form isocast_closed_form_of_points(const double *p, const double *T, size_t count) {
    static const isocast_closed_term terms[ISOCAST_CLOSED_TERMS_MAX] = {
        {1, -1.2, false}, {1, -1, false},   {1, -2.0 / 3, false}, {1, -0.5, false}, {1, 0, false},
        {1, 0, true},     {1, 0.25, false}, {1, 0.5, false},      {1, 1, false}};
    isocast_closed_form form = {.from = INFINITY, .to = 0};
    isocast_moments moments = {.terms = ISOCAST_CLOSED_TERMS_MAX};
    for (size_t i = 0; i < count; i++) {
        double row[ISOCAST_CLOSED_TERMS_MAX];
        for (size_t k = 0; k < ISOCAST_CLOSED_TERMS_MAX; k++) {
            row[k] = value_of(&terms[k], p[i]) / T[i];
        }
        isocast_moments_add(&moments, row, 1);
        form.from = fmin(form.from, p[i]);
        form.to = fmax(form.to, p[i]);
    }
    if (!(form.to > form.from)) {
        return form;
    }
    for (int size = 1; size <= SIZE_MOST && !(form.count > 0 && form.off <= near); size++) {
        double best = INFINITY;
        for (unsigned subset = 1; subset < 1U << ISOCAST_CLOSED_TERMS_MAX; subset++) {
            double coefficients[ISOCAST_MOMENTS_MAX] = {0};
            double squares = INFINITY;
            if (__builtin_popcount(subset) == size &&
                isocast_moments_nonnegative(&moments, subset, coefficients, &squares) &&
                squares < best) {
                best = squares;
                take(&form, terms, coefficients);
            }
        }
        form.off = 0;
        for (size_t i = 0; i < count; i++) {
            form.off = fmax(form.off, fabs(isocast_closed_form_value(&form, p[i]) / T[i] - 1));
        }
    }
    return form;
}

isocast_closed_form isocast_closed_form_of_forecast(const isocast_forecast *forecast) {
    size_t count;
    const isocast_point *points = isocast_forecast_points(forecast, &count);
    double from = points[count - 1].p;
    double to = isocast_forecast_outlook(forecast)->horizon;
    if (count < ISOCAST_FORECAST_POINTS_LEAST || !(to > from)) {
        return (isocast_closed_form){.from = from, .to = to};
    }
    double p[STEPS + 1];
    double T[STEPS + 1];
    for (size_t i = 0; i <= STEPS; i++) {
        p[i] = i == STEPS ? to : from * pow(to / from, (double)i / STEPS);
        T[i] = isocast_forecast_at(forecast, p[i]).T;
    }
    return isocast_closed_form_of_points(p, T, STEPS + 1);
}

/* The terms that such sums have as powers of p; the tree has none. */
static double exponent_of(isocast_curve_term term) {
    return term == ISOCAST_CURVE_SHARED ? -1
           : term == ISOCAST_CURVE_GRID ? 0.5
           : term == ISOCAST_CURVE_RING ? 1
                                        : 0;
}

isocast_closed_form isocast_closed_form_of_rival(const isocast_forecast *forecast,
                                                 isocast_rival rival) {
    isocast_closed_form form = {.from = NAN, .to = NAN};
    isocast_curve_term terms[ISOCAST_SUM_TERMS] = {0};
    double coefficients[ISOCAST_SUM_TERMS] = {0};
    double power;
    double p0;
    size_t count = isocast_forecast_rival_terms(forecast, rival, terms, coefficients, &power, &p0);
    for (size_t k = 0; k < count; k++) {
        bool is_tree = isnan(power) && terms[k] == ISOCAST_CURVE_TREE;
        double exponent = isnan(power) ? exponent_of(terms[k]) : power;
        double scale = !isnan(power) ? 1 : is_tree ? 1 / log2(p0 + 1) : pow(p0, -exponent);
        if (coefficients[k] > 0) {
            form.terms[form.count++] =
                (isocast_closed_term){coefficients[k] * scale, exponent, is_tree};
        }
    }
    return form;
}
