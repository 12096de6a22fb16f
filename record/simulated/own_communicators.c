/* Calls that make communicators, as the simulator means them. SimGrid 3.32 goes on timing what a
 * process computes while it is in five of them: then the processor time that the simulator takes
 * for all processes there, some milliseconds, counts as computing of each. Linked into programs by
 * 'isocast cc'. */
#undef MPI_Cart_create
#undef MPI_Cart_sub
#undef MPI_Comm_create
#undef MPI_Comm_dup
#undef MPI_Comm_dup_with_info
#include <mpi.h>

#include "own_calls.h"

/* A call that the simulator does not time as computing. parameters and arguments: in brackets. */
#define UNTIMED(call, parameters, arguments)                                                       \
    int isocast_##call parameters {                                                                \
        smpi_bench_end();                                                                          \
        int result = call arguments;                                                               \
        smpi_bench_begin();                                                                        \
        return result;                                                                             \
    }

UNTIMED(MPI_Cart_create,
        (MPI_Comm communicator, int dimensions, const int *sides, const int *periodic, int reorder,
         MPI_Comm *made),
        (communicator, dimensions, sides, periodic, reorder, made))
UNTIMED(MPI_Cart_sub, (MPI_Comm communicator, const int *kept, MPI_Comm *made),
        (communicator, kept, made))
UNTIMED(MPI_Comm_create, (MPI_Comm communicator, MPI_Group group, MPI_Comm *made),
        (communicator, group, made))
UNTIMED(MPI_Comm_dup, (MPI_Comm communicator, MPI_Comm *made), (communicator, made))
UNTIMED(MPI_Comm_dup_with_info, (MPI_Comm communicator, MPI_Info info, MPI_Comm *made),
        (communicator, info, made))
