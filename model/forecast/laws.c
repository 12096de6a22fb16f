#include "laws.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/moments.h"
#include "model/base/order.h"
#include "model/base/random_bits.h"
#include "model/base/refused.h"

enum { DRAWS = 400, TERMS_MAX = 3 };

/* A law: its terms at p, as [count]. */
typedef struct law {
    size_t count;
    double (*term)(size_t term, double p, double ideal);
} law;

static double amdahl_term(size_t term, double p, double ideal) {
    (void)ideal;
    return term == 0 ? 1 / p : 1;
}

/* T of strong scaling; of weak scaling p times it, as the work grows with p. */
static double universal_term(size_t term, double p, double ideal) {
    double value = term == 0 ? 1 : term == 1 ? p - 1 : p * (p - 1);
    return value * pow(p, ideal);
}

static const law amdahl = {2, amdahl_term};
static const law universal = {3, universal_term};

/* Coefficients by least squares of the relative error, none negative; T: [count]. */
static bool fit(const law *l, const isocast_series *s, const double *T, double *coefficients) {
    isocast_moments moments = {.terms = l->count};
    for (size_t i = 0; i < s->count; i++) {
        double row[TERMS_MAX];
        for (size_t k = 0; k < l->count; k++) {
            row[k] = l->term(k, s->points[i].p, isocast_series_ideal(s)) / T[i];
        }
        isocast_moments_add(&moments, row, 1);
    }
    double squares;
    return isocast_moments_nonnegative(&moments, (1U << l->count) - 1, coefficients, &squares);
}

static double value_of(const law *l, const isocast_series *s, const double *coefficients,
                       double p) {
    double sum = 0;
    for (size_t k = 0; k < l->count; k++) {
        sum += coefficients[k] * l->term(k, p, isocast_series_ideal(s));
    }
    return sum;
}

/* A standard normal (Box, Muller 1958). */
static double draw(uint64_t *state) {
    double first = isocast_random_unit(isocast_random_bits(*state += ISOCAST_RANDOM_STEP));
    double second = isocast_random_unit(isocast_random_bits(*state += ISOCAST_RANDOM_STEP));
    return sqrt(-2 * log(1 - first)) * cos(2 * M_PI * second);
}

static int compare(const void *a, const void *b) {
    return isocast_order(*(const double *)a, *(const double *)b);
}

/* What is read off coefficients. */
typedef double reading(const double *coefficients);

static double serial_of(const double *c) {
    return c[1] / (c[0] + c[1]);
}

static double speedup_of(const double *c) {
    return (c[0] + c[1]) / c[1];
}

static double contention_of(const double *c) {
    return c[1] / c[0];
}

static double coherency_of(const double *c) {
    return c[2] / c[0];
}

static double peak_of(const double *c) {
    return c[1] < c[0] ? sqrt((c[0] - c[1]) / c[2]) : 1;
}

/* Fits a law, and draws times about it for the intervals of what is read off it, [count]. */
static void find(const law *l, const isocast_series *s, reading *const *readings,
                 isocast_law_number *const *out, size_t count) {
    double *T = calloc(s->count, sizeof *T);
    double *drawn = calloc(DRAWS * count, sizeof *drawn);
    double best[ISOCAST_MOMENTS_MAX];
    for (size_t i = 0; T != NULL && i < s->count; i++) {
        T[i] = s->points[i].T;
    }
    for (size_t r = 0; r < count; r++) {
        *out[r] = (isocast_law_number){NAN, NAN, NAN};
    }
    if (T == NULL || drawn == NULL) {
        isocast_refused_note();
    }
    if (T == NULL || drawn == NULL || !fit(l, s, T, best) || best[0] <= 0) {
        free(T);
        free(drawn);
        return;
    }
    double squares = 0;
    for (size_t i = 0; i < s->count; i++) {
        double off = log(T[i] / value_of(l, s, best, s->points[i].p));
        squares += fmax(off * off, s->points[i].variance);
    }
    double freedom = (double)s->count > (double)l->count ? (double)(s->count - l->count) : 1;
    double scatter = sqrt(squares / freedom);
    uint64_t state = 1;
    size_t kept = 0;
    for (size_t d = 0; d < DRAWS; d++) {
        double coefficients[ISOCAST_MOMENTS_MAX];
        for (size_t i = 0; i < s->count; i++) {
            T[i] = value_of(l, s, best, s->points[i].p) * exp(scatter * draw(&state));
        }
        if (fit(l, s, T, coefficients) && coefficients[0] > 0) {
            for (size_t r = 0; r < count; r++) {
                drawn[r * DRAWS + kept] = readings[r](coefficients);
            }
            kept++;
        }
    }
    for (size_t r = 0; kept > 0 && r < count; r++) {
        double *values = drawn + r * DRAWS;
        qsort(values, kept, sizeof *values, compare);
        *out[r] = (isocast_law_number){readings[r](best), values[kept / 20],
                                       values[kept - 1 - kept / 20]};
    }
    free(T);
    free(drawn);
}

isocast_laws isocast_laws_find(const isocast_series *s) {
    const isocast_law_number none = {NAN, NAN, NAN};
    isocast_laws laws = {none, none, none, none, none};
    reading *const of_amdahl[] = {serial_of, speedup_of};
    reading *const of_universal[] = {contention_of, coherency_of, peak_of};
    if (s->scaling == ISOCAST_SERIES_STRONG && s->count > 1) {
        find(&amdahl, s, of_amdahl, (isocast_law_number *const[]){&laws.serial, &laws.speedup_most},
             2);
    }
    if (s->scaling != ISOCAST_SERIES_MIXED && s->count > 2) {
        find(&universal, s, of_universal,
             (isocast_law_number *const[]){&laws.contention, &laws.coherency, &laws.peak}, 3);
    }
    return laws;
}

double isocast_laws_karp_flatt(const isocast_series *series, size_t point) {
    double p = series->points[point].p;
    double first = series->points[0].p;
    double S = series->points[0].T / series->points[point].T;
    return point == 0 || series->scaling != ISOCAST_SERIES_STRONG
               ? NAN
               : (1 / first - S / p) / (S * (1 - 1 / p) - (1 - 1 / first));
}

double isocast_laws_gustafson(const isocast_series *series, size_t point) {
    double x = series->points[point].p / series->points[0].p;
    double S = x * series->points[0].T / series->points[point].T;
    return point == 0 || series->scaling != ISOCAST_SERIES_WEAK ? NAN : (x - S) / (x - 1);
}
