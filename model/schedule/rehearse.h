/* A program run through by all of its processes together, without messages and without time: who
 * waits for whom, whether everyone gets to the end, and what is done on the way. */
#ifndef ISOCAST_SCHEDULE_REHEARSE_H
#define ISOCAST_SCHEDULE_REHEARSE_H

#include "run.h"

/* Actions of all processes that a rehearsal takes, at most: some ten seconds. */
#define ISOCAST_REHEARSAL_MOST 3e7

/* Messages of more bytes wait until they are received, as MPI libraries have it. */
#define ISOCAST_REHEARSAL_EAGER 65536

/* What processes do; of one, or added up over all of them. */
typedef struct isocast_schedule_counts {
    double flop;
    double messages;   /* sent one by one */
    double bytes;      /* of these */
    double calls;      /* of collective operations, counted by each process that takes part */
    double call_bytes; /* of these, as each process counts them */
    double copied;     /* B */
} isocast_schedule_counts;

enum { ISOCAST_SCHEDULE_COUNTS = sizeof(isocast_schedule_counts) / sizeof(double) };

typedef struct isocast_rehearsal {
    isocast_schedule_counts all;
    double flop_most; /* of one process */
    double largest;   /* B of one message, or of what one process has for one other */
    double room;      /* B: what one process sends at most in an action, or receives */
    double actions;   /* of all processes */
} isocast_rehearsal;

/* Counts an action of a process: bytes are whole. */
void isocast_schedule_count(const isocast_action *action, isocast_schedule_counts *counts);

/* Errors: INVALID with diagnostics (those of isocast_actions_next(); processes that wait for ever,
 * messages that nobody receives or whose sizes differ, processes that call different operations;
 * more actions than above), NO_MEMORY. */
isocast_status isocast_schedule_rehearse(const isocast_schedule_run *run,
                                         isocast_diagnostics *diagnostics, isocast_rehearsal *out);

#endif
