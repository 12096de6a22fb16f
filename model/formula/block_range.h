/* Sums and class reductions over intervals: what they can be anywhere in a piece of the range of N,
 * from their blocks run over intervals instead of numbers. Private to the solver's proofs
 * (enclosure.h). */
#ifndef ISOCAST_BLOCK_RANGE_H
#define ISOCAST_BLOCK_RANGE_H

#include "block.h"
#include "dual.h"

typedef struct isocast_block_ranges {
    const isocast_program *program;
    const isocast_class_table *classes; /* of the system; NULL where no formula uses classes */
    size_t budget;                      /* blocks that may still be run; then nothing is known */
    isocast_effort *effort;             /* takes what they cost; likewise */
} isocast_block_ranges;

/* The value of a SUM or class reduction; `registers` are those of the block that it stands in, of
 * which its operands and what its block imports are read. Errors: NO_MEMORY. */
isocast_status isocast_block_range_reduce(isocast_block_ranges *ranges,
                                          const isocast_instruction *instruction,
                                          const isocast_dual *registers, isocast_dual *out);

#endif
