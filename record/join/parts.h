/* The parts that the processes of a run left in a folder, as they are: mapped, and their counts and
 * numbers checked against what the file holds. */
#ifndef RECORD_PARTS_H
#define RECORD_PARTS_H

#include <dirent.h>
#include <stdbool.h>
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

/* A folder that parts are left in. The program that runs may put anything in it, and anything in
 * its place, so that it is held open: that also lets it be emptied where memory or files have run
 * out by then. Start from {0}. */
typedef struct record_folder {
    DIR *entries;     /* NULL: none */
    const char *path; /* absolute; owned by whoever made the folder */
} record_folder;

/* Takes hold of a folder that was just made. `path` must outlive it. Errors: IO, with errno. */
isocast_status record_folder_open(const char *path, record_folder *out);

/* Errors: IO, with errno; NO_MEMORY. */
isocast_status record_parts_open(const record_folder *folder, record_parts *out);
void record_parts_close(record_parts *parts);

/* A link in the folder by which a library is preloaded whose own path the loader would part. */
#define RECORD_PRELOAD_NAME "preload.so"

/* Removes the parts, the link and the folder; what else is in it stays, and so does it. What stands
 * in its place is not touched. Lets go of it. False, with errno, where the folder stays; ENOTEMPTY
 * where others left something in it, ENOENT where it is no longer there. */
bool record_folder_remove(record_folder *folder);

#endif
