/* One call of MPI on its way through the library: from the wrapper that the program reaches, to the
 * row that counts it. The wrappers are made from calls.txt; the facts are what they say of a call.
 */
#ifndef RECORD_CALL_H
#define RECORD_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "model/record/record_operation.h"
#include "path.h"
#include "quick.h"
#include "real.h"
#include "record/part/part.h"

typedef struct record_call {
    uint64_t begin, end; /* ticks; where it is not timed, 0 and what it counts as */
    bool timed;
    record_part_key key;     /* the row; its communicator is set when it is left */
    MPI_Comm comm;           /* MPI_COMM_NULL: none */
    const record_path *path; /* where it comes from */
    const void *address;     /* the return address, where C called; NULL: Fortran */
    record_quick *before;    /* the slot of the call before it */
    const record_like *like; /* calls of its place that are like it have its row; NULL: unknown */
} record_call;

/* A call that nothing is known of. */
static inline void record_call_begin(record_call *call) {
    *call = (record_call){.key = {.partner = -1, .source = -1, .received = RECORD_PART_NO_SIZE},
                          .comm = MPI_COMM_NULL};
}

/* A call begins that came from this return address, with the stack of its caller. False where it is
 * not to be recorded: nothing is recorded, or it came from the MPI library itself. profiled: it
 * came by the name PMPI_NAME, which only those of Fortran's functions do that are to be recorded.
 */
bool record_enter(record_call *call, const void *address, const void *stack, bool profiled);

/* MPI has come back. From here on no other thread counts, until record_leave() or
 * record_outside(). */
void record_return(record_call *call);

/* Counts the call in its row, and the computing before it. */
void record_leave(record_call *call, isocast_record_operation operation);

/* Counts a call in its row alone, for one that stands for several. NULL where it has no row. */
record_part_call *record_count(record_call *call, isocast_record_operation operation);

/* A call that was counted by its slot has the facts of `call`, which are not those of the slot's
 * row: it goes to the row that it belongs to. */
void record_correct(record_call *call, record_quick *quick, isocast_record_operation operation);

/* Leaves a call that has no row. */
void record_outside(void);

/* Where this MPI keeps the bytes that came. MPI_Get_count takes several times as long. */
static inline uint64_t record_received_size(const MPI_Status *status) {
    uint64_t high = (uint64_t)(uint32_t)status->count_hi_and_cancelled >> 1;
    return high << 32 | (uint32_t)status->count_lo;
}

/* Whether a message came from where the row of a slot says, and was as large. */
static inline bool record_brings_message(const record_quick *q, int result,
                                         const MPI_Status *status) {
    const record_part_key *row = &q->row->key;
    return result == MPI_SUCCESS && row->partner == status->MPI_SOURCE &&
           row->bytes == record_received_size(status);
}

/* Likewise for a message that came while another one was sent. */
static inline bool record_brings_source(const record_quick *q, int result,
                                        const MPI_Status *status) {
    const record_part_key *row = &q->row->key;
    return result == MPI_SUCCESS && row->source == status->MPI_SOURCE &&
           row->received == record_received_size(status);
}

/* What a row keeps of a call. Sizes are in B. */
void record_fact_comm(record_call *call, MPI_Comm comm);
void record_fact_rooted(record_call *call, MPI_Comm comm, int root); /* root, or a partner */
void record_fact_message(record_call *call, MPI_Comm comm, int partner, int count,
                         MPI_Datatype type);
/* What came, by the status, where the call went well. */
void record_fact_received(record_call *call, MPI_Comm comm, int source, int result,
                          const MPI_Status *status);
void record_fact_source(record_call *call, int source, int result, const MPI_Status *status);
void record_fact_size(record_call *call, int count, MPI_Datatype type);
/* A block that is given, or got where it is in place. */
void record_fact_block(record_call *call, const void *given, int count, MPI_Datatype type,
                       int received_count, MPI_Datatype received_type);
/* A block that is got; at the root of another group, given. */
void record_fact_scattered(record_call *call, int root, const void *received, int count,
                           MPI_Datatype type, int received_count, MPI_Datatype received_type);
/* The part of this process; where it is in place, its entry of `counts`. */
void record_fact_given(record_call *call, MPI_Comm comm, const void *given, int count,
                       MPI_Datatype type, const int *counts, MPI_Datatype counts_type);
/* All parts, which only the root knows. */
void record_fact_at_root(record_call *call, MPI_Comm comm, int root, const int *counts,
                         MPI_Datatype type);
void record_fact_target(record_call *call, int target, int count, MPI_Datatype type);

uint64_t record_sum(int number, const int *counts, MPI_Datatype type);
uint64_t record_sum_types(int number, const int *counts, const MPI_Datatype *types);
uint64_t record_own(MPI_Comm comm, const int *counts, MPI_Datatype type);
int record_size(MPI_Comm comm);  /* processes of this group */
int record_peers(MPI_Comm comm); /* processes that parts go to: those of the other group, if any */
/* Neighbours in the communicator's topology that something goes to, or comes from, without those
 * that are MPI_PROC_NULL at the end of a line: how many something goes to, and the data of all. */
uint64_t record_neighbours(MPI_Comm comm);
uint64_t record_sum_neighbours(MPI_Comm comm, bool out, const int *counts, MPI_Datatype type);
uint64_t record_sum_neighbour_types(MPI_Comm comm, bool out, const int *counts,
                                    const MPI_Datatype *types);

/* Communicators that were made, that will be made by the end of a request, and that are to be
 * freed. */
void record_made(const record_call *call, int result, MPI_Comm parent, MPI_Comm made,
                 isocast_record_operation operation);
void record_will_be_made(const record_call *call, int result, MPI_Comm parent, MPI_Comm made,
                         isocast_record_operation operation);
void record_forget(MPI_Comm comm);

/* Persistent requests: what a start of one is. The call that makes it has no message itself. */
void record_persistent_add(record_call *call, int result, MPI_Request request,
                           isocast_record_operation start);
void record_persistent_remove(MPI_Request request);

#endif
