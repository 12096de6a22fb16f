/* Heat in a square plate of N x N points, which the processes share by rows. An ordinary MPI
 * program: nothing in it knows of isocast.
 *
 *     mpicc -g -O2 -o heat heat.c
 *     mpiexec -n 2 ./heat N [STEPS] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Rows 0 and rows + 1 are copies of the neighbours' rows. */
static void exchange(double *u, int rows, int N, int up, int down) {
    size_t row = (size_t)N;
    double *last = u + (size_t)rows * row;
    MPI_Sendrecv(u + row, N, MPI_DOUBLE, up, 0, last + row, N, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, N, MPI_DOUBLE, down, 1, u, N, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* Each inner point becomes the mean of its four neighbours: 4 flop a point. */
static void step(const double *u, double *next, int rows, int N) {
    for (int i = 1; i <= rows; i++) {
        const double *here = u + (size_t)i * (size_t)N;
        double *there = next + (size_t)i * (size_t)N;
        for (int k = 1; k < N - 1; k++) {
            there[k] = 0.25 * (here[k - N] + here[k + N] + here[k - 1] + here[k + 1]);
        }
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int N = argc > 1 ? atoi(argv[1]) : 0;
    int steps = argc > 2 ? atoi(argv[2]) : 100;
    int p, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int rows = N / p + (rank < N % p);
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int down = rank < p - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)(rows + 2) * (size_t)N, sizeof *u);
    double *next = calloc((size_t)(rows + 2) * (size_t)N, sizeof *next);
    if (rows < 1 || u == NULL || next == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int k = 0; rank == 0 && k < N; k++) {
        u[k] = next[k] = 1; /* the upper edge is hot */
    }
    for (int s = 0; s < steps; s++) {
        exchange(u, rows, N, up, down);
        step(u, next, rows, N);
        double *old = u;
        u = next;
        next = old;
    }
    double own = 0, sum = 0;
    for (size_t k = (size_t)N; k < (size_t)(rows + 1) * (size_t)N; k++) {
        own += u[k];
    }
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("mean temperature %.6f\n", sum / N / N);
    }
    free(u);
    free(next);
    MPI_Finalize();
    return 0;
}
