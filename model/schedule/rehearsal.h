/* All processes of a run side by side, without time: whether each message that is sent is received,
 * collective operations meet, and none waits for ever. */
#ifndef ISOCAST_SCHEDULE_REHEARSAL_H
#define ISOCAST_SCHEDULE_REHEARSAL_H

#include "run.h"

enum { ISOCAST_REHEARSAL_PROCESSES_MAX = 64 };

/* What a rehearsal counted. */
typedef struct isocast_rehearsal {
    bool is_complete; /* false: it was given up after so many actions, and nothing was found */
    double actions;
    double flop;     /* of all processes */
    double messages; /* that were sent from one process to another, and their bytes */
    double bytes;
} isocast_rehearsal;

/* Goes through at most `most` actions of at most ISOCAST_REHEARSAL_PROCESSES_MAX processes.
 * Messages are taken as sent at once, so that what waits for ever does so in any case. `setting`
 * says in messages for what p and sizes: "4 processes and N = 16". Errors: INVALID with a
 * diagnostic, NO_MEMORY. */
isocast_status isocast_schedule_rehearse(const isocast_schedule_run *run, double most,
                                         const char *setting, isocast_diagnostics *diagnostics,
                                         isocast_rehearsal *out);

#endif
