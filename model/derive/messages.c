#include "messages.h"

#include <math.h>
#include <stdint.h>

double isocast_call_shares(const isocast_record *record, const isocast_record_call *call) {
    switch (call->operation) {
    case ISOCAST_RECORD_OPERATION_Neighbor_alltoallv:
    case ISOCAST_RECORD_OPERATION_Neighbor_alltoallw:
    case ISOCAST_RECORD_OPERATION_Ineighbor_alltoallv:
    case ISOCAST_RECORD_OPERATION_Ineighbor_alltoallw:
        return fmax(call->neighbours, 1);
    case ISOCAST_RECORD_OPERATION_Alltoallv:
    case ISOCAST_RECORD_OPERATION_Alltoallw:
    case ISOCAST_RECORD_OPERATION_Ialltoallv:
    case ISOCAST_RECORD_OPERATION_Ialltoallw:
        break;
    default:
        return 1;
    }
    const isocast_record_communicator *c =
        call->communicator != SIZE_MAX ? &record->communicators[call->communicator] : NULL;
    size_t others = c == NULL            ? record->process_count
                    : c->remote_size > 0 ? c->remote_size
                                         : c->size;
    return others > 0 ? (double)others : 1;
}

double isocast_call_size(const isocast_record_call *call) {
    bool exchange = isocast_record_operation_find(call->operation)->kind == ISOCAST_RECORD_EXCHANGE;
    return exchange && isfinite(call->received) ? fmax(call->bytes, call->received) : call->bytes;
}

double isocast_call_message(const isocast_record *record, const isocast_record_call *call) {
    return isocast_call_size(call) / isocast_call_shares(record, call);
}
