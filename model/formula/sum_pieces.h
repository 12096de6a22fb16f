/* Where a sum's term is a polynomial in pieces whose borders are known only piece by piece: a
 * comparison of what other comparisons have chosen, such as a table over what ranges of a size make
 * of it. Private to the evaluator (sum.c). */
#ifndef ISOCAST_SUM_PIECES_H
#define ISOCAST_SUM_PIECES_H

#include "block.h"
#include "sum_plan.h"

/* What the registers of a sum's block are between two borders. Start from {0}. */
typedef struct isocast_sum_pieces {
    const isocast_block *block;
    bool *linear; /* [register_count]: a straight line of the running variable */
    int *degree;  /* [register_count], of a polynomial; below 0 where it is none */
} isocast_sum_pieces;

/* Errors: NO_MEMORY. */
isocast_status isocast_sum_pieces_create(const isocast_block *block, isocast_sum_pieces *out);
void isocast_sum_pieces_free(isocast_sum_pieces *pieces);

/* The term's degree, once no piece has a border inside; below 0 where it has none. */
int isocast_sum_pieces_degree(const isocast_sum_pieces *pieces);

/* Adds the borders that are seen inside a piece of `length` terms from number `begin` on to `cuts`,
 * which has room for ISOCAST_SUM_CUTS_MAX; false where there is no room left. `registers` are those
 * at its first and its last term: register r at registers[r * stride] and registers[r * stride +
 * 1].
 */
bool isocast_sum_pieces_cut(const isocast_sum_pieces *pieces, double begin, double length,
                            const double *registers, size_t stride, double *cuts, size_t *count);

#endif
