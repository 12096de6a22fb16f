/* Dimensions and the units that numbers are written in: what `0.12 ms`, `20.88 Mflop/s` or `4 GiB`
 * mean in SI. Knows nothing of formulas. Counts (processes, matrix ranks) have no dimension. */
#ifndef ISOCAST_DIMENSION_H
#define ISOCAST_DIMENSION_H

#include <stdbool.h>
#include <stdint.h>

#include "buffer.h"
#include "status.h"

/* Base dimensions with the unit a value is kept in. Currencies are dimensions of their own: there
 * is no constant rate between them, so a sum of both is refused like any other mismatch. */
#define ISOCAST_BASE_LIST(X)                                                                       \
    X(TIME, "s")                                                                                   \
    X(FLOP, "flop")                                                                                \
    X(BYTE, "B")                                                                                   \
    X(POWER, "W")                                                                                  \
    X(USD, "USD")                                                                                  \
    X(EUR, "EUR")

typedef enum isocast_base {
#define ISOCAST_BASE_ENUM(name, unit) ISOCAST_BASE_##name,
    ISOCAST_BASE_LIST(ISOCAST_BASE_ENUM)
#undef ISOCAST_BASE_ENUM
        ISOCAST_BASE_COUNT
} isocast_base;

/* Exponents are kept in twelfths, so that square, cube and fourth roots are exact. */
enum { ISOCAST_EXPONENT_ONE = 12 };
typedef struct isocast_dimension {
    int16_t exponent[ISOCAST_BASE_COUNT]; /* twelfths */
} isocast_dimension;

extern const isocast_dimension isocast_dimension_count; /* no dimension */
isocast_dimension isocast_dimension_of(isocast_base base);
bool isocast_dimension_equal(isocast_dimension a, isocast_dimension b);
bool isocast_dimension_is_count(isocast_dimension a);
isocast_dimension isocast_dimension_multiply(isocast_dimension a, isocast_dimension b);
isocast_dimension isocast_dimension_divide(isocast_dimension a, isocast_dimension b);

/* a to the power `exponent`. False, and *out untouched, where the result is not a whole number of
 * twelfths or is out of range. */
bool isocast_dimension_power(isocast_dimension a, double exponent, isocast_dimension *out);

enum { ISOCAST_UNIT_TEXT_MAX = 192 };

/* A text by value: naming a unit in a message must not fail where memory is short. */
typedef struct isocast_unit_text {
    char text[ISOCAST_UNIT_TEXT_MAX];
} isocast_unit_text;

/* The SI unit of a dimension: "flop/s", "s/B", "W s"; "1" for a count. */
isocast_unit_text isocast_dimension_text(isocast_dimension dimension);

/* Reads one unit with its prefix, without operators: "ms", "Mflop", "GiB", "Mbit", "USD", "kWh".
 * Gives the factor to SI and the dimension. False where it is no unit; then *hint (may be given
 * as NULL) is set to a sentence for a known slip ("GFLOPS", "KB", "Mb"), or to NULL.
 * Prefixes: q r y z a f p n u/µ m c d da h k M G T P E Z Y R Q, and Ki to Yi for B and bit. */
bool isocast_unit_parse(const char *text, size_t length, double *factor,
                        isocast_dimension *dimension, const char **hint);

/* The unit, with its prefix, that may be meant by a text that is none: "kEUR" for "kEsR". False
 * where there is none; then *out is not touched. */
bool isocast_unit_nearest(const char *text, size_t length, isocast_unit_text *out);

/* The dimension of a unit with denominators: "s/B", "flop/s", "1" for a count, "1/s". False where
 * the text is no unit. */
bool isocast_unit_dimension(const char *text, isocast_dimension *out);

#endif
