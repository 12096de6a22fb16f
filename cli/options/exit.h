/* Exit statuses of the command, the same for every subcommand, and how problems are reported that a
 * library call came back with. */
#ifndef CLI_EXIT_H
#define CLI_EXIT_H

#include <stdbool.h>

#include "model/base/diagnostic.h"
#include "model/base/status.h"

enum cli_exit {
    CLI_EXIT_OK = 0,
    CLI_EXIT_CHECK_FAILED = 1, /* validate: an error over its limit; plot/check: a check said no */
    CLI_EXIT_USAGE = 2,        /* the command line */
    CLI_EXIT_INVALID = 3,      /* an input file */
    CLI_EXIT_NO_SOLUTION = 4,  /* at least one row has none; the others were printed */
    CLI_EXIT_SYSTEM = 5        /* a file that cannot be written, mpiexec missing, a full disk */
};

/* The next of several steps, taken where all before it went well: `status`, theirs, becomes its
 * own. Exit statuses and those of library calls are 0 then. */
#define CLI_THEN(status, step)                                                                     \
    do {                                                                                           \
        if ((status) == 0) {                                                                       \
            (status) = (step);                                                                     \
        }                                                                                          \
    } while (0)

/* Prints the list on stderr and empties it; a list of nothing but warnings is not shown where
 * `quiet`. Gives back the status of what noted them, or NO_MEMORY where memory was too short for
 * all of them, which is for cli_exit_of() to say. */
isocast_status cli_diagnostics_report(isocast_diagnostics *diagnostics, bool quiet,
                                      isocast_status status);

/* The exit status for what a library call about input files came back with; a status that has no
 * diagnostics is reported on stderr. */
int cli_exit_of(isocast_status status);

/* Both: the exit status for what a library call came back with, whose diagnostics are reported. */
int cli_exit_with(isocast_diagnostics *diagnostics, bool quiet, isocast_status status);

/* The same where the input is a text of the command line: what is wrong with it is a slip there. */
int cli_exit_with_text(isocast_diagnostics *diagnostics, isocast_status status);

/* Something was reported on stderr, or there is a reason to say nothing. */
void cli_exit_reported(void);

/* Where nothing was: prints what a status other than 0 means, so that no command fails in silence.
 * Of a check that failed and of rows without a solution the answer itself says more, where it is
 * `shown` on standard output. command: "predict"; NULL: none. */
void cli_exit_say(const char *command, int status, bool shown);

#endif
