/* Terms of calls in a row that are known to be off by more than others, and by how much they were
 * off where that was tried (docs/own-program.md). */
#ifndef ISOCAST_DERIVE_UNCERTAIN_H
#define ISOCAST_DERIVE_UNCERTAIN_H

#include "derived.h"
#include "model/base/buffer.h"

/* What a call hides of the one that it follows; NULL: nothing more is known against it. */
const char *isocast_derived_row_doubt(const isocast_derived *derived,
                                      const isocast_derived_row *row);

/* Likewise of a site whose roots change. */
const char *isocast_derived_roots_doubt(const isocast_derived *derived,
                                        const isocast_derived_site *site);

/* Appends a sentence on each of them, one a line, each after `prefix`. */
void isocast_put_doubts(const isocast_derived *derived, const char *prefix, isocast_buffer *out);

#endif
