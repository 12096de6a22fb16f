#include "probe_work.h"

#ifdef PROBE_SIMULATED
#include <smpi/smpi.h>

void probe_work(const probe_context *context, double flops) {
    if (context->simulated) {
        smpi_execute_flops(flops);
    }
}
#else
void probe_work(const probe_context *context, double flops) {
    (void)context;
    (void)flops;
}
#endif

probe_work_time probe_work_measure(const probe_context *context, double flops) {
    double start = MPI_Wtime();
    probe_work(context, flops);
    double own = context->simulated ? MPI_Wtime() - start : 0;
    probe_work_time time;
    MPI_Allreduce(&own, &time.slowest, 1, MPI_DOUBLE, MPI_MAX, context->communicator);
    MPI_Allreduce(&own, &time.sum, 1, MPI_DOUBLE, MPI_SUM, context->communicator);
    return time;
}
