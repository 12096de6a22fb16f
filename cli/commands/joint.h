/* What validate --fit and forecast --with have in common: numbers that the files leave open, or
 * that are named, get the values that runs say. */
#ifndef CLI_JOINT_H
#define CLI_JOINT_H

#include "cli/options/load.h"
#include "cli/options/options.h"
#include "model/runs/joint_fit.h"

typedef struct cli_joint_request {
    const cli_usage *usage;
    const char *algorithm, *machine; /* as on the command line */
    const cli_settings *settings;
    isocast_runs *runs;
    const char *rows;   /* which count, by their column `algorithm`; NULL: as they name it */
    const char *names;  /* "t_c,launch"; NULL: all that the algorithm leaves to runs (fit: true) */
    double p_most;      /* runs on more processes are not fitted to; NAN: fitted to all */
    const char *fitted; /* file that gets the algorithm with the values; NULL: none */
    bool quiet;
} cli_joint_request;

/* Loads both, fits, writes the file, and binds the two; the values are among loaded->settings.
 * Gives an exit status; nothing is to be freed unless it is CLI_EXIT_OK. */
int cli_joint_load(const cli_joint_request *request, cli_loaded *loaded, isocast_joint_fit **fit);

#endif
