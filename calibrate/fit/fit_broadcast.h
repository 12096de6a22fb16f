/* What is known of a broadcast before it is measured: which algorithm MPICH takes where (R. Thakur,
 * R. Rabenseifner, W. Gropp, IJHPCA 19(1) 2005, section 4.2), which SimGrid takes in its place
 * (bcast__mpich of SimGrid 3.32), and what a message takes that it is made of. */
#ifndef FIT_BROADCAST_H
#define FIT_BROADCAST_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/buffer.h"
#include "model/base/known_operation.h"

typedef enum fit_broadcast_algorithm {
    FIT_BROADCAST_TREE,    /* binomial: short messages, or few processes */
    FIT_BROADCAST_SCATTER, /* scatter, then allgather by doubling: a power of two of processes */
    FIT_BROADCAST_RING,    /* scatter, then allgather round a ring */
    /* Scatter, then allgather by doubling: an even number of processes. What is no power of two has
     * messages more, to those without a partner. */
    FIT_BROADCAST_DOUBLING,
    FIT_BROADCAST_NODES, /* a tree of nodes, then one in each: nodes that have as many processes */
    FIT_BROADCASTS
} fit_broadcast_algorithm;

/* Of the operation's name, where an algorithm is fitted by itself: "_tree". */
extern const char *const fit_broadcast_endings[FIT_BROADCASTS];

/* The broadcast that a name is an algorithm of, "T_bcast" of "T_bcast_tree", and *algorithm; NULL
 * where it is none. */
const isocast_known_operation *fit_broadcast_of(const char *name,
                                                fit_broadcast_algorithm *algorithm);

/* Which algorithm the library takes where. */
typedef enum fit_broadcast_rules {
    FIT_RULES_MPICH,
    FIT_RULES_MPICH_TREE, /* the same, but powers of two keep to the tree */
    FIT_RULES_SIMGRID,
    FIT_RULES_TREE /* the tree alone */
} fit_broadcast_rules;

/* A broadcast of m bytes, and where its processes are. */
typedef struct fit_broadcast_call {
    double p;
    double nodes;
    double p_node; /* on the node of process 0 */
    double m;      /* B */
} fit_broadcast_call;

fit_broadcast_algorithm fit_broadcast_kind(fit_broadcast_rules rules,
                                           const fit_broadcast_call *call);

/* Whether the two rules of MPICH differ for this call. */
bool fit_broadcast_depends(double p, double m);

/* Appends the formula that calls NAME_tree(m, p) and the others where they are taken; those not
 * seen are left out. */
void fit_broadcast_choice(const char *name, fit_broadcast_rules rules,
                          const bool seen[FIT_BROADCASTS], isocast_buffer *out);

/* Seconds of an operation of two processes by the size of its message. Start from {0}. */
typedef struct fit_message_times {
    double *m;       /* [count] B, rising once finished */
    double *seconds; /* [count] */
    size_t count;
} fit_message_times;

/* Adds a time measured at m bytes; false where memory is short. */
bool fit_message_times_add(fit_message_times *times, double m, double seconds);
/* Sorts, and makes means where a size was measured several times. */
void fit_message_times_finish(fit_message_times *times);
/* Straight lines between the sizes measured, proportional beyond; NAN where nothing was. */
double fit_message_time(const fit_message_times *times, double m);
void fit_message_times_free(fit_message_times *times);

#endif
