#include "sum_pieces.h"

#include <math.h>
#include <stdlib.h>

enum { CUTS_A_BORDER = 3 };

static bool is_comparison(isocast_opcode opcode) {
    return opcode >= ISOCAST_OP_LESS && opcode <= ISOCAST_OP_NOT_EQUAL;
}

static bool is_choice(isocast_opcode opcode) {
    return opcode == ISOCAST_OP_MIN || opcode == ISOCAST_OP_MAX;
}

/* The degree of what an instruction makes of polynomials, of which those that are compared are
 * straight lines; below 0 where it is none. */
static int degree_of(const isocast_sum_pieces *p, const isocast_instruction *code) {
    const unsigned *at = code->operand;
    int a = p->degree[at[0]];
    int b = p->degree[at[1]];
    int c = p->degree[at[2]];
    int larger = a > b ? a : b;
    bool known = a >= 0 && b >= 0;
    bool lines = p->linear[at[0]] && p->linear[at[1]];
    if (is_comparison(code->opcode)) {
        return lines ? 0 : -1;
    }
    if (is_choice(code->opcode)) {
        return lines ? larger : -1;
    }
    switch (code->opcode) {
    case ISOCAST_OP_NEGATE:
        return a;
    case ISOCAST_OP_ABS:
        return p->linear[at[0]] ? a : -1;
    case ISOCAST_OP_ADD:
    case ISOCAST_OP_SUBTRACT:
        return known ? larger : -1;
    case ISOCAST_OP_MULTIPLY:
        return known ? a + b : -1;
    case ISOCAST_OP_DIVIDE:
        return known && b == 0 ? a : -1;
    case ISOCAST_OP_AND:
    case ISOCAST_OP_OR:
        return known && larger == 0 ? 0 : -1;
    case ISOCAST_OP_SELECT:
        return a == 0 && b >= 0 && c >= 0 ? (b > c ? b : c) : -1;
    default:
        break;
    }
    if (code->opcode >= ISOCAST_OP_SUM) {
        return -1;
    }
    /* Whatever is computed of constants is one. */
    bool constant = true;
    for (size_t k = 0; k < isocast_opcode_operands(code->opcode); k++) {
        constant = constant && p->degree[at[k]] == 0;
    }
    return constant ? 0 : -1;
}

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
        int degree = degree_of(&p, code);
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
    bool single = code->opcode == ISOCAST_OP_ABS;
    bool both = is_comparison(code->opcode) || is_choice(code->opcode);
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
