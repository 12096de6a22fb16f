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

/* Calls that ask for messages, where how often hangs on how long these take, and not on sizes and
 * p. Shares of the computing of a process, the largest in the records. */
typedef struct derive_asks {
    size_t site; /* the first one; SIZE_MAX: there is none */
    double late; /* by which messages may be found late */
    double idle; /* that may be asking alone */
} derive_asks;

typedef struct derive_flow derive_flow;

struct derive_flow {
    const isocast_derived *derived;
    derive_slot *slots; /* [slot_count] */
    size_t slot_count;
    size_t *first_slot;       /* [record_count] */
    size_t place_count;       /* a place is a site of what is derived, by its index */
    size_t **place_of;        /* [record_count][sites of the record]; SIZE_MAX: none */
    double *calls;            /* [place_count][slot_count] */
    derive_passage *passages; /* [passage_count] */
    size_t passage_count, passage_capacity;
    derive_asks asks;
    bool *follows; /* [place_count][place_count]: from, to */
    derive_items all;
};

/* *known: false where there are too many sites or processes, or where it is not known where the
 * program begins. What is made is to be freed in every case. Errors: NO_MEMORY. */
isocast_status isocast_derive_flow_find(const isocast_derived *derived, derive_flow *out,
                                        bool *known);
void isocast_derive_flow_free(derive_flow *flow);

double isocast_derive_flow_calls(const derive_flow *flow, size_t place, size_t slot);

/* Whether an item is the place, or has it somewhere inside. */
bool isocast_derive_item_has(const derive_item *item, size_t place);

#endif
