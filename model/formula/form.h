/* Sums of products: a value written as c1 N^a1 u v + c2 N^a2 + ..., where u and v ("atoms") are
 * what a formula cannot write so: logarithms, the fraction that floor() cuts off, tables. Terms
 * that cancel do so before anything is bounded, so W/C - T_c and N - 8 floor(N/8) lose nothing.
 * Sums over polynomials in the running variable are such, too. What their bounds prove of zeros is
 * reported here as well. Private to the solver's proofs (enclosure.h). */
#ifndef ISOCAST_FORM_H
#define ISOCAST_FORM_H

#include <stddef.h>
#include <stdint.h>

#include "block.h"
#include "dual.h"
#include "model/base/effort.h"

enum {
    ISOCAST_FORM_ATOMS = 4,  /* factors of one term besides the power of N */
    ISOCAST_FORM_TERMS = 40, /* terms of one form; what needs more becomes an atom */
    ISOCAST_FORM_NO_ATOM = 0 /* number of an unused factor */
};

typedef struct isocast_form_term {
    double factor;    /* c */
    double magnitude; /* of what was added up to c: c is known to rounding of this */
    double exponent;  /* of N */
    uint16_t atoms[ISOCAST_FORM_ATOMS]; /* rising; ISOCAST_FORM_NO_ATOM first */
} isocast_form_term;

/* No terms: 0. */
typedef struct isocast_form {
    size_t count;
    isocast_form_term terms[ISOCAST_FORM_TERMS];
} isocast_form;

/* What the factors can be in the piece of N that is looked at; shape of atoms: by number. */
typedef struct isocast_form_ranges {
    isocast_range N;
    const isocast_dual *atoms;
} isocast_form_ranges;

void isocast_form_constant(isocast_form *form, double value);
void isocast_form_power_of_N(isocast_form *form, double exponent);
void isocast_form_atom(isocast_form *form, uint16_t atom);
/* Constant forms have one term without factors, or none. */
bool isocast_form_is_constant(const isocast_form *form, double *value);
/* One term c N^a with c > 0 and no atoms. */
bool isocast_form_is_power(const isocast_form *form, double *factor, double *exponent);

/* form += other * multiplier / divisor. False where there is no room; `form` is spoilt then. */
bool isocast_form_add(isocast_form *form, const isocast_form *other, double multiplier,
                      double divisor);
/* out = a * b; false where there is no room. `out` is neither a nor b. */
bool isocast_form_multiply(const isocast_form *a, const isocast_form *b, isocast_form *out);
/* Divides by c N^a. */
void isocast_form_divide(isocast_form *form, double factor, double exponent);

/* Adds `shift` to the numbers of all atoms from `first` on. */
void isocast_form_shift_atoms(isocast_form *form, uint16_t first, uint16_t shift);

/* Value and slope of the form divided by N^exponent. */
isocast_dual isocast_form_bound(const isocast_form *form, const isocast_form_ranges *ranges,
                                double exponent);

enum { ISOCAST_FORM_SUM_DEGREE = 3 };

/* What the sum's block sees of the block around: register -> form. */
typedef void isocast_form_of_register(const void *context, unsigned reg, isocast_form *out);

/* A term c[0] + c[1] i + ... with forms that do not hold i. */
typedef struct isocast_form_polynomial {
    size_t count; /* coefficients, at most ISOCAST_FORM_SUM_DEGREE + 1 */
    isocast_form factor[ISOCAST_FORM_SUM_DEGREE + 1];
} isocast_form_polynomial;

/* The term of a sum's block; false where it is no such polynomial. Errors: NO_MEMORY. */
isocast_status isocast_form_sum_term(const isocast_block *block, isocast_form_of_register *outer,
                                     const void *context, isocast_form_polynomial *out,
                                     bool *is_polynomial);

/* *out = 1^degree + ... + n^degree as a polynomial in the form n; false where there is no room. */
bool isocast_form_power_sum(const isocast_form *n, size_t degree, isocast_form *out);

/* Between whole numbers the sum is linear, and the polynomial of isocast_form_power_sum is not: the
 * rest over N^(degree - 1), where n is `n` in the piece. */
isocast_dual isocast_form_power_rest(const isocast_form *n, const isocast_form_ranges *ranges,
                                     size_t degree);

/* Both are false where nothing is proved. */
typedef struct isocast_form_verdict {
    bool has_no_zero;          /* it is of one sign, or has no value, in the whole piece */
    int sign;                  /* 1 or -1 there; 0 where the form has no value */
    bool has_one_zero_at_most; /* it changes its sign once or never */
} isocast_form_verdict;

/* `effort` takes what the bounds cost. */
isocast_form_verdict isocast_form_judge(const isocast_form *form, const isocast_form_ranges *ranges,
                                        isocast_effort *effort);

#endif
