/* Who sends to whom: partners of calls as steps along the ranks or along the axes of a grid of
 * processes, generated and compared with what records name. Fits no laws, writes nothing. */
#ifndef ISOCAST_DERIVE_WAYS_H
#define ISOCAST_DERIVE_WAYS_H

#include "flow.h"

enum { DERIVE_AXES_MOST = 3, DERIVE_WAYS_MOST = 32, DERIVE_NOBODY = -1, DERIVE_ANYBODY = -2 };

/* A numbering of the processes: the last axis runs fastest. Without axes there are ranks alone. */
typedef struct derive_grid derive_grid;
struct derive_grid {
    size_t count;
    const char *axes[DERIVE_AXES_MOST];
    isocast_side extents[DERIVE_AXES_MOST];
};

extern const derive_grid isocast_derive_grids[];
extern const size_t isocast_derive_grid_count;

/* A direction in which messages go. */
typedef struct derive_way {
    bool of_ranks; /* along the ranks, by[0] */
    bool pairs;    /* each two that follow each other, from process 0 on */
    bool to_one;   /* to process by[0], from whoever calls */
    bool wraps;    /* around the ends */
    int by[DERIVE_AXES_MOST];
} derive_way;

/* Calls of a process with one partner, or with two that it exchanges with. Bytes of each. */
typedef struct derive_row {
    size_t slot;
    size_t call; /* of the record */
    long to, from;
    double sent, received;
    double calls;
} derive_row;

typedef struct derive_rows {
    derive_row *items; /* [count] */
    size_t count, capacity;
    bool known; /* all partners are */
    bool sends, receives;
    bool around; /* a topology says that there are rings */
} derive_rows;

/* Which ways the messages of a place go, as few as there may be. */
typedef struct derive_cover {
    derive_way ways[DERIVE_WAYS_MOST];
    size_t count;
    size_t missing; /* processes that such a way leads from or to, and that never call */
    bool known;     /* they are all of its messages */
} derive_cover;

/* Partners that change from turn to turn. */
typedef enum derive_changing {
    CHANGES_NOT,
    CHANGES_HUB,    /* process 0 with each of the others */
    CHANGES_ALL,    /* each with each of the others, one after the other */
    CHANGES_PAIRS,  /* with both neighbours on a line, in turns */
    CHANGES_HALVES, /* with those at distances of 1, 2, 4 ... in a hypercube */
    CHANGES_ANY     /* from whoever sends */
} derive_changing;

/* Who the messages of a place are between. */
typedef struct derive_partners {
    derive_rows rows;
    derive_cover cover;
    derive_changing how;
    bool
        stay; /* they go the ways of the cover: on few processes all with all are neighbours, too */
} derive_partners;

/* To be freed in every case. Errors: NO_MEMORY. */
isocast_status isocast_derive_partners_find(const derive_flow *flow, const derive_grid *grid,
                                            size_t place, derive_partners *out);
void isocast_derive_partners_free(derive_partners *partners);

/* Sets derived->grid, and where `choose`, and no words are sides, derived->sizes.shape and the
 * points of its records: the numbering, and the simplest rule for the sides, by which most messages
 * and communicators are along the axes. Errors: NO_MEMORY. */
isocast_status isocast_derive_grid_choose(isocast_derived *derived, bool choose);

/* The process in that direction, or against it (sign: 1, -1); NOBODY. */
long isocast_derive_way_partner(const derive_flow *flow, const derive_grid *grid,
                                const derive_way *way, size_t slot, int sign);

/* Whether a row is of messages that way. */
bool isocast_derive_way_has(const derive_flow *flow, const derive_grid *grid, const derive_way *way,
                            const derive_rows *rows, const derive_row *row);

/* The place of a process along an axis, and how many the axis has. */
size_t isocast_derive_grid_place(const derive_flow *flow, const derive_grid *grid, size_t axis,
                                 size_t slot, size_t *extent);

/* The axes along which the communicators of a place's calls are, or those that they make, a bit for
 * each; 0: all processes. *known: they are such. */
unsigned isocast_derive_group_axes(const derive_flow *flow, const derive_grid *grid, size_t place,
                                   bool made, bool *known);

#endif
