/* What the processes of a program do, step by step: the section `program:` of a file, read. Owns
 * the steps and their formulas. Where it stands nothing is computed: run.h gives names their values
 * and walks through the steps process by process, times.h makes formulas of T of them.
 *
 * A program is a list of steps. A step is a mapping with the key of its kind (step_kind.h), and
 * perhaps `name`, the term of T that its time counts in. */
#ifndef ISOCAST_SCHEDULE_H
#define ISOCAST_SCHEDULE_H

#include "model/yaml/schema.h"
#include "step_kind.h"

enum {
    ISOCAST_SCHEDULE_STEPS_MAX = 1000, /* in all */
    ISOCAST_SCHEDULE_DEPTH_MAX = 16,   /* steps inside steps */
    ISOCAST_SCHEDULE_AXES_MAX = 16,    /* of all grids */
    ISOCAST_SCHEDULE_LOCALS_MAX = 500  /* counters, names of let:, axes, calls of shares */
};

/* In the place of an index: there is none. */
#define ISOCAST_SCHEDULE_NONE ((size_t)-1)

typedef struct isocast_step isocast_step;

/* Steps that follow each other. */
typedef struct isocast_steps {
    isocast_step *items; /* [count] */
    size_t count;
} isocast_steps;

/* Formulas of a step, each an index into the schedule's formulas, or NONE. */
struct isocast_step {
    const isocast_step_kind *kind;
    isocast_span span; /* of the word for its kind */
    char *name;        /* of its term; NULL: the word for its kind */
    size_t formulas[ISOCAST_STEP_FORMULAS];
    /* shift, pass: how far along each axis of `grid`, a formula or NONE, by the axis's index; NULL:
     * the formula BY says how far along the ranks. */
    size_t *by;
    size_t grid;
    size_t group;  /* of collectives: index among the groups; 0: all processes */
    size_t handle; /* start, finish: index among the handles */
    int tag;       /* of its messages: shifts and passes each have their own, others 0 */
    /* for: its counter; alltoallv: `other`. An index among the locals. */
    size_t local;
    bool is_open;  /* shift: the ends of an axis are no neighbours */
    bool is_ahead; /* pass: a process expects the message of the loop's next turn while it works */
    bool from_any; /* receive: from whoever sends */
    isocast_steps body;
    isocast_steps other; /* else */
};

/* A name that the program gives, or the place of a value that is looked up. */
typedef enum isocast_local_kind {
    ISOCAST_LOCAL_RANK,    /* the process: 0 to p - 1 */
    ISOCAST_LOCAL_SENDER,  /* from whom the last message from any came */
    ISOCAST_LOCAL_OTHER,   /* for whom a part of the bytes is, where each pair has its own */
    ISOCAST_LOCAL_COUNTER, /* of a loop */
    ISOCAST_LOCAL_LET,     /* a formula */
    ISOCAST_LOCAL_AXIS,    /* the process's place along an axis */
    ISOCAST_LOCAL_SHARE,   /* items of a share that the process has */
    ISOCAST_LOCAL_FIRST,   /* the number of its first item */
    ISOCAST_LOCAL_LOOKUP   /* SHARE.of(q), SHARE.owner(i), SHARE.left(i) */
} isocast_local_kind;

typedef enum isocast_lookup {
    ISOCAST_LOOKUP_OF,    /* items of process q */
    ISOCAST_LOOKUP_OWNER, /* the process that has item i */
    ISOCAST_LOOKUP_LEFT   /* own items with number i or above */
} isocast_lookup;

typedef struct isocast_local {
    char *name;
    isocast_local_kind kind;
    isocast_span span;
    size_t formula; /* LET: its value; LOOKUP: the argument; else NONE */
    size_t item;    /* AXIS: which; SHARE to LOOKUP: which share */
    isocast_lookup lookup;
    size_t outer; /* the name that was given before it and is seen with it; NONE: the first */
} isocast_local;

typedef struct isocast_schedule_axis {
    size_t local;  /* its coordinate */
    size_t extent; /* formula */
    size_t grid;   /* which */
} isocast_schedule_axis;

/* The last axis of a grid runs fastest, as in MPI_Cart_create. */
typedef struct isocast_grid {
    isocast_span span;
    size_t first_axis, axis_count;
} isocast_grid;

/* Whole items (rows, tasks) dealt out: by marked speed to all processes, or evenly along an axis.
 */
typedef struct isocast_share {
    size_t local; /* its count; that of the first item follows it */
    size_t items; /* formula */
    size_t axis;  /* NONE: all processes */
    bool in_turns;
    isocast_span span;
} isocast_share;

/* Processes that act together: all, or those that differ in their places along some axes only. */
typedef struct isocast_group {
    bool *along; /* [axis_count]; NULL: all processes */
    size_t grid;
} isocast_group;

/* A formula, what it is for messages, and the names that it sees: from this local outwards. */
typedef struct isocast_schedule_formula {
    isocast_formula *formula;
    const char *what;
    isocast_dimension dimension;
    bool any_dimension;
    size_t locals;
} isocast_schedule_formula;

typedef struct isocast_schedule {
    const isocast_source *source;
    isocast_steps steps;
    isocast_schedule_formula *formulas; /* [formula_count] */
    size_t formula_count, formula_room;
    isocast_local *locals; /* [local_count]; 0 is rank, 1 is sender */
    size_t local_count, local_room;
    isocast_schedule_axis *axes; /* [axis_count] */
    size_t axis_count, axis_room;
    isocast_grid *grids; /* [grid_count] */
    size_t grid_count, grid_room;
    isocast_share *shares; /* [share_count] */
    size_t share_count, share_room;
    isocast_group *groups; /* [group_count], 0: all processes */
    size_t group_count, group_room;
    char **handles; /* [handle_count], their names */
    size_t handle_count, handle_room;
    size_t step_count;
    int tag_count; /* tags are below */
} isocast_schedule;

/* Reads a list of steps. `declared` are the names that win over units in formulas; `hint` says of a
 * name why a program must not give it, or is NULL for one that it may. The schedule borrows the
 * reader's source. NULL where nothing could be read; what is wrong is a diagnostic of the reader.
 */
isocast_schedule *isocast_schedule_read(isocast_reader *reader, const isocast_tree_node *node,
                                        isocast_names declared, const char *(*hint)(const char *));
void isocast_schedule_free(isocast_schedule *schedule);

/* The name of the term that a step's time counts in. */
const char *isocast_step_term(const isocast_schedule *schedule, const isocast_step *step);

/* A name among those that are seen from a local outwards, that local first; NONE. */
size_t isocast_schedule_find_local(const isocast_schedule *schedule, size_t from, const char *name);

#endif
