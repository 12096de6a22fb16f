/* Preloaded into the probe: a process that dies, or a clock that somebody sets, as ISOCAST_FAULT
 * says: "die", "jump-once" or "jump-on". */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int points_before = 10;
static const int sends_before = 60;
static const int calls_between = 200;
static const double jump = 3600; /* s */

static int is_fault(const char *name) {
    const char *fault = getenv("ISOCAST_FAULT");
    return fault != NULL && strcmp(fault, name) == 0;
}

/* The last process ends when some points are measured: the largest jump of the clocks is looked for
 * once at the end of each. How many calls a point takes depends on what else the machine does. */
int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation,
                  MPI_Comm communicator) {
    static int points;
    int rank;
    int processes;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &processes);
    points += operation == MPI_MAXLOC;
    if (is_fault("die") && rank == processes - 1 && points > points_before) {
        raise(SIGKILL);
    }
    return PMPI_Allreduce(from, to, count, type, operation, communicator);
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
