#include "change.h"

#include <math.h>

#include "model/base/moments.h"

/* Relative errors that any sum is taken to leave, and of so many points; how many times nearer two
 * sums must be, in squares; and the error of ln T of forecasts that are wrong. Of 1000 drawn series
 * with noise up to 3 % (tests/model/forecast/test_change.c) nothing is found that is not there. */
static const double imagined_error = 0.02;
static const double imagined_count = 3;
static const double nearer = 5;
static const double wrong = 0.1;
/* One sum without one point must be so many times less near than two sums. */
static const double outlier = 2;

static const isocast_curve_term terms[] = {ISOCAST_CURVE_SHARED, ISOCAST_CURVE_SURFACE,
                                           ISOCAST_CURVE_SERIAL, ISOCAST_CURVE_TREE,
                                           ISOCAST_CURVE_GRID};
enum { TERMS = sizeof terms / sizeof terms[0], OF_ALL = 3, OF_PART = 2, BEFORE = 3, AFTER = 2 };

/* The nearest sum of at most `most` terms with coefficients that are not negative: its squared
 * relative errors. p0 is that of the last point of all; one point may be left out. */
static double fit(const isocast_point *points, size_t count, const isocast_point *without,
                  double p0, int most, double *coefficients) {
    isocast_moments moments = {.terms = TERMS};
    for (size_t i = 0; i < count; i++) {
        double row[TERMS];
        if (&points[i] == without) {
            continue;
        }
        for (size_t k = 0; k < TERMS; k++) {
            row[k] = isocast_curve_term_value(terms[k], points[i].p, p0) / points[i].T;
        }
        isocast_moments_add(&moments, row, 1);
    }
    isocast_moments_system system;
    isocast_moments_system_make(&moments, &system);
    double best = INFINITY;
    for (unsigned subset = 1; subset < 1U << TERMS; subset++) {
        double found[ISOCAST_MOMENTS_MAX];
        double squares;
        if (__builtin_popcount(subset) <= most &&
            isocast_moments_solve(&system, subset, true, found, &squares) && squares < best) {
            best = squares;
            for (size_t k = 0; k < TERMS; k++) {
                coefficients[k] = found[k];
            }
        }
    }
    return fmax(best, 0);
}

/* ln T of a point less that of a sum. */
static double off(const isocast_point *point, double p0, const double *coefficients) {
    double T = 0;
    for (size_t k = 0; k < TERMS; k++) {
        T += coefficients[k] * isocast_curve_term_value(terms[k], point->p, p0);
    }
    return log(point->T / T);
}

isocast_change isocast_change_find(const isocast_point *points, size_t count) {
    isocast_change change = {false, NAN, NAN, NAN};
    double coefficients[TERMS] = {0};
    double imagined = imagined_count * imagined_error * imagined_error;
    if (count < BEFORE + OF_ALL) {
        return change;
    }
    double p0 = points[count - 1].p;
    double least = (fit(points, count, NULL, p0, OF_ALL, coefficients) + imagined) / nearer;
    for (size_t c = BEFORE; c + AFTER <= count; c++) {
        double squares = fit(points + c, count - c, NULL, p0, OF_PART, coefficients) + imagined;
        squares += fit(points, c, NULL, p0, OF_PART, coefficients);
        double here = off(&points[c], p0, coefficients);
        double next = off(&points[c + 1], p0, coefficients);
        if (squares < least) {
            bool is_wrong = fmin(fabs(here), fabs(next)) > wrong && here * next > 0;
            least = squares;
            change = (isocast_change){is_wrong, points[c - 1].p, points[c].p, exp(here)};
        }
    }
    /* One run that is far off says as much. */
    for (size_t i = 0; change.found && i < count; i++) {
        double squares = fit(points, count, &points[i], p0, OF_ALL, coefficients) + imagined;
        change.found = squares > outlier * least;
    }
    if (!change.found) {
        change.p_before = change.p = change.factor = NAN;
    }
    return change;
}
