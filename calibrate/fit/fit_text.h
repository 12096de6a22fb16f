/* Fitted times as formulas of a machine file. */
#ifndef FIT_TEXT_H
#define FIT_TEXT_H

#include "fit_correction.h"
#include "fit_model.h"

/* The name of a coefficient: prefix, the range of sizes (fit_name.h), the term. out: shape [most],
 * at least 64 bytes more than the prefix. */
void fit_coefficient_name(const fit_ranges *f, const char *prefix, const fit_place *place,
                          char *out, size_t most);

/* Appends the formula in p and m, its coefficients called as above: "if(m < 24 B, ..., ...)".
 * Ranges go by m, or by m/p where they are `by_blocks`. corrections: NULL for none. */
void fit_write_ranges(const fit_ranges *f, const char *prefix, bool by_blocks,
                      fit_correction corrections[FIT_RANGES_MOST][2], isocast_buffer *out);

/* Where so many nodes were counted as one, makes the formulas of all operations count them so. */
void fit_count_groups(fit *f, double together);

#endif
