/* The messages of collectives among some of the processes, as SimGrid's choice for MPICH makes
 * them: steps of the programs of all. */
#ifndef FIT_MEMBERS_H
#define FIT_MEMBERS_H

#include "fit_mix.h"

/* Where the processes are, and how fast: rank r is on nodes[r]. */
typedef struct fit_places {
    const int *nodes;
    const double *speeds; /* relative; NULL: all alike */
    size_t processes;
} fit_places;

/* Samples take the first rounds of what a program does again and again. Those that follow take
 * longer, as processes run ahead of each other and then wait. */
typedef enum fit_rounds {
    FIT_ROUNDS_SAMPLED,
    FIT_ROUNDS_MANY /* one of many, as a program makes them */
} fit_rounds;

/* The programs of all processes while they are made. */
typedef struct fit_programs {
    const fit_places *placement;
    fit_program *items; /* [processes] */
    int processes;
    fit_rounds rounds;
    double longest;     /* B of a message of the first size, about */
    const fit_mix *mix; /* of parts by speed; NULL: all are alike */
    double scale;       /* of their sizes */
    double limit;       /* B; the sender of a longer message waits */
} fit_programs;

/* Some processes among all: member i is process ranks[i]. Those of a node follow each other. */
typedef struct fit_members {
    const int *ranks; /* [count] */
    int count;
    int size; /* which of the operation's message sizes they send */
    /* Where long messages may be cut: the size of a block, and the bytes of the whole. */
    int block; /* 0: they are not */
    double bytes;
    bool parts; /* of what is exchanged: each has a part by its speed, where there is a mix */
} fit_members;

/* B from which a broadcast to many members cuts a message, and passes the blocks round a ring. */
extern const double fit_members_cut_from;
extern const double fit_members_ring_from;

void fit_members_send(fit_programs *all, int from, int to, int size);

/* A broadcast from member `root`. Where all nodes have as many members, they come first; else a
 * tree of the members from the root on, and blocks of long messages to many of them. False where
 * memory is short, as below. */
bool fit_members_broadcast(fit_programs *all, const fit_members *g, int root);

/* A reduction of a short message to the first member. */
bool fit_members_reduce(fit_programs *all, const fit_members *g);

/* The same to all of them. */
bool fit_members_allreduce(fit_programs *all, const fit_members *g);

/* Of all processes: each with those 1, 2, 4 ... away, in messages of size 1. */
void fit_members_barrier(fit_programs *all, int size);

#endif
