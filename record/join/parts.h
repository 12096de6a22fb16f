/* The parts that the processes of a run left in a folder, as they are: mapped, and their counts and
 * numbers checked against what the file holds. */
#ifndef RECORD_PARTS_H
#define RECORD_PARTS_H

#include <stddef.h>

#include "model/base/status.h"
#include "record/part/part.h"

/* Start from {0}. */
typedef struct record_parts {
    const record_part **items; /* [count], by rank */
    size_t count;
    size_t processes; /* in MPI_COMM_WORLD; parts may be missing */
    size_t broken;    /* files that are no parts, broken, or cannot be read */
    int cause;        /* errno of one of those that cannot be read; 0: none */
} record_parts;

/* Errors: IO, with errno; NO_MEMORY. */
isocast_status record_parts_open(const char *folder, record_parts *out);
void record_parts_close(record_parts *parts);

/* Removes the parts and the folder; what else is in it stays, and so does it. */
void record_parts_remove(const char *folder);

#endif
