/* Work that a program does between its messages. In a simulation it takes the time that its flops
 * take the process; elsewhere there is none, as work has a time of its own there. */
#ifndef PROBE_WORK_H
#define PROBE_WORK_H

#include "probe_context.h"

void probe_work(const probe_context *context, double flops);

/* Seconds that so much work takes: of the slowest process, and of all together. */
typedef struct probe_work_time {
    double slowest;
    double sum;
} probe_work_time;

/* Each process does its own flops once. Collective; the same on all. */
probe_work_time probe_work_measure(const probe_context *context, double flops);

#endif
