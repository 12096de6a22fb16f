/* Texts that several threads make and one takes in order: how a long result is computed on all
 * processors and written as if by one. Knows nothing of what the texts say. */
#ifndef CLI_ORDERED_H
#define CLI_ORDERED_H

#include "model/base/buffer.h"
#include "model/base/status.h"

/* A piece of the whole. */
typedef struct cli_piece {
    double number;         /* of the piece */
    isocast_buffer text;   /* emptied, not freed, before the next one */
    double unsolved;       /* rows in it without a solution */
    isocast_status status; /* what its maker gave */
} cli_piece;

typedef struct cli_ordered {
    double first, step, end; /* the pieces first, first + step, ... below end */
    size_t threads;          /* at least one */
    void *const *makers;     /* [threads], one for each thread */
    /* Makes a piece; called in several threads at once, each with its own maker. */
    isocast_status (*make)(void *maker, double number, cli_piece *piece);
    /* Takes the pieces in order, in the thread of the caller. False ends all. A piece whose status
     * is not OK is the last one. */
    bool (*take)(void *context, const cli_piece *piece);
    void *context;
} cli_ordered;

/* Makes and takes them all. Errors: NO_MEMORY or IO where no thread can be started; whatever a
 * piece comes to is given to `take`. */
isocast_status cli_ordered_run(const cli_ordered *request);

#endif
