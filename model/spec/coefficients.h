/* Numbers that operations of a machine file are made of, each with a name, which the formulas have,
 * and with what is known of their errors. */
#ifndef ISOCAST_COEFFICIENTS_H
#define ISOCAST_COEFFICIENTS_H

#include "uncertain.h"

typedef struct isocast_coefficient {
    char *name;
    isocast_span span; /* of the number in the file */
    isocast_uncertain number;
} isocast_coefficient;

/* Of the errors of two coefficients, by their indices. */
typedef struct isocast_correlation {
    size_t first, second;
    double value; /* -1 to 1 */
} isocast_correlation;

/* Those of all operations of a machine. Start from {0}. */
typedef struct isocast_coefficients {
    isocast_coefficient *items; /* [count] */
    size_t count, room;
    isocast_correlation *correlations; /* [correlation_count] */
    size_t correlation_count, correlation_room;
} isocast_coefficients;

/* Adds one and takes its name over, also where it fails; a name of NULL is a failure. False where
 * memory is short. */
bool isocast_coefficients_add(isocast_coefficients *c, char *name, isocast_span span,
                              const isocast_uncertain *number);

/* False where memory is short. */
bool isocast_coefficients_correlate(isocast_coefficients *c, size_t first, size_t second,
                                    double value);

void isocast_coefficients_free(isocast_coefficients *coefficients);

#endif
