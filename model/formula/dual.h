/* Intervals of values with intervals of slopes: what a formula can give anywhere in a piece of the
 * range of N. Used to prove where the condition has no solution, or just one (solver.h).
 *
 * A slope is that of x = ln N, and bounds every difference quotient in the piece; where a value may
 * jump it is unbounded. An empty interval says that the formula has no finite value anywhere in
 * the piece; points without one do not count otherwise. Private to the evaluator and the solver. */
#ifndef ISOCAST_DUAL_H
#define ISOCAST_DUAL_H

#include "range.h"

typedef struct isocast_dual {
    isocast_range value;
    isocast_range slope; /* by x = ln N */
} isocast_dual;

isocast_dual isocast_dual_constant(double value);
isocast_dual isocast_dual_empty(void);
isocast_dual isocast_dual_all(void);

/* One instruction on intervals; operands that the opcode does not have are left aside. A SELECT is
 * `continuous` where its two values agree at the point at which it switches. */
isocast_dual isocast_dual_operate(isocast_opcode opcode, bool continuous, const isocast_dual *a,
                                  const isocast_dual *b, const isocast_dual *c);

#endif
