/* Intervals of values, moved outwards by what rounding may do: the rule of each instruction
 * (opcode.h) once, for ranges with slopes (dual.h) and for powers of N (band.h). Private to the
 * evaluator and the solver. */
#ifndef ISOCAST_RANGE_H
#define ISOCAST_RANGE_H

#include <stdbool.h>

#include "opcode.h"

typedef struct isocast_range {
    double low, high;
} isocast_range;

isocast_range isocast_range_all(void);
/* There is no finite value. */
isocast_range isocast_range_none(void);
isocast_range isocast_range_of(double value);
bool isocast_range_is_empty(isocast_range a);
bool isocast_range_is_bounded(isocast_range a);
bool isocast_range_is_single(isocast_range a);
/* As a condition: it is not 0, or it is, whatever value of the range it has. */
bool isocast_range_surely_holds(isocast_range a);
bool isocast_range_surely_fails(isocast_range a);
isocast_range isocast_range_add(isocast_range a, isocast_range b);
isocast_range isocast_range_multiply(isocast_range a, isocast_range b);
isocast_range isocast_range_scale(isocast_range a, double factor);
isocast_range isocast_range_hull(isocast_range a, isocast_range b);
/* What both allow; `a` where they contradict, which only rounding can make. */
isocast_range isocast_range_meet(isocast_range a, isocast_range b);
/* a^exponent for a >= 0, or any a and a whole exponent. */
isocast_range isocast_range_power(isocast_range a, double exponent);

/* A pointwise instruction other than SELECT on ranges that are not empty; of one operand b is left
 * aside. Comparisons give 0, 1, or both. Of numbers that are in a table alone nothing is known. */
isocast_range isocast_range_operate(isocast_opcode opcode, isocast_range a, isocast_range b);

#endif
