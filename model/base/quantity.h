/* A number with its unit as people read it: "1.23 GB", "45.6 ms". For sentences; tables scale whole
 * columns and files stay in SI. */
#ifndef ISOCAST_QUANTITY_H
#define ISOCAST_QUANTITY_H

#include <stdbool.h>

#include "buffer.h"

/* Appends `value` (in the SI unit `unit`, "" for a count) with `digits` significant digits and the
 * SI prefix that leaves one to three digits before the point. Times from 1000 s on stay in seconds.
 */
void isocast_quantity_format(double value, const char *unit, int digits, isocast_buffer *out);

/* The same as a value, for the argument of a sentence: isocast_quantity_text(T, "s", 4).text. */
typedef struct isocast_amount {
    char text[256]; /* a unit has some 200 at most */
} isocast_amount;
isocast_amount isocast_quantity_text(double value, const char *unit, int digits);

/* `value` with `digits` significant digits, at most 17, as people read a limit: rounded up where
 * `up`, else down, so that what is stated is on the right side of it. What needs no more digits
 * stays. */
double isocast_quantity_round(double value, int digits, bool up);

/* The fewest digits, from `digits` on, with which `low` and `high` are read as different. */
int isocast_quantity_digits_apart(double low, double high, int digits);

/* That prefix by itself, for a unit that is not a count; *factor is what it stands for. */
const char *isocast_quantity_prefix(double value, int digits, double *factor);

#endif
