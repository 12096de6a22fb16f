/* All processes of a run side by side, without messages and without time: whether each message that
 * is sent is received, collective operations meet, and none waits forever; and what is done on the
 * way. */
#ifndef ISOCAST_SCHEDULE_REHEARSAL_H
#define ISOCAST_SCHEDULE_REHEARSAL_H

#include "run.h"

/* Actions of all processes that whoever executes a program rehearses first: some ten seconds. */
#define ISOCAST_REHEARSAL_MOST 3e7

/* Messages of more bytes wait until they are received, as MPI libraries have it. */
#define ISOCAST_REHEARSAL_EAGER 65536

/* What processes do; of one, or added up over all of them. Bytes are whole. */
typedef struct isocast_schedule_counts {
    double flop;
    double messages;   /* sent one by one */
    double bytes;      /* of these */
    double calls;      /* of collective operations, counted by each process that takes part */
    double call_bytes; /* of these, as each process counts them */
    double copied;     /* B */
} isocast_schedule_counts;

typedef struct isocast_rehearsal {
    bool is_complete; /* false: it was given up after so many actions, and nothing was found */
    double actions;   /* of all processes; one with a length for each partner counts these */
    isocast_schedule_counts all;
    double flop_most; /* of one process */
    double largest;   /* B of one message, or of what one process has for one other */
    double room;      /* B: what one process sends at most in an action, or receives */
} isocast_rehearsal;

/* Who sees each action of the processes, in the order in which they are rehearsed, before its bytes
 * are rounded. */
typedef struct isocast_rehearsal_watch {
    void (*see)(void *context, int process, const isocast_action *action);
    void *context;
} isocast_rehearsal_watch;

/* Counts an action of a process. */
void isocast_schedule_count(const isocast_action *action, isocast_schedule_counts *counts);

/* Goes through at most `most` actions. A collective operation ends when all of its group have come
 * to it. `setting` says in messages for what p and sizes: "4 processes and N = 16". watch: NULL:
 * nobody. Errors: INVALID with a diagnostic, NO_MEMORY. */
isocast_status isocast_schedule_rehearse(const isocast_schedule_run *run, double most,
                                         const char *setting, const isocast_rehearsal_watch *watch,
                                         isocast_diagnostics *diagnostics, isocast_rehearsal *out);

#endif
