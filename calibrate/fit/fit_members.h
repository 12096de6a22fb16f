/* The messages of collectives among some of the processes, as the platform's library makes them
 * (model/collective): steps of the programs of all. */
#ifndef FIT_MEMBERS_H
#define FIT_MEMBERS_H

#include "fit_replay.h"

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

/* Which processes do an operation together: all of them, or those of each line of the most square
 * grid of all, all lines at once. The ranks of a line along x follow each other. */
typedef enum fit_axis { FIT_AXIS_ALL, FIT_AXIS_X, FIT_AXIS_Y, FIT_AXES } fit_axis;

/* Processes of a line. */
int fit_axis_members(fit_axis axis, int processes);

/* Whether a grid has several rows, none of which is longer than two columns: others say little of
 * grids that are near them. */
bool fit_axis_is_square(int processes);

/* The programs of all processes while they are made. */
typedef struct fit_programs {
    const fit_network_map *map;
    const char *name; /* of the operation */
    const fit_places *placement;
    fit_program *items; /* [processes] */
    int processes;
    fit_rounds rounds;
    fit_axis axis;
    double m;                    /* B, the argument of the operation, about */
    double bytes[FIT_SIZES_MAX]; /* [sizes] B, of its messages of each size then */
    size_t sizes;
} fit_programs;

/* Some processes among all: member i is process ranks[i]. */
typedef struct fit_members {
    const int *ranks; /* [count] */
    int count;
    double bytes; /* of the vector, or of the block of each member */
} fit_members;

/* A message to a process, of the size whose length is nearest. */
fit_step fit_members_message(const fit_programs *all, int to, double bytes);

void fit_members_send(fit_programs *all, int from, int to, int size);

/* A collective operation, with this member as root. False where memory is short. */
bool fit_members_do(fit_programs *all, const fit_members *g, isocast_collective_operation operation,
                    int root);

#endif
