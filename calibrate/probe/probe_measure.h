/* How one point is measured: warm-up, samples until the median is known, and what becomes of late
 * starts and clocks that jump. */
#ifndef PROBE_MEASURE_H
#define PROBE_MEASURE_H

#include "probe_points.h"

/* Steps of one launch, kept between its points. */
typedef struct probe_tally {
    size_t points;       /* measured */
    size_t by_barrier;   /* of them started by the barrier alone */
    size_t clock_jumps;  /* points measured again because a clock jumped */
    size_t left_out;     /* points that there was no time for */
    bool clock_unusable; /* it jumped again and again */
} probe_tally;

/* Measures one point in about so many seconds and writes its samples to standard output from
 * process 0. Collective. */
void probe_measure(const probe_context *context, const probe_options *o, probe_point *at,
                   double seconds, probe_tally *tally);

/* Process 0 decides, all follow. Collective. */
bool probe_agree(const probe_context *context, bool decision);

#endif
