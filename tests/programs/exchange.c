/* Calls whose simulated time depends on the settings of the simulator: short and long messages, a
 * collective that is chosen by size, and one to all from each.
 *
 *     exchange BYTES
 *
 * Prints the time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 10 };

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int bytes = argc > 1 ? atoi(argv[1]) : 0;
    int processes;
    int rank;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    size_t size = (size_t)bytes * (size_t)processes + 1;
    char *out = calloc(size, 1);
    char *in = calloc(size, 1);
    if (out == NULL || in == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (size_t i = 0; i < size; i++) {
        out[i] = (char)(rank + (int)(i / (size_t)(bytes > 0 ? bytes : 1)));
    }
    int wrong = 0;
    double begin = MPI_Wtime();
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Sendrecv(out, bytes, MPI_CHAR, (rank + 1) % processes, 0, in, bytes, MPI_CHAR,
                     (rank + processes - 1) % processes, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Alltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, MPI_COMM_WORLD);
        /* What process k sends to this one is k + rank. */
        for (int k = 0; bytes > 0 && k < processes; k++) {
            wrong +=
                in[k * bytes] != (char)(k + rank) || in[k * bytes + bytes - 1] != (char)(k + rank);
        }
        MPI_Bcast(in, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double T = MPI_Wtime() - begin;
    if (wrong > 0) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    if (rank == 0) {
        printf("took %.9g s\n", T);
    }
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
