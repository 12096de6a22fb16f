/* Sums whose term is a polynomial in the running variable, as forms: with Faulhaber's formulas, and
 * a bounded rest for ends between whole numbers. Private to the solver's proofs (enclosure.h). */
#ifndef ISOCAST_FORM_SUM_H
#define ISOCAST_FORM_SUM_H

#include "block.h"
#include "form.h"

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

#endif
