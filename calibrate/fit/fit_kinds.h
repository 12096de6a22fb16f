/* What an operation is made of, by its name, and which terms its time may have. */
#ifndef FIT_KINDS_H
#define FIT_KINDS_H

#include <stdbool.h>

#include "fit_law.h"

typedef enum fit_kind {
    FIT_KIND_SINGLE,   /* messages between two: the others only look on */
    FIT_KIND_WORK,     /* of each process, without messages */
    FIT_KIND_TREE,     /* a broadcast, by algorithms of libraries: down a tree */
    FIT_KIND_RING,     /* scattered, and gathered round a ring */
    FIT_KIND_DOUBLING, /* scattered, and gathered in steps in which blocks double */
    FIT_KIND_RELAY,    /* over the first processes of nodes */
    FIT_KIND_OTHER
} fit_kind;

fit_kind fit_kind_of(const char *name);

/* What the points of one fit can say. */
typedef struct fit_facts {
    fit_kind kind;
    bool learnt;    /* three counts of processes or more: something of the growth with p */
    bool messages;  /* times of single messages are known */
    bool shared;    /* several processes on a node, and several nodes */
    bool varied;    /* as many processes placed in several ways, all nodes alike */
    bool irregular; /* a node has more processes than others */
} fit_facts;

/* The law that an operation follows. */
const fit_law *fit_facts_law(const fit_facts *facts);

/* Which terms of this law the points can distinguish, and the algorithm of an operation has; bit t:
 * term t. */
unsigned fit_allowed_terms(const fit_facts *facts);

#endif
