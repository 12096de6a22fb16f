/* The instructions of a compiled formula: one list names each with its operands and its value. */
#ifndef ISOCAST_OPCODE_H
#define ISOCAST_OPCODE_H

#include <stddef.h>

/* Pointwise instructions: name, number of operands, value of operands a, b, c. Comparisons and
 * AND, OR, NOT give 1 or 0; whatever is not 0 holds. */
#define ISOCAST_OPCODE_LIST(X)                                                                     \
    X(NEGATE, 1, -a)                                                                               \
    X(ADD, 2, a + b)                                                                               \
    X(SUBTRACT, 2, a - b)                                                                          \
    X(MULTIPLY, 2, a *b)                                                                           \
    X(DIVIDE, 2, a / b)                                                                            \
    X(POWER, 2, pow(a, b))                                                                         \
    X(LESS, 2, a < b ? 1.0 : 0.0)                                                                  \
    X(LESS_EQUAL, 2, a <= b ? 1.0 : 0.0)                                                           \
    X(GREATER, 2, a > b ? 1.0 : 0.0)                                                               \
    X(GREATER_EQUAL, 2, a >= b ? 1.0 : 0.0)                                                        \
    X(EQUAL, 2, a == b ? 1.0 : 0.0)                                                                \
    X(NOT_EQUAL, 2, a != b ? 1.0 : 0.0)                                                            \
    X(AND, 2, a != 0 && b != 0 ? 1.0 : 0.0)                                                        \
    X(OR, 2, a != 0 || b != 0 ? 1.0 : 0.0)                                                         \
    X(NOT, 1, a != 0 ? 0.0 : 1.0)                                                                  \
    X(SELECT, 3, a != 0 ? b : c)                                                                   \
    X(MIN, 2, a < b ? a : b)                                                                       \
    X(MAX, 2, a > b ? a : b)                                                                       \
    X(ABS, 1, fabs(a))                                                                             \
    X(CEIL, 1, ceil(a))                                                                            \
    X(FLOOR, 1, floor(a))                                                                          \
    X(ROUND, 1, round(a))                                                                          \
    X(SQRT, 1, sqrt(a))                                                                            \
    X(CBRT, 1, cbrt(a))                                                                            \
    X(EXP, 1, exp(a))                                                                              \
    X(LOG, 1, log(a))                                                                              \
    X(LOG2, 1, log2(a))                                                                            \
    X(LOG10, 1, log10(a))                                                                          \
    X(BINOMIAL_VOLUME, 1, isocast_binomial_volume(a))                                              \
    X(GRID_ROWS, 1, isocast_grid_rows(a))                                                          \
    X(GRID_LAYERS, 1, isocast_grid_layers(a))                                                      \
    X(DIVISOR, 2, isocast_grid_divisor(a, b))

typedef enum isocast_opcode {
#define ISOCAST_OPCODE_ENUM(name, operands, value) ISOCAST_OP_##name,
    ISOCAST_OPCODE_LIST(ISOCAST_OPCODE_ENUM)
#undef ISOCAST_OPCODE_ENUM
    /* A block evaluated over a range and added up: a, b are its ends. */
    ISOCAST_OP_SUM,
    /* A block evaluated over the node classes of the point's system. */
    ISOCAST_OP_SUM_CLASS,
    ISOCAST_OP_MAX_CLASS,
    ISOCAST_OP_MIN_CLASS
} isocast_opcode;

/* Operands of an instruction: the registers that it reads. */
size_t isocast_opcode_operands(isocast_opcode opcode);

/* A pointwise instruction on `width` points. Shapes: [width]; operands that it does not have are
 * not read. */
void isocast_opcode_run(isocast_opcode opcode, size_t width, const double *restrict first,
                        const double *restrict second, const double *restrict third,
                        double *restrict result);

/* One pointwise instruction on single values, for folding: the same code that runs over points. */
double isocast_opcode_fold(isocast_opcode opcode, double a, double b, double c);

#endif
