/* The suite that marked speeds are measured with, as [CSW] 4.3 takes the NAS Parallel Benchmarks:
 * each member is a program's local work, and its sustained speed on one process the marked speed
 * for that program. Pure data, without MPI: the probe measures the members by it, and the machine
 * file says by it what was run.
 *
 * Every program of kernel_table.h is a member by itself. To add another member, add a row here, and
 * its work to calibrate/probe/probe_suite.c, unless it is a kernel. */
#ifndef KERNEL_SPEED_SUITE_H
#define KERNEL_SPEED_SUITE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel_table.h"

/* ROW(name, what it is): those whose mean is the default marked speed. They differ in what bounds
 * them: arithmetic, memory in order, memory out of order. */
#define SPEED_SUITE_ROWS(ROW)                                                                      \
    ROW(ge, "elimination update")                                                                  \
    ROW(mm, "dense product")                                                                       \
    ROW(fft_2d, "fast Fourier transform")                                                          \
    ROW(triad, "triad a = b + 3 c")                                                                \
    ROW(stencil, "stencil of 5 points")                                                            \
    ROW(csr, "sparse product (CSR)")

#define SPEED_SUITE_ONE(name, what) +1
enum { SPEED_SUITE_MAX = SPEED_SUITE_ROWS(SPEED_SUITE_ONE) + (int)KERNEL_COUNT };
#undef SPEED_SUITE_ONE

typedef struct speed_suite_member {
    const char *name; /* of the program, as an algorithm's kernel */
    const char *what; /* what it does, in words */
    bool in_mean;     /* of the default */
} speed_suite_member;

/* All members, each once; gives their number. Shape of members: [SPEED_SUITE_MAX]. */
size_t speed_suite_list(speed_suite_member *members);

#endif
