/* How long the messages of an operation are, where they are counted (fit_pattern.h). */
#ifndef FIT_SIZES_H
#define FIT_SIZES_H

#include <stdbool.h>

#include "fit_replay.h"

/* The bytes of its messages, of which m is the argument. */
typedef struct fit_size {
    const char *text;          /* as formulas have it: "m/p" */
    double (*share)(double p); /* of m */
} fit_size;

/* The sizes that they have, the longest first. */
typedef struct fit_sizes {
    size_t count;
    fit_size items[FIT_SIZES_MAX]; /* [count] */
} fit_sizes;

fit_sizes fit_sizes_of(const char *name);

/* B of a message of a size. */
double fit_size_bytes(const fit_size *size, double m, double p);

#endif
