/* The module that knows MPI (ranks.h). */
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

#include "ranks.h"

enum { TAG_MESSAGE = 1, TAG_STOP = 2 };

static int own_rank;
static int rank_count;
static bool said_stop;

static bool join(int *rank, int *count) {
    int provided;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_FUNNELED) {
        return false;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
    *rank = own_rank;
    *count = rank_count;
    return true;
}

/* MPI counts in int; blocks of a sweep are far below that. */
static int as_count(size_t length) {
    if (length > INT_MAX) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    return (int)length;
}

static void share(void *bytes, size_t length) {
    MPI_Bcast(bytes, as_count(length), MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void gather(const void *bytes, size_t length, void *all) {
    MPI_Gather(bytes, as_count(length), MPI_BYTE, all, as_count(length), MPI_BYTE, 0,
               MPI_COMM_WORLD);
}

static void send(const void *bytes, size_t length) {
    MPI_Send(bytes, as_count(length), MPI_BYTE, 0, TAG_MESSAGE, MPI_COMM_WORLD);
}

static size_t expect(int rank) {
    MPI_Status status;
    int count;
    MPI_Probe(rank, TAG_MESSAGE, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    return (size_t)count;
}

static void receive(int rank, void *bytes, size_t length) {
    MPI_Recv(bytes, as_count(length), MPI_BYTE, rank, TAG_MESSAGE, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

static void stop(void) {
    for (int rank = 1; rank < rank_count && !said_stop; rank++) {
        MPI_Send(NULL, 0, MPI_BYTE, rank, TAG_STOP, MPI_COMM_WORLD);
    }
    said_stop = true;
}

/* Every rank gets the word to stop, if only now, so that no message is left behind. */
static void leave(void) {
    if (own_rank == 0) {
        stop();
    } else {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}

static bool stopped(void) {
    int came = 0;
    MPI_Iprobe(0, TAG_STOP, MPI_COMM_WORLD, &came, MPI_STATUS_IGNORE);
    return came != 0;
}

const ranks_functions *isocast_ranks(void);
const ranks_functions *isocast_ranks(void) {
    static const ranks_functions functions = {join,   leave,   share, gather, send,
                                              expect, receive, stop,  stopped};
    return &functions;
}
