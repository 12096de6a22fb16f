#include "call_form.h"

#include <string.h>

#include "model/schedule/step_kind.h"

bool isocast_derive_is_message(isocast_record_operation operation) {
    isocast_record_class kind = isocast_record_operation_find(operation)->kind;
    return kind == ISOCAST_RECORD_SEND || kind == ISOCAST_RECORD_RECEIVE ||
           kind == ISOCAST_RECORD_EXCHANGE || kind == ISOCAST_RECORD_ONE_SIDED ||
           kind == ISOCAST_RECORD_NEIGHBOUR;
}

bool isocast_derive_is_wait(isocast_record_operation operation) {
    return operation == ISOCAST_RECORD_OPERATION_Wait ||
           operation == ISOCAST_RECORD_OPERATION_Waitall ||
           operation == ISOCAST_RECORD_OPERATION_Waitany ||
           operation == ISOCAST_RECORD_OPERATION_Waitsome;
}

bool isocast_derive_starts(isocast_record_operation operation) {
    switch (operation) {
    case ISOCAST_RECORD_OPERATION_Isend:
    case ISOCAST_RECORD_OPERATION_Ibsend:
    case ISOCAST_RECORD_OPERATION_Issend:
    case ISOCAST_RECORD_OPERATION_Irsend:
    case ISOCAST_RECORD_OPERATION_Start_send:
    case ISOCAST_RECORD_OPERATION_Start_bsend:
    case ISOCAST_RECORD_OPERATION_Start_ssend:
    case ISOCAST_RECORD_OPERATION_Start_rsend:
    case ISOCAST_RECORD_OPERATION_Irecv:
    case ISOCAST_RECORD_OPERATION_Imrecv:
    case ISOCAST_RECORD_OPERATION_Start_recv:
        return true;
    default:
        return operation >= ISOCAST_RECORD_OPERATION_Ibarrier &&
               operation <= ISOCAST_RECORD_OPERATION_Iexscan;
    }
}

const char *isocast_derive_word_of(isocast_record_operation operation) {
    const char *name = isocast_record_operation_find(operation)->operation;
    switch (operation) {
    case ISOCAST_RECORD_OPERATION_Cart_sub: /* all of a line know who it has: nobody has to ask */
        return "comm_dup";
    case ISOCAST_RECORD_OPERATION_Win_create:
    case ISOCAST_RECORD_OPERATION_Win_allocate:
        return "allgather";
    case ISOCAST_RECORD_OPERATION_Win_free:
        return "barrier";
    case ISOCAST_RECORD_OPERATION_Alltoallw:
    case ISOCAST_RECORD_OPERATION_Ialltoallw:
        return "alltoallv";
    case ISOCAST_RECORD_OPERATION_Reduce_scatter:
    case ISOCAST_RECORD_OPERATION_Ireduce_scatter:
        return "reduce_scatter_block";
    case ISOCAST_RECORD_OPERATION_Win_fence:
        return name;
    default: /* some that are waited for later have an i before the name */
        return !isocast_record_is_of_all(operation) ? NULL
               : isocast_derive_starts(operation)   ? name + strspn(name, "i")
                                                    : name;
    }
}

bool isocast_derive_has_step(isocast_record_operation operation) {
    return isocast_derive_is_message(operation) || isocast_derive_is_wait(operation) ||
           isocast_derive_word_of(operation) != NULL;
}

const char *isocast_derive_operation_of(isocast_record_operation operation, bool *has_size) {
    const char *word = isocast_derive_word_of(operation);
    const isocast_step_kind *step = word != NULL ? isocast_step_kind_find(word) : NULL;
    isocast_record_class kind = isocast_record_operation_find(operation)->kind;
    *has_size = step == NULL || (step->needed & 1U << ISOCAST_FORMULA_BYTES) != 0;
    return step != NULL                     ? step->operation
           : kind == ISOCAST_RECORD_SEND    ? "T_send"
           : kind == ISOCAST_RECORD_RECEIVE ? "T_recv"
                                            : "T_sendrecv";
}
