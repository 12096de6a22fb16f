/* What one launch measures, in which order, and how its time is shared out. Measures nothing but
 * the time per flop that shows which problems are too large. */
#ifndef PROBE_POINTS_H
#define PROBE_POINTS_H

#include "probe_kernels.h"
#include "probe_operation.h"
#include "probe_options.h"

/* One thing to measure: an operation at a message size, or a kernel at a problem size. */
typedef struct probe_point {
    const probe_operation *operation; /* NULL: a kernel */
    const probe_kernel *kernel;       /* NULL: an operation */
    size_t size;
    size_t repeats; /* calls in one sample */
    double share;   /* of the launch's time; all points together have 1 */
} probe_point;

enum { PROBE_POINTS_MAX = ((int)ISOCAST_KNOWN_OPERATIONS + (int)KERNEL_COUNT) * PROBE_SIZES_MAX };

/* Fills points, shape [PROBE_POINTS_MAX], in random order, the same on every process, after a
 * fifth of them that is put first; gives their number. The first *needed are of different
 * operations, one of each: they are measured however short the time is. Collective. */
size_t probe_points_list(const probe_context *context, const probe_options *o, probe_point *points,
                         size_t *needed);

/* Whether anything that is planned by trying is to be measured; wanted, shape [KERNEL_COUNT], gets
 * which kernels. */
bool probe_points_need_plans(const probe_options *o, bool *wanted);

/* Writes a line for everything that can be measured: its name, a tab, and "usual", "on request",
 * "kernel" or "kernel on request". */
void probe_points_print_names(void);

#endif
