#include "opcode.h"

#include <math.h>

#include "model/base/binomial.h"
#include "model/base/process_grid.h"
#include "model/base/wide.h"

size_t isocast_opcode_operands(isocast_opcode opcode) {
    static const unsigned char counts[] = {
#define ISOCAST_OPCODE_OPERANDS(name, operands, family, value, by_a, by_b, bounds)                 \
    [ISOCAST_OP_##name] = (operands),
        ISOCAST_OPCODE_LIST(ISOCAST_OPCODE_OPERANDS)
#undef ISOCAST_OPCODE_OPERANDS
            [ISOCAST_OP_SUM] = 2};
    return opcode <= ISOCAST_OP_SUM ? counts[opcode] : 0;
}

isocast_opcode_family isocast_opcode_family_of(isocast_opcode opcode) {
    static const unsigned char families[] = {
#define ISOCAST_OPCODE_FAMILY(name, operands, family, value, by_a, by_b, bounds)                   \
    [ISOCAST_OP_##name] = ISOCAST_FAMILY_##family,
        ISOCAST_OPCODE_LIST(ISOCAST_OPCODE_FAMILY)
#undef ISOCAST_OPCODE_FAMILY
    };
    return opcode < ISOCAST_OP_SUM ? (isocast_opcode_family)families[opcode]
                                   : ISOCAST_FAMILY_REDUCTION;
}

/* No function of its own name outside of this file: the choice of a clone would be exported. */
ISOCAST_WIDE
static void run_lanes(isocast_opcode opcode, size_t width, const double *restrict first,
                      const double *restrict second, const double *restrict third,
                      double *restrict result) {
    switch (opcode) {
#define ISOCAST_OPCODE_CASE(name, operands, family, value, by_a, by_b, bounds)                     \
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

int isocast_opcode_degree(isocast_opcode opcode, const int degrees[3], const bool is_line[3]) {
    size_t operands = isocast_opcode_operands(opcode);
    int larger = degrees[0];
    bool are_lines = true;
    bool known = true;
    for (size_t k = 0; k < operands; k++) {
        larger = degrees[k] > larger ? degrees[k] : larger;
        are_lines = are_lines && is_line[k];
        known = known && degrees[k] >= 0;
    }
    switch (isocast_opcode_family_of(opcode)) {
    case ISOCAST_FAMILY_SUM:
        return known ? larger : -1;
    case ISOCAST_FAMILY_PRODUCT:
        return known ? degrees[0] + degrees[1] : -1;
    case ISOCAST_FAMILY_QUOTIENT:
        return known && degrees[1] == 0 ? degrees[0] : -1;
    case ISOCAST_FAMILY_SELECT:
        return known && degrees[0] == 0 ? larger : -1;
    case ISOCAST_FAMILY_COMPARISON:
        return are_lines ? 0 : -1;
    case ISOCAST_FAMILY_EXTREME:
    case ISOCAST_FAMILY_MAGNITUDE:
        return are_lines ? larger : -1;
    case ISOCAST_FAMILY_REDUCTION:
        return -1;
    default:
        return known && larger == 0 ? 0 : -1; /* whatever is computed of constants is one */
    }
}
