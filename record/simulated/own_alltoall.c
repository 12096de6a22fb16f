/* MPI_Alltoall as MPICH makes it where the simulator cannot. SimGrid 3.32 ends a program that sends
 * 32 KiB or more to each on an odd number of processes: its version of MPICH's choice takes an
 * algorithm there that is for powers of two alone. MPICH sends to the process that is one further
 * in each step. Linked into programs by 'isocast cc', and into the simulated probe. */
#undef MPI_Alltoall
#undef MPI_Bcast
#include <mpi.h>

#include "own_calls.h"

enum { SIMULATED_BELOW = 32768 /* B to each */ };

int isocast_MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                         int receive_count, MPI_Datatype receive_type, MPI_Comm communicator) {
    int processes;
    int rank;
    int bytes;
    int is_between;
    MPI_Aint low;
    MPI_Aint send_extent;
    MPI_Aint receive_extent;
    MPI_Comm_size(communicator, &processes);
    MPI_Comm_test_inter(communicator, &is_between);
    MPI_Type_size(receive_type, &bytes);
    if (is_between || send == MPI_IN_PLACE || processes % 2 == 0 ||
        (double)bytes * receive_count < SIMULATED_BELOW) {
        return MPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type,
                            communicator);
    }
    MPI_Comm_rank(communicator, &rank);
    MPI_Type_get_extent(send_type, &low, &send_extent);
    MPI_Type_get_extent(receive_type, &low, &receive_extent);
    int result = MPI_SUCCESS;
    for (int step = 0; step < processes && result == MPI_SUCCESS; step++) {
        int to = (rank + step) % processes;
        int from = (rank - step + processes) % processes;
        result =
            MPI_Sendrecv((const char *)send + send_extent * send_count * to, send_count, send_type,
                         to, 0, (char *)receive + receive_extent * receive_count * from,
                         receive_count, receive_type, from, 0, communicator, MPI_STATUS_IGNORE);
    }
    return result;
}
