/* A time as ranges of m, or of the m/p bytes of a block, each the sum of a few terms of one law
 * with coefficients of its own. */
#ifndef FIT_RANGES_H
#define FIT_RANGES_H

#include "fit_law.h"

enum { FIT_RANGES_MAX = 12, FIT_COEFFICIENTS_MAX = 60 };

typedef struct fit_range {
    double below;   /* B; the largest size measured in the range before; 0 for the first */
    double from;    /* B; holds from here on: between `below` and `first`; 0 for the first */
    double first;   /* B; the smallest size measured in it */
    unsigned terms; /* bit t: term t of the law is in it */
    double coefficient[FIT_LAW_TERMS_MAX]; /* in the term's unit, SI; 0 where not in it */
} fit_range;

/* Start from {0}. */
typedef struct fit_ranges {
    const fit_law *law;
    fit_range items[FIT_RANGES_MAX]; /* [count], rising */
    size_t count;
} fit_ranges;

/* A coefficient's place; they are ordered by range, then term. */
typedef struct fit_place {
    size_t range, term;
} fit_place;

size_t fit_ranges_coefficients(const fit_ranges *f);
/* The places of all coefficients; gives their number. places: shape [FIT_COEFFICIENTS_MAX]. */
size_t fit_ranges_places(const fit_ranges *f, fit_place *places);

/* The index of the range that a size is in. */
size_t fit_ranges_at(const fit_ranges *f, double size);

/* What the terms of the point's range make up, and with what was known before, s. */
double fit_ranges_terms(const fit_ranges *f, const fit_point *at);
double fit_ranges_time(const fit_ranges *f, const fit_point *at);

/* A point's terms in `mask` (bit t: term t), and what they have to make up, both over its measured
 * time, so that errors are relative, and by its weight. row: shape [law->count], 0 where not in the
 * mask or where a term has no value. Gives the latter. */
double fit_ranges_row(const fit_law *law, unsigned mask, const fit_point *at, double *row);

/* Solves the coefficients of the chosen terms by least squares of the relative errors over the
 * points (shape [count]); where `signs` they may come out negative. False where the points cannot
 * distinguish them; then nothing changes. */
bool fit_ranges_solve(const fit_point *points, size_t count, bool signs, fit_ranges *f);

/* The covariance of the coefficients by the scatter of the points about them, shape
 * [coefficients][coefficients], row-major. Ranges do not share any. */
void fit_ranges_scatter(const fit_point *points, size_t count, const fit_ranges *f,
                        double *covariance);

/* Adds to it what the points of one placement have in common: their times are off by one factor, of
 * variance `shared` of its ln, which terms in p take for growth (cluster-robust covariance; K.-Y.
 * Liang, S. L. Zeger, Biometrika 73, 1986, with the variance given). */
void fit_ranges_add_shared(const fit_point *points, size_t count, const fit_ranges *f,
                           double shared, double *covariance);

#endif
