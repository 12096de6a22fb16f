/* Preloaded into the probe: a process that dies, or a clock that somebody sets, as ISOCAST_FAULT
 * says: "die", "jump-once" or "jump-on". */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int reductions_before = 300;
static const int sends_before = 60;
static const int calls_between = 200;
static const double jump = 3600; /* s */

static int is_fault(const char *name) {
    const char *fault = getenv("ISOCAST_FAULT");
    return fault != NULL && strcmp(fault, name) == 0;
}

/* The last process ends in the middle of it all. */
int MPI_Reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation, int root,
               MPI_Comm communicator) {
    static int calls;
    int rank;
    int processes;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &processes);
    calls++;
    if (is_fault("die") && rank == processes - 1 && calls > reductions_before) {
        raise(SIGKILL);
    }
    return PMPI_Reduce(from, to, count, type, operation, root, communicator);
}

static int sends;

int MPI_Send(const void *from, int count, MPI_Datatype type, int to, int tag,
             MPI_Comm communicator) {
    sends += type == MPI_BYTE; /* those of the clocks are doubles */
    return PMPI_Send(from, count, type, to, tag, communicator);
}

/* Back by an hour: once, in the middle of what is measured, or again and again. */
double MPI_Wtime(void) {
    static int calls;
    calls++;
    double offset = 0;
    if (is_fault("jump-once")) {
        offset = sends > sends_before ? jump : 0;
    } else if (is_fault("jump-on")) {
        offset = jump * (calls / calls_between);
    }
    return PMPI_Wtime() - offset;
}
