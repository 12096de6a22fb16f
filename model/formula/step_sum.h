/* A function g of one variable x >= 0 in pieces that are polynomials, and sums of it over
 * x, x + 1, x + 2, ... in closed form. It is never negative. Knows no formulas. */
#ifndef ISOCAST_STEP_SUM_H
#define ISOCAST_STEP_SUM_H

#include <stdbool.h>
#include <stddef.h>

enum { ISOCAST_STEP_POWERS = 4 /* of a piece: up to x^3 */ };

typedef struct isocast_step_piece {
    double begin;                       /* to the next one's begin */
    double powers[ISOCAST_STEP_POWERS]; /* g(x) = sum of powers[k] x^k */
    double falls[ISOCAST_STEP_POWERS];  /* how far g has fallen from its start to x, likewise */
    double integral;                    /* of g from 0 to begin */
    double variation;                   /* of g from 0 to begin, with the jump there */
    double bending;                     /* the same of the slope of g */
    bool is_continuous;                 /* g is from 0 to here, but for rounding */
} isocast_step_piece;

/* Start from {0}. */
typedef struct isocast_step_function {
    isocast_step_piece *pieces; /* [count], rising; the first begins at 0, the last has no end */
    size_t count, capacity;
} isocast_step_function;

/* Appends the piece that begins at `begin`, which the next call (or none) ends. *fits is false
 * where it is negative, or neither rises nor falls throughout. `end` is where it ends; infinite for
 * none. False without memory. */
bool isocast_step_add(isocast_step_function *f, double begin, double end,
                      const double powers[ISOCAST_STEP_POWERS], bool *fits);
void isocast_step_clear(isocast_step_function *f);

/* g(first) + g(first + 1) + ... with `count` terms, first >= 0. */
double isocast_step_sum(const isocast_step_function *f, double first, double count);
/* The same of what g has fallen up to there. */
double isocast_step_sum_of_falls(const isocast_step_function *f, double first, double count);
double isocast_step_value(const isocast_step_function *f, double x);
double isocast_step_fall(const isocast_step_function *f, double x);
/* Over 0 to x. */
double isocast_step_integral(const isocast_step_function *f, double x);
double isocast_step_variation(const isocast_step_function *f, double x);

/* What g can be from `from` to `to`. */
void isocast_step_range(const isocast_step_function *f, double from, double to, double *low,
                        double *high);
/* The slope of g at x, and how much it changes over 0 to x at most. */
double isocast_step_slope(const isocast_step_function *f, double x);
double isocast_step_bending(const isocast_step_function *f, double x);
/* Whether g is continuous from 0 to x, but for rounding. */
bool isocast_step_is_continuous(const isocast_step_function *f, double x);

#endif
