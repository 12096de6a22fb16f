#include "piecework.h"

#include <mpi.h>

enum { TIMED_EVERY = 8 };

/* Work between two timed pieces: 10 us or more, where two looks at the clock take 0.1 us. */
static const double flops_between = 1e5;

piecework piecework_start(const kernel_compute *compute) {
    return (piecework){.compute = compute,
                       .pieces = TIMED_EVERY,
                       .before = compute->flops,
                       .next = compute->flops};
}

void piecework_begin(piecework *work) {
    work->timing = work->pieces >= TIMED_EVERY && work->compute->flops >= work->next;
    work->pieces++;
    if (work->timing) {
        work->flops -= work->compute->flops;
        work->timed -= MPI_Wtime();
    }
}

void piecework_end(piecework *work) {
    if (work->timing) {
        work->timed += MPI_Wtime();
        work->flops += work->compute->flops;
        work->pieces = 1;
        work->next = work->compute->flops + flops_between;
    }
}

double piecework_seconds(const piecework *work) {
    double all = work->compute->flops - work->before;
    return work->flops > 0 ? work->timed * all / work->flops : 0;
}
