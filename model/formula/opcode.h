/* The instructions of a compiled formula, one row each: all that is special to one of them and
 * needs no formula around it. Values are computed here, bounds in range.c and band.c, derivatives
 * in gradient.c (of numbers) and band.c (of bounds); all of them go through the rows. How orders
 * grow is a matter of functions as people write them (model/growth/expand.c). */
#ifndef ISOCAST_OPCODE_H
#define ISOCAST_OPCODE_H

#include <stdbool.h>
#include <stddef.h>

/* What an instruction is like, for whoever asks what becomes of powers of N, straight lines,
 * polynomials, steps and switches. */
typedef enum isocast_opcode_family {
    ISOCAST_FAMILY_SUM, /* also of one operand: the opposite */
    ISOCAST_FAMILY_PRODUCT,
    ISOCAST_FAMILY_QUOTIENT,
    ISOCAST_FAMILY_POWER,
    ISOCAST_FAMILY_COMPARISON, /* 1 or 0, by the sign of the difference */
    ISOCAST_FAMILY_LOGICAL,    /* 1 or 0; an operand that is not 0 holds */
    ISOCAST_FAMILY_SELECT,
    ISOCAST_FAMILY_EXTREME, /* the lesser or the greater */
    ISOCAST_FAMILY_MAGNITUDE,
    ISOCAST_FAMILY_STAIRS, /* a whole number near the operand */
    ISOCAST_FAMILY_ROOT,
    ISOCAST_FAMILY_EXPONENTIAL,
    ISOCAST_FAMILY_LOGARITHM,
    ISOCAST_FAMILY_TABLE, /* of whole numbers, with no rule between them */
    ISOCAST_FAMILY_REDUCTION
} isocast_opcode_family;

/* Pointwise instructions: name, number of operands, family, value of operands a, b, c, derivatives
 * by a and b, bounds. Derivatives are written in a, b, the value r, and words that whoever expands
 * the list defines: NUMBER(x), TIMES(x, y) (0 where x is 0), OVER(x, y), LESS_ONE(x), RAISED(x, y)
 * and LOG(x); NONE where there is no such operand. Those that step or switch have none. The last
 * word names the function of range.c that gives the bounds. */
#define ISOCAST_SMOOTH_OPCODES(X)                                                                  \
    X(NEGATE, 1, SUM, -a, NUMBER(-1), NONE, opposite)                                              \
    X(ADD, 2, SUM, a + b, NUMBER(1), NUMBER(1), sum)                                               \
    X(SUBTRACT, 2, SUM, a - b, NUMBER(1), NUMBER(-1), difference)                                  \
    X(MULTIPLY, 2, PRODUCT, a *b, b, a, product)                                                   \
    X(DIVIDE, 2, QUOTIENT, a / b, OVER(NUMBER(1), b), OVER(TIMES(NUMBER(-1), r), b), quotient)     \
    X(POWER, 2, POWER, pow(a, b), TIMES(b, RAISED(a, LESS_ONE(b))), TIMES(r, LOG(a)), power)       \
    X(SQRT, 1, ROOT, sqrt(a), OVER(NUMBER(0.5), r), NONE, square_root)                             \
    X(CBRT, 1, ROOT, cbrt(a), OVER(NUMBER(1), TIMES(TIMES(NUMBER(3), r), r)), NONE, cube_root)     \
    X(EXP, 1, EXPONENTIAL, exp(a), r, NONE, exponential)                                           \
    X(LOG, 1, LOGARITHM, log(a), OVER(NUMBER(1), a), NONE, logarithm)                              \
    X(LOG2, 1, LOGARITHM, log2(a), OVER(NUMBER(1), TIMES(NUMBER(ISOCAST_LN_2), a)), NONE,          \
      logarithm_2)                                                                                 \
    X(LOG10, 1, LOGARITHM, log10(a), OVER(NUMBER(1), TIMES(NUMBER(ISOCAST_LN_10), a)), NONE,       \
      logarithm_10)
