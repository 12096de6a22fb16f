#include "piecework.h"

#include <mpi.h>
#include <stdbool.h>

enum { TIMED_EVERY = 8 };

piecework piecework_start(const kernel_compute *compute) {
    return (piecework){.compute = compute, .before = compute->flops};
}

static bool is_timed(const piecework *work) {
    return work->pieces % TIMED_EVERY == 0;
}

void piecework_begin(piecework *work) {
    if (is_timed(work)) {
        work->flops -= work->compute->flops;
        work->timed -= MPI_Wtime();
    }
}

void piecework_end(piecework *work) {
    if (is_timed(work)) {
        work->timed += MPI_Wtime();
        work->flops += work->compute->flops;
    }
    work->pieces++;
}

double piecework_seconds(const piecework *work) {
    double all = work->compute->flops - work->before;
    return work->flops > 0 ? work->timed * all / work->flops : 0;
}
