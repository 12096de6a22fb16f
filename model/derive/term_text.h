/* The name and the formula of a term of an algorithm file. Which terms there are is
 * overhead_text.h. names: as of isocast_law_write(). */
#ifndef ISOCAST_DERIVE_TERM_TEXT_H
#define ISOCAST_DERIVE_TERM_TEXT_H

#include "derived.h"

/* Names that come again, from several files, get the number of their term. */
void isocast_put_term_name(const isocast_derived *derived, size_t index, isocast_buffer *out);

/* The time of a term, and the end of the line. */
void isocast_put_formula(const isocast_derived *derived, const isocast_derived_term *term,
                         const char *const *names, isocast_buffer *out);

/* The condition before the time of a term. */
isocast_law_guard isocast_term_guard(const isocast_derived *derived,
                                     const isocast_derived_term *term);

/* The receives of rounds but the first ones: each takes the time of its bytes. guard: in which all
 * of it stands. */
void isocast_put_further(const isocast_derived *derived, const isocast_derived_term *term,
                         isocast_law_guard guard, const char *const *names, isocast_buffer *out);

/* Whether all messages of a term have 0 B. */
bool isocast_term_is_empty(const isocast_derived *derived, const isocast_derived_term *term);

#endif
