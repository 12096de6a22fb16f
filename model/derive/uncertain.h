/* The key `uncertain`: what T may be longer by, or shorter, as records do not show something. */
#ifndef ISOCAST_DERIVE_UNCERTAIN_H
#define ISOCAST_DERIVE_UNCERTAIN_H

#include "derived.h"

/* speed: flop/s of a processor of the records; names: as of isocast_law_write(). */
void isocast_put_uncertain(const isocast_derived *derived, double speed, const char *const *names,
                           isocast_buffer *out);

/* Appends a line for each thing that is not known of the program, behind `prefix`. */
void isocast_put_doubts(const isocast_derived *derived, const char *prefix, isocast_buffer *out);

#endif
