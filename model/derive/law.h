/* A law of the sizes of a program and of p: a sum of monomials with coefficients, which may hold
 * where a side of the grid of processes is above 1 only. Computes and writes laws; finds none. */
#ifndef ISOCAST_DERIVE_LAW_H
#define ISOCAST_DERIVE_LAW_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/buffer.h"

enum {
    ISOCAST_DERIVE_SIZES_MAX = 4, /* size parameters of a program */
    ISOCAST_LAW_TERMS_MAX = 3,
    ISOCAST_MONOMIAL_FACTORS = 3 /* functions of sizes in a monomial */
};

/* The sizes and the number of processes of a run. */
typedef struct isocast_law_point {
    double sizes[ISOCAST_DERIVE_SIZES_MAX];
    double p;
    /* Sides of the grid of processes in two dimensions, and in three; the last one of each is what
     * the others leave of p. 0: those of the most square, or most cubic, grid. */
    double rows;
    double depth, height;
} isocast_law_point;

/* A function of a size and p, or of p alone. */
typedef struct isocast_law_factor {
    const char *text; /* with $ for the name of the size; one that starts with / divides */
    double (*value)(double size, const isocast_law_point *at);
    double cost;    /* how complex it is: 1 for a name */
    bool may_pair;  /* of a size: is multiplied with others */
    int grid;       /* dimensions of the grid whose sides it names; 0: none */
    bool is_smooth; /* of a size alone, without steps and powers of numbers: what work may be */
} isocast_law_factor;

/* Rows of the two tables; row 0 is 1. */
extern const isocast_law_factor isocast_law_process_factors[];
extern const size_t isocast_law_process_factor_count;
extern const isocast_law_factor isocast_law_size_factors[];
extern const size_t isocast_law_size_factor_count;

typedef struct isocast_monomial {
    unsigned char process;                           /* row of the factors of p */
    unsigned char factors[ISOCAST_MONOMIAL_FACTORS]; /* rows of the factors of sizes */
    unsigned char sizes[ISOCAST_MONOMIAL_FACTORS];   /* of which size each is */
    double cost;
} isocast_monomial;

/* Where a law holds; elsewhere the value is 0. */
typedef enum isocast_law_guard {
    ISOCAST_GUARD_NONE,
    ISOCAST_GUARD_PROCESSES /* p > 1 */
} isocast_law_guard;
enum { ISOCAST_LAW_GUARDS = ISOCAST_GUARD_PROCESSES + 1 };

typedef struct isocast_law {
    bool known;
    bool exact; /* no residual at any run */
    isocast_law_guard guard;
    size_t term_count; /* 0: the law is 0 */
    isocast_monomial terms[ISOCAST_LAW_TERMS_MAX];
    double numerators[ISOCAST_LAW_TERMS_MAX]; /* whole where exact */
    double denominators[ISOCAST_LAW_TERMS_MAX];
    double mean_error;  /* relative, root mean square over the runs where the value is not 0 */
    double worst_error; /* relative */
} isocast_law;

double isocast_monomial_value(const isocast_monomial *monomial, const isocast_law_point *point);
bool isocast_guard_holds(isocast_law_guard guard, const isocast_law_point *at);
double isocast_law_value(const isocast_law *law, const isocast_law_point *point);

/* Whether a row of the factors of sizes has the size as an exponent. */
bool isocast_law_is_exponential(size_t factor);

/* Whether two runs have the same sizes; p may differ. */
bool isocast_law_same_sizes(const isocast_law_point *a, const isocast_law_point *b);

/* Whether a factor is a size, its square, its cube, or 1. */
bool isocast_law_is_whole_power(size_t factor);

/* Whether a row of the factors of p is what uneven shares make of the largest one: computing has
 * it, and no message. */
bool isocast_law_is_uneven_share(size_t factor);

/* Whether a row is a size with a number added or taken away. */
bool isocast_law_is_shifted(size_t factor);

/* Whether a size stands in an exponent. */
bool isocast_law_has_exponent(const isocast_law *law, size_t size);

/* Appends the sum without its guard. names: [ISOCAST_DERIVE_SIZES_MAX]; unit: "B", "" for none. In
 * brackets where it has several terms and `factor`. */
void isocast_law_write(const isocast_law *law, const char *const *names, const char *unit,
                       bool factor, isocast_buffer *out);

#endif
