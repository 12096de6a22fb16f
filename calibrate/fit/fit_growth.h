/* How a time grows with p at one message size: non-negative sums of a few functions of p. */
#ifndef FIT_GROWTH_H
#define FIT_GROWTH_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/buffer.h"

/* Functions of p that times are made of. */
typedef enum fit_growth_function {
    FIT_GROWTH_ONE,         /* 1 */
    FIT_GROWTH_LOG,         /* log2 p: steps of a tree, of doubling or halving */
    FIT_GROWTH_FOURTH_ROOT, /* p^(1/4): between no growth and the next */
    FIT_GROWTH_ROOT,        /* p^(1/2): across a grid of nodes */
    FIT_GROWTH_LINEAR,      /* p: a message to each other process, rings */
    FIT_GROWTH_OUTSIDE, /* p - q, q processes being on a node: a message to each of the others */
    FIT_GROWTH_LINEAR_ROOT, /* p^(3/2): the same, through links that more and more of them share */
    FIT_GROWTH_SQUARE,      /* p^2: all messages of an exchange through one link */
    FIT_GROWTH_FUNCTIONS
} fit_growth_function;

/* Candidates: which functions may be in the sum. */
typedef enum fit_growth_kind {
    FIT_GROWTH_KIND_NONE, /* the time at the largest p stays */
    FIT_GROWTH_KIND_LOG,
    FIT_GROWTH_KIND_ROOT,
    FIT_GROWTH_KIND_LINEAR,
    FIT_GROWTH_KIND_OUTSIDE,
    FIT_GROWTH_KIND_LINEAR_ROOT,
    FIT_GROWTH_KIND_SQUARE,
    FIT_GROWTH_KIND_LOG_LINEAR, /* log2 p and p; from three counts of processes on */
    FIT_GROWTH_KINDS
} fit_growth_kind;

/* T = sum of coefficient[f] times function f of p, s. */
typedef struct fit_growth {
    double coefficient[FIT_GROWTH_FUNCTIONS]; /* s, none negative */
    double per_node;                          /* q */
} fit_growth;

double fit_growth_time(const fit_growth *growth, double p);

/* Appends a function as a factor of formulas: "log2(p)". There p_node stands for the q of more than
 * one process on a node, as other systems place theirs in other ways. */
void fit_growth_put_factor(fit_growth_function function, double per_node, isocast_buffer *out);

/* A time at one p, all at one size. */
typedef struct fit_growth_point {
    double p;
    double seconds;
    bool between; /* not measured at this size but read off between its neighbours */
} fit_growth_point;

/* Least squares of the relative error over the points (shape [count], rising p, count >= 1) with
 * coefficients >= 0. Points count in proportion to their p, squared, as what is asked for lies
 * beyond the largest; those between count a quarter. False where the points are too few for it. */
bool fit_growth_fit(fit_growth_kind kind, double per_node, const fit_growth_point *points,
                    size_t count, fit_growth *out);

/* Least squares of the relative error with coefficients >= 0 over all functions; the first
 * `measured` points weigh as in fit_growth_fit, the others alike. False where no sum can be found.
 */
bool fit_growth_follow(double per_node, const fit_growth_point *points, size_t count,
                       size_t measured, fit_growth *out);

#endif
