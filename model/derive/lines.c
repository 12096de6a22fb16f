#include "lines.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* On fewer processes all partners are neighbours on a ring. */
enum { PROCESSES_LEAST = 4 };

/* What is known of the partners at a site. */
typedef struct partners {
    double nearest; /* in ranks of MPI_COMM_WORLD; 0: no partner is known */
    bool apart;     /* some are at another distance than the nearest */
} partners;

/* How far a partner is away; 0 where that is not known. */
static double distance_to(const isocast_record *record, const isocast_record_call *call,
                          long partner) {
    if (call->communicator == SIZE_MAX || partner < 0) {
        return 0;
    }
    const isocast_record_communicator *c = &record->communicators[call->communicator];
    return c->remote_size == 0 ? fabs((double)c->members[partner] - (double)call->process) : 0;
}

/* The ends of a ring whose neighbours are so far from each other. */
static double ring_of(const isocast_record *record, const isocast_record_call *call,
                      double nearest) {
    size_t size =
        call->communicator != SIZE_MAX ? record->communicators[call->communicator].size : 1;
    return nearest * ((double)size - 1);
}

/* Neighbours in a topology are on a line where it has one dimension; graphs do not tell. */
static void note_topology(const isocast_record *record, const isocast_record_call *call,
                          partners *p) {
    size_t dimensions = call->communicator != SIZE_MAX
                            ? record->communicators[call->communicator].dimension_count
                            : 0;
    p->nearest = dimensions > 0 ? 1 : p->nearest;
    p->apart = p->apart || dimensions > 1;
}

/* Nearest partners first, then whether all are as near. places: [site * operations], where the
 * partners of a call go. */
static void look_at(const isocast_record *record, partners *const *places, bool measure) {
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        size_t at = call->site * ISOCAST_RECORD_OPERATION_COUNT + (size_t)call->operation;
        partners *p = places[at];
        const long ends[] = {call->partner, call->source};
        if (p != NULL && !isocast_record_is_between_two(call->operation)) {
            note_topology(record, call, p);
            continue;
        }
        for (size_t k = 0; p != NULL && k < 2; k++) {
            double distance = distance_to(record, call, ends[k]);
            if (distance > 0 && measure) {
                p->nearest = p->nearest > 0 ? fmin(p->nearest, distance) : distance;
            } else if (distance > 0) {
                p->apart = p->apart || (distance != p->nearest &&
                                        distance != ring_of(record, call, p->nearest));
            }
        }
        if (p != NULL && call->merged) {
            p->apart = true; /* it had too many partners to be told apart */
        }
    }
}

/* found: [site_count], of one record. */
static isocast_status look_at_record(const isocast_derived *d, const isocast_record *record,
                                     partners *found) {
    size_t all = record->site_count * ISOCAST_RECORD_OPERATION_COUNT;
    partners **places = calloc(all + 1, sizeof *places);
    if (places == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t s = 0; s < d->site_count; s++) {
        found[s] = (partners){0};
        isocast_record_operation operation = d->sites[s].key.operation;
        bool looked_at =
            isocast_record_is_between_two(operation) || isocast_record_is_to_neighbours(operation);
        for (size_t k = 0; looked_at && k < record->site_count; k++) {
            const isocast_site_key key = {.site = &record->sites[k], .operation = operation};
            if (isocast_site_key_same(&key, &d->sites[s].key)) {
                places[k * ISOCAST_RECORD_OPERATION_COUNT + (size_t)operation] = &found[s];
            }
        }
    }
    look_at(record, places, true);
    look_at(record, places, false);
    free(places);
    return ISOCAST_OK;
}

isocast_status isocast_derive_lines_find(isocast_derived *derived) {
    partners *found = calloc(derived->site_count + 1, sizeof *found);
    bool *told = calloc(derived->site_count + 1, sizeof *told);
    isocast_status status = found != NULL && told != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    bool any = false;
    bool all = true;
    bool next = true; /* all partners are neighbours by their ranks, also around the ends */
    for (size_t r = 0; r < derived->record_count && status == ISOCAST_OK; r++) {
        const isocast_record *record = derived->records[r];
        if (record->process_count < PROCESSES_LEAST) {
            continue;
        }
        status = look_at_record(derived, record, found);
        for (size_t s = 0; s < derived->site_count && status == ISOCAST_OK; s++) {
            bool here = found[s].nearest > 0 || found[s].apart;
            derived->sites[s].line = (derived->sites[s].line || !told[s]) && here
                                         ? !found[s].apart
                                         : derived->sites[s].line;
            told[s] = told[s] || here;
            any = any || here;
            all = all && !found[s].apart;
            next = next && found[s].nearest <= 1 && !found[s].apart;
        }
    }
    for (size_t s = 0; s < derived->site_count && status == ISOCAST_OK; s++) {
        isocast_derived_site *site = &derived->sites[s];
        site->line =
            told[s] ? site->line : any && all && isocast_record_is_between_two(site->key.operation);
    }
    derived->on_line = any && next;
    free(found);
    free(told);
    return status;
}
