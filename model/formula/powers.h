/* The outputs of a program as sums of powers of one input, N: output = sum of c_k N^e_k, where the
 * exponents are numbers and the coefficients c_k are computed, by a program of their own, from all
 * other inputs. What does not depend on N is thus computed once for each point, however many N are
 * tried there. Not every program can be written so. */
#ifndef ISOCAST_POWERS_H
#define ISOCAST_POWERS_H

#include "program.h"

enum { ISOCAST_POWERS_MAX = 12 /* of one output */ };

/* One output. The coefficients are numbered as the outputs of the program of the coefficients. */
typedef struct isocast_power_sum {
    size_t count;                         /* 0: the output is 0 */
    double exponents[ISOCAST_POWERS_MAX]; /* [count], rising */
    size_t coefficients[ISOCAST_POWERS_MAX];
} isocast_power_sum;

typedef struct isocast_powers {
    isocast_program *coefficients; /* of the same inputs; it does not look at N */
    size_t coefficient_count;
    size_t output_count;
    isocast_power_sum *outputs; /* [output_count] */
    double largest_exponent;    /* the largest magnitude, also of what outputs are made of */
} isocast_powers;

/* *out is NULL where an output is not such a sum for all N above 0, as it has a comparison, a
 * logarithm or a sum to N in it, or has too many terms. Errors: NO_MEMORY. */
isocast_status isocast_powers_create(const isocast_program *program, size_t input,
                                     isocast_powers **out);
/* NULL is allowed. */
void isocast_powers_free(isocast_powers *powers);

#endif
