/* What the records of a derivation cannot say, though its formulas hold at all of them, as text.
 */
#ifndef ISOCAST_DERIVE_DOUBTS_H
#define ISOCAST_DERIVE_DOUBTS_H

#include "derived.h"

/* The key `uncertain`: what T may be longer by, or shorter. speed: flop/s of a processor of the
 * records; names: as of isocast_law_write(). */
void isocast_put_uncertain(const isocast_derived *derived, double speed, const char *const *names,
                           isocast_buffer *out);

/* Appends a line for each thing that is not known of the program, behind `prefix`. */
void isocast_put_doubts(const isocast_derived *derived, const char *prefix, isocast_buffer *out);

/* Appends a line, behind a prefix, for each thing that records do not have: grids of processes that
 * no number of processes distinguishes, shapes that the sizes do not have, lines that may stand for
 * many, and other threads. */
void isocast_put_claims(const isocast_derived *derived, const char *prefix, isocast_buffer *out);

#endif
