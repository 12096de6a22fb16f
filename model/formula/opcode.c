#include "opcode.h"

#include <math.h>

#include "model/base/binomial.h"
#include "model/base/process_grid.h"
#include "model/base/wide.h"

size_t isocast_opcode_operands(isocast_opcode opcode) {
    static const unsigned char counts[] = {
#define ISOCAST_OPCODE_OPERANDS(name, operands, value) [ISOCAST_OP_##name] = (operands),
        ISOCAST_OPCODE_LIST(ISOCAST_OPCODE_OPERANDS)
#undef ISOCAST_OPCODE_OPERANDS
            [ISOCAST_OP_SUM] = 2};
    return opcode <= ISOCAST_OP_SUM ? counts[opcode] : 0;
}

/* No function of its own name outside of this file: the choice of a clone would be exported. */
ISOCAST_WIDE
static void run_lanes(isocast_opcode opcode, size_t width, const double *restrict first,
                      const double *restrict second, const double *restrict third,
                      double *restrict result) {
    switch (opcode) {
#define ISOCAST_OPCODE_CASE(name, operands, value)                                                 \
    case ISOCAST_OP_##name:                                                                        \
        for (size_t k = 0; k < width; k++) {                                                       \
            double a = first[k];                                                                   \
            double b = operands > 1 ? second[k] : 0;                                               \
            double c = operands > 2 ? third[k] : 0;                                                \
            (void)b;                                                                               \
            (void)c;                                                                               \
            result[k] = value;                                                                     \
        }                                                                                          \
        break;
        ISOCAST_OPCODE_LIST(ISOCAST_OPCODE_CASE)
#undef ISOCAST_OPCODE_CASE
    default:
        break;
    }
}

void isocast_opcode_run(isocast_opcode opcode, size_t width, const double *restrict first,
                        const double *restrict second, const double *restrict third,
                        double *restrict result) {
    run_lanes(opcode, width, first, second, third, result);
}

double isocast_opcode_fold(isocast_opcode opcode, double a, double b, double c) {
    double result = NAN;
    isocast_opcode_run(opcode, 1, &a, &b, &c, &result);
    return result;
}
