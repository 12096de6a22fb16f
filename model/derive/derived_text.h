/* A derived algorithm as the text of an algorithm file, as a person would write it. */
#ifndef ISOCAST_DERIVED_TEXT_H
#define ISOCAST_DERIVED_TEXT_H

#include "derived.h"

/* What each such text begins with. */
#define ISOCAST_DERIVED_BEGIN "# Derived by isocast"

/* name: of the algorithm and of its kernel; other characters than letters, digits, - and _ are left
 * out. speed: marked speed of the processor that the records are from, flop/s; the time that the
 * computing took becomes work by it, or a flop for a nanosecond where it is 0, not known. The names
 * in the text are those of the records' program, cleaned. derived->program is there. Errors:
 * NO_MEMORY. */
isocast_status isocast_derived_write(const isocast_derived *derived, const char *name, double speed,
                                     isocast_buffer *out);

/* The file as far as formulas and steps go, with a flop a nanosecond of the records, for whoever
 * reads it at once. at: a point whose grid has sides that words gave; NULL: any one. Errors:
 * NO_MEMORY. */
isocast_status isocast_derived_write_at(const isocast_derived *derived, const isocast_law_point *at,
                                        isocast_buffer *out);

/* Why T was not compared, where nothing else is the reason. */
extern const char *const isocast_derived_no_machine;

/* Appends sentences on what is not explained, one a line, each after `prefix`. */
void isocast_derived_write_open(const isocast_derived *derived, const char *prefix,
                                isocast_buffer *out);

/* Appends what a rehearsal of the steps shows, and what is not known of them, likewise. */
void isocast_derived_write_rehearsed(const isocast_derived *derived, const char *prefix,
                                     isocast_buffer *out);

/* Appends the values of a size by its index, or of p for SIZE_MAX, in the records: "1, 2, 4". */
void isocast_derived_put_values(const isocast_derived *derived, size_t size, isocast_buffer *out);

/* Appends the point of what was held out: "p = 16, N = 2000". */
void isocast_derived_put_point(const isocast_derived *derived, const isocast_law_point *point,
                               const char *joint, isocast_buffer *out);

#endif
