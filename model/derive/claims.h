/* What the records of a derivation cannot tell, though its formulas hold at all of them. */
#ifndef ISOCAST_DERIVE_CLAIMS_H
#define ISOCAST_DERIVE_CLAIMS_H

#include "derived.h"
#include "model/base/buffer.h"

/* Appends a line for each, behind a prefix: grids of processes that no number of processes tells
 * apart, shapes that the sizes do not have, lines that may stand for many, and other threads. */
void isocast_put_claims(const isocast_derived *derived, const char *prefix, isocast_buffer *out);

#endif
