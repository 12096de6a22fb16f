/* Times the phases of one run, alike for every kernel. */
#ifndef KERNEL_PHASES_H
#define KERNEL_PHASES_H

#include "kernel.h"

typedef void (*kernel_phase)(void *state);

/* What the state of a kernel begins with: its place among the processes, and its task. */
#define KERNEL_STATE                                                                               \
    MPI_Comm communicator;                                                                         \
    int rank;                                                                                      \
    int processes;                                                                                 \
    size_t N;                                                                                      \
    uint64_t seed;                                                                                 \
    kernel_compute *compute

typedef struct kernel_state {
    KERNEL_STATE;
} kernel_state;

/* A state of `size` bytes that begins with KERNEL_STATE, which is filled in; all else is zero. NULL
 * where memory is short. */
void *phases_begin(const kernel_task *task, size_t size);

/* Brings the processes together, runs the phases one after the other, and gives process 0 T, when
 * the last process ends, the part of each phase, and the flops reported meanwhile. A phase lasts
 * from when the last process has ended the one before to when the last has ended it: the phases add
 * up to T, and a process that waits for others counts once. Shape of phases: [count], 1 to
 * KERNEL_PHASES_MAX. Collective. */
void phases_run(MPI_Comm communicator, const kernel_compute *compute, const kernel_phase *phases,
                size_t count, void *state, kernel_result *result);

/* Parts a phase of phases_run() in two: what the processes worked in it on average, reported by the
 * seconds of each, and the rest, which is messages and waiting. Phases after it move up.
 * Collective.
 */
void phases_part(MPI_Comm communicator, size_t phase, size_t count, double worked,
                 kernel_result *result);

/* Whether something holds on all processes. Collective. */
bool phases_all(MPI_Comm communicator, bool here);

/* What set_up() gives where it is `complete` here: the state, or NULL where it is not complete on
 * all processes, on which it is then torn down. `state` is NULL where there was no memory for
 * itself. Collective. */
void *phases_keep(MPI_Comm communicator, void *state, bool complete, void (*tear_down)(void *));

#endif
