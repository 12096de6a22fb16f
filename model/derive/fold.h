/* Lines that a person can read. Knows texts alone. */
#ifndef ISOCAST_DERIVE_FOLD_H
#define ISOCAST_DERIVE_FOLD_H

#include "model/base/buffer.h"

/* Appends lines, of which long ones are broken: comments between words, formulas before an operator
 * or behind a comma. What stands in quotes, or before a comment, stays. */
void isocast_fold(const isocast_buffer *text, isocast_buffer *out);

#endif
