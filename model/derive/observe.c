#include "observe.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "model/base/array.h"
#include "places.h"
#include "ranks.h"

static bool is_among(const isocast_site_key *key, const isocast_site_key *keys, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (isocast_site_key_same(key, &keys[i])) {
            return true;
        }
    }
    return false;
}

isocast_status isocast_site_keys_add(const isocast_record *record, isocast_site_key **keys,
                                     size_t *count, size_t *capacity) {
    size_t all = record->site_count * ISOCAST_RECORD_OPERATION_COUNT;
    bool *seen = calloc(all > 0 ? all : 1, sizeof *seen);
    bool enough = seen != NULL;
    for (size_t i = 0; enough && i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        size_t at = call->site * ISOCAST_RECORD_OPERATION_COUNT + (size_t)call->operation;
        const isocast_site_key key = {.site = &record->sites[call->site],
                                      .operation = call->operation};
        if (seen[at] || is_among(&key, *keys, *count)) {
            seen[at] = true;
            continue;
        }
        seen[at] = true;
        enough = isocast_array_grow((void **)keys, *count, capacity, sizeof **keys);
        if (enough) {
            (*keys)[(*count)++] = key;
        }
    }
    free(seen);
    return enough ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

/* Of one process. */
typedef struct sums {
    double calls, bytes;
    double moved; /* B, to all that the calls sent to */
    double size;  /* of its messages so far */
    bool several;
} sums;

static void add_call(sums *s, const isocast_record_call *call, double shares) {
    double size = isocast_call_size(call) / shares;
    bool mixed = call->merged && call->bytes_least != call->bytes_most;
    s->several = s->several || mixed || (s->calls > 0 && size != s->size);
    s->size = size;
    double messages = call->calls * call->neighbours;
    s->calls += messages;
    s->bytes += messages * size;
    bool beside = isocast_record_is_to_neighbours(call->operation);
    s->moved += messages * (beside ? size : isocast_call_size(call));
}

static void note_communicator(const isocast_record_communicator *c, isocast_site_seen *seen) {
    double size = (double)(c->size + c->remote_size);
    if (size > seen->among) {
        seen->among = size;
        seen->dimensions = c->dimension_count;
    }
}

static bool makes_communicator(isocast_record_operation operation) {
    return isocast_record_operation_find(operation)->kind == ISOCAST_RECORD_CREATION;
}

enum { WHOLE = 1 << ISOCAST_PLACES_UNKNOWN /* beside the bits of sets of axes */ };

/* Which messages of each site of a record are asked for: bits of sets of axes, of ranks, or all.
 * meant: [site][operation]. */
static void note_meant(const isocast_record *record, const isocast_site_key *keys, size_t count,
                       unsigned *meant) {
    for (size_t s = 0; s < record->site_count; s++) {
        for (size_t k = 0; k < count; k++) {
            const isocast_site_key key = {.site = &record->sites[s],
                                          .operation = keys[k].operation};
            size_t at = s * ISOCAST_RECORD_OPERATION_COUNT + (size_t)keys[k].operation;
            if (isocast_site_key_same_place(&key, &keys[k])) {
                meant[at] |= keys[k].rank > 0  ? (unsigned)WHOLE << keys[k].rank
                             : keys[k].is_part ? 1U << keys[k].axes
                                               : (unsigned)WHOLE;
            }
        }
    }
}

/* Calls that make communicators are among the processes of these. meant: as above. */
static void note_made(const isocast_record *record, const unsigned *meant,
                      isocast_site_seen *seen) {
    for (size_t i = 0; i < record->communicator_count; i++) {
        const isocast_record_communicator *c = &record->communicators[i];
        size_t operation = isocast_record_operation_named(c->kind);
        if (c->site != SIZE_MAX && operation < ISOCAST_RECORD_OPERATION_COUNT &&
            makes_communicator((isocast_record_operation)operation) &&
            meant[c->site * ISOCAST_RECORD_OPERATION_COUNT + operation] != 0) {
            note_communicator(c, seen);
        }
    }
}

/* The places of processes, where a key asks for a part; NULL where none does. */
static isocast_status find_places(const isocast_record *record, const isocast_site_key *keys,
                                  size_t count, isocast_place_in_grid **out) {
    const isocast_site_key *part = NULL;
    for (size_t k = 0; k < count; k++) {
        part = keys[k].is_part ? &keys[k] : part;
    }
    if (part == NULL) {
        return ISOCAST_OK;
    }
    isocast_place_in_grid *places = calloc(record->process_count + 1, sizeof *places);
    bool unused;
    isocast_status status =
        places != NULL ? isocast_places_find(record, part, places, &unused) : ISOCAST_NO_MEMORY;
    if (status != ISOCAST_OK) {
        free(places);
        return status;
    }
    *out = places;
    return ISOCAST_OK;
}

isocast_status isocast_site_observe(const isocast_record *record, const isocast_site_key *keys,
                                    size_t count, isocast_site_seen *out) {
    sums *processes = calloc(record->process_count + 1, sizeof *processes);
    unsigned *meant =
        calloc(record->site_count * ISOCAST_RECORD_OPERATION_COUNT + 1, sizeof *meant);
    unsigned char *ranks = calloc(record->call_count + 1, sizeof *ranks);
    isocast_place_in_grid *places = NULL;
    isocast_status status = processes != NULL && meant != NULL && ranks != NULL
                                ? find_places(record, keys, count, &places)
                                : ISOCAST_NO_MEMORY;
    status = status == ISOCAST_OK ? isocast_ranks_find(record, keys, count, ranks) : status;
    if (status != ISOCAST_OK) {
        free(processes);
        free(meant);
        free(ranks);
        free(places);
        return status;
    }
    note_meant(record, keys, count, meant);
    isocast_site_seen seen = {0};
    note_made(record, meant, &seen);
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        size_t at = call->site * ISOCAST_RECORD_OPERATION_COUNT + (size_t)call->operation;
        unsigned axes = meant[at] != 0 && places != NULL ? isocast_call_axes(record, call, places)
                                                         : ISOCAST_PLACES_UNKNOWN;
        unsigned bits = WHOLE | (axes < ISOCAST_PLACES_UNKNOWN ? 1U << axes : 0) |
                        (ranks[i] > 0 ? (unsigned)WHOLE << ranks[i] : 0);
        if ((meant[at] & bits) == 0) {
            continue;
        }
        seen.time += call->time;
        if (!isocast_call_sends_nothing(call)) {
            double shares = isocast_call_shares(record, call);
            double most = call->merged ? call->bytes_most : isocast_call_size(call);
            add_call(&processes[call->process], call, shares);
            seen.largest = fmax(seen.largest, most / shares);
            if (call->communicator != SIZE_MAX && !makes_communicator(call->operation)) {
                note_communicator(&record->communicators[call->communicator], &seen);
            }
        }
    }
    for (size_t i = 0; i < record->process_count; i++) {
        seen.calls = fmax(seen.calls, processes[i].calls);
        seen.bytes = fmax(seen.bytes, processes[i].bytes);
        seen.several = seen.several || processes[i].several;
        seen.calls_mean += processes[i].calls / (double)record->process_count;
        seen.moved_mean += processes[i].moved / (double)record->process_count;
    }
    seen.time /= (double)record->process_count;
    free(processes);
    free(meant);
    free(ranks);
    free(places);
    *out = seen;
    return ISOCAST_OK;
}

isocast_status isocast_compute_observe(const isocast_record *record, isocast_compute_seen *out) {
    double *processes = calloc(record->process_count + 1, sizeof *processes);
    if (processes == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_compute_seen seen = {0};
    double busy = 0;
    for (size_t i = 0; i < record->compute_count; i++) {
        processes[record->computes[i].process] += record->computes[i].time;
    }
    for (size_t i = 0; i < record->process_count; i++) {
        seen.all += processes[i];
        seen.most = fmax(seen.most, processes[i]);
        seen.T += record->processes[i].T / (double)record->process_count;
        busy += record->processes[i].cpu / (double)record->process_count;
        double memory = record->processes[i].memory;
        seen.memory = memory > 0 && !isnan(seen.memory) ? fmax(seen.memory, memory) : NAN;
    }
    seen.alone = record->process_count == 1 || busy >= 0.8 * seen.T;
    free(processes);
    *out = seen;
    return ISOCAST_OK;
}
