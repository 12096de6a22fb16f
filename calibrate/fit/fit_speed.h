/* What a calibration speaks of the speed that the machine had meanwhile. */
#ifndef FIT_SPEED_H
#define FIT_SPEED_H

#include <stdbool.h>
#include <stddef.h>

/* How the speed of all local work went meanwhile, as parts of that which the times per flop hold
 * for: that of the fastest steady stretch of launches. */
typedef struct fit_speed {
    size_t launches;         /* that state it; 0: none */
    bool changed;            /* by more than launches differ by themselves */
    unsigned first, last;    /* launches of the fastest steady stretch */
    double at_start, at_end; /* in the first and the last quarter of the launches */
    double slowest;          /* in the slowest stretch */
    double spread;           /* sd of its ln between the launches of that stretch */
} fit_speed;

#endif
