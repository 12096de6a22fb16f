/* The messages of a collective operation without its data: what each process begins to send and to
 * receive, in its order. */
#ifndef ISOCAST_COLLECTIVE_LISTING_H
#define ISOCAST_COLLECTIVE_LISTING_H

#include "model/collective/choice.h"

typedef struct isocast_collective_event {
    bool sends;
    int partner; /* rank */
    size_t bytes;
} isocast_collective_event;

typedef struct isocast_collective_listing {
    isocast_collective_event *events;
    size_t count, capacity;
    bool failed; /* no memory was left: there are fewer events than there should be */
} isocast_collective_listing;

/* What the process of `part` does, behind what the listing has. Its carrier is of no account. */
void isocast_collective_list(const isocast_collective_part *part,
                             isocast_collective_operation operation,
                             isocast_collective_listing *out);
void isocast_collective_listing_free(isocast_collective_listing *listing);

#endif
