/* A law of the sizes of a program and of p: a sum of monomials with coefficients, which may hold
 * where there are several processes only. Computes and writes laws; finds none (fit.h). */
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

/* Sides of grids of processes, the shorter ones of each first. */
typedef enum isocast_side {
    ISOCAST_ROWS,
    ISOCAST_COLUMNS,
    ISOCAST_DEPTH,
    ISOCAST_HEIGHT,
    ISOCAST_WIDTH,
    ISOCAST_SIDES
} isocast_side;

/* What formulas call them. */
extern const char *const isocast_side_names[];

double isocast_law_side(const isocast_law_point *at, isocast_side side);

/* Kinds of laws that are no exact ones. */
typedef enum isocast_law_kind {
    ISOCAST_LAW_ANY,
    ISOCAST_LAW_SIZES,   /* smooth functions of sizes alone */
    ISOCAST_LAW_SHARES,  /* whole powers of sizes and their shares, by themselves or over p */
    ISOCAST_LAW_BUSIEST, /* smooth functions of sizes, or their shares, on the process with most */
    ISOCAST_LAW_GROWING, /* smooth functions of sizes that all processes have, or more with p */
    ISOCAST_LAW_KINDS
} isocast_law_kind;

/* What else a function is, bits beside one for each kind of laws that may have it. */
enum {
    ISOCAST_FACTOR_PAIRS = 1 << ISOCAST_LAW_KINDS,    /* of a size: it is multiplied with others */
    ISOCAST_FACTOR_SHIFTED = 2 << ISOCAST_LAW_KINDS,  /* a size with a number added or taken away */
    ISOCAST_FACTOR_EXPONENT = 4 << ISOCAST_LAW_KINDS, /* the size is an exponent */
    /* Of p: what uneven shares make of the largest one. Computing has it, and no message. */
    ISOCAST_FACTOR_UNEVEN = 8 << ISOCAST_LAW_KINDS,
    ISOCAST_FACTOR_WHOLE = 16 << ISOCAST_LAW_KINDS /* a size, its square or cube, or 1 */
};

/* A function of a size or of p: (round(of((x + before)/over)) + after)^power. */
typedef struct isocast_law_factor {
    const char *text; /* with $ for the name of the size; one that starts with / divides */
    double cost;      /* how complex it is: 1 for a name */
    unsigned is;      /* bits: 1U << isocast_law_kind, ISOCAST_FACTOR_... */
    int grid;         /* dimensions of the grid whose sides it names; 0: none */
    int side;         /* x is that side of the grid, counted from 1; 0: the size, or p */
    int before;
    int over;  /* a side, counted from 1; ISOCAST_OVER_P; 0: nothing */
    int round; /* 1: up; -1: down; 0: not */
    int after;
    double power;         /* 0: 1 */
    double (*of)(double); /* NULL: itself */
} isocast_law_factor;
enum { ISOCAST_OVER_P = ISOCAST_SIDES + 1 };

/* Rows of the two tables; row 0 is 1. */
extern const isocast_law_factor isocast_law_process_factors[];
extern const size_t isocast_law_process_factor_count;
extern const isocast_law_factor isocast_law_size_factors[];
extern const size_t isocast_law_size_factor_count;

/* x: the size, or p. */
double isocast_law_factor_value(const isocast_law_factor *factor, double x,
                                const isocast_law_point *at);

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
    double mean_error; /* relative, root mean square over the runs where the value is not 0 */
} isocast_law;

double isocast_monomial_value(const isocast_monomial *monomial, const isocast_law_point *point);
bool isocast_guard_holds(isocast_law_guard guard, const isocast_law_point *at);
double isocast_law_value(const isocast_law *law, const isocast_law_point *point);

/* The law times a number. */
isocast_law isocast_law_scaled(const isocast_law *law, double by);

/* Whether two runs have the same sizes; p may differ. */
bool isocast_law_same_sizes(const isocast_law_point *a, const isocast_law_point *b);

/* Whether a size stands in an exponent. */
bool isocast_law_has_exponent(const isocast_law *law, size_t size);

/* By which factor a term grows where all sizes are doubled, from a point on. */
double isocast_monomial_growth(const isocast_monomial *monomial, const isocast_law_point *from);

/* The same of the term that grows most. */
double isocast_law_growth(const isocast_law *law, const isocast_law_point *from);

/* Whether a law is a sum in which p stands in two ways. */
bool isocast_law_adds_functions(const isocast_law *law, const isocast_law_point *at);

/* Appends the sum without its guard. names: [ISOCAST_DERIVE_SIZES_MAX]; unit: "B", "" for none. In
 * brackets where it has several terms and `factor`. */
void isocast_law_write(const isocast_law *law, const char *const *names, const char *unit,
                       bool factor, isocast_buffer *out);

#endif
