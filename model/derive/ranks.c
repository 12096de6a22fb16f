#include "ranks.h"

#include <stdlib.h>
#include <string.h>

#include "messages.h"

/* Lengths of a process at a place, the longest first; one more than are told apart: too many. */
typedef struct lengths {
    double items[ISOCAST_RANKS_MOST + 1];
    size_t count;
} lengths;

static void note_length(lengths *l, double length) {
    size_t at = 0;
    while (at < l->count && l->items[at] > length) {
        at++;
    }
    bool is_new = at == l->count || l->items[at] != length;
    if (is_new && l->count <= ISOCAST_RANKS_MOST) {
        memmove(l->items + at + 1, l->items + at, (l->count - at) * sizeof *l->items);
        l->items[at] = length;
        l->count++;
    }
}

static unsigned char rank_of(const lengths *l, double length) {
    for (size_t i = 0; i < l->count && l->count <= ISOCAST_RANKS_MOST; i++) {
        if (l->items[i] == length) {
            return (unsigned char)(i + 1);
        }
    }
    return 0;
}

static bool is_at(const isocast_record *record, const isocast_record_call *call,
                  const isocast_site_key *key) {
    const isocast_site_key here = {.site = &record->sites[call->site],
                                   .operation = call->operation};
    return call->operation == key->operation && !isocast_call_sends_nothing(call) &&
           isocast_site_key_same_place(&here, key);
}

/* processes: [process_count]. False: a length is not known. */
static bool note_lengths(const isocast_record *record, const isocast_site_key *key,
                         lengths *processes) {
    bool known = true;
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (is_at(record, call, key)) {
            known = known && !call->merged;
            note_length(&processes[call->process], isocast_call_message(record, call));
        }
    }
    return known;
}

isocast_status isocast_ranks_find(const isocast_record *record, const isocast_site_key *keys,
                                  size_t count, unsigned char *ranks) {
    lengths *processes = calloc(record->process_count + 1, sizeof *processes);
    if (processes == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    memset(ranks, 0, record->call_count * sizeof *ranks);
    for (size_t k = 0; k < count; k++) {
        memset(processes, 0, record->process_count * sizeof *processes);
        bool known = keys[k].rank > 0 && note_lengths(record, &keys[k], processes);
        for (size_t i = 0; known && i < record->call_count; i++) {
            const isocast_record_call *call = &record->calls[i];
            if (is_at(record, call, &keys[k])) {
                ranks[i] = rank_of(&processes[call->process], isocast_call_message(record, call));
            }
        }
    }
    free(processes);
    return ISOCAST_OK;
}

/* Of one record; 0: none, or they are not told apart. */
static isocast_status count_lengths(const isocast_record *record, const isocast_site_key *key,
                                    bool *known, size_t *out) {
    lengths *processes = calloc(record->process_count + 1, sizeof *processes);
    if (processes == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    size_t most = 0;
    *known = *known && note_lengths(record, key, processes);
    for (size_t i = 0; i < record->process_count; i++) {
        most = processes[i].count > most ? processes[i].count : most;
    }
    free(processes);
    *out = most;
    return ISOCAST_OK;
}

isocast_status isocast_ranks_count(isocast_record *const *records, size_t record_count,
                                   const isocast_site_key *key, size_t *out) {
    size_t all = 0;
    bool same = true;
    isocast_status status = ISOCAST_OK;
    for (size_t r = 0; r < record_count && status == ISOCAST_OK; r++) {
        size_t here = 0;
        status = count_lengths(records[r], key, &same, &here);
        same = same && (here == 0 || all == 0 || here == all);
        all = here > 0 ? here : all;
    }
    if (status == ISOCAST_OK) {
        *out = same && all <= ISOCAST_RANKS_MOST ? all : 0;
    }
    return status;
}
