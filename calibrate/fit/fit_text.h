/* Fitted times as machine files have them. */
#ifndef FIT_TEXT_H
#define FIT_TEXT_H

#include "fit_regimes.h"
#include "model/base/buffer.h"

/* How a term is called in a machine file and in a coefficient's name, and the coefficient's unit.
 */
const char *fit_term_key(fit_term term);
const char *fit_term_unit(fit_term term);

/* The covariance of a range's coefficients, in the order of the terms that are used: that of the
 * fit, and what a launch adds, which shifts all times together. out: the first [*used][*used] of
 * each row. */
void fit_regime_covariance(const fit_regime *regime, double launch_variance,
                           double out[FIT_TERMS][FIT_TERMS], size_t *used);

/* Appends the keys of an operation, or of a part of one, that tell its ranges, terms, errors and
 * corrections, each line with so many blanks before it. `size`: what ranges go by where that is not
 * m; else NULL. */
void fit_put_regimes(const fit_regimes *regimes, const char *size, double launch_variance,
                     size_t indent, isocast_buffer *out);

#endif
