#include "listing.h"

#include <stdlib.h>

typedef struct lister {
    isocast_collective_listing *out;
    size_t unit;
    int started;
} lister;

static int start(void *self, bool sends, int process, isocast_collective_block block) {
    lister *l = self;
    isocast_collective_listing *out = l->out;
    if (out->count == out->capacity) {
        size_t capacity = 2 * out->capacity + 64;
        isocast_collective_event *events = realloc(out->events, capacity * sizeof *events);
        if (events == NULL) {
            out->failed = true;
            return l->started++;
        }
        out->events = events;
        out->capacity = capacity;
    }
    size_t unit = block.buffer == COLLECTIVE_NOTICE ? 1 : l->unit;
    out->events[out->count++] = (isocast_collective_event){sends, process, block.count * unit};
    return l->started++;
}

static void ignore_wait(void *self, int started) {
    (void)self;
    (void)started;
}

void isocast_collective_list(const isocast_collective_part *part,
                             isocast_collective_operation operation,
                             isocast_collective_listing *out) {
    static const isocast_collective_carrier carrier = {.start = start, .wait = ignore_wait};
    lister self = {out, part->unit, 0};
    isocast_collective_part p = *part;
    p.carrier = &carrier;
    p.self = &self;
    isocast_collective_do(&p, operation);
}

void isocast_collective_listing_free(isocast_collective_listing *listing) {
    free(listing->events);
    *listing = (isocast_collective_listing){0};
}
