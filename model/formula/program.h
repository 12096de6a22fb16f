/* Checked formulas compiled to one flat list of instructions and evaluated over arrays of points.
 * Constants are folded by the evaluator itself; equal subexpressions are computed once, also across
 * the formulas of one program. Immutable after compiling: any number of threads may evaluate it.
 *
 * Built-in functions (arity): if(3) min(>=1) max(>=1) ceil floor round sqrt exp log log2 log10 abs
 * (1) interpolate(x, x1, y1, x2, y2, ...): linear between the points (x rising), constant outside;
 * sum(i, from, to, term), sum_class(term), max_class(term), min_class(term).
 *
 * sum() runs over the integers from `from` to `to`; where `to - from` is not a whole number it is
 * linear in between, so that it stays continuous in N; it is 0 where to <= from - 1. It is exact
 * where the term is piecewise polynomial (up to degree 7) in the running variable and costs
 * O(pieces log n); else the term is interpolated on panels halved until the error estimate is under
 * 1e-12 of the sum or the budget of evaluations is spent, and the estimate is reported. */
#ifndef ISOCAST_PROGRAM_H
#define ISOCAST_PROGRAM_H

#include "check.h"
#include "model/base/effort.h"

typedef struct isocast_program isocast_program;

/* Terms that one sum at one point may take with the sums inside it. A sum that needs more, or more
 * than the effort that is left, is NaN, and its error infinite. */
enum { ISOCAST_SUM_TERMS_MAX = 6000000 };

/* An input's values: stride 1 for one value a point, 0 for the same at every point. */
typedef struct isocast_column {
    const double *values;
    size_t stride;
} isocast_column;

/* Rows of the class table, by ISOCAST_SYMBOL_CLASS's index. */
typedef enum isocast_class_row {
    ISOCAST_CLASS_PROCESSES,    /* p_i, processes of the class in the system */
    ISOCAST_CLASS_MARKED_SPEED, /* C_i, flop/s of one process */
    ISOCAST_CLASS_MEMORY,       /* memory_i, bytes for one process */
    ISOCAST_CLASS_BANDWIDTH,    /* B/s of memory for one process; no formula of a file names it */
    ISOCAST_CLASS_CACHE,        /* bytes of the last level for one process; likewise */
    ISOCAST_CLASS_ROWS
} isocast_class_row;

/* The node classes of one system. */
typedef struct isocast_class_table {
    size_t count;                           /* classes present */
    const double *rows[ISOCAST_CLASS_ROWS]; /* each [count], SI */
} isocast_class_table;

typedef struct isocast_program_points {
    size_t count;                 /* points */
    const isocast_column *inputs; /* one per input index of the scopes */
    /* One per point with stride 1, one for all with stride 0; NULL where no formula uses classes.
     */
    const isocast_class_table *const *classes;
    size_t classes_stride;
    /* Takes what the call costs; once it is spent, sums are given up. NULL: each call may take what
     * a question without rows may. */
    isocast_effort *effort;
} isocast_program_points;

/* Compiles `outputs` formulas, which must have passed isocast_formula_check in `scope`.
 * Errors: INVALID with a diagnostic (an operation without body, over a cap), NO_MEMORY. */
isocast_status isocast_program_compile(const isocast_formula *const *formulas, size_t outputs,
                                       const isocast_scope *scope, isocast_diagnostics *diagnostics,
                                       isocast_program **out);
/* The same of a program whose operations move by factors, 1 in three columns from `factors` on
 * (above 0): the time of an empty message, what is carried in a second, and the time per flop where
 * the machine has a formula of it. T(m) becomes latency T(0) + (T(m) - T(0))/bandwidth. */
enum { ISOCAST_FACTOR_LATENCY, ISOCAST_FACTOR_BANDWIDTH, ISOCAST_FACTOR_FLOP, ISOCAST_FACTORS };
isocast_status isocast_program_compile_movable(const isocast_formula *const *formulas,
                                               size_t outputs, const isocast_scope *scope,
                                               size_t factors, isocast_diagnostics *diagnostics,
                                               isocast_program **out);
void isocast_program_free(isocast_program *program);

/* Whether it has sums over a running variable. */
bool isocast_program_has_sums(const isocast_program *program);

/* Evaluates every output at every point: results[o][k], shape [outputs][points], in SI. A point
 * outside a formula's domain gives a NaN or an infinity there; the caller turns it into a status.
 * *sum_error, where not NULL, gets the largest relative error estimate of any sum() (0: exact).
 * Errors: NO_MEMORY. */
isocast_status isocast_program_evaluate(const isocast_program *program,
                                        const isocast_program_points *points,
                                        double *const *results, double *sum_error);

#endif
