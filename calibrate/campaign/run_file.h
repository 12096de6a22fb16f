/* The RUNS.csv that measure adds to: opened, repaired, held against a second writer, and grown by
 * whole rows that are on the disk before the next run starts. Knows nothing of what is measured. */
#ifndef CAMPAIGN_RUN_FILE_H
#define CAMPAIGN_RUN_FILE_H

#include <stdbool.h>

#include "event.h"
#include "model/runs/runs.h"

/* Start from {.file = -1}. */
typedef struct campaign_run_file {
    const char *path; /* borrowed */
    int file;
    bool claimed;
    bool made;          /* it was not there before */
    isocast_runs *runs; /* what it held when it was opened; NULL: nothing */
    char *header;       /* its first line; NULL: it has none yet */
    const campaign_listener *listener;
} campaign_run_file;

/* Claims the file (claim.h), opens or makes it and reads what it has. A last row without its end
 * was cut off by a crash and is cut off for good; a file with other columns than a kernel's, or
 * with a row that is wrong, is left as it is. What is wrong is given to the listener, which must
 * outlive the file, or is in the diagnostics. Errors: INVALID, IO, NO_MEMORY. Close in either case.
 */
isocast_status campaign_run_file_open(const char *path, const campaign_listener *listener,
                                      isocast_diagnostics *diagnostics, campaign_run_file *out);

/* Adds a row, after the header where the file has none: all of it or nothing, as what a full disk
 * let through is cut off again. Both without their line ends. A header that is not the file's is
 * refused. Errors: INVALID and IO, which are reported; NO_MEMORY. */
isocast_status campaign_run_file_append(campaign_run_file *file, const char *header,
                                        const char *row);

/* One that was made and has nothing in it is removed. */
void campaign_run_file_close(campaign_run_file *file);

bool campaign_run_file_has_rows(const campaign_run_file *file);

#endif
