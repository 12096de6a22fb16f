/* Each process has a thread of its own that computes for about 30 ms of processor time, while the
 * one that calls MPI waits for it without the processor. */
#include <mpi.h>
#include <pthread.h>
#include <time.h>

static void *compute(void *unused) {
    struct timespec now;
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while (now.tv_sec == 0 && now.tv_nsec < 30000000);
    return unused;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    pthread_t thread;
    int failed = pthread_create(&thread, NULL, compute, NULL) || pthread_join(thread, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return failed;
}
