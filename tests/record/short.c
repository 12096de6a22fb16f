/* Many short calls, with long computing behind each thousand of them: once before another call,
 * once before the next call of the same place. Argument: how many thousands. */
#include <stdlib.h>
#include <time.h>

#include <mpi.h>

enum { CALLS = 1000, SPIN_NS = 2000000 };

static long long used(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void spin(void) {
    long long end = used() + SPIN_NS;
    while (used() < end) {
    }
}

static void before_another(int rounds) {
    int flag = 0;
    for (int k = 0; k < rounds; k++) {
        for (int i = 0; i < CALLS; i++) {
            MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        spin();
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void before_itself(int rounds) {
    int flag = 0;
    for (int i = 1; i <= rounds * CALLS; i++) {
        MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        if (i % CALLS == 0) {
            spin();
        }
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rounds = argc > 1 ? atoi(argv[1]) : 10;
    before_another(rounds);
    before_itself(rounds);
    MPI_Finalize();
    return 0;
}
