/* The curves that the time of a program over its processes may follow: a fixed library with a
 * weight for each, before any run was seen. Fits nothing.
 *
 * A curve is T(p)/T(p0) over x = p/p0, p0 being the largest p that was measured: a sum of terms
 * with shares that are not negative and are those of T at p0. So no curve is negative at p0 or
 * beyond, and none grows faster than x. */
#ifndef ISOCAST_CURVES_H
#define ISOCAST_CURVES_H

#include <stddef.h>

/* TERM(name, meaning). All are 1 at p0 but the last two, which are 0 there. */
#define ISOCAST_CURVE_TERMS(TERM)                                                                  \
    TERM(CACHE, "computation that fits caches better on more processes, x^-1.2")                   \
    TERM(SHARED, "computation that the processes share, 1/x")                                      \
    TERM(SURFACE, "surfaces of the parts of a volume, x^(-2/3)")                                   \
    TERM(ROOT, "edges of the parts of an area, x^(-1/2)")                                          \
    TERM(SERIAL, "what every process does, or one alone, 1")                                       \
    TERM(TREE, "steps of a tree, log2(p + 1)")                                                     \
    TERM(FOURTH, "between a tree and a grid, x^(1/4)")                                             \
    TERM(GRID, "rows and columns of a grid of processes, x^(1/2)")                                 \
    TERM(RING, "a message to each other process, x")                                               \
    TERM(LOG, "trees whose first steps cost nothing, ln x")                                        \
    TERM(OUTSIDE, "partners on other nodes, which there are more and more of, 1 - x^(-1/2)")

typedef enum isocast_curve_term {
#define ISOCAST_CURVE_ENUM(name, meaning) ISOCAST_CURVE_##name,
    ISOCAST_CURVE_TERMS(ISOCAST_CURVE_ENUM)
#undef ISOCAST_CURVE_ENUM
        ISOCAST_CURVE_TERM_COUNT
} isocast_curve_term;

/* The value of a term at p. */
double isocast_curve_term_value(isocast_curve_term term, double p, double p0);

typedef struct isocast_curve {
    double share[ISOCAST_CURVE_TERM_COUNT]; /* of T at p0 */
    double log_prior;                       /* ln of its weight; the weights need no sum */
} isocast_curve;

enum { ISOCAST_CURVES_MAX = 570 };

/* All of them, into an array of ISOCAST_CURVES_MAX; gives how many. */
size_t isocast_curves_make(isocast_curve *out);

/* T(p)/T(p0) of a curve; terms: the values of all terms at p, shape [ISOCAST_CURVE_TERM_COUNT]. */
double isocast_curve_value(const isocast_curve *curve, const double *terms);

#endif
