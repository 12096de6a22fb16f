/* The messages of a collective operation without its data: what each process begins to send and to
 * receive, in its order. */
#ifndef ISOCAST_COLLECTIVE_LISTING_H
#define ISOCAST_COLLECTIVE_LISTING_H

#include "choice.h"

typedef struct collective_event {
    bool sends;
    int partner; /* rank */
    size_t bytes;
} collective_event;

typedef struct collective_listing {
    collective_event *events;
    size_t count, capacity;
    bool failed; /* no memory was left: there are fewer events than there should be */
} collective_listing;

/* What the process of `part` does, behind what the listing has. Its carrier is of no account. */
void collective_list(const collective_part *part, collective_operation operation,
                     collective_listing *out);
void collective_listing_free(collective_listing *listing);

#endif
