/* The order in which a program makes its calls: loops and what follows what, of the ways from one
 * call site to the next that all processes of all records went. Knows no laws, writes nothing. */
#ifndef ISOCAST_DERIVE_FLOW_H
#define ISOCAST_DERIVE_FLOW_H

#include "derived.h"

enum {
    DERIVE_PLACES_MOST = 400,   /* call sites of a program that an order is looked for */
    DERIVE_CALLS_MOST = 1 << 24 /* these times processes of all records */
};

typedef struct derive_item derive_item;

/* What follows each other. */
typedef struct derive_items {
    derive_item *items; /* [count] */
    size_t count, capacity;
} derive_items;

/* A call site, or a loop that begins with one. A slot is a process of a record. */
struct derive_item {
    size_t place;
    bool is_loop;
    double *times; /* [slot_count], how often it is come to */
    double *turns; /* [slot_count], of a loop, all together; else NULL */
    derive_items body;
};

/* A process of a record. */
typedef struct derive_slot {
    size_t record, process;
} derive_slot;

/* Ways of a process from one place to the next. Times in s, least: the shortest one. */
typedef struct derive_passage {
    size_t slot, from, to; /* from, to: places; SIZE_MAX: none */
    double times, time, squares, least;
} derive_passage;

/* Calls that ask for messages, where how often depends on how long these take, and not on sizes and
 * p. Shares of the computing of a process, the largest in the records. */
typedef struct derive_asks {
    size_t site; /* the first one; SIZE_MAX: there is none */
    double late; /* by which messages may be found late */
    double idle; /* that may be asking alone */
} derive_asks;

/* Computing on the way from one place to another one. Arrays are of slots, times in s. */
typedef struct derive_stretch {
    size_t from, to;
    double *times;   /* [slot_count] */
    double *passes;  /* [slot_count] */
    double *squares; /* [slot_count], s^2, of each by itself */
    double *least;   /* [slot_count], the shortest one */
    /* It takes much the same each time where processes have a processor each: its shortest time
     * speaks of all, as what else a machine does makes times longer, and none shorter. */
    bool is_even;
    double share;     /* of all computing, at the run with most of it */
    isocast_law time; /* of all processes, in sizes alone */
    bool outer;       /* of two loops with one begin it leads back to that of the outer one */
    bool parted;      /* that one has been distinguished from it, or it is that one */
    bool placed;
} derive_stretch;

typedef struct derive_flow derive_flow;

struct derive_flow {
    const isocast_derived *derived;
    isocast_pool *pool; /* of all that follows */
    derive_slot *slots; /* [slot_count] */
    size_t slot_count;
    size_t *first_slot;       /* [record_count] */
    size_t place_count;       /* a place is a site of what is derived, by its index */
    size_t **place_of;        /* [record_count][sites of the record]; SIZE_MAX: none */
    double *calls;            /* [place_count][slot_count] */
    derive_passage *passages; /* [passage_count] */
    size_t passage_count;
    double time;               /* of all passages, s */
    derive_stretch *stretches; /* [stretch_count] */
    size_t stretch_count;
    derive_asks asks;
    bool *follows; /* [place_count][place_count]: from, to */
    derive_items all;
};

/* Sets derived->flow. *known: false where there are too many sites or processes, or where it is not
 * known where the program begins. Errors: NO_MEMORY. */
isocast_status isocast_derive_flow_find(isocast_derived *derived, bool *known);

double isocast_derive_flow_calls(const derive_flow *flow, size_t place, size_t slot);

/* Whether an item is the place, or has it somewhere inside. */
bool isocast_derive_item_has(const derive_item *item, size_t place);

/* Of a stretch, or of so much computing: whether it counts beside that of all records. */
bool isocast_derive_flow_is_heavy(const derive_flow *flow, double time);

/* A new stretch, which is empty; NULL where memory is short. */
derive_stretch *isocast_derive_flow_add_stretch(derive_flow *flow, size_t from, size_t to);

/* Whether it is even in all records; alone: in those whose processes had a processor each, where
 * there are such. */
bool isocast_derive_stretch_is_even(const derive_flow *flow, const derive_stretch *stretch,
                                    bool alone);

/* What a slot computes there if it takes the shortest time each time. */
double isocast_derive_stretch_shortest(const derive_stretch *stretch, size_t slot);

#endif
