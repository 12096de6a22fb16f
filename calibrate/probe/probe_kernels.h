/* The kernels' local work, to measure its time per flop. */
#ifndef PROBE_KERNELS_H
#define PROBE_KERNELS_H

#include <stdint.h>

#include "kernels/kernel_table.h"
#include "probe_context.h"
#include "probe_options.h"

/* In the place of a smallest usual problem: none is measured unless it is asked for. */
#define PROBE_KERNEL_ON_REQUEST SIZE_MAX

typedef struct probe_kernel {
    kernel_id id;             /* of its row in kernel_table.h */
    double (*work)(size_t N); /* flop that one call does on all processes, about */
    /* Bytes that one process works on: what the algorithm's specification calls its memory. */
    double (*bytes)(const probe_context *context, size_t N);
    /* Makes what is worked on at this size; kept until another size is made. */
    void (*prepare)(const probe_context *context, size_t N);
    /* All processes at once, as in the kernel: seconds per flop of this process's share. Rows are
     * dealt out as for equal speeds. Collective. */
    double (*call)(const probe_context *context, size_t N);
    double weight; /* of the time spent on it, without weights of the command line; 1 usually */
    size_t usual_least; /* smaller problems are measured on request; 0: none */
    bool planned;       /* prepare() tries out how to do it, which takes long the first time */
} probe_kernel;

/* probe_kernel_NAME of every row of the table. */
#define PROBE_KERNEL_DECLARE(name, what) extern const probe_kernel probe_kernel_##name;
KERNEL_ROWS(PROBE_KERNEL_DECLARE)
#undef PROBE_KERNEL_DECLARE

/* Each at its id. */
extern const probe_kernel *const probe_kernels[KERNEL_COUNT];

/* Prepares the planned kernels that are wanted for the problems in rising order until so many
 * seconds are over; gives the largest problem that was prepared for. At least the smallest is.
 * wanted: shape [KERNEL_COUNT]. Collective. */
size_t probe_kernels_plan(const probe_context *context, const bool *wanted, const size_t *problems,
                          size_t count, double seconds);

/* The problem sizes that a kernel is measured at; *count gets their number. */
const size_t *probe_kernels_problems(const probe_options *o, const probe_kernel *kernel,
                                     size_t *count);

/* Transforms are planned by trying: plans that are known already take no time. A file that cannot
 * be read or written is no fault. */
void probe_kernels_remember(const probe_context *context, const char *file);
void probe_kernels_save(const probe_context *context, const char *file);

#endif
