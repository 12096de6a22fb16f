/* The order in which a process made its calls. A record has none, but how often each site follows
 * each other one: that is a walk from the first call to the last one, in which a loop is left after
 * even numbers of turns. */
#ifndef ISOCAST_DERIVE_WALK_H
#define ISOCAST_DERIVE_WALK_H

#include "model/base/status.h"
#include "model/record/record.h"

/* The ways from a site to the next one on a process. */
typedef struct isocast_walk_place {
    size_t first, count;
    double visits;
    double leaving; /* times that a way goes on from here */
} isocast_walk_place;

typedef struct isocast_walk_way {
    size_t compute; /* index in the record */
    double taken;
} isocast_walk_way;

typedef struct isocast_walk {
    const isocast_record *record;
    const bool *once;
    isocast_walk_place *places; /* [process][site] */
    isocast_walk_way *ways;     /* [compute_count] */
    size_t *sites;              /* [process_count], where each process is */
} isocast_walk;

/* Calls that are gone through at most. */
extern const double isocast_walk_calls_most;

/* At the first call of each process. once: [process][site], where a call that follows itself counts
 * once, however often; NULL: nowhere. *known: each has a first call, and there are not too many.
 * Errors: NO_MEMORY. */
isocast_status isocast_walk_create(const isocast_record *record, const bool *once,
                                   isocast_walk *out, bool *known);
void isocast_walk_free(isocast_walk *walk);

/* Takes a process to its next call. Returns the computing between both, an index in the record;
 * SIZE_MAX: there is no further call. */
size_t isocast_walk_step(isocast_walk *walk, size_t process);

/* Whether all ways were taken. */
bool isocast_walk_is_whole(const isocast_walk *walk);

#endif
