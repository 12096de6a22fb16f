/* The one table of the kernels by their names. Pure data, without MPI: the driver runs them and the
 * probe measures them by it.
 *
 * To add a kernel, add a row here, and write
 *     kernels/NAME.c                        kernel_NAME, its program (kernel.h)
 *     calibrate/probe/probe_kernel_NAME.c   probe_kernel_NAME, its local work (probe_kernels.h)
 *     specs/algorithms/...                  the specification of its algorithm */
#ifndef KERNEL_TABLE_H
#define KERNEL_TABLE_H

/* The rows: ROW(name, what there is of it).
 *     PROGRAM   a program that isocast measure runs, and its local work;
 *     WORK      local work alone, which says something of the machine. */
#define KERNEL_ROWS(ROW)                                                                           \
    ROW(ge, PROGRAM)                                                                               \
    ROW(mm, PROGRAM)                                                                               \
    ROW(conv2d, PROGRAM)                                                                           \
    ROW(triad, WORK)                                                                               \
    ROW(sum, PROGRAM)                                                                              \
    ROW(fft_binary, PROGRAM)                                                                       \
    ROW(fft_2d, PROGRAM)                                                                           \
    ROW(fft_3d, PROGRAM)                                                                           \
    ROW(summa, PROGRAM)                                                                            \
    ROW(stencil, PROGRAM)                                                                          \
    ROW(lcs, PROGRAM)

#define KERNEL_ROW_ID(name, what) KERNEL_ID_##name,
typedef enum kernel_id { KERNEL_ROWS(KERNEL_ROW_ID) KERNEL_COUNT } kernel_id;
#undef KERNEL_ROW_ID

/* The kernel whose speed on one process is the marked speed. */
#define KERNEL_BENCHMARK KERNEL_ID_ge

/* The kernel that states the bandwidth of memory. Its arrays are far out of the caches, in memory
 * that other processors use, too. */
#define KERNEL_BANDWIDTH KERNEL_ID_triad

/* "ge", at the id. */
extern const char *const kernel_names[KERNEL_COUNT];

#endif
