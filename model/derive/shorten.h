/* Formulas that a person can read: what stands in long ones again and again gets a name. Knows
 * texts of formulas alone. */
#ifndef ISOCAST_DERIVE_SHORTEN_H
#define ISOCAST_DERIVE_SHORTEN_H

#include "model/base/buffer.h"

/* Where a line of the formulas is long: neighbours, messages and iterations that come several times
 * become definitions. definitions: the key `define`, or empty. taken: names that mean something
 * else, shape [count]. */
void isocast_shorten(isocast_buffer *definitions, isocast_buffer *formulas,
                     const char *const *taken, size_t count);

/* Appends lines, of which long ones are broken: comments between words, formulas before an operator
 * or behind a comma. What stands in quotes, or before a comment, stays. */
void isocast_fold(const isocast_buffer *text, isocast_buffer *out);

#endif
