/* What a kernel offers the driver: one small interface for every program that is measured. A kernel
 * does no printing and reads no options; it works on the communicator it is given. */
#ifndef KERNEL_H
#define KERNEL_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compute.h"
#include "kernel_table.h"

enum { KERNEL_PHASES_MAX = 8, KERNEL_COUNTS_MAX = 4 };

/* One run, the same on all processes. */
typedef struct kernel_task {
    MPI_Comm communicator;
    size_t N; /* problem size */
    const double
        *speeds;   /* [p] marked speeds, flop/s or any common unit: rows are dealt out by them */
    uint64_t seed; /* of the input */
    kernel_compute *compute; /* of this process */
} kernel_task;

/* What was measured; valid on process 0. */
typedef struct kernel_result {
    double T;                         /* s, largest over the processes */
    double phases[KERNEL_PHASES_MAX]; /* s, in the order of phase_names; they add up to T */
    double flops;                     /* given to compute_charge(), summed over the processes */
    double counts[KERNEL_COUNTS_MAX]; /* in the order of count_names */
    double error;                     /* of the verification; see error_name */
} kernel_result;

typedef struct kernel {
    kernel_id id;          /* of its row in kernel_table.h */
    const char *algorithm; /* name of the algorithm's specification */
    const char *summary;
    const char *const *phase_names; /* NULL-terminated; columns of the results */
    const char *const *count_names; /* likewise; NULL: it has none */
    const char *error_name;         /* what `error` is, also a column */
    bool verifies_modelled;         /* also where the arithmetic is modelled only */
    double error_most;              /* a larger error is a wrong result */
    size_t N_least;
    /* Work in flop, as the specification counts it. */
    double (*work)(size_t N);
    /* What one run really does and states compute_charge(), summed over the processes, flop. NULL
     * where it depends on their number. */
    double (*flops)(size_t N);
    /* Bytes that process `rank` allocates. */
    double (*memory)(const kernel_task *task, int rank, int processes);
    /* Allocates. NULL where memory is short. Collective. */
    void *(*set_up)(const kernel_task *task);
    /* One timed run on the input. Collective. */
    void (*run)(void *state, kernel_result *result);
    /* Sets result->error on process 0. Collective. */
    void (*verify)(void *state, kernel_result *result);
    void (*tear_down)(void *state);
    /* Which process owns row i of N; for --show-distribution. owner has shape [N]. NULL: processes
     * own blocks of a grid, of the same size at any speeds. */
    void (*owners)(const kernel_task *task, int processes, int *owner);
    /* Why it does not run with this N on so many processes, "takes powers of two"; NULL where it
     * does. NULL in its place: it always does. */
    const char *(*refusal)(size_t N, int processes);
} kernel;

#define KERNEL_DECLARE_PROGRAM(name) extern const kernel kernel_##name;
#define KERNEL_DECLARE_WORK(name)
#define KERNEL_DECLARE(name, what) KERNEL_DECLARE_##what(name)
KERNEL_ROWS(KERNEL_DECLARE)
#undef KERNEL_DECLARE
#undef KERNEL_DECLARE_PROGRAM
#undef KERNEL_DECLARE_WORK

#endif
