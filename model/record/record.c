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

static void free_sites(isocast_record_site *sites, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(sites[i].function);
        free(sites[i].file);
        free(sites[i].module);
        free(sites[i].path);
    }
    free(sites);
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
    free_sites(record->frames, record->frame_count);
    free_sites(record->sites, record->site_count);
    free(record->processes);
    free(record->communicators);
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
