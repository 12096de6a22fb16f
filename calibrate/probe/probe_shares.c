#include "probe_shares.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef PROBE_SIMULATED
#include <smpi/smpi.h>
#endif

#ifdef PROBE_SIMULATED
/* With as many digits as kernels are told: processors of one speed are dealt out in turn, and the
 * last digit of a time must not make two speeds of one. */
static double own_speed(void) {
    static const double flops = 1e6;
    double start = MPI_Wtime();
    smpi_execute_flops(flops);
    char text[32];
    snprintf(text, sizeof text, "%.9g", flops / (MPI_Wtime() - start));
    return strtod(text, NULL);
}
#else
static double own_speed(void) {
    return 1;
}
#endif

double *probe_shares_find(const probe_context *context) {
    size_t processes = (size_t)context->processes;
    double *shares = malloc(processes * sizeof *shares);
    if (shares == NULL) {
        MPI_Abort(context->communicator, 5);
        return NULL;
    }
    double own = context->by_speed ? own_speed() : 1;
    double sum = 0;
    for (size_t q = 0; q < processes; q++) {
        shares[q] = own;
    }
    if (context->by_speed) {
        MPI_Allgather(&own, 1, MPI_DOUBLE, shares, 1, MPI_DOUBLE, context->communicator);
    }
    for (size_t q = 0; q < processes; q++) {
        sum += shares[q];
    }
    for (size_t q = 0; q < processes; q++) {
        shares[q] /= sum;
    }
    return shares;
}
