/* Messages that share the links of a switch, or the memory of a node, at once. Those between the
 * same two nodes go equally fast, so that they are one bundle; and each link is divided as the
 * simulator does it: equally, but for what others cannot take as they wait for another link. */
#ifndef QUICK_FLOWS_H
#define QUICK_FLOWS_H

#include <stddef.h>
#include <stdint.h>

/* A message on its way. */
typedef struct quick_flow {
    double target; /* B of its bundle at which it has arrived */
    void *message;
} quick_flow;

/* All messages from a node to another one, or within a node. */
typedef struct quick_bundle {
    int from, to;
    size_t at[2];      /* its places among the bundles of its two links */
    quick_flow *flows; /* [count], a heap by their targets */
    size_t count, room;
    double served; /* B that each of them got, or would have, until `time` */
    double time;   /* s */
    double rate;   /* B/s of each */
    double wants;  /* B/s that links would give each */
    double counts; /* B/s of all of them in quick_flows.wanted */
    size_t ends;   /* its place among those that end next; (size_t)-1: none */
    double end;    /* s, of its next message */
} quick_bundle;

/* A link of a node, one way; or its memory. */
typedef struct quick_link {
    double width;           /* B/s */
    double fair;            /* B/s that a message gets which no other link holds up */
    double next_fair;       /* while it is found */
    size_t flows;           /* messages on it */
    quick_bundle **bundles; /* [count], those with messages */
    size_t count, room;
    int is_changed;
} quick_link;

typedef struct quick_flows {
    int nodes;
    double near_rate;              /* B/s of a message within a node at most */
    double backplane;              /* B/s that all messages between nodes share; INFINITY: none */
    double wanted;                 /* B/s that links would give all of these */
    double level;                  /* B/s that one of these gets of the backplane at most */
    double level_wanted;           /* `wanted` when the level was found */
    size_t level_between;          /* `between`, likewise */
    quick_link *links;             /* [3][nodes]: up, down, memory */
    size_t *changed;               /* [changed_count], of links */
    size_t changed_count, between; /* between: messages between nodes */
    quick_bundle **table;          /* [capacity], open, by from and to */
    size_t capacity, bundles;
    quick_bundle **next; /* [next_count], a heap by their ends */
    size_t next_count, next_room;
} quick_flows;

/* memory: shape [nodes], B/s; INFINITY: none hinders another. False where memory is short. */
int quick_flows_begin(quick_flows *flows, int nodes, double link, const double *memory,
                      double near_rate, double backplane);
/* A message begins to move. False where memory is short. */
int quick_flows_add(quick_flows *flows, int from, int to, double bytes, void *message, double now);
/* Messages within a node share another rate from now on, B/s. */
void quick_flows_set_memory(quick_flows *flows, int node, double rate);
/* When the next message arrives, s; INFINITY: there is none. */
double quick_flows_end(quick_flows *flows, double now);
/* A message that arrives by now; NULL: none. */
void *quick_flows_take(quick_flows *flows, double now);
void quick_flows_free(quick_flows *flows);

#endif
