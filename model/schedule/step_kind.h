/* The kinds of steps of a program: one table says how each is written and what it is. To add a
 * collective operation, add a row, and its case to what executes schedules. */
#ifndef ISOCAST_STEP_KIND_H
#define ISOCAST_STEP_KIND_H

#include <stdbool.h>
#include <stddef.h>

/* What is done with a step. */
typedef enum isocast_step_role {
    ISOCAST_STEP_GRID,
    ISOCAST_STEP_SHARE,
    ISOCAST_STEP_LET,
    ISOCAST_STEP_FOR,
    ISOCAST_STEP_IF,
    ISOCAST_STEP_AT,
    ISOCAST_STEP_START,
    ISOCAST_STEP_FINISH,
    ISOCAST_STEP_WORK,
    ISOCAST_STEP_COPY,
    ISOCAST_STEP_SEND,
    ISOCAST_STEP_PUT, /* into the memory of another process */
    ISOCAST_STEP_RECEIVE,
    ISOCAST_STEP_SENDRECV,
    ISOCAST_STEP_SHIFT,
    ISOCAST_STEP_PASS,
    ISOCAST_STEP_COLLECTIVE
} isocast_step_role;

/* Formulas of steps. Those from BYTES on have keys in the step's mapping. */
typedef enum isocast_step_formula {
    ISOCAST_FORMULA_FIRST,     /* for: the first value */
    ISOCAST_FORMULA_LAST,      /* the last one */
    ISOCAST_FORMULA_STRIDE,    /* what is added; NONE: 1 */
    ISOCAST_FORMULA_CONDITION, /* if, at */
    ISOCAST_FORMULA_FLOP,
    ISOCAST_FORMULA_BYTES,
    ISOCAST_FORMULA_ROOT, /* its place in the group */
    ISOCAST_FORMULA_TO,
    ISOCAST_FORMULA_FROM,
    ISOCAST_FORMULA_BY, /* shift, pass: along all processes, where it is no mapping of axes */
    ISOCAST_STEP_FORMULAS
} isocast_step_formula;

/* Collective operations: id and word, formulas, the operation of machine files that takes their
 * time. `bytes` is what MPI counts: of the message, or in the v-forms and those that deal out or
 * collect parts, what one process has for one other; of exchange likewise. */
#define ISOCAST_COLLECTIVES(X)                                                                     \
    X(barrier, 0, "T_barrier")                                                                     \
    X(bcast, ISOCAST_STEP_ROOTED, "T_bcast")                                                       \
    X(reduce, ISOCAST_STEP_ROOTED, "T_reduce")                                                     \
    X(scatter, ISOCAST_STEP_ROOTED, "T_scatter")                                                   \
    X(scatterv, ISOCAST_STEP_ROOTED, "T_scatterv")                                                 \
    X(gather, ISOCAST_STEP_ROOTED, "T_gather")                                                     \
    X(gatherv, ISOCAST_STEP_ROOTED, "T_gatherv")                                                   \
    X(allgather, ISOCAST_STEP_SIZED, "T_allgather")                                                \
    X(allgatherv, ISOCAST_STEP_SIZED, "T_allgatherv")                                              \
    X(alltoall, ISOCAST_STEP_SIZED, "T_alltoall")                                                  \
    X(alltoallv, ISOCAST_STEP_SIZED, "T_alltoallv")                                                \
    X(allreduce, ISOCAST_STEP_SIZED, "T_allreduce")                                                \
    X(reduce_scatter_block, ISOCAST_STEP_SIZED, "T_reduce_scatter_block")                          \
    X(scan, ISOCAST_STEP_SIZED, "T_scan")                                                          \
    X(exscan, ISOCAST_STEP_SIZED, "T_exscan")                                                      \
    X(win_fence, 0, "T_win_fence")                                                                 \
    X(comm_dup, 0, "T_comm_dup")                                                                   \
    X(comm_split, 0, "T_comm_split")                                                               \
    X(exchange, ISOCAST_STEP_SIZED, "T_alltoallv")

typedef enum isocast_collective {
#define ISOCAST_COLLECTIVE_ID(word, needed, operation) ISOCAST_COLLECTIVE_##word,
    ISOCAST_COLLECTIVES(ISOCAST_COLLECTIVE_ID)
#undef ISOCAST_COLLECTIVE_ID
        ISOCAST_COLLECTIVE_COUNT
} isocast_collective;

typedef struct isocast_step_kind {
    const char *word;
    isocast_step_role role;
    unsigned needed;                    /* formulas that it must have, bits 1 << formula */
    const char *operation;              /* of machine files; NULL: it has none */
    isocast_collective collective;      /* COLLECTIVE */
    isocast_step_formula short_formula; /* its value alone is this; BY: it must be a mapping */
    const char *example;
} isocast_step_kind;

/* Whether each pair of processes has its own bytes: their formula knows `other`. */
bool isocast_step_has_pairs(const isocast_step_kind *kind);

/* The kind of a word; NULL where there is none. */
const isocast_step_kind *isocast_step_kind_find(const char *word);

/* Whether a step is done when it ends, and cannot be started and waited for later. */
bool isocast_step_kind_is_at_once(const isocast_step_kind *kind);

/* All words; *count gets how many. */
const char *const *isocast_step_words(size_t *count);

/* The key of a formula of a step: "bytes". */
const char *isocast_step_formula_key(isocast_step_formula formula);

#endif
