/* What a reach knows while it works. Private to reach.c and reach_sum.c. */
#ifndef ISOCAST_REACH_STATE_H
#define ISOCAST_REACH_STATE_H

#include "band.h"
#include "block.h"
#include "model/base/pool.h"
#include "reach_trace.h"
#include "step_sum.h"

/* Where a register gets its value. */
typedef enum isocast_origin_kind {
    ISOCAST_ORIGIN_NONE,
    ISOCAST_ORIGIN_CONSTANT,
    ISOCAST_ORIGIN_COLUMN,
    ISOCAST_ORIGIN_IMPORT,
    ISOCAST_ORIGIN_RUNNING,
    ISOCAST_ORIGIN_CODE
} isocast_origin_kind;

typedef struct isocast_origin {
    isocast_origin_kind kind;
    size_t index; /* among the block's constants, columns, imports or instructions */
    bool varies;  /* of block 0: depends on the input */
} isocast_origin;

/* A register that is (1 - share) first + share second. */
typedef struct isocast_reach_blend {
    unsigned share, first, second; /* registers */
    bool is_known;
    bool is_line;   /* share is x - floor(x), and second is first with floor(x) + 1 in its place */
    unsigned whole; /* register of floor(x) then */
} isocast_reach_blend;

/* A chain of selections that compare one register with rising numbers, as tables and ranges are:
 * with the register below bounds[k], and not below the one before, it is values[k]. */
typedef struct isocast_reach_chain {
    unsigned x;     /* register that is compared */
    size_t count;   /* of bounds */
    double *bounds; /* [count], rising */
    bool *is_below; /* [count]: the bound itself counts as below */
    bool is_continuous;
    unsigned *values; /* [count + 1], registers */
} isocast_reach_chain;

/* Whole parts that step in a piece, a bit for each number x that they are the whole part of;
 * ISOCAST_REACH_STEP_ANY: some other jump. */
typedef unsigned long isocast_reach_steps_mask;
#define ISOCAST_REACH_STEP_ANY 1UL

/* N d/dN of a register. */
typedef struct isocast_reach_slope_pair {
    isocast_band by_N;              /* while whole parts that step stand still */
    isocast_band by_steps;          /* by these parts, as if they moved with their numbers */
    isocast_reach_steps_mask steps; /* that move it */
    unsigned long stamp;            /* of the piece that it is of */
} isocast_reach_slope_pair;

/* A polynomial in the key of a sum (below), where it is computed for the current piece of it. */
typedef struct isocast_reach_step {
    double powers[ISOCAST_STEP_POWERS];
    unsigned long stamp;
} isocast_reach_step;

/* A sum whose term depends on its running variable i and on N by one register of its block alone,
 * the key: offset + i or offset - i, where the offset may depend on N. */
typedef struct isocast_reach_sum {
    bool usable;
    bool has_offset;
    bool falls;      /* the key is offset - i */
    unsigned key;    /* register of the sum's block; 0: the running variable itself */
    unsigned offset; /* register of block 0 */
    isocast_step_function function; /* the term by the key, for the current condition */
    bool has_function;
    unsigned long stamp; /* of the condition that was looked at */
} isocast_reach_sum;

typedef struct isocast_reach_keeper isocast_reach_keeper;

typedef struct isocast_reach {
    const isocast_program *program;
    size_t input;
    isocast_pool pool;                  /* of the arrays, but those of sums' functions */
    isocast_origin **origins;           /* [block_count][registers of the block] */
    isocast_reach_blend *blends;        /* [registers of block 0] */
    isocast_reach_chain *chains;        /* [registers of block 0]; count 0: none begins here */
    isocast_reach_sum *sums;            /* [block_count] */
    isocast_trace_entry *entries;       /* [registers of block 0]: how each is made */
    isocast_band *bands;                /* [registers of block 0] */
    unsigned long *stamps;              /* likewise: of the condition or piece that they are of */
    isocast_reach_slope_pair *slopes;   /* [registers of block 0] */
    isocast_reach_steps_mask *steps_of; /* likewise: the bit of a register that is a whole part */
    isocast_band *inner;                /* [most registers of a block] */
    isocast_reach_step *steps;          /* likewise */
    isocast_trace_shelf shelf;
    isocast_trace *replayed; /* the trace of the current piece; NULL: none */
    isocast_trace *recorded; /* what is computed for the current piece goes there; NULL: none */
    unsigned long *noted;    /* [registers of block 0]: stamp of the trace that has a constant */
    isocast_reach_keeper *keeper; /* NULL: nothing is kept */
    void (*free_keeper)(struct isocast_reach *r);
    bool has_group;  /* of conditions that keep pieces */
    bool keeps;      /* the current piece is to be kept when it ends */
    size_t left_out; /* registers that the replayed trace did not have */
    const isocast_column *columns;
    const isocast_class_table *classes;
    isocast_band_piece piece;
    isocast_band N; /* the input itself */
    unsigned long stamp, condition_stamp, piece_stamp;
    double effort;
    isocast_status status;
} isocast_reach;

/* Begins a piece of which nothing is known yet: in place of isocast_reach_enter(). */
void isocast_reach_begin(isocast_reach *r, double begin, double end);
/* Computes a register of the current piece, as replaying a trace does. */
void isocast_reach_run_entry(isocast_reach *r, const isocast_trace_entry *entry);

/* The values that a chain can have in the current piece, values[*first] to values[*last]; false
 * where that is not known. */
bool isocast_reach_chain_places(isocast_reach *r, const isocast_reach_chain *chain, size_t *first,
                                size_t *last);

/* Fills what depends on r->program and r->input alone. Errors: NO_MEMORY; what was made is to be
 * freed all the same. */
isocast_status isocast_reach_shape_make(isocast_reach *r);
void isocast_reach_shape_free(isocast_reach *r);

/* The ends of a sum and the offset of its key as functions of N. */
typedef struct isocast_reach_ends {
    double from;
    double to_by_N, to_rest;
    double offset_by_N, offset_rest; /* 0 where the key has no offset */
} isocast_reach_ends;

/* The ends of a sum over a block that has a key; false where they are not such functions. In
 * reach.c. */
bool isocast_reach_ends_find(isocast_reach *r, const isocast_instruction *code,
                             isocast_reach_ends *out);

/* Finds out whether the sum over a block has a key, and which. */
void isocast_reach_sum_shape(isocast_reach *r, size_t block);

/* The sum over the current piece; not known where the term is no polynomial in pieces. Imports that
 * do not depend on N must be known. */
isocast_band isocast_reach_sum_band(isocast_reach *r, size_t block, const isocast_reach_ends *ends);

/* The slope of the same sum, N d/dN, where its band was asked for before; not known where it may
 * jump. */
isocast_band isocast_reach_sum_slope(const isocast_reach *r, size_t block,
                                     const isocast_reach_ends *ends);

#endif
