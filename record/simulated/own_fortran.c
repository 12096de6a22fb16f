/* The calls of own_time.c, own_collectives.c and own_communicators.c from Fortran, whose names have
 * no macros: the linker turns calls of NAME_ into __wrap_NAME_ (its option --wrap).
 * Linked into programs by 'isocast cc'.
 */
#undef MPI_Init
#undef MPI_Init_thread
#undef MPI_Finalize
#undef MPI_Pcontrol
#define ISOCAST_OWN_PART
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

static void *place(void *buffer) {
    return buffer == &mpi_in_place_ ? MPI_IN_PLACE : buffer;
}

/* NAME_ with those parameters, as the function of the same name in C. */
#define COLLECTIVE(name, parameters, call)                                                         \
    void __wrap_##name parameters;                                                                 \
    void __wrap_##name parameters {                                                                \
        *error = call;                                                                             \
    }
#define TYPE(type) MPI_Type_f2c(*(type))
#define COMM MPI_Comm_f2c(*communicator)
COLLECTIVE(mpi_bcast_,
           (void *buffer, const int *count, const int *type, const int *root,
            const int *communicator, int *error),
           isocast_MPI_Bcast(buffer, *count, TYPE(type), *root, COMM))
COLLECTIVE(mpi_barrier_, (const int *communicator, int *error), isocast_MPI_Barrier(COMM))
COLLECTIVE(mpi_reduce_,
           (void *send, void *receive, const int *count, const int *type, const int *op,
            const int *root, const int *communicator, int *error),
           isocast_MPI_Reduce(place(send), receive, *count, TYPE(type), MPI_Op_f2c(*op), *root,
                              COMM))
COLLECTIVE(mpi_allreduce_,
           (void *send, void *receive, const int *count, const int *type, const int *op,
            const int *communicator, int *error),
           isocast_MPI_Allreduce(place(send), receive, *count, TYPE(type), MPI_Op_f2c(*op), COMM))
COLLECTIVE(mpi_scan_,
           (void *send, void *receive, const int *count, const int *type, const int *op,
            const int *communicator, int *error),
           isocast_MPI_Scan(place(send), receive, *count, TYPE(type), MPI_Op_f2c(*op), COMM))
COLLECTIVE(mpi_reduce_scatter_,
           (void *send, void *receive, const int *counts, const int *type, const int *op,
            const int *communicator, int *error),
           isocast_MPI_Reduce_scatter(place(send), receive, counts, TYPE(type), MPI_Op_f2c(*op),
                                      COMM))
COLLECTIVE(mpi_reduce_scatter_block_,
           (void *send, void *receive, const int *count, const int *type, const int *op,
            const int *communicator, int *error),
           isocast_MPI_Reduce_scatter_block(place(send), receive, *count, TYPE(type),
                                            MPI_Op_f2c(*op), COMM))
COLLECTIVE(mpi_gather_,
           (void *send, const int *send_count, const int *send_type, void *receive,
            const int *count, const int *type, const int *root, const int *communicator,
            int *error),
           isocast_MPI_Gather(place(send), *send_count, TYPE(send_type), receive, *count,
                              TYPE(type), *root, COMM))
COLLECTIVE(mpi_gatherv_,
           (void *send, const int *send_count, const int *send_type, void *receive,
            const int *counts, const int *places, const int *type, const int *root,
            const int *communicator, int *error),
           isocast_MPI_Gatherv(place(send), *send_count, TYPE(send_type), receive, counts, places,
                               TYPE(type), *root, COMM))
COLLECTIVE(mpi_scatter_,
           (void *send, const int *send_count, const int *send_type, void *receive,
            const int *count, const int *type, const int *root, const int *communicator,
            int *error),
           isocast_MPI_Scatter(send, *send_count, TYPE(send_type), place(receive), *count,
                               TYPE(type), *root, COMM))
COLLECTIVE(mpi_scatterv_,
           (void *send, const int *counts, const int *places, const int *send_type, void *receive,
            const int *count, const int *type, const int *root, const int *communicator,
            int *error),
           isocast_MPI_Scatterv(send, counts, places, TYPE(send_type), place(receive), *count,
                                TYPE(type), *root, COMM))
COLLECTIVE(mpi_allgather_,
           (void *send, const int *send_count, const int *send_type, void *receive,
            const int *count, const int *type, const int *communicator, int *error),
           isocast_MPI_Allgather(place(send), *send_count, TYPE(send_type), receive, *count,
                                 TYPE(type), COMM))
COLLECTIVE(mpi_allgatherv_,
           (void *send, const int *send_count, const int *send_type, void *receive,
            const int *counts, const int *places, const int *type, const int *communicator,
            int *error),
           isocast_MPI_Allgatherv(place(send), *send_count, TYPE(send_type), receive, counts,
                                  places, TYPE(type), COMM))
COLLECTIVE(mpi_alltoall_,
           (void *send, const int *send_count, const int *send_type, void *receive,
            const int *count, const int *type, const int *communicator, int *error),
           isocast_MPI_Alltoall(place(send), *send_count, TYPE(send_type), receive, *count,
                                TYPE(type), COMM))
COLLECTIVE(mpi_alltoallv_,
           (void *send, const int *send_counts, const int *send_places, const int *send_type,
            void *receive, const int *counts, const int *places, const int *type,
            const int *communicator, int *error),
           isocast_MPI_Alltoallv(place(send), send_counts, send_places, TYPE(send_type), receive,
                                 counts, places, TYPE(type), COMM))

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
