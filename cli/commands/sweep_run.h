/* Computes the blocks of a sweep on threads and ranks, and writes their lines in order. */
#ifndef CLI_SWEEP_RUN_H
#define CLI_SWEEP_RUN_H

#include "cli/options/ranks_join.h"
#include "cli/report/sweep_text.h"

typedef struct sweep_run_request {
    const char *command; /* for messages */
    const isocast_sweep *sweep;
    cli_sweep_format format;
    const char *question; /* for the head */
    const char *output;   /* NULL or "-": standard output */
    bool resume;
    bool quiet;
    size_t threads; /* of this process, at least one */
    const cli_ranks *ranks;
} sweep_run_request;

/* Runs a sweep to its end, or until it is interrupted. Every rank calls it, also one whose question
 * could not be read: `planned` is the exit status of that. Gives the exit status. */
int sweep_run(const sweep_run_request *request, int planned);

#endif
