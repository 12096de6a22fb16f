#include "phases.h"

#include <stdlib.h>

#include <math.h>

void phases_run(MPI_Comm communicator, const kernel_compute *compute, const kernel_phase *phases,
                size_t count, void *state, kernel_result *result) {
    double ends[KERNEL_PHASES_MAX];
    double flops = -compute->flops;
    compute_start_together(communicator);
    double start = MPI_Wtime();
    for (size_t phase = 0; phase < count; phase++) {
        phases[phase](state);
        ends[phase] = MPI_Wtime() - start;
    }
    compute_let_others_end();
    flops += compute->flops;
    double last[KERNEL_PHASES_MAX] = {0};
    double all_flops = 0;
    MPI_Reduce(ends, last, (int)count, MPI_DOUBLE, MPI_MAX, 0, communicator);
    MPI_Reduce(&flops, &all_flops, 1, MPI_DOUBLE, MPI_SUM, 0, communicator);
    for (size_t phase = 0; phase < count; phase++) {
        result->phases[phase] = last[phase] - (phase > 0 ? last[phase - 1] : 0);
    }
    result->T = last[count - 1];
    result->flops = all_flops;
}

void phases_part(MPI_Comm communicator, size_t phase, size_t count, double worked,
                 kernel_result *result) {
    int processes;
    double all = 0;
    MPI_Comm_size(communicator, &processes);
    MPI_Reduce(&worked, &all, 1, MPI_DOUBLE, MPI_SUM, 0, communicator);
    for (size_t later = count; later > phase + 1; later--) {
        result->phases[later] = result->phases[later - 1];
    }
    double whole = result->phases[phase];
    result->phases[phase] = fmin(all / processes, whole);
    result->phases[phase + 1] = whole - result->phases[phase];
}

bool phases_all(MPI_Comm communicator, bool here) {
    int one = here;
    int all = 0;
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_LAND, communicator);
    return all != 0;
}

void *phases_begin(const kernel_task *task, size_t size) {
    kernel_state *s = calloc(1, size);
    if (s != NULL) {
        s->communicator = task->communicator;
        s->N = task->N;
        s->seed = task->seed;
        s->compute = task->compute;
        MPI_Comm_rank(s->communicator, &s->rank);
        MPI_Comm_size(s->communicator, &s->processes);
    }
    return s;
}

void *phases_keep(MPI_Comm communicator, void *state, bool complete, void (*tear_down)(void *)) {
    if (phases_all(communicator, state != NULL && complete)) {
        return state;
    }
    if (state != NULL) {
        tear_down(state);
    }
    return NULL;
}
