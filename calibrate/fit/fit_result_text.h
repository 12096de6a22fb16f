/* What was learnt of one operation, as a formula and in words. */
#ifndef FIT_RESULT_TEXT_H
#define FIT_RESULT_TEXT_H

#include "fit_result.h"

/* Appends the formula in p, m and the coefficients. */
void fit_result_write_formula(const fit_result *result, isocast_buffer *out);

/* Appends what it is made of: "tree, 2 ranges". */
void fit_result_write_model(const fit_result *result, isocast_buffer *out);

#endif
