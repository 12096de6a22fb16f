/* Sums to N of a reach. Private to it. */
#ifndef ISOCAST_REACH_SUM_H
#define ISOCAST_REACH_SUM_H

#include "reach_state.h"

/* The ends of a sum and the offset of its key as functions of N. */
typedef struct isocast_reach_ends {
    double from;
    double to_by_N, to_rest;
    double offset_by_N, offset_rest; /* 0 where the key has no offset */
} isocast_reach_ends;

/* The ends of a sum over a block that has a key; false where they are not such functions. In
 * reach.c. */
bool isocast_reach_ends_find(isocast_reach *r, const isocast_instruction *code,
                             isocast_reach_ends *out);

/* Finds out whether the sum over a block has a key, and which. */
void isocast_reach_sum_shape(isocast_reach *r, size_t block);

/* The sum over the current piece; not known where the term is no polynomial in pieces. Imports that
 * do not hang on N must be known. */
isocast_band isocast_reach_sum_band(isocast_reach *r, size_t block, const isocast_reach_ends *ends);

/* The slope of the same sum, N d/dN, where its band was asked for before; not known where it may
 * jump. */
isocast_band isocast_reach_sum_slope(const isocast_reach *r, size_t block,
                                     const isocast_reach_ends *ends);

#endif
