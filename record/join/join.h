/* The parts of a run, joined: the text of a record (docs/reference/record-format.md). */
#ifndef RECORD_JOIN_H
#define RECORD_JOIN_H

#include <stdbool.h>

#include "model/base/buffer.h"
#include "model/record/record.h"
#include "parts.h"

/* What the processes do not know of their run. */
typedef struct record_run {
    const char *const *command; /* NULL-terminated: the program and its arguments; where they are
                                 * the last words of it, after those of a launcher */
    const char *launcher;       /* command line before the command; "" for none */
} record_run;

/* What came of it. */
typedef struct record_joined {
    isocast_record_end end;  /* of the run: the worst of its processes */
    size_t processes, heard; /* in MPI_COMM_WORLD, and that left a part */
    bool unread;             /* there are parts that the system cannot read */
    size_t first_word;       /* of the command that is the program's */
    size_t sites, named;     /* that have a file and a line */
    int unnamed_cause;       /* errno: why the programs' files cannot be read; 0: they can */
    double calls, lost;
    size_t merged;  /* rows of merged calls */
    double T;       /* s, the longest of the processes */
    double region;  /* s in regions, likewise */
    double regions; /* that ended, at most on one process */
} record_joined;

/* Appends the text of a record of at least one part. Errors: NO_MEMORY. */
isocast_status record_join(const record_parts *parts, const record_run *run, isocast_buffer *text,
                           record_joined *out);

/* What is known without a record: how the run ended, and its times. */
void record_sum_up(const record_parts *parts, record_joined *out);

#endif
