#include "observe.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "model/base/array.h"

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
    double calls;
    double size; /* of its messages so far */
    bool several;
} sums;

static void add_call(const isocast_record *record, const isocast_record_call *call, sums *own,
                     isocast_site_seen *seen) {
    double p = (double)record->process_count;
    double size = isocast_call_message(record, call);
    double messages = call->calls * call->neighbours;
    bool mixed = call->merged && call->bytes_least != call->bytes_most;
    own->several = own->several || mixed || (own->calls > 0 && size != own->size);
    own->size = size;
    own->calls += messages;
    bool beside = isocast_record_is_to_neighbours(call->operation);
    seen->calls_mean += messages / p;
    seen->moved_mean += messages * (beside ? size : isocast_call_size(call)) / p;
    seen->largest = fmax(seen->largest, call->merged ? call->bytes_most : size);
}

isocast_status isocast_site_observe(const isocast_record *record, const isocast_site_key *key,
                                    isocast_site_seen *out) {
    sums *processes = calloc(record->process_count + 1, sizeof *processes);
    if (processes == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_site_seen seen = {0};
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (!isocast_site_key_has_call(key, record, call)) {
            continue;
        }
        seen.time += call->time / (double)record->process_count;
        if (!isocast_call_sends_nothing(call)) {
            add_call(record, call, &processes[call->process], &seen);
        }
    }
    for (size_t i = 0; i < record->process_count; i++) {
        seen.calls = fmax(seen.calls, processes[i].calls);
        seen.several = seen.several || processes[i].several;
    }
    free(processes);
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
