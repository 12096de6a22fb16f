/* Derivatives of single instructions and of the ends of sums: what slopes (slope.h) and gradients
 * (gradient.h) are made of. Private to those two. */
#ifndef ISOCAST_DERIVATIVE_H
#define ISOCAST_DERIVATIVE_H

#include "block.h"

/* The derivatives of a pointwise instruction by its operands. v: the operands' values; shape of
 * both [3]. Where it steps they are 0, where it switches those of the active branch, and NAN where
 * there is no rule. */
void isocast_opcode_partials(isocast_opcode opcode, const double *v, double value,
                             double *partials);

/* What one more at the end of a sum (`from` to `to`, at a position of the run) adds to it: the term
 * that is added in part, or at a whole number of terms the mean of the last one and the next. 0
 * where the sum is empty on both sides. Errors: NO_MEMORY. */
isocast_status isocast_block_end_term(const isocast_block_run *run, const isocast_block *block,
                                      size_t position, double from, double to, double *out);

#endif
