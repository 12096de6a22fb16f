#include "site_key.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

const char *isocast_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool is_same_module(const isocast_record_site *a, const isocast_record_site *b) {
    return strcmp(isocast_base_name(a->module), isocast_base_name(b->module)) == 0;
}

/* Whether both stand at one line of one file, which is known. */
static bool is_same_line(const isocast_record_site *a, const isocast_record_site *b) {
    return a->line > 0 && a->line == b->line && strcmp(a->file, b->file) == 0 &&
           strcmp(a->function, b->function) == 0;
}

int isocast_site_order(const isocast_record_site *a, const isocast_record_site *b) {
    int order = (a->line > b->line) - (a->line < b->line);
    if (order == 0 && a->line > 0) {
        /* A compiler may make several calls of one line. */
        order = strcmp(a->file, b->file);
        return order != 0 ? order : strcmp(a->function, b->function);
    }
    order = order != 0 ? order : strcmp(isocast_base_name(a->module), isocast_base_name(b->module));
    return order != 0 ? order : (a->offset > b->offset) - (a->offset < b->offset);
}

bool isocast_site_key_same(const isocast_site_key *a, const isocast_site_key *b) {
    return a->operation == b->operation && isocast_site_order(a->site, b->site) == 0 &&
           strcmp(a->site->path, b->site->path) == 0;
}

bool isocast_same_source(const isocast_record *a, const isocast_record *b) {
    const isocast_record *fewer = a->site_count <= b->site_count ? a : b;
    const isocast_record *more = fewer == a ? b : a;
    bool same = strcmp(isocast_base_name(a->program), isocast_base_name(b->program)) == 0;
    bool other_file = false;
    for (size_t i = 0; i < fewer->site_count && same; i++) {
        size_t k = 0;
        while (k < more->site_count && !is_same_line(&fewer->sites[i], &more->sites[k])) {
            k++;
        }
        same = k < more->site_count;
        other_file = other_file || (same && !is_same_module(&fewer->sites[i], &more->sites[k]));
    }
    return same && other_file;
}

bool isocast_site_key_has_call(const isocast_site_key *key, const isocast_record *record,
                               const isocast_record_call *call) {
    const isocast_site_key own = {.site = &record->sites[call->site], .operation = call->operation};
    return call->operation == key->operation && isocast_site_key_same(&own, key);
}

bool isocast_call_sends_nothing(const isocast_record_call *call) {
    bool exchange = isocast_record_operation_find(call->operation)->kind == ISOCAST_RECORD_EXCHANGE;
    return call->partner == ISOCAST_RECORD_PROC_NULL &&
           (!exchange || call->source == ISOCAST_RECORD_PROC_NULL);
}

/* Of how many messages a row has the size as one: a process's share for each of the communicator,
 * or for each neighbour, where these may differ. Their mean is what isocast's operation counts. */
static double shares_of(const isocast_record *record, const isocast_record_call *call) {
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
    return isocast_call_size(call) / shares_of(record, call);
}
