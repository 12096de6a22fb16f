/* The one positive root of sums of powers, for many sums of the same exponents at once. That there
 * is one alone is proved by Descartes' rule of signs, which holds for real exponents, too [Laguerre
 * 1883]: the coefficients, in the order of their exponents, change their sign once. Knows no model.
 */
#ifndef ISOCAST_POWER_ROOTS_H
#define ISOCAST_POWER_ROOTS_H

#include <stdbool.h>
#include <stddef.h>

enum {
    ISOCAST_POWER_LANES = 64, /* sums that are worked on together */
    ISOCAST_POWER_TERMS = 24, /* of one sum */
    ISOCAST_POWER_PARTS = 12, /* exponents may be whole multiples of 1 to 1/12 */
    ISOCAST_POWER_SPAN = 96   /* between the exponents, in such parts */
};

/* The exponents, as whole multiples of 1/parts. */
typedef struct isocast_power_basis {
    size_t count;
    unsigned parts;
    unsigned steps[ISOCAST_POWER_TERMS]; /* [count], rising from 0: exponent - the smallest */
    double smallest;                     /* exponent */
} isocast_power_basis;

/* False where the exponents, shape [count] and rising, are no such multiples, or too many. */
bool isocast_power_basis_make(const double *exponents, size_t count, isocast_power_basis *out);

/* Shapes: [count][ISOCAST_POWER_LANES]; unused lanes may hold anything. */
typedef double isocast_power_lanes[ISOCAST_POWER_LANES];

typedef struct isocast_power_question {
    const isocast_power_basis *basis;
    const isocast_power_lanes *coefficients;
    const isocast_power_lanes *sizes; /* what rounding in a coefficient is relative to: the sum of
                                         the magnitudes that it was added up from */
    double low, high;                 /* 0 < low < high: where the root is looked for */
} isocast_power_question;

/* known[k]: the sum has one positive root and no other, which lies between low and high and well
 * inside, and is known to 1e-11 of it: roots[k]. Else nothing is said of it. */
void isocast_power_roots_find(const isocast_power_question *question, double *roots, bool *known);

#endif
