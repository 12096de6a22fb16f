/* What was learnt of one operation, as one formula and in words. */
#ifndef FIT_FORMULA_H
#define FIT_FORMULA_H

#include "fit_result.h"

/* Appends the formula in p, m and the coefficients. */
void fit_formula_write(const fit_result *result, isocast_buffer *out);

/* Appends what it is made of: "tree, 2 ranges". */
void fit_formula_write_model(const fit_result *result, isocast_buffer *out);

#endif
