/* Which sizes an algorithm's formulas hold for: multiples of a number, products of given primes, or
 * both, as of a transform that is fast for such lengths only. Reads no files. */
#ifndef ISOCAST_VALID_H
#define ISOCAST_VALID_H

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"

enum { ISOCAST_VALID_FACTORS_MAX = 8 };

/* Start from {0}: every size is valid. */
typedef struct isocast_valid {
    double factors[ISOCAST_VALID_FACTORS_MAX]; /* [factor_count], primes, rising; 0: any */
    size_t factor_count;
    double multiple_of; /* a whole number, a product of the factors where there are any; 0: any */
} isocast_valid;

/* Whether some sizes are not valid. */
bool isocast_valid_excludes(const isocast_valid *valid);

/* Valid sizes on both sides of one, which may be both the same; NAN where there is none. */
typedef struct isocast_valid_pair {
    double below; /* at most the size */
    double above; /* at least the size */
} isocast_valid_pair;

/* Whether the formulas hold at N. A prediction may have a broken N', which is valid where no sizes
 * are excluded only. */
bool isocast_valid_holds(const isocast_valid *valid, double N);

/* The valid sizes next to N, from `min` to `max`. Both NAN where every size is valid, and where N
 * is not finite or above 2^53. */
isocast_valid_pair isocast_valid_nearest(const isocast_valid *valid, double N, double min,
                                         double max);

/* The one of both that is nearer to N by its ratio; NAN for two NAN. */
double isocast_valid_nearer(isocast_valid_pair pair, double N);

/* "multiples of 4 that are products of 2, 3, 5 and 7". */
void isocast_valid_describe(const isocast_valid *valid, isocast_buffer *out);

#endif
