/* The calls of own_time.c, own_alltoall.c, own_bcast.c and own_communicators.c from Fortran, whose
 * names have no macros: the linker turns calls of NAME_ into __wrap_NAME_ (its option --wrap).
 * Linked into programs by 'isocast cc'.
 */
#undef MPI_Init
#undef MPI_Init_thread
#undef MPI_Finalize
#undef MPI_Pcontrol
#undef MPI_Alltoall
#undef MPI_Bcast
#include <mpi.h>

#include "own_calls.h"

/* The simulator's own: what MPI_IN_PLACE is in Fortran. */
extern int mpi_in_place_;

void __real_mpi_init_(int *error);
void __real_mpi_init_thread_(int *required, int *provided, int *error);
void __real_mpi_finalize_(int *error);
void __wrap_mpi_init_(int *error);
void __wrap_mpi_init_thread_(int *required, int *provided, int *error);
void __wrap_mpi_finalize_(int *error);
void __wrap_mpi_pcontrol_(const int *level);
void __wrap_mpi_alltoall_(void *send, const int *send_count, const int *send_type, void *receive,
                          const int *receive_count, const int *receive_type,
                          const int *communicator, int *error);
void __wrap_mpi_bcast_(void *buffer, const int *count, const int *type, const int *root,
                       const int *communicator, int *error);

void __wrap_mpi_init_(int *error) {
    __real_mpi_init_(error);
    *error = isocast_time_begin(*error);
}

void __wrap_mpi_init_thread_(int *required, int *provided, int *error) {
    __real_mpi_init_thread_(required, provided, error);
    *error = isocast_time_begin(*error);
}

void __wrap_mpi_finalize_(int *error) {
    isocast_time_end();
    __real_mpi_finalize_(error);
}

void __wrap_mpi_pcontrol_(const int *level) {
    isocast_MPI_Pcontrol(*level);
}

void __wrap_mpi_alltoall_(void *send, const int *send_count, const int *send_type, void *receive,
                          const int *receive_count, const int *receive_type,
                          const int *communicator, int *error) {
    *error = isocast_MPI_Alltoall(send == &mpi_in_place_ ? MPI_IN_PLACE : send, *send_count,
                                  MPI_Type_f2c(*send_type), receive, *receive_count,
                                  MPI_Type_f2c(*receive_type), MPI_Comm_f2c(*communicator));
}

void __wrap_mpi_bcast_(void *buffer, const int *count, const int *type, const int *root,
                       const int *communicator, int *error) {
    *error =
        isocast_MPI_Bcast(buffer, *count, MPI_Type_f2c(*type), *root, MPI_Comm_f2c(*communicator));
}

/* NAME_ with those parameters, while the simulator does not time computing. */
#define UNTIMED(name, parameters, arguments)                                                       \
    void __real_##name parameters;                                                                 \
    void __wrap_##name parameters;                                                                 \
    void __wrap_##name parameters {                                                                \
        smpi_bench_end();                                                                          \
        __real_##name arguments;                                                                   \
        smpi_bench_begin();                                                                        \
    }
UNTIMED(mpi_cart_create_,
        (int *communicator, int *dimensions, int *sides, int *periodic, int *reorder, int *made,
         int *error),
        (communicator, dimensions, sides, periodic, reorder, made, error))
UNTIMED(mpi_cart_sub_, (int *communicator, int *kept, int *made, int *error),
        (communicator, kept, made, error))
UNTIMED(mpi_comm_create_, (int *communicator, int *group, int *made, int *error),
        (communicator, group, made, error))
UNTIMED(mpi_comm_dup_, (int *communicator, int *made, int *error), (communicator, made, error))
UNTIMED(mpi_comm_dup_with_info_, (int *communicator, int *info, int *made, int *error),
        (communicator, info, made, error))
