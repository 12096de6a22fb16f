/* How the numbers of an operation are called: by what they hold for, so that those of two machine
 * files with the same name mean the same, however many ranges either of them has. */
#ifndef ISOCAST_RANGE_NAME_H
#define ISOCAST_RANGE_NAME_H

#include <stddef.h>

enum { ISOCAST_RANGE_NAME_MAX = 700 };

/* Writes PREFIX_8K_1M for the sizes from about 8 KiB to about 1 MiB: each end, from 0.81 to 1.62
 * times a power of two, counts as that power; "0" for a range that begins with the smallest size,
 * "up" for one without an end (INFINITY). Both ends in bytes (PREFIX_9011B_9915B) where they count
 * as the same power. PREFIX alone where the range is all there is. out: shape [most], at least
 * ISOCAST_RANGE_NAME_MAX bytes more than the prefix. */
void isocast_range_name(const char *prefix, double from, double to, char *out, size_t most);

#endif
