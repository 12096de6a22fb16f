/* The roots x > 0 of k1 x^e1 + k2 x^e2 + ... with any real exponents. */
#ifndef ISOCAST_ROOTS_H
#define ISOCAST_ROOTS_H

#include <stdbool.h>
#include <stddef.h>

enum { ISOCAST_ROOTS_TERMS = 12 /* with different exponents, at most */ };

typedef struct isocast_root_term {
    double factor;   /* k */
    double exponent; /* e */
} isocast_root_term;

/* The value at x = exp(u). */
double isocast_roots_value(const isocast_root_term *terms, size_t count, double u);

/* The smallest root at which the sign changes with low < x < high, where `high` may be infinite;
 * false where there is none. Terms: [count], at most
 * ISOCAST_ROOTS_TERMS. Exact: between neighbouring roots of a derivative, of
 * which each has one term less (Rolle), there is one root at most. */
bool isocast_roots_first(const isocast_root_term *terms, size_t count, double low, double high,
                         double *root);

#endif
