/* Calls that are made again and again at one place, and are like the one before or not quite: other
 * sizes come, types and communicators are freed and others get their handles. For 1 process.
 * Arguments: how often; another word has the order of calls change instead, and prints what was
 * called. */
#include <mpi.h>
#include <stdio.h>
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

/* What is called in which order changes, and one place calls two functions. Each call stands on a
 * line of its own; ways[a][b] counts how often the call of line b came after that of line a. */
enum { LINES = 128 };
static int ways[LINES][LINES], last_line;

static void went_to(int line) {
    ways[last_line][line] += last_line > 0 ? 1 : 0;
    last_line = line;
}

typedef int (*sender)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static void mix(int times) {
    static const sender senders[] = {MPI_Isend, MPI_Issend};
    int sent[2][4] = {{0}};
    int flag;
    unsigned drawn = 1;
    last_line = 0;
    for (int i = 0; i < times; i++) {
        MPI_Request request;
        /* The same for a while, then drawn. */
        drawn = i % 1000 < 500 ? 0 : drawn * 1664525U + 1013904223U + (unsigned)i;
        unsigned kind = drawn >> 31;
        unsigned more = (drawn >> 28) % 4;
        sent[kind][more]++;
        went_to(__LINE__ + 1);
        senders[kind](out, 1 + (int)more, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
        if (drawn % 64 >= 32) {
            went_to(__LINE__ + 1);
            MPI_Iprobe(0, 2, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
        }
        went_to(__LINE__ + 1);
        MPI_Recv(in, 64, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        went_to(__LINE__ + 1);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (unsigned k = 0; k < 8; k++) {
        printf("sent %s %u %d\n", k < 4 ? "MPI_Isend" : "MPI_Issend", 4 * (1 + k % 4),
               sent[k / 4][k % 4]);
    }
    for (int k = 0; k < LINES * LINES; k++) {
        if (ways[k / LINES][k % LINES] > 0) {
            printf("way %d %d %d\n", k / LINES, k % LINES, ways[k / LINES][k % LINES]);
        }
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int times = argc > 1 ? atoi(argv[1]) : 12000;
    if (argc > 2) {
        mix(times);
        MPI_Finalize();
        return 0;
    }
    receive(times);
    change_type(times);
    change_communicator(times);
    MPI_Finalize();
    return 0;
}
