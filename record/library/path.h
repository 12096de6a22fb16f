/* Where a call comes from: the calls that led to it. A function that many places of a program call
 * makes calls of MPI that have little to do with each other, so that what led to them belongs to
 * their site. Finding that by the tables of the unwinder takes some us. So what was found is kept:
 * where on the stack the return addresses stand, and what they are. While all of these places hold
 * what they held, the calls are the same. */
#ifndef RECORD_PATH_H
#define RECORD_PATH_H

#include "state.h"

enum { RECORD_PATH_DEPTH = 12 /* callers, from the innermost on, that are kept apart */ };

typedef struct record_path {
    const void *place;  /* the return address of the call in the program; NULL: free */
    const void *stack;  /* where the stack of the caller begins */
    const void *thread; /* the thread's own variables: the stack of another one may end before */
    uint32_t site;      /* RECORD_PART_NONE: there is no room for it */
    uint32_t count;
    const void *const *at[RECORD_PATH_DEPTH]; /* [count], on the stack */
    const void *callers[RECORD_PATH_DEPTH];   /* [count], the return addresses there */
} record_path;

/* Whether a call from `place`, with that stack, comes from where the path says. */
static inline bool record_path_holds(const record_path *path, const void *place,
                                     const void *stack) {
    if (path->place != place || path->stack != stack || path->thread != &record_mine) {
        return false;
    }
    uintptr_t differs = 0;
    for (uint32_t i = 0; i < path->count; i++) {
        differs |= (uintptr_t)*path->at[i] ^ (uintptr_t)path->callers[i];
    }
    return differs == 0;
}

/* The path of a call, which is kept until others take its room. NULL: it is not known. */
const record_path *record_path_recent(const void *place, const void *stack);

/* The path of a call that is not known: from the tables of the unwinder. What the C
 * library calls has no callers: main(), and functions that it is given. */
const record_path *record_path_find(const void *place, const void *stack);

#endif
