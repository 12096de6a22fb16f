/* The time of work that comes in many small pieces between messages. */
#ifndef KERNEL_PIECEWORK_H
#define KERNEL_PIECEWORK_H

#include <stdbool.h>
#include <stddef.h>

#include "compute.h"

/* Every so many pieces one is timed, and only where enough work lies between: two looks at the
 * clock in each would be felt, and in a small problem even every eighth. The others take as long
 * for each flop. */
typedef struct piecework {
    const kernel_compute *compute;
    size_t pieces; /* begun since the last that was timed */
    double before; /* flops reported before the first */
    double next;   /* flops reported at which another one may be timed */
    bool timing;   /* this piece */
    double flops;  /* of the pieces that were timed */
    double timed;  /* s, of these */
} piecework;

piecework piecework_start(const kernel_compute *compute);

/* Before and after each piece, which states its flops to compute_charge(). */
void piecework_begin(piecework *work);
void piecework_end(piecework *work);

/* Seconds of all flops reported since the start. */
double piecework_seconds(const piecework *work);

#endif
