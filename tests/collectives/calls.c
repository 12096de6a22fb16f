/* Makes one call of each collective operation that its words name, as OPERATION:BYTES, so that what
 * is sent can be seen. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 64 };

int main(int argc, char **argv) {
    int p;
    int counts[RANKS];
    int quarters[RANKS];
    int places[RANKS];
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int i = 1; i < argc; i++) {
        const char *name = strtok(argv[i], ":");
        int n = atoi(strtok(NULL, ":"));
        char *a = calloc((size_t)p, (size_t)n + 8);
        char *b = calloc((size_t)p, (size_t)n + 8);
        for (int k = 0; k < p; k++) {
            counts[k] = n;
            quarters[k] = n / 4;
            places[k] = k * n;
        }
        MPI_Comm c = MPI_COMM_WORLD;
        if (strcmp(name, "bcast") == 0) {
            MPI_Bcast(a, n, MPI_BYTE, 0, c);
        } else if (strcmp(name, "reduce") == 0) {
            MPI_Reduce(a, b, n / 4, MPI_INT, MPI_SUM, 0, c);
        } else if (strcmp(name, "allreduce") == 0) {
            MPI_Allreduce(a, b, n / 4, MPI_INT, MPI_SUM, c);
        } else if (strcmp(name, "scan") == 0) {
            MPI_Scan(a, b, n / 4, MPI_INT, MPI_SUM, c);
        } else if (strcmp(name, "barrier") == 0) {
            MPI_Barrier(c);
        } else if (strcmp(name, "gather") == 0) {
            MPI_Gather(a, n, MPI_BYTE, b, n, MPI_BYTE, 0, c);
        } else if (strcmp(name, "scatter") == 0) {
            MPI_Scatter(a, n, MPI_BYTE, b, n, MPI_BYTE, 0, c);
        } else if (strcmp(name, "gatherv") == 0) {
            MPI_Gatherv(a, n, MPI_BYTE, b, counts, places, MPI_BYTE, 0, c);
        } else if (strcmp(name, "scatterv") == 0) {
            MPI_Scatterv(a, counts, places, MPI_BYTE, b, n, MPI_BYTE, 0, c);
        } else if (strcmp(name, "allgather") == 0) {
            MPI_Allgather(a, n, MPI_BYTE, b, n, MPI_BYTE, c);
        } else if (strcmp(name, "allgatherv") == 0) {
            MPI_Allgatherv(a, n, MPI_BYTE, b, counts, places, MPI_BYTE, c);
        } else if (strcmp(name, "alltoall") == 0) {
            MPI_Alltoall(a, n, MPI_BYTE, b, n, MPI_BYTE, c);
        } else if (strcmp(name, "alltoallv") == 0) {
            MPI_Alltoallv(a, counts, places, MPI_BYTE, b, counts, places, MPI_BYTE, c);
        } else if (strcmp(name, "reduce_scatter") == 0) {
            MPI_Reduce_scatter(a, b, quarters, MPI_INT, MPI_SUM, c);
        } else if (strcmp(name, "reduce_scatter_block") == 0) {
            MPI_Reduce_scatter_block(a, b, n / 4, MPI_INT, MPI_SUM, c);
        } else {
            MPI_Abort(c, 2);
        }
        free(a);
        free(b);
    }
    MPI_Finalize();
    return 0;
}
