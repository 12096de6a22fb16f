#include "block.h"

isocast_block_run isocast_block_inside(const isocast_block_run *outer, const isocast_block *block,
                                       size_t position) {
    return (isocast_block_run){.program = outer->program,
                               .block = block,
                               .points = outer->points,
                               .first = outer->one_point ? outer->first : outer->first + position,
                               .one_point = true,
                               .outer = outer->registers + position,
                               .outer_stride = outer->width,
                               .sum_error = outer->sum_error,
                               .terms = outer->terms,
                               .budget = outer->budget};
}

size_t isocast_block_best_class(isocast_opcode opcode, const double *terms, size_t count) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        bool better =
            opcode == ISOCAST_OP_MAX_CLASS ? terms[i] > terms[best] : terms[i] < terms[best];
        best = better ? i : best;
    }
    return best;
}
