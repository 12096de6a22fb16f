/* Fitted operations written as a machine file that people can read and isocast loads. */
#ifndef OPERATIONS_FILE_H
#define OPERATIONS_FILE_H

#include "fit_result.h"

/* What the file says besides the fit; texts may hold anything. */
typedef struct operations_file {
    const char *name;
    const char *date;         /* ISO 8601, UTC */
    const char *version;      /* of isocast */
    const char *command;      /* the command line */
    const char *sources;      /* files that the timings came from */
    const char *system;       /* whose rows of these were fitted; NULL: all */
    double nodes, processors; /* of a node */
    double marked_speed;      /* flop/s of one processor */
    const fit_result_settings *settings;
} operations_file;

void operations_file_write(const operations_file *file, const fit_results *results,
                           isocast_buffer *out);

#endif
