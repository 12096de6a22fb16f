/* Fitted times as formulas of a machine file. */
#ifndef FIT_TEXT_H
#define FIT_TEXT_H

#include "fit.h"
#include "fit_regimes.h"

/* How a term is called in a coefficient's name, and the coefficient's unit. */
const char *fit_term_suffix(fit_term term);
const char *fit_term_unit(fit_term term);

/* Appends the sum of a range's terms, with coefficients named PREFIX_SUFFIX, and its corrections.
 */
void fit_write_regime(isocast_buffer *formula, const fit_regime *regime, const char *prefix);

/* Where so many nodes were counted as one, makes the formulas of all operations count them so. */
void fit_count_groups(fit *f, double together);

#endif
