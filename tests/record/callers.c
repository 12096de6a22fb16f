/* Functions that call MPI for others, as libraries within programs do. Arguments: N, and how many
 * turns. What a call is for shows only in what led to it. */
#include <mpi.h>
#include <stdlib.h>

static double *in, *out;

/* Two callers, with messages of N and of 2 N numbers. */
__attribute__((noinline)) static void exchange(int count) {
    int p;
    int rank;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % p, 0, in, count, MPI_DOUBLE,
                 (rank + p - 1) % p, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The compiler puts it into its callers. */
__attribute__((always_inline)) static inline void add(int count) {
    MPI_Allreduce(out, in, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* What stands between the program and MPI, and is called by nothing but a second one. */
__attribute__((noinline)) static void give(int count) {
    MPI_Bcast(in, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    in[2] += 1;
}

__attribute__((noinline)) static void share(int count) {
    give(count);
    in[0] += 1;
}

/* One call of all processes, to which they come by two ways. */
static void start(int rank) {
    if (rank == 0) {
        in[1] = 3;
        share(4);
    } else {
        share(4);
    }
}

/* It calls itself: one site, however deep. */
__attribute__((noinline)) static void descend(int depth) {
    if (depth > 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        descend(depth - 1);
        out[0] += 1;
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int N = argc > 1 ? atoi(argv[1]) : 100;
    int turns = argc > 2 ? atoi(argv[2]) : 3;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    in = calloc((size_t)(2 * N + 4), sizeof *in);
    out = calloc((size_t)(2 * N + 4), sizeof *out);
    start(rank);
    for (int t = 0; t < turns; t++) {
        exchange(N);
        add(1);
        exchange(2 * N);
        add(N);
        descend(3);
    }
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
