/* Process 0 comes late to a barrier; process 1 prints how often it let others run meanwhile. */
#include <mpi.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static long yields;

/* The C library's, for all that is loaded with this program. */
int sched_yield(void) {
    yields++;
    return (int)syscall(SYS_sched_yield);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    yields = 0;
    if (rank == 0) {
        usleep(100000);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        printf("yields: %ld\n", yields);
    }
    MPI_Finalize();
    return 0;
}
