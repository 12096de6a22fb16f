#include "probe_shares.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe_common.h"

#ifdef PROBE_SIMULATED
#include <smpi/smpi.h>
#endif

#ifdef PROBE_SIMULATED
/* With as many digits as kernels are reported: processors of one speed are dealt out in turn, and
 * the last digit of a time must not make two speeds of one. The simulator's times are exact to a
 * nanosecond: this one is long. */
static double own_speed(void) {
    static const double flops = 1e6;
    static const double seconds = 10; /* of simulated time, which costs nothing */
    double start = MPI_Wtime();
    smpi_execute_flops(flops);
    double more = flops * floor(seconds / (MPI_Wtime() - start));
    start = MPI_Wtime();
    smpi_execute_flops(more);
    char text[32];
    snprintf(text, sizeof text, "%.9g", more / (MPI_Wtime() - start));
    return strtod(text, NULL);
}
#else
static double own_speed(void) {
    return 1;
}
#endif

/* Speeds of all processes, where they need not be asked for. */
#ifdef PROBE_QUICK
static bool find_speeds(const probe_context *context, double *speeds) {
    quick_speeds(context->communicator, speeds);
    return true;
}
#else
static bool find_speeds(const probe_context *context, const double *speeds) {
    (void)context;
    (void)speeds;
    return false;
}
#endif

double *probe_shares_find(const probe_context *context) {
    size_t processes = (size_t)context->processes;
    static const char of_shares;
    bool is_new;
    double *shares = probe_common_take(context, &of_shares, 0, processes * sizeof *shares, &is_new);
    if (!is_new) {
        return shares;
    }
    double own = context->by_speed ? own_speed() : 1;
    double sum = 0;
    for (size_t q = 0; q < processes; q++) {
        shares[q] = own;
    }
    if (context->by_speed && !find_speeds(context, shares)) {
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
