/* Computes for so long that its time does not depend on the machine: 0.4 ms of processor time for
 * each unit of N, shared by the processes. With a second word 2 it computes in two threads. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static double used(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *compute(void *seconds) {
    double end = used() + *(double *)seconds;
    while (used() < end) {
    }
    return NULL;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int processes;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    double seconds = 1e-4 * (argc > 1 ? atoi(argv[1]) : 0) / processes;
    for (int turn = 0; turn < 4; turn++) {
        double own = 1;
        double all;
        pthread_t other;
        int threads = argc > 2 && pthread_create(&other, NULL, compute, &seconds) == 0 ? 2 : 1;
        compute(&seconds);
        if (threads == 2) {
            pthread_join(other, NULL);
        }
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
