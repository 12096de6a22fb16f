#include "sum_pieces.h"

#include <math.h>
#include <stdlib.h>

enum { CUTS_A_BORDER = 3 };

isocast_status isocast_sum_pieces_create(const isocast_block *block, isocast_sum_pieces *out) {
    isocast_sum_pieces p = {.block = block,
                            .linear = calloc(block->register_count + 1, sizeof *p.linear),
                            .degree = calloc(block->register_count + 1, sizeof *p.degree)};
    if (p.linear == NULL || p.degree == NULL) {
        isocast_sum_pieces_free(&p);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t r = 0; r <= block->register_count; r++) {
        p.degree[r] = -1; /* others may fill it: what a result of slopes is, is not known */
    }
    for (size_t i = 0; i < block->constant_count; i++) {
        p.degree[block->constants[i].target] = 0;
        p.linear[block->constants[i].target] = true;
    }
    for (size_t i = 0; i < block->import_count; i++) {
        p.degree[block->imports[i].target] = 0;
        p.linear[block->imports[i].target] = true;
    }
    if (block->has_running) {
        p.degree[0] = 1;
        p.linear[0] = true;
    }
    for (size_t i = 0; i < block->code_count; i++) {
        const isocast_instruction *code = &block->code[i];
        int degrees[3];
        bool lines[3];
        for (size_t k = 0; k < 3; k++) {
            degrees[k] = p.degree[code->operand[k]];
            lines[k] = p.linear[code->operand[k]];
        }
        int degree = isocast_opcode_degree(code->opcode, degrees, lines);
        p.degree[code->result] = degree;
        p.linear[code->result] = degree == 0 || degree == 1;
    }
    *out = p;
    return ISOCAST_OK;
}

void isocast_sum_pieces_free(isocast_sum_pieces *pieces) {
    free(pieces->linear);
    free(pieces->degree);
    pieces->linear = NULL;
    pieces->degree = NULL;
}

int isocast_sum_pieces_degree(const isocast_sum_pieces *pieces) {
    return pieces->degree[pieces->block->result];
}

/* What a comparison's sides are apart at the ends of a piece; false where they are no lines, or the
 * instruction does not hang on which is larger. */
static bool find_apart(const isocast_sum_pieces *p, const isocast_instruction *code,
                       const double *registers, size_t stride, double apart[2]) {
    unsigned a = code->operand[0];
    unsigned b = code->operand[1];
    isocast_opcode_family family = isocast_opcode_family_of(code->opcode);
    bool single = family == ISOCAST_FAMILY_MAGNITUDE;
    bool both = family == ISOCAST_FAMILY_COMPARISON || family == ISOCAST_FAMILY_EXTREME;
    if (!(single && p->linear[a]) && !(both && p->linear[a] && p->linear[b])) {
        return false;
    }
    for (size_t end = 0; end < 2; end++) {
        apart[end] = registers[a * stride + end] - (single ? 0 : registers[b * stride + end]);
    }
    return true;
}

bool isocast_sum_pieces_cut(const isocast_sum_pieces *pieces, double begin, double length,
                            const double *registers, size_t stride, double *cuts, size_t *count) {
    for (size_t i = 0; i < pieces->block->code_count; i++) {
        double apart[2];
        if (!find_apart(pieces, &pieces->block->code[i], registers, stride, apart) ||
            apart[0] == apart[1] || (apart[0] > 0 && apart[1] > 0) ||
            (apart[0] < 0 && apart[1] < 0)) {
            continue;
        }
        /* The term at the border, and that before it, are pieces of their own. */
        double at = begin + floor((length - 1) * (apart[0] / (apart[0] - apart[1])));
        for (int k = 0; k < CUTS_A_BORDER; k++) {
            if (at + k > begin && at + k < begin + length) {
                if (*count == ISOCAST_SUM_CUTS_MAX) {
                    return false;
                }
                cuts[(*count)++] = at + k;
            }
        }
    }
    return true;
}
