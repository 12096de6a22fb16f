/* Instructions of an enclosure on forms: what an operation makes of sums of products, as far as the
 * result is one. Where a formula switches inside the piece, the enclosure's `place` gets to know.
 */
#ifndef ISOCAST_ENCLOSURE_FORM_H
#define ISOCAST_ENCLOSURE_FORM_H

#include "enclosure_state.h"

/* The result of an instruction that is no reduction; false where it has no form but itself. *out is
 * scratch then. */
bool isocast_enclosure_operate(isocast_enclosure *e, const isocast_instruction *instruction,
                               isocast_form *out);

/* The result of a sum from a whole number on, over a polynomial in the running variable; false for
 * other reductions, and where the enclosure's status tells a failure. */
bool isocast_enclosure_sum(isocast_enclosure *e, const isocast_instruction *instruction,
                           isocast_form *out);

#endif
