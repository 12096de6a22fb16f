/* How N and the number of processes p go to infinity together, and which of two monomials is the
 * larger one on the way. A path is N = s p^x log^y p (log log p)^w with s that stays between two
 * numbers, goes to 0 or goes to infinity slower than all of that; x, y and w are numbers, or lie
 * between two. Or the system stays and N alone grows. Where x is a
 * number, what is known of ln N beyond x ln p is a rest with bounds. Knows no formulas. */
#ifndef ISOCAST_PATH_H
#define ISOCAST_PATH_H

#include <stdbool.h>
#include <stddef.h>

enum {
    ISOCAST_PATH_LEVELS = 4,  /* x, y, w, and where s goes: -1 to 0, 1 to infinity, 0: neither */
    ISOCAST_MONOMIAL_SUMS = 2 /* running variables of sums inside sums */
};

/* The exponents of p, ln p, N, ln N, ln ln p, ln ln N (which differs from it by a number), and of
 * the running variables of sums with their logarithms. */
typedef struct isocast_monomial {
    double p, log_p, N, log_N, log_log, log_log_N;
    double rest; /* of u (rest.h) */
    double i[ISOCAST_MONOMIAL_SUMS], log_i[ISOCAST_MONOMIAL_SUMS];
} isocast_monomial;

/* How ln N stands in a series where x is a number, so that ln N = x ln p + r with an r that is
 * smaller. All but the last are true; which one shows a sign depends on what cancels. */
typedef enum isocast_path_logarithm {
    ISOCAST_LOGARITHM_KEPT,     /* as ln N */
    ISOCAST_LOGARITHM_BY_POWER, /* r between 1 and a small power of what it is the logarithm of */
    ISOCAST_LOGARITHM_BY_SHARE, /* r between small shares of ln p, or of ln ln p */
    ISOCAST_LOGARITHM_ROUGH     /* r = y ln ln p alone: proves nothing, and shows where to look */
} isocast_path_logarithm;

typedef struct isocast_path {
    isocast_path_logarithm logarithm;
    bool fixed;                     /* the system stays: p is a number, and N alone grows */
    size_t known;                   /* levels that are numbers */
    double at[ISOCAST_PATH_LEVELS]; /* [known] */
    double low, high;               /* level number `known` is between them, ends excluded */
} isocast_path;

/* What comparing two monomials comes to. */
typedef enum isocast_path_order {
    ISOCAST_COMPARED,       /* they are in a fixed order on the path */
    ISOCAST_COMPARE_SPLIT,  /* not before the path is split */
    ISOCAST_COMPARE_RUNNING /* not before the running variable of a sum is known */
} isocast_path_order;

/* Exponents that differ by less are the same: they are sums and quotients of a few numbers. */
bool isocast_exponents_equal(double a, double b);

/* Monomials without u. *order is 1 where a/b goes to infinity on the path, -1 where it goes to 0,
 * and 0 where it stays between two numbers: the monomials may still differ, as log p and log N do.
 * *split is where the path is to be split at its first level that is not known. */
isocast_path_order isocast_monomial_compare(const isocast_path *path, const isocast_monomial *a,
                                            const isocast_monomial *b, int *order, double *split);
/* Whether all exponents are the same. */
bool isocast_monomial_equal(const isocast_monomial *a, const isocast_monomial *b);
isocast_monomial isocast_monomial_multiply(const isocast_monomial *a, const isocast_monomial *b,
                                           double exponent_of_b);
bool isocast_monomial_has_running(const isocast_monomial *m);

/* Whether s is known to stay between two numbers, so that monomials of one order differ by a factor
 * that may be any number above 0. */
bool isocast_path_is_even(const isocast_path *path);

/* x, where it is between two numbers or is one: *low = *high then. On a fixed path 1 and 1, as
 * nothing asks for it. */
void isocast_path_x(const isocast_path *path, double *low, double *high);

/* The parts of a path that is split at a number, in rising N; shape of parts: [3]. Gives how many:
 * the last level has no middle here, as what lies between two signs is of one order. */
size_t isocast_path_split(const isocast_path *path, double at, isocast_path *parts);

/* What goes to infinity is above any number; this one is in front of u. */
extern const double isocast_rest_large;

typedef struct isocast_rest {
    int sign;         /* of what lies beyond y ln ln p: it goes to infinity, or to minus that */
    double y;         /* the part y ln ln p */
    double low, high; /* u over `scale` is between them */
    isocast_monomial scale; /* what u is compared with */
} isocast_rest;

/* False where the sign is not known: the path is to be split at 0. */
bool isocast_path_rest(const isocast_path *path, isocast_rest *out);

/* exp(exponent u) as a monomial times exp(*constant). */
isocast_monomial isocast_rest_exp(const isocast_path *path, const isocast_rest *rest,
                                  double exponent, double *constant);

#endif
