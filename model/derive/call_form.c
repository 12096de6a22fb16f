#include "call_form.h"

#include <string.h>

/* One message after the other, in rings and trees: what is known of them without a measurement. */
#define MESSAGE "T_send(m) + T_recv(m)"
#define EACH "(p - 1)*(T_send(m) + T_recv(m))"
#define TREE_OF_NONE "ceil(log2(p))*(T_send(0 B) + T_recv(0 B))"
#define TREE "ceil(log2(p))*(T_send(m) + T_recv(m))"

/* In a row: what one more adds, and what that is at most. */
#define NEXT(name) name "_next", name "(m)"
#define ALONE NULL, NULL

/* What a record calls it, and the form. The first is taken where nothing else fits. */
static const struct {
    const char *recorded;
    derive_call_form form;
} rows[] = {
    {"", {"T_sendrecv", MESSAGE, true, ALONE}},
    {"send", {"T_send", NULL, true, ALONE}},
    {"recv", {"T_recv", NULL, true, ALONE}},
    {"barrier", {"T_barrier", TREE_OF_NONE, false, ALONE}},
    {"bcast", {"T_bcast", TREE, true, NEXT("T_bcast")}},
    {"gather", {"T_mpi_gather", EACH, true, NEXT("T_mpi_gather")}},
    {"gatherv", {"T_mpi_gatherv", EACH, true, NEXT("T_mpi_gatherv")}},
    {"scatter", {"T_mpi_scatter", EACH, true, NEXT("T_mpi_scatter")}},
    {"scatterv", {"T_mpi_scatterv", EACH, true, NEXT("T_mpi_scatterv")}},
    {"allgather", {"T_allgather", EACH, true, ALONE}},
    {"allgatherv", {"T_allgatherv", EACH, true, ALONE}},
    {"alltoall", {"T_alltoall", EACH, true, ALONE}},
    {"alltoallv", {"T_alltoallv", EACH, true, ALONE}},
    {"alltoallw", {"T_alltoallw", EACH, true, ALONE}},
    {"reduce", {"T_reduce", TREE, true, NEXT("T_reduce")}},
    {"allreduce", {"T_allreduce", TREE, true, ALONE}},
    {"reduce_scatter", {"T_reduce_scatter", EACH, true, ALONE}},
    {"reduce_scatter_block", {"T_reduce_scatter_block", EACH, true, ALONE}},
    {"scan", {"T_scan", TREE, true, ALONE}},
    {"exscan", {"T_exscan", TREE, true, ALONE}},
    {"win_fence", {"T_win_fence", TREE_OF_NONE, false, ALONE}},
    {"ibarrier", {"T_ibarrier", TREE_OF_NONE, false, ALONE}},
    {"iallreduce", {"T_iallreduce", TREE, true, ALONE}},
    {"iallgather", {"T_iallgather", EACH, true, ALONE}},
    {"ialltoall", {"T_ialltoall", EACH, true, ALONE}},
    {"comm_dup", {"T_comm_dup", TREE_OF_NONE, false, ALONE}},
    {"comm_split", {"T_comm_split", TREE_OF_NONE, false, ALONE}},
};
enum { ROWS = sizeof rows / sizeof *rows };

const derive_call_form *isocast_derive_call_form_find(isocast_record_operation operation) {
    const char *recorded = isocast_record_operation_find(operation)->operation;
    for (size_t i = 1; recorded != NULL && i < ROWS; i++) {
        if (strcmp(rows[i].recorded, recorded) == 0) {
            return &rows[i].form;
        }
    }
    return &rows[0].form;
}

const derive_call_form *isocast_derive_call_form_named(const char *name) {
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].form.name, name) == 0) {
            return &rows[i].form;
        }
    }
    return NULL;
}

const derive_call_form *isocast_derive_call_form_of_turns(void) {
    static const derive_call_form form = {"T_alltoall_turns", EACH, true, ALONE};
    return &form;
}
