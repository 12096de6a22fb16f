/* Broadcasts of short and long messages from several processes, to all and to the columns of a
 * grid. Ends with status 3 where a process got something else than was sent.
 *
 *     broadcasts BYTES
 *
 * Prints the time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 2, ROOTS = 4 };

static int is_right(const unsigned char *got, int bytes, int root) {
    for (int i = 0; i < bytes; i++) {
        if (got[i] != (unsigned char)(7 * i + root)) {
            return 0;
        }
    }
    return 1;
}

static void broadcast(MPI_Comm communicator, unsigned char *room, int bytes) {
    int processes;
    int rank;
    MPI_Comm_size(communicator, &processes);
    MPI_Comm_rank(communicator, &rank);
    for (int k = 0; k < ROOTS; k++) {
        int root = k * processes / ROOTS;
        for (int i = 0; i < bytes; i++) {
            room[i] = rank == root ? (unsigned char)(7 * i + root) : 0;
        }
        MPI_Bcast(room, bytes, MPI_BYTE, root, communicator);
        if (!is_right(room, bytes, root)) {
            fprintf(stderr, "%d bytes from %d of %d are wrong\n", bytes, root, processes);
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int bytes = argc > 1 ? atoi(argv[1]) : 0;
    int rank;
    unsigned char *room = malloc((size_t)bytes + 1);
    MPI_Comm column;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % COLUMNS, rank, &column);
    if (room == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    /* A column's first collective finds out which processes share a node. */
    MPI_Barrier(column);
    broadcast(MPI_COMM_WORLD, room, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    broadcast(MPI_COMM_WORLD, room, bytes);
    broadcast(column, room, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    double took = MPI_Wtime() - begin;
    if (rank == 0) {
        printf("took %.9g s\n", took);
    }
    MPI_Comm_free(&column);
    free(room);
    MPI_Finalize();
    return 0;
}
