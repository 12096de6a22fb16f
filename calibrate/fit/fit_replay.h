/* What messages of known programs take on a network: each takes the latency of its way, and then
 * shares its links with the others. Measures nothing. */
#ifndef FIT_REPLAY_H
#define FIT_REPLAY_H

#include "fit_route.h"

/* A process sends a message, receives one, or both at once. */
typedef struct fit_step {
    int to, from; /* processes; -1: none */
    int size;     /* which of the operation's message sizes it sends */
    bool posts;   /* goes on at once, until a step that waits for it */
    size_t waits; /* for which step alone, counted from 1; 0: for all that was posted */
    double times; /* the bytes of that size, so many times; 0: once */
    /* Whether its sender does not wait for its receiver, where `own`; else the rules tell it. */
    bool own, eager;
} fit_step;

/* What one process does. Start from {0}. */
typedef struct fit_program {
    fit_step *steps; /* [count] */
    size_t count;
    size_t capacity;
    size_t mark; /* its time is taken before this step; 0: at the start */
    bool failed; /* memory was short */
} fit_program;

void fit_program_add(fit_program *program, fit_step step);

/* Adds a step that only waits for what was posted. */
void fit_program_wait(fit_program *program);

/* Waits for a step that posted, by its index. */
void fit_program_wait_for(fit_program *program, size_t step);

/* Messages of one operation have so many sizes at most. */
enum { FIT_SIZES_MAX = 3 };

/* How messages go. In a simulation each begins when its sender and its receiver are there; the
 * sender of a short one goes on at once. */
typedef struct fit_replay_rules {
    bool eager; /* senders do not wait for their receivers */
    /* By the message's size, in some unit of time: */
    double latency[FIT_SIZES_MAX]; /* of a link */
    double bytes[FIT_SIZES_MAX];   /* time of its bytes on a link */
    double m; /* B, the argument of the operation, about: it tells the algorithm */
} fit_replay_rules;

/* When processes were at their marks and at their ends, in that unit. shapes: [processes]. */
typedef struct fit_replay_times {
    double *mark;
    double *end;
} fit_replay_times;

/* nodes, programs: shape [processes]. False where memory is short, or a message has no other end.
 */
bool fit_replay(const fit_network_map *map, const int *nodes, const fit_program *programs,
                size_t processes, fit_replay_rules rules, const fit_replay_times *times);

#endif