#define ISOCAST_OTHER_OPCODES(X)                                                                   \
    X(LESS, 2, COMPARISON, a < b ? 1.0 : 0.0, NONE, NONE, less)                                    \
    X(LESS_EQUAL, 2, COMPARISON, a <= b ? 1.0 : 0.0, NONE, NONE, less_equal)                       \
    X(GREATER, 2, COMPARISON, a > b ? 1.0 : 0.0, NONE, NONE, greater)                              \
    X(GREATER_EQUAL, 2, COMPARISON, a >= b ? 1.0 : 0.0, NONE, NONE, greater_equal)                 \
    X(EQUAL, 2, COMPARISON, a == b ? 1.0 : 0.0, NONE, NONE, equal)                                 \
    X(NOT_EQUAL, 2, COMPARISON, a != b ? 1.0 : 0.0, NONE, NONE, not_equal)                         \
    X(AND, 2, LOGICAL, a != 0 && b != 0 ? 1.0 : 0.0, NONE, NONE, both_hold)                        \
    X(OR, 2, LOGICAL, a != 0 || b != 0 ? 1.0 : 0.0, NONE, NONE, one_holds)                         \
    X(NOT, 1, LOGICAL, a != 0 ? 0.0 : 1.0, NONE, NONE, none_holds)                                 \
    X(SELECT, 3, SELECT, a != 0 ? b : c, NONE, NONE, unbounded)                                    \
    X(MIN, 2, EXTREME, a < b ? a : b, NONE, NONE, lesser)                                          \
    X(MAX, 2, EXTREME, a > b ? a : b, NONE, NONE, larger)                                          \
    X(ABS, 1, MAGNITUDE, fabs(a), NONE, NONE, magnitude)                                           \
    X(CEIL, 1, STAIRS, ceil(a), NONE, NONE, rounded_up)                                            \
    X(FLOOR, 1, STAIRS, floor(a), NONE, NONE, rounded_down)                                        \
    X(ROUND, 1, STAIRS, round(a), NONE, NONE, rounded)                                             \
    X(BINOMIAL_VOLUME, 1, TABLE, isocast_binomial_volume(a), NONE, NONE, unbounded)                \
    X(GRID_ROWS, 1, TABLE, isocast_grid_rows(a), NONE, NONE, unbounded)                            \
    X(GRID_LAYERS, 1, TABLE, isocast_grid_layers(a), NONE, NONE, unbounded)                        \
    X(DIVISOR, 2, TABLE, isocast_grid_divisor(a, b), NONE, NONE, unbounded)
#define ISOCAST_OPCODE_LIST(X) ISOCAST_SMOOTH_OPCODES(X) ISOCAST_OTHER_OPCODES(X)

#define ISOCAST_LN_2 0.6931471805599453
#define ISOCAST_LN_10 2.302585092994046

typedef enum isocast_opcode {
#define ISOCAST_OPCODE_ENUM(name, operands, family, value, by_a, by_b, bounds) ISOCAST_OP_##name,
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

isocast_opcode_family isocast_opcode_family_of(isocast_opcode opcode);

/* A pointwise instruction on `width` points. Shapes: [width]; operands that it does not have are
 * not read. */
void isocast_opcode_run(isocast_opcode opcode, size_t width, const double *restrict first,
                        const double *restrict second, const double *restrict third,
                        double *restrict result);

/* One pointwise instruction on single values, for folding: the same code that runs over points. */
double isocast_opcode_fold(isocast_opcode opcode, double a, double b, double c);

/* The degree of what an instruction makes of polynomials of such degrees between two places at
 * which a line in it changes its sign; below 0, also of an operand: it is none. Whether an operand
 * is a line is asked where that is what is compared. */
int isocast_opcode_degree(isocast_opcode opcode, const int degrees[3], const bool is_line[3]);

#endif
