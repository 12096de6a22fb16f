/* A step of a derived program, as its section program: has it. */
#ifndef ISOCAST_DERIVE_STEP_H
#define ISOCAST_DERIVE_STEP_H

#include "model/base/pool.h"
#include "ways.h"

typedef enum derive_step_kind {
    DERIVE_STEP_WORK,
    DERIVE_STEP_SEND,
    DERIVE_STEP_RECEIVE,
    DERIVE_STEP_SENDRECV,
    DERIVE_STEP_PUT,
    DERIVE_STEP_SHIFT,
    DERIVE_STEP_PASS,
    DERIVE_STEP_CALL,
    DERIVE_STEP_FOR,
    DERIVE_STEP_START,
    DERIVE_STEP_FINISH
} derive_step_kind;

typedef struct derive_step derive_step;

typedef struct derive_steps {
    derive_step *items; /* [count] */
    size_t count, capacity;
} derive_steps;

/* Texts are formulas; NULL: there is none. */
struct derive_step {
    derive_step_kind kind;
    const char *word; /* CALL: the operation */
    isocast_law work; /* WORK: s, to which `amount` is what follows, as "/p" */
    char *amount;     /* bytes */
    char *root, *to, *from;
    char *loop;     /* FOR: "turn = 1..N" */
    char *when;     /* on processes where that holds */
    char *turns;    /* in turns of the loop where that holds */
    unsigned along; /* CALL: axes of the grid, bits; 0: all */
    bool has_way;   /* its messages go that way */
    derive_way way;
    bool starts;       /* it is waited for later */
    double requests;   /* FINISH: how many it waits for; START: how many it starts */
    size_t handle;     /* START, FINISH */
    size_t site;       /* of derived, of what it sends or calls; SIZE_MAX: none */
    size_t source;     /* of what it receives, where both are in one step; SIZE_MAX: that is not
                          counted by itself */
    derive_steps body; /* FOR, START, PASS */
};

/* What that is not known may make of T. */
typedef enum derive_doubt_kind {
    DERIVE_DOUBT_NOTED, /* it is stated, and has no time */
    DERIVE_DOUBT_MORE,  /* as much longer as the calls take */
    DERIVE_DOUBT_LESS,  /* as much shorter */
    DERIVE_DOUBT_ORDER, /* each call may wait for all processes */
    DERIVE_DOUBT_WINDOW /* all wait for messages of 0 B, and no step stands for that */
} derive_doubt_kind;

typedef struct derive_doubt {
    size_t site; /* of derived */
    derive_doubt_kind kind;
    const char *what; /* a sentence without its end */
    char *time;       /* a formula of the calls by themselves; NULL: it is not known */
} derive_doubt;

typedef struct derive_program derive_program;
struct derive_program {
    derive_steps steps;
    derive_doubt *doubts; /* [doubt_count] */
    size_t doubt_count, doubt_capacity;
    bool needs_power; /* p is a power of 2 */
    bool deals_out;   /* one process does, and others take */
};

/* NULL where memory is short. */
derive_step *isocast_derive_steps_add(isocast_pool *pool, derive_steps *steps,
                                      derive_step_kind kind);
void isocast_derive_steps_remove(derive_steps *steps, size_t at);

/* Puts steps before the one at a place. Errors: NO_MEMORY. */
isocast_status isocast_derive_steps_insert(isocast_pool *pool, derive_steps *steps, size_t at,
                                           const derive_steps *given);

#endif
