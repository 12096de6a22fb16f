/* Intervals of values with intervals of slopes: what a formula can give anywhere in a piece of the
 * range of N. Used to prove where the condition has no solution, or just one (solver.h).
 *
 * A slope is that of x = ln N, and bounds every difference quotient in the piece; where a value may
 * jump it is unbounded. An empty interval says that the formula has no finite value anywhere in
 * the piece; points without one do not count otherwise. Private to the evaluator and the solver. */
#ifndef ISOCAST_RANGE_H
#define ISOCAST_RANGE_H

#include <stdbool.h>

#include "opcode.h"

typedef struct isocast_range {
    double low, high;
} isocast_range;

typedef struct isocast_dual {
    isocast_range value;
    isocast_range slope; /* by x = ln N */
} isocast_dual;

isocast_range isocast_range_all(void);
isocast_range isocast_range_of(double value);
bool isocast_range_is_empty(isocast_range a);
bool isocast_range_is_bounded(isocast_range a);
isocast_range isocast_range_add(isocast_range a, isocast_range b);
isocast_range isocast_range_multiply(isocast_range a, isocast_range b);
isocast_range isocast_range_scale(isocast_range a, double factor);
isocast_range isocast_range_hull(isocast_range a, isocast_range b);
/* What both allow; `a` where they contradict, which only rounding can make. */
isocast_range isocast_range_meet(isocast_range a, isocast_range b);
/* a^exponent for a >= 0, or any a and a whole exponent. */
isocast_range isocast_range_power(isocast_range a, double exponent);

isocast_dual isocast_dual_constant(double value);
isocast_dual isocast_dual_empty(void);
isocast_dual isocast_dual_all(void);

/* One instruction on intervals; operands that the opcode does not have are left aside. A SELECT is
 * `continuous` where its two values agree at the point at which it switches. */
isocast_dual isocast_dual_operate(isocast_opcode opcode, bool continuous, const isocast_dual *a,
                                  const isocast_dual *b, const isocast_dual *c);

#endif
