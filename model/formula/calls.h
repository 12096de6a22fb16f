/* Calls of operations that were compiled, found again by the operation and its arguments: an
 * operation that others call many times over is compiled once for each argument. Private to the
 * compiler. */
#ifndef ISOCAST_CALLS_H
#define ISOCAST_CALLS_H

#include "emit.h"

/* m, p, and how many processes are on a node: NaN where the call does not say it. */
enum { ISOCAST_CALL_ARGUMENTS = 3 };

/* A call with its arguments. A value inside a block is the same only in that same block. */
typedef struct isocast_call {
    const isocast_formula *body;
    isocast_value arguments[ISOCAST_CALL_ARGUMENTS];
    unsigned blocks[ISOCAST_CALL_ARGUMENTS]; /* index of the block that each argument is in */
} isocast_call;

/* Start from {0}. */
typedef struct isocast_calls {
    isocast_call *calls;   /* [count] */
    isocast_value *values; /* [count], what each came to */
    size_t count, call_capacity, value_capacity;
    size_t *table; /* [table_size], index + 1; 0: free */
    size_t table_size;
} isocast_calls;

isocast_call isocast_call_of(const isocast_emitter *e, const isocast_formula *body,
                             const isocast_value arguments[ISOCAST_CALL_ARGUMENTS]);

/* Whether the call was compiled; *out gets its value. */
bool isocast_calls_find(const isocast_calls *calls, const isocast_call *call, isocast_value *out);

/* Keeps a call that is not there yet. False without memory. */
bool isocast_calls_add(isocast_calls *calls, isocast_call call, isocast_value value);

void isocast_calls_free(isocast_calls *calls);

#endif
