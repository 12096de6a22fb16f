/* What algorithms of collective operations cost: steps S and volume V in p and m, and the terms
 * that a fitted time is the sum of. Sources: R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19(1)
 * 2005; J. Bruck et al., IEEE TPDS 8(11) 1997. */
#ifndef FIT_SHAPE_H
#define FIT_SHAPE_H

#include "fit_nonnegative.h"

typedef enum fit_shape {
    FIT_SHAPE_TREE,    /* S = ceil(log2 p), V = m ceil(log2 p): binomial tree, Bruck, doubling */
    FIT_SHAPE_HALVING, /* S = log2 p, V = m (p-1)/p: Rabenseifner, gather and scatter by a tree */
    FIT_SHAPE_RING,    /* S = p-1, V = m (p-1)/p: ring, pairwise exchange */
    FIT_SHAPE_SCATTER_RING, /* S = log2 p + p-1, V = 2 m (p-1)/p: scatter and allgather */
    FIT_SHAPE_LINEAR,       /* S = p-1, V = m (p-1): one process sends to or receives from all */
    FIT_SHAPE_MESSAGE,      /* S = 1, V = m: between two processes */
    FIT_SHAPES
} fit_shape;

/* T = alpha S + beta V + a + beta_c V log2 p + delta (p-1); none is negative. The first ones come
 * first where the points cannot tell. */
typedef enum fit_shape_term {
    FIT_SHAPE_STEPS,      /* alpha, s */
    FIT_SHAPE_VOLUME,     /* beta, s/B */
    FIT_SHAPE_START,      /* a, s */
    FIT_SHAPE_CONTENTION, /* beta_c, s/B */
    FIT_SHAPE_PROCESSES,  /* delta, s */
    FIT_SHAPE_TERMS
} fit_shape_term;

/* Terms that a message of no bytes takes, too: without any of them the smallest would take no time.
 */
enum { FIT_SHAPE_STARTS = 1 << FIT_SHAPE_STEPS | 1 << FIT_SHAPE_START | 1 << FIT_SHAPE_PROCESSES };

/* What a term's coefficient is multiplied with; terms that a shape has not (a message's start is
 * its step) are 0. */
double fit_shape_value(fit_shape shape, fit_shape_term term, double p, double m);

/* "binomial tree", for people. */
const char *fit_shape_name(fit_shape shape);
/* "step": the ending of a coefficient's name. */
const char *fit_shape_term_name(fit_shape_term term);
/* "s" or "s/B". */
const char *fit_shape_term_unit(fit_shape_term term);
/* What the coefficient is followed by in a formula: "*ceil(log2(p))". */
const char *fit_shape_term_factor(fit_shape shape, fit_shape_term term);

#endif
