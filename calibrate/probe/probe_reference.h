/* The reference program, which states R_f of processor sets: every process does the same work, so
 * that the work is proportional to the number of processes, and computation and communication have
 * a constant ratio [HE]. */
#ifndef PROBE_REFERENCE_H
#define PROBE_REFERENCE_H

#include "probe_context.h"

/* Runs it with so many flop to each byte that a process sends, and writes "reference,p,seconds":
 * the median of several runs, each until the last process ends. Process 0 says where memory is
 * short or a message too long, and gives an exit status, the same for all. Collective. */
int probe_reference(const probe_context *context, double ratio);

#endif
