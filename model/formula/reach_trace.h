/* What was computed over a piece of N, in its order, so that pieces inside it, and the same piece
 * of other conditions, can compute the same again without asking what is needed. A trace is a hint:
 * it decides nothing, and what it leaves out is computed when it is asked for. Private to reach.c.
 */
#ifndef ISOCAST_REACH_TRACE_H
#define ISOCAST_REACH_TRACE_H

#include <stdbool.h>
#include <stddef.h>

/* How a register of block 0 that depends on the input gets its value. */
typedef enum isocast_reach_kind {
    ISOCAST_REACH_INPUT,    /* the input itself */
    ISOCAST_REACH_PLAIN,    /* isocast_band_operate on one operand or two */
    ISOCAST_REACH_SQUARE,   /* a product of a register and itself */
    ISOCAST_REACH_FRACTION, /* x - floor(x) or ceil(x) - x */
    ISOCAST_REACH_BLEND,
    ISOCAST_REACH_CHAIN,
    ISOCAST_REACH_SELECT,
    ISOCAST_REACH_SUM,
    ISOCAST_REACH_CLASSES
} isocast_reach_kind;

typedef struct isocast_trace_entry {
    unsigned result, a, b; /* registers; one that takes one operand alone has it twice */
    unsigned char kind, opcode;
} isocast_trace_entry;

typedef struct isocast_trace {
    double begin, end;            /* the piece */
    isocast_trace_entry *entries; /* [count] */
    size_t count, capacity;
    unsigned *constants; /* [constant_count], registers that do not depend on the input */
    size_t constant_count, constant_capacity;
    unsigned long condition; /* stamp of the last one whose constants were computed */
} isocast_trace;

/* Start from {0}. */
typedef struct isocast_trace_shelf {
    isocast_trace *traces; /* [count] */
    size_t count;
    isocast_trace *last; /* that was found; NULL: none */
} isocast_trace_shelf;

void isocast_trace_shelf_free(isocast_trace_shelf *shelf);
/* Empties the shelf, but keeps its memory. */
void isocast_trace_shelf_clear(isocast_trace_shelf *shelf);

/* The trace of a piece, or of a narrow one around it; NULL where there is none. Valid until the
 * shelf changes. */
isocast_trace *isocast_trace_find(isocast_trace_shelf *shelf, double begin, double end);

/* An empty one for a piece; a full shelf is emptied before. NULL without memory. */
isocast_trace *isocast_trace_begin(isocast_trace_shelf *shelf, double begin, double end,
                                   unsigned long condition);
/* False without memory. */
bool isocast_trace_add(isocast_trace *trace, const isocast_trace_entry *entry);
bool isocast_trace_add_constant(isocast_trace *trace, unsigned reg);
/* Takes a trace off the shelf. */
void isocast_trace_drop(isocast_trace_shelf *shelf, isocast_trace *trace);

#endif
