/* Persistent requests: each start of one stands for the message that was described when it was
 * made. */
#include <stdlib.h>

#include "call.h"
#include "state.h"

typedef struct persistent {
    MPI_Request request;
    isocast_record_operation start;
    MPI_Comm comm;
    record_part_key key;
} persistent;

static persistent *all; /* [count] */
static size_t count, capacity;

static size_t find(MPI_Request request) {
    size_t i = 0;
    while (i < count && all[i].request != request) {
        i++;
    }
    return i;
}

void record_persistent_add(record_call *call, int result, MPI_Request request,
                           isocast_record_operation start) {
    if (count == capacity) {
        size_t more = capacity == 0 ? 16 : 2 * capacity;
        persistent *grown = realloc(all, more * sizeof *grown);
        if (grown == NULL) {
            return;
        }
        all = grown;
        capacity = more;
    }
    if (result == MPI_SUCCESS) {
        all[count++] = (persistent){request, start, call->comm, call->key};
    }
    call->key.partner = -1;
    call->key.bytes = 0;
}

void record_persistent_remove(MPI_Request request) {
    record_lock();
    size_t at = find(request);
    if (at < count) {
        all[at] = all[--count];
    }
    record_unlock();
}

static void take_message(record_call *call, const persistent *request) {
    call->key.partner = request->key.partner;
    call->key.bytes = request->key.bytes;
    call->comm = request->comm;
}

/* Counts each message that was started as a call; the first has the time. */
static void leave_started(record_call *call, const MPI_Request *requests, int number) {
    size_t first = count;
    for (int i = 0; i < number; i++) {
        size_t at = find(requests[i]);
        if (at < count && first == count) {
            first = at;
        } else if (at < count) {
            record_call more = *call;
            more.begin = more.end;
            take_message(&more, &all[at]);
            record_count(&more, all[at].start);
        }
    }
    if (first == count) {
        record_outside();
        return;
    }
    take_message(call, &all[first]);
    record_leave(call, all[first].start);
}

static int start_all(const void *address, const void *stack, bool profiled, int number,
                     MPI_Request *requests, bool single) {
    record_call call;
    bool recorded = record_enter(&call, address, stack, profiled);
    int result = single ? record_real.Start(requests) : record_real.Startall(number, requests);
    if (recorded) {
        record_return(&call);
        leave_started(&call, requests, number);
    }
    return result;
}

int MPI_Start(MPI_Request *request) {
    return start_all(__builtin_return_address(0), __builtin_dwarf_cfa(), false, 1, request, true);
}

int PMPI_Start(MPI_Request *request) {
    return start_all(__builtin_return_address(0), __builtin_dwarf_cfa(), true, 1, request, true);
}

int MPI_Startall(int number, MPI_Request requests[]) {
    return start_all(__builtin_return_address(0), __builtin_dwarf_cfa(), false, number, requests,
                     false);
}

int PMPI_Startall(int number, MPI_Request requests[]) {
    return start_all(__builtin_return_address(0), __builtin_dwarf_cfa(), true, number, requests,
                     false);
}
