/* Calls that are made again and again at one place, and are like the one before or not quite: other
 * sizes come, types and communicators are freed and others get their handles. For 1 process.
 * Argument: how often. */
#include <mpi.h>
#include <stdlib.h>

static int in[64], out[64];

/* What comes has 4, 8 and 12 B in turn; the call says 64 numbers at most. */
static void receive(int times) {
    for (int i = 0; i < times; i++) {
        MPI_Request request;
        MPI_Isend(out, 1 + i % 3, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(in, 64, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* The type has 8 B for a while, then 20 B, then 8 B again, mostly with the same handle. */
static void change_type(int times) {
    for (int k = 0; k < 4; k++) {
        MPI_Datatype type;
        MPI_Type_contiguous(k % 2 == 0 ? 2 : 5, MPI_INT, &type);
        MPI_Type_commit(&type);
        for (int i = 0; i < times / 4; i++) {
            MPI_Sendrecv(out, 1, type, 0, 0, in, 1, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        }
        MPI_Type_free(&type);
    }
}

/* A communicator of the world, then one of a grid, at one place. */
static void change_communicator(int times) {
    const int size[1] = {1};
    for (int k = 0; k < 4; k++) {
        MPI_Comm comm;
        if (k % 2 == 0) {
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        } else {
            MPI_Cart_create(MPI_COMM_WORLD, 1, size, size, 0, &comm);
        }
        for (int i = 0; i < times / 4; i++) {
            MPI_Allreduce(out, in, 1, MPI_INT, MPI_SUM, comm);
        }
        MPI_Comm_free(&comm);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int times = argc > 1 ? atoi(argv[1]) : 12000;
    receive(times);
    change_type(times);
    change_communicator(times);
    MPI_Finalize();
    return 0;
}
