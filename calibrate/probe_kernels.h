/* The kernels' local work, to measure its time per flop. */
#ifndef PROBE_KERNELS_H
#define PROBE_KERNELS_H

#include "probe.h"

typedef struct probe_kernel {
    const char *name; /* of the kernel */
    double (*work)(size_t N);
    /* Bytes that one process works on: what the algorithm's specification calls its memory. */
    double (*bytes)(const probe_context *context, size_t N);
    /* Makes what is worked on at this size; kept until another size is made. */
    void (*prepare)(const probe_context *context, size_t N);
    /* All processes at once, as in the kernel: seconds per flop of this process's share. Rows are
     * dealt out as for equal speeds. Collective. */
    double (*call)(const probe_context *context, size_t N);
} probe_kernel;

enum { PROBE_KERNELS_MOST = 4 };

/* NULL name at the end. */
extern const probe_kernel probe_kernels[];

/* Transforms are planned by trying: plans that are known already take no time. A file that cannot
 * be read or written is no fault. */
void probe_kernels_remember(const probe_context *context, const char *file);
void probe_kernels_save(const probe_context *context, const char *file);

#endif
