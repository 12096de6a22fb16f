#include "site_key.h"

#include <string.h>

const char *isocast_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool isocast_site_key_same_place(const isocast_site_key *a, const isocast_site_key *b) {
    if (a->operation != b->operation || a->site->line != b->site->line ||
        strcmp(isocast_base_name(a->site->module), isocast_base_name(b->site->module)) != 0) {
        return false;
    }
    /* A compiler may make several calls of one line. */
    return a->site->line > 0 ? strcmp(a->site->file, b->site->file) == 0 &&
                                   strcmp(a->site->function, b->site->function) == 0
                             : a->site->offset == b->site->offset;
}

bool isocast_site_key_same(const isocast_site_key *a, const isocast_site_key *b) {
    return a->is_part == b->is_part && (!a->is_part || a->axes == b->axes) && a->rank == b->rank &&
           isocast_site_key_same_place(a, b);
}

bool isocast_call_sends_nothing(const isocast_record_call *call) {
    bool exchange = isocast_record_operation_find(call->operation)->kind == ISOCAST_RECORD_EXCHANGE;
    return call->partner == ISOCAST_RECORD_PROC_NULL &&
           (!exchange || call->source == ISOCAST_RECORD_PROC_NULL);
}
