/* Fitted times as machine files have them. */
#ifndef FIT_TEXT_H
#define FIT_TEXT_H

#include "fit_correction.h"
#include "model/base/buffer.h"

/* The name of a coefficient: prefix, the range of sizes (range_name.h), the term. out: shape
 * [most].
 */
void fit_coefficient_name(const fit_ranges *f, const char *prefix, const fit_place *place,
                          char *out, size_t most);

/* Ranges with what a machine file speaks of them. */
typedef struct fit_ranges_text {
    const fit_ranges *ranges;
    const double *covariance;               /* of the coefficients, [coefficients][coefficients] */
    bool all_correlated;                    /* also those of different ranges */
    const fit_correction (*corrections)[2]; /* [ranges->count]; NULL for none */
} fit_ranges_text;

/* Appends the keys of an operation, or of a part of one, that state its ranges, terms, errors and
 * corrections, each line with so many blanks before it. */
void fit_put_ranges(const fit_ranges_text *text, size_t indent, isocast_buffer *out);

#endif
