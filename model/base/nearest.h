/* The known name that somebody may have meant by one that is not known. */
#ifndef ISOCAST_NEAREST_H
#define ISOCAST_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"

/* The entry of `names` (shape [count]) that may be meant by `name`; NULL where none is near enough.
 * That is, in this order: the same but for capital letters; the fewest slips (a letter too many,
 * missing or wrong, or two that changed places), at most a third of the longer name's length, and
 * no other letter in a name of three; one whose last word is the other; one that `name` is
 * written out of; the shortest that begins with `name`, of three letters or more. The result is an
 * entry of `names`. */
const char *isocast_nearest_name(const char *name, const char *const *names, size_t count);

/* Appends "did you mean 'NAME'?" where there is such a name. Else false, and nothing is appended.
 */
bool isocast_nearest_append(isocast_buffer *out, const char *name, const char *const *names,
                            size_t count);

/* Appends the same, or else the names that there are, of many the first: "known here: a, b". */
void isocast_nearest_hint(isocast_buffer *out, const char *name, const char *const *names,
                          size_t count, const char *known);

#endif
