#include "record.h"

#include <stdint.h>
#include <stdlib.h>

const char *const isocast_record_end_names[ISOCAST_RECORD_ENDS] = {
    [ISOCAST_RECORD_COMPLETE] = "complete",
    [ISOCAST_RECORD_ABORTED] = "aborted",
    [ISOCAST_RECORD_EXITED] = "exited",
    [ISOCAST_RECORD_KILLED] = "killed"};

static void free_provenance(isocast_record *record) {
    free(record->isocast);
    free(record->date);
    free(record->program);
    free(record->hash);
    for (size_t i = 0; i < record->argument_count; i++) {
        free(record->arguments[i]);
    }
    free(record->arguments);
    free(record->launcher);
}

void isocast_record_free(isocast_record *record) {
    if (record == NULL) {
        return;
    }
    free_provenance(record);
    for (size_t i = 0; record->processes != NULL && i < record->process_count; i++) {
        free(record->processes[i].node);
    }
    for (size_t i = 0; i < record->communicator_count; i++) {
        free(record->communicators[i].kind);
        free(record->communicators[i].members);
        free(record->communicators[i].dimensions);
        free(record->communicators[i].periodic);
    }
    for (size_t i = 0; i < record->site_count; i++) {
        free(record->sites[i].function);
        free(record->sites[i].file);
        free(record->sites[i].module);
    }
    free(record->processes);
    free(record->communicators);
    free(record->sites);
    free(record->calls);
    free(record->computes);
    isocast_source_free(record->source);
    free(record);
}

size_t isocast_record_rank(const isocast_record_communicator *communicator, size_t process) {
    for (size_t i = 0; i < communicator->size; i++) {
        if (communicator->members[i] == process) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* The shorter way round, upwards where both are as long. */
static long around(long step, size_t size) {
    long all = (long)size;
    long up = ((step % all) + all) % all;
    return 2 * up <= all ? up : up - all;
}

bool isocast_record_steps(const isocast_record *record, const isocast_record_call *call,
                          long *steps, size_t *dimension_count) {
    if (call->communicator == SIZE_MAX || call->partner < 0) {
        return false;
    }
    const isocast_record_communicator *c = &record->communicators[call->communicator];
    size_t own = isocast_record_rank(c, call->process);
    if (own == SIZE_MAX || c->remote_size > 0) {
        return false;
    }
    if (c->dimension_count == 0) {
        steps[0] = call->partner - (long)own;
        *dimension_count = 1;
        return true;
    }
    size_t from = own;
    size_t to = (size_t)call->partner;
    /* Rank counts through the last dimension first. */
    for (size_t i = c->dimension_count; i-- > 0;) {
        size_t size = c->dimensions[i];
        long step = (long)(to % size) - (long)(from % size);
        steps[i] = c->periodic[i] ? around(step, size) : step;
        from /= size;
        to /= size;
    }
    *dimension_count = c->dimension_count;
    return true;
}
