/* Operations between two that collective ones are made of, as they were measured. */
#ifndef FIT_PARTS_H
#define FIT_PARTS_H

#include "fit_kinds.h"
#include "fit_summary.h"

/* Times by the size of the message. */
typedef struct fit_message_times {
    double *m;       /* [count] B, rising */
    double *seconds; /* [count] */
    size_t count;
} fit_message_times;

/* Each [0] between nodes and [1] within one. Start from {0}. */
typedef struct fit_parts {
    fit_message_times shift[2]; /* T_sendrecv */
} fit_parts;

/* False where memory is short; free what there is all the same. */
bool fit_parts_find(const samples *s, const fit_summaries *all, fit_parts *out);
void fit_parts_free(fit_parts *parts);

/* Those within one node or between nodes; where one of them was not measured, the other. */
const fit_message_times *fit_part_of(const fit_message_times part[2], bool one_node);

/* Seconds of the allgather of a broadcast's blocks: p - 1 steps round a ring, or L steps with
 * blocks that double. What was measured of such steps holds for any p. 0 for other operations. */
double fit_parts_known(const fit_parts *parts, fit_kind kind, const fit_summary *item);

/* The same as a formula; empty for other operations. */
const char *fit_parts_formula(fit_kind kind, bool shifts);

#endif
