/* The overhead of a derived algorithm: a term for each group of sites, and operations for machines
 * that lack one. */
#ifndef ISOCAST_OVERHEAD_TEXT_H
#define ISOCAST_OVERHEAD_TEXT_H

#include "derived.h"
#include "model/base/buffer.h"

/* Whether a term has laws enough for a formula. */
bool isocast_term_can_be_written(const isocast_derived *derived, const isocast_derived_term *term);

/* Definitions of how late others are behind some calls in a row, which the terms of these name.
 * first: they begin the key `define`. */
void isocast_put_lateness(const isocast_derived *derived, const char *const *names, bool first,
                          isocast_buffer *out);

/* Definitions of the times of messages that are under way while processes compute. first: as above;
 * returns whether the next definition is the first one. */
bool isocast_put_under_way(const isocast_derived *derived, const char *const *names, bool first,
                           isocast_buffer *out);

/* The key `uncertain`. */
void isocast_put_uncertain(const isocast_derived *derived, double speed, const char *const *names,
                           isocast_buffer *out);

/* The key `overhead`. speed: flop/s of a processor of the records; names: of the sizes. */
void isocast_put_overhead(const isocast_derived *derived, double speed, const char *const *names,
                          isocast_buffer *out);

/* The key `operations`. */
void isocast_put_operations(const isocast_derived *derived, isocast_buffer *out);

#endif
