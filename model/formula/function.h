/* The built-in functions: names, arity, what their arguments and results may be. Their values are
 * the opcodes' (opcode.h). */
#ifndef ISOCAST_FUNCTION_H
#define ISOCAST_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>

#include "opcode.h"

/* How dimensions go through a function. */
typedef enum isocast_function_rule {
    ISOCAST_RULE_COUNT,       /* counts to a count: log, ceil */
    ISOCAST_RULE_SAME,        /* all alike, result alike: min, abs */
    ISOCAST_RULE_IF,          /* a comparison, then two alike */
    ISOCAST_RULE_ROOT,        /* the square root of the dimension */
    ISOCAST_RULE_CUBE_ROOT,   /* the cube root of the dimension */
    ISOCAST_RULE_INTERPOLATE, /* x and x1.. alike, y1.. alike, result like y */
    ISOCAST_RULE_SUM,         /* a running name, two counts, the term */
    ISOCAST_RULE_CLASSES      /* the term, with the names of node classes */
} isocast_function_rule;

/* name, fewest and most arguments (0: any number), rule, the instruction that gives its value (of
 * those that it takes, the last), how it is written */
#define ISOCAST_FUNCTION_LIST(X)                                                                   \
    X(if, IF, 3, 3, IF, SELECT, "if(condition, then, else)")                                       \
    X(min, MIN, 1, 0, SAME, MIN, "min(a, b, ...)")                                                 \
    X(max, MAX, 1, 0, SAME, MAX, "max(a, b, ...)")                                                 \
    X(abs, ABS, 1, 1, SAME, ABS, "abs(x)")                                                         \
    X(ceil, CEIL, 1, 1, COUNT, CEIL, "ceil(x)")                                                    \
    X(floor, FLOOR, 1, 1, COUNT, FLOOR, "floor(x)")                                                \
    X(round, ROUND, 1, 1, COUNT, ROUND, "round(x)")                                                \
    X(sqrt, SQRT, 1, 1, ROOT, SQRT, "sqrt(x)")                                                     \
    X(cbrt, CBRT, 1, 1, CUBE_ROOT, CBRT, "cbrt(x), the cube root")                                 \
    X(mod, MOD, 2, 2, SAME, SUBTRACT, "mod(a, b), what a leaves when it is divided by b")          \
    X(exp, EXP, 1, 1, COUNT, EXP, "exp(x)")                                                        \
    X(log, LOG, 1, 1, COUNT, LOG, "log(x), the natural logarithm")                                 \
    X(log2, LOG2, 1, 1, COUNT, LOG2, "log2(x)")                                                    \
    X(log10, LOG10, 1, 1, COUNT, LOG10, "log10(x)")                                                \
    X(binomial_volume, BINOMIAL_VOLUME, 1, 1, COUNT, BINOMIAL_VOLUME, "binomial_volume(p)")        \
    X(grid_rows, GRID_ROWS, 1, 1, COUNT, GRID_ROWS, "grid_rows(p)")                                \
    X(grid_layers, GRID_LAYERS, 1, 1, COUNT, GRID_LAYERS, "grid_layers(p)")                        \
    X(divisor, DIVISOR, 2, 2, COUNT, DIVISOR, "divisor(p, x), the largest divisor of p up to x")   \
    X(interpolate, INTERPOLATE, 5, 0, INTERPOLATE, SELECT, "interpolate(x, x1, y1, x2, y2, ...)")  \
    X(sum, SUM, 4, 4, SUM, SUM, "sum(i, from, to, term)")                                          \
    X(sum_class, SUM_CLASS, 1, 1, CLASSES, SUM_CLASS, "sum_class(term)")                           \
    X(max_class, MAX_CLASS, 1, 1, CLASSES, MAX_CLASS, "max_class(term)")                           \
    X(min_class, MIN_CLASS, 1, 1, CLASSES, MIN_CLASS, "min_class(term)")

typedef enum isocast_function_id {
#define ISOCAST_FUNCTION_ENUM(name, id, fewest, most, rule, opcode, usage) ISOCAST_FUNCTION_##id,
    ISOCAST_FUNCTION_LIST(ISOCAST_FUNCTION_ENUM)
#undef ISOCAST_FUNCTION_ENUM
        ISOCAST_FUNCTION_COUNT
} isocast_function_id;

typedef struct isocast_function {
    const char *name;
    isocast_function_id id;
    size_t fewest;
    size_t most; /* 0: any number */
    isocast_function_rule rule;
    isocast_opcode opcode;
    const char *usage;
} isocast_function;

/* NULL where there is no such function. */
const isocast_function *isocast_function_find(const char *name);

/* Whether the name is that of sum(), whose first argument is a name of its own. */
bool isocast_function_is_sum(const char *name);

/* By id; shape [ISOCAST_FUNCTION_COUNT]. */
extern const isocast_function isocast_functions[];

#endif
