#include "call_form.h"

#include <string.h>

/* One message after the other, in rings and trees: what is known of them without a measurement. */
#define MESSAGE "T_send(m) + T_recv(m)"
#define EACH "(p - 1)*(T_send(m) + T_recv(m))"
#define TREE_OF_NONE "ceil(log2(p))*(T_send(0 B) + T_recv(0 B))"
#define TREE "ceil(log2(p))*(T_send(m) + T_recv(m))"

/* What a record calls it, and the form. The first is taken where nothing else fits. */
static const struct {
    const char *recorded;
    derive_call_form form;
} rows[] = {
    {"", {"T_sendrecv", MESSAGE, true}},
    {"send", {"T_send", NULL, true}},
    {"recv", {"T_recv", NULL, true}},
    {"barrier", {"T_barrier", TREE_OF_NONE, false}},
    {"bcast", {"T_bcast", TREE, true}},
    {"gather", {"T_gather", EACH, true}},
    {"gatherv", {"T_gatherv", EACH, true}},
    {"scatter", {"T_scatter", EACH, true}},
    {"scatterv", {"T_scatterv", EACH, true}},
    {"allgather", {"T_allgather", EACH, true}},
    {"allgatherv", {"T_allgatherv", EACH, true}},
    {"alltoall", {"T_alltoall", EACH, true}},
    {"alltoallv", {"T_alltoallv", EACH, true}},
    {"alltoallw", {"T_alltoallw", EACH, true}},
    {"reduce", {"T_reduce", TREE, true}},
    {"allreduce", {"T_allreduce", TREE, true}},
    {"reduce_scatter", {"T_reduce_scatter", EACH, true}},
    {"reduce_scatter_block", {"T_reduce_scatter_block", EACH, true}},
    {"scan", {"T_scan", TREE, true}},
    {"exscan", {"T_exscan", TREE, true}},
    {"win_fence", {"T_win_fence", TREE_OF_NONE, false}},
    {"ibarrier", {"T_ibarrier", TREE_OF_NONE, false}},
    {"iallreduce", {"T_iallreduce", TREE, true}},
    {"iallgather", {"T_iallgather", EACH, true}},
    {"ialltoall", {"T_ialltoall", EACH, true}},
    {"comm_dup", {"T_comm_dup", TREE_OF_NONE, false}},
    {"comm_split", {"T_comm_split", TREE_OF_NONE, false}},
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
