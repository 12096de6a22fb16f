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

int isocast_MPI_Cart_create(MPI_Comm communicator, int dimensions, const int *sides,
                            const int *periodic, int reorder, MPI_Comm *made) {
    smpi_bench_end();
    int result = MPI_Cart_create(communicator, dimensions, sides, periodic, reorder, made);
    smpi_bench_begin();
    return result;
}

int isocast_MPI_Cart_sub(MPI_Comm communicator, const int *kept, MPI_Comm *made) {
    smpi_bench_end();
    int result = MPI_Cart_sub(communicator, kept, made);
    smpi_bench_begin();
    return result;
}

int isocast_MPI_Comm_create(MPI_Comm communicator, MPI_Group group, MPI_Comm *made) {
    smpi_bench_end();
    int result = MPI_Comm_create(communicator, group, made);
    smpi_bench_begin();
    return result;
}

int isocast_MPI_Comm_dup(MPI_Comm communicator, MPI_Comm *made) {
    smpi_bench_end();
    int result = MPI_Comm_dup(communicator, made);
    smpi_bench_begin();
    return result;
}

int isocast_MPI_Comm_dup_with_info(MPI_Comm communicator, MPI_Info info, MPI_Comm *made) {
    smpi_bench_end();
    int result = MPI_Comm_dup_with_info(communicator, info, made);
    smpi_bench_begin();
    return result;
}
