/* One run of an MPI program under the library that records it (record/library): started, waited
 * for, and its parts joined to the text of a record. */
#ifndef CAMPAIGN_RECORD_RUN_H
#define CAMPAIGN_RECORD_RUN_H

#include "event.h"
#include "record/join/join.h"

typedef struct campaign_record_request {
    const campaign_listener *listener;
    const char *library;        /* that is preloaded */
    const char *launcher;       /* NULL: the default */
    bool alone;                 /* the command starts its processes itself: it is a launcher */
    long processes;             /* to start; where the command is not alone */
    const char *const *command; /* NULL-terminated: the program and its arguments */
    const char *folder;         /* for the parts: it must not exist; its parent must */
} campaign_record_request;

/* Whether a program's name is that of a launcher, such as mpiexec or srun. */
bool campaign_is_launcher(const char *program);

/* Records a run. What is wrong is given to the listener. Where something was recorded, *text gets
 * the record, though the run failed, and the folder is removed; else *text stays empty. Errors:
 * PROGRAM where the program did not call MPI, aborted, was killed or failed otherwise; INTERRUPTED,
 * IO, NO_MEMORY. */
isocast_status campaign_record(const campaign_record_request *request, isocast_buffer *text,
                               record_joined *out);

#endif
