#include "derivative.h"

#include <math.h>

/* The words that derivatives are written in (opcode.h). */
#define NUMBER(x) (x)
#define NONE 0
#define TIMES(x, y) times(x, y)
#define OVER(x, y) ((x) / (y))
#define LESS_ONE(x) ((x)-1)
#define RAISED(x, y) pow(x, y)
#define LOG(x) log(x)

static double times(double x, double y) {
    return x == 0 ? 0 : x * y;
}

void isocast_opcode_partials(isocast_opcode opcode, const double *v, double r, double *d) {
    double a = v[0];
    double b = v[1];
    d[0] = d[1] = d[2] = 0;
    switch (isocast_opcode_family_of(opcode)) {
    case ISOCAST_FAMILY_SELECT:
        d[a != 0 ? 1 : 2] = 1;
        return;
    case ISOCAST_FAMILY_EXTREME:
        d[(opcode == ISOCAST_OP_MIN ? a < b : a > b) ? 0 : 1] = 1;
        return;
    case ISOCAST_FAMILY_MAGNITUDE:
        d[0] = a < 0 ? -1 : 1;
        return;
    case ISOCAST_FAMILY_TABLE:
        d[0] = opcode == ISOCAST_OP_BINOMIAL_VOLUME ? 0 : NAN;
        return;
    default:
        break;
    }
    switch (opcode) {
#define ISOCAST_OPCODE_PARTIALS(name, operands, family, value, by_a, by_b, bounds)                 \
    case ISOCAST_OP_##name:                                                                        \
        d[0] = by_a;                                                                               \
        d[1] = by_b;                                                                               \
        break;
        ISOCAST_SMOOTH_OPCODES(ISOCAST_OPCODE_PARTIALS)
#undef ISOCAST_OPCODE_PARTIALS
    default:
        break; /* it steps */
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
