/* Broadcasts of 1, 2, 3, ... bytes from one line: sizes that no record can keep apart.
 *
 *     sizes COUNT */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int count = argc > 1 ? atoi(argv[1]) : 100;
    char *bytes = calloc((size_t)count + 1, 1);
    for (int i = 1; bytes != NULL && i <= count; i++) {
        MPI_Bcast(bytes, i, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
    free(bytes);
    MPI_Finalize();
    return 0;
}
