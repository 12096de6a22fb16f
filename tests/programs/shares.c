/* Computes as programs do whose shares are not N/p of the work: shares KIND N
 *   serial   N^2 of work for all, and N*512 that process 0 does alone
 *   weak     N*512 on each process
 *   square   N^2 on each process
 *   uneven   N^2 for all, of which process r has a share that grows with r
 *   even     N^2 for all */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double compute(double steps) {
    double x = 1;
    for (double i = 0; i < steps; i++) {
        x = x * 0.999999 + 1e-9;
    }
    return x;
}

int main(int argc, char **argv) {
    enum { TIMES = 5, SERIAL = 512 };
    int rank;
    int p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const char *kind = argc == 3 ? argv[1] : "";
    double N = argc == 3 ? atof(argv[2]) : 0;
    double share = N * N / p;
    if (strcmp(kind, "weak") == 0) {
        share = SERIAL * N;
    } else if (strcmp(kind, "square") == 0) {
        share = N * N;
    } else if (strcmp(kind, "uneven") == 0) {
        share = N * N * 2 * (rank + 1) / (p * (p + 1.0));
    }
    double sum = 0;
    for (int i = 0; i < TIMES; i++) {
        double value = compute(share);
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0 && strcmp(kind, "serial") == 0) {
            value += compute(SERIAL * N);
        }
        MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        sum += value;
    }
    if (rank == 0) {
        printf("%g\n", sum);
    }
    MPI_Finalize();
    return 0;
}
