#include "phases.h"

#include <string.h>

void phases_run(MPI_Comm communicator, const kernel_compute *compute, const kernel_phase *phases,
                size_t count, void *state, kernel_result *result) {
    double times[KERNEL_PHASES_MOST + 1];
    double flops = -compute->flops;
    MPI_Barrier(communicator);
    double start = MPI_Wtime();
    double before = start;
    for (size_t phase = 0; phase < count; phase++) {
        phases[phase](state);
        double now = MPI_Wtime();
        times[phase] = now - before;
        before = now;
    }
    times[count] = before - start;
    flops += compute->flops;
    double largest[KERNEL_PHASES_MOST + 1] = {0};
    double all_flops = 0;
    MPI_Reduce(times, largest, (int)count + 1, MPI_DOUBLE, MPI_MAX, 0, communicator);
    MPI_Reduce(&flops, &all_flops, 1, MPI_DOUBLE, MPI_SUM, 0, communicator);
    memcpy(result->phases, largest, count * sizeof *largest);
    result->T = largest[count];
    result->flops = all_flops;
}

bool phases_all(MPI_Comm communicator, bool here) {
    int one = here;
    int all = 0;
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_LAND, communicator);
    return all != 0;
}
