/* The section program: of a derived file. */
#ifndef ISOCAST_DERIVE_STEPS_TEXT_H
#define ISOCAST_DERIVE_STEPS_TEXT_H

#include "derived.h"

/* Appends "program:" and its steps. speed:
 * flop/s of a processor of the records; names: as of isocast_law_write(). */
void isocast_derive_steps_put(const isocast_derived *derived, double speed,
                              const char *const *names, isocast_buffer *out);

#endif
