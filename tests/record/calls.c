/* Calls of each kind once, with sizes that test_record.py knows. For 4 processes.
 *
 *     calls [abort|kill|exit|leave|status|none]
 */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { P = 4 };

static double in[64], out[64];
static int rank;

static void messages(void) {
    int next = (rank + 1) % P;
    int last = (rank + P - 1) % P;
    MPI_Request requests[2];
    MPI_Status status;
    MPI_Datatype every_other;
    MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Irecv(in, 10, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, 1, every_other, next, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(out, 5, MPI_INT, next, 2, in, 64, MPI_INT, last, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(out, 2, MPI_CHAR, last, 2, next, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank % 2 == 0) {
        MPI_Ssend(out, 7, MPI_FLOAT, next, 3, MPI_COMM_WORLD);
        MPI_Send(out, 7, MPI_FLOAT, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
    } else {
        MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
        MPI_Recv(in, 64, MPI_FLOAT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Send_init(out, 4, MPI_DOUBLE, next, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(in, 4, MPI_DOUBLE, last, 4, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Type_free(&every_other);
}

static void collectives(void) {
    const int counts[P] = {1, 2, 3, 4};
    const int places[P] = {0, 4, 8, 12};
    MPI_Request request;
    MPI_Bcast(in, 6, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    MPI_Gather(out, 2, MPI_DOUBLE, in, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Gatherv(out, counts[rank], MPI_DOUBLE, in, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatterv(out, counts, places, MPI_DOUBLE, in, counts[rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 3, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Alltoallv(out, counts, places, MPI_DOUBLE, in,
                  (const int[]){rank + 1, rank + 1, rank + 1, rank + 1}, places, MPI_DOUBLE,
                  MPI_COMM_WORLD);
    MPI_Reduce_scatter(out, in, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Iallreduce(out, in, 9, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void communicators(void) {
    MPI_Comm half;
    MPI_Comm ring;
    const int size[1] = {P};
    const int periods[1] = {1};
    for (int i = 0; i < 5; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Allreduce(out, in, 1, MPI_INT, MPI_SUM, half);
        MPI_Comm_free(&half);
    }
    MPI_Cart_create(MPI_COMM_WORLD, 1, size, periods, 0, &ring);
    MPI_Neighbor_alltoall(out, 8, MPI_CHAR, in, 8, MPI_CHAR, ring);
    MPI_Comm_free(&ring);
    MPI_Comm line;
    const int ends[1] = {0};
    const int counts[2] = {16, 16};
    const int places[2] = {0, 16};
    MPI_Cart_create(MPI_COMM_WORLD, 1, size, ends, 0, &line);
    MPI_Neighbor_alltoallv(out, counts, places, MPI_CHAR, in, counts, places, MPI_CHAR, line);
    MPI_Neighbor_allgather(out, 4, MPI_CHAR, in, 4, MPI_CHAR, line);
    MPI_Comm_free(&line);
}

int main(int argc, char **argv) {
    const char *end = argc > 1 ? argv[1] : "";
    if (strcmp(end, "none") == 0) {
        return 3;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    messages();
    collectives();
    communicators();
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(end, "abort") == 0 && rank == 0) {
        MPI_Abort(MPI_COMM_WORLD, 7);
    }
    if (strcmp(end, "kill") == 0 && rank == 1) {
        kill(getpid(), SIGKILL);
    }
    if (strcmp(end, "exit") == 0) {
        exit(0);
    }
    MPI_Finalize();
    return strcmp(end, "status") == 0 ? 4 : 0;
}
