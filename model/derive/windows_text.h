/* What processes may wait for at calls for one-sided messages, of which no measurement is known:
 * entries under `uncertain`. Fences are terms (overhead_text.h). */
#ifndef ISOCAST_DERIVE_WINDOWS_TEXT_H
#define ISOCAST_DERIVE_WINDOWS_TEXT_H

#include "derived.h"

/* Whether a process may hold up others by a lock. */
bool isocast_derived_has_locks(const isocast_derived *derived);

/* head: what stands before the first one; returns it, or "" where there was one. names: as of
 * isocast_law_write(). */
const char *isocast_put_uncertain_windows(const isocast_derived *derived, const char *head,
                                          const char *const *names, isocast_buffer *out);

#endif
