/* Linked into programs by 'isocast cc': each process leaves its simulated time from MPI_Init to
 * MPI_Finalize and that of its regions, in s, for isocast measure. The simulator gives each process
 * variables of its own. */
#undef MPI_Init
#undef MPI_Init_thread
#undef MPI_Finalize
#undef MPI_Pcontrol
#define ISOCAST_OWN_PART
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "own_calls.h"
#include "own_carrier.h"

static double begin, region_begin, region;
static int in_region;

/* The simulator finds out which processes share a node at the first collective of a communicator,
 * by messages that take simulated time, and no other MPI does. So one is made before T begins. */
int isocast_time_begin(int result) {
    int one = 1;
    int sum = 0;
    own_layout_prepare();
    isocast_polls_prepare();
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    return result;
}

int isocast_MPI_Init(int *argc, char ***argv) {
    return isocast_time_begin(MPI_Init(argc, argv));
}

int isocast_MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    return isocast_time_begin(MPI_Init_thread(argc, argv, required, provided));
}

static void end_region(double now) {
    region += in_region ? now - region_begin : 0;
    in_region = 0;
}

int isocast_MPI_Pcontrol(const int level, ...) {
    double now = MPI_Wtime();
    end_region(now);
    in_region = level > 0;
    region_begin = now;
    return MPI_SUCCESS;
}

void isocast_time_end(void) {
    double now = MPI_Wtime();
    const char *path = getenv("ISOCAST_TIME_FILE");
    FILE *file = path != NULL ? fopen(path, "a") : NULL;
    end_region(now);
    if (file != NULL) {
        fprintf(file, "%.17g %.17g\n", now - begin, region);
        fclose(file);
    }
}

int isocast_MPI_Finalize(void) {
    isocast_time_end();
    return MPI_Finalize();
}
