#include "together.h"

#include <math.h>
#include <time.h>

void together_start(MPI_Comm communicator) {
    static const double ahead = 1; /* s; of simulated time, which costs nothing */
    double latest = MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, &latest, 1, MPI_DOUBLE, MPI_MAX, communicator);
    double left = fmax(latest + ahead - MPI_Wtime(), 0);
    struct timespec time = {.tv_sec = (time_t)left, .tv_nsec = (long)(1e9 * (left - floor(left)))};
    nanosleep(&time, NULL);
}

void together_let_others_end(void) {
    static const struct timespec time = {.tv_sec = 1}; /* simulated, as above */
    nanosleep(&time, NULL);
}
