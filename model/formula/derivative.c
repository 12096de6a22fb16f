#include "derivative.h"

#include <math.h>

static const double ln_2 = 0.6931471805599453;
static const double ln_10 = 2.302585092994046;

void isocast_opcode_partials(isocast_opcode opcode, const double *v, double value, double *d) {
    d[0] = d[1] = d[2] = 0;
    switch (opcode) {
    case ISOCAST_OP_NEGATE:
        d[0] = -1;
        break;
    case ISOCAST_OP_ADD:
        d[0] = d[1] = 1;
        break;
    case ISOCAST_OP_SUBTRACT:
        d[0] = 1;
        d[1] = -1;
        break;
    case ISOCAST_OP_MULTIPLY:
        d[0] = v[1];
        d[1] = v[0];
        break;
    case ISOCAST_OP_DIVIDE:
        d[0] = 1 / v[1];
        d[1] = -value / v[1];
        break;
    case ISOCAST_OP_POWER:
        d[0] = v[1] == 0 ? 0 : v[1] * pow(v[0], v[1] - 1);
        d[1] = value * log(v[0]);
        break;
    case ISOCAST_OP_SELECT:
        d[v[0] != 0 ? 1 : 2] = 1;
        break;
    case ISOCAST_OP_MIN:
        d[v[0] < v[1] ? 0 : 1] = 1;
        break;
    case ISOCAST_OP_MAX:
        d[v[0] > v[1] ? 0 : 1] = 1;
        break;
    case ISOCAST_OP_ABS:
        d[0] = v[0] < 0 ? -1 : 1;
        break;
    case ISOCAST_OP_SQRT:
        d[0] = 1 / (2 * value);
        break;
    case ISOCAST_OP_CBRT:
        d[0] = 1 / (3 * value * value);
        break;
    case ISOCAST_OP_EXP:
        d[0] = value;
        break;
    case ISOCAST_OP_LOG:
        d[0] = 1 / v[0];
        break;
    case ISOCAST_OP_LOG2:
        d[0] = 1 / (v[0] * ln_2);
        break;
    case ISOCAST_OP_LOG10:
        d[0] = 1 / (v[0] * ln_10);
        break;
    case ISOCAST_OP_LESS:
    case ISOCAST_OP_LESS_EQUAL:
    case ISOCAST_OP_GREATER:
    case ISOCAST_OP_GREATER_EQUAL:
    case ISOCAST_OP_EQUAL:
    case ISOCAST_OP_NOT_EQUAL:
    case ISOCAST_OP_AND:
    case ISOCAST_OP_OR:
    case ISOCAST_OP_NOT:
    case ISOCAST_OP_CEIL:
    case ISOCAST_OP_FLOOR:
    case ISOCAST_OP_ROUND:
    case ISOCAST_OP_BINOMIAL_VOLUME:
        break;
    default:
        d[0] = NAN;
        break;
    }
}

isocast_status isocast_block_end_term(const isocast_block_run *run, const isocast_block *block,
                                      size_t position, double from, double to, double *out) {
    double whole = floor(to - from);
    double last[2] = {from + whole + 1, from + whole};
    double terms[2] = {0, 0};
    size_t ends = to - from == whole && whole >= 0 ? 2 : 1;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < ends && status == ISOCAST_OK && whole >= -1; i++) {
        status = isocast_block_sum(run, block, position, last[i], last[i], isocast_block_evaluate,
                                   &terms[i]);
    }
    *out = (terms[0] + terms[1]) / (double)ends;
    return status;
}
