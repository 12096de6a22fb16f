/* isocast validate --fit: the value of one number of the files with which predicted and measured
 * times agree on average (the interquartile mean of their logarithms), from the runs on few
 * processes. The runs on more are left to be compared. */
#ifndef CLI_VALIDATE_FIT_H
#define CLI_VALIDATE_FIT_H

#include "cli/options/load.h"
#include "model/runs/runs.h"

typedef struct cli_fit_request {
    const char *algorithm, *machine; /* as on the command line */
    const cli_settings *settings;    /* of --set */
    isocast_runs *runs;
    const char *rows; /* which count, by their column `algorithm`; NULL: as they name it */
    const char *name; /* of a parameter or a definition: what --set takes, but no size */
    double p_most;    /* runs on more processes are compared, not fitted to; NAN: fitted to all */
} cli_fit_request;

typedef struct cli_fit_result {
    char *setting;     /* "NAME=VALUE" for --set; owned */
    char *sentence;    /* what was fitted to what; owned */
    size_t runs_there; /* rows that the runs had before */
} cli_fit_result;

/* Finds the value, and takes the runs that it was fitted to from `runs`, behind whose new count
 * they stay: put runs->count back to runs_there before they are freed. With p_most NAN none is
 * taken. Tells problems on stderr and gives an exit status; free the result where it is
 * CLI_EXIT_OK. */
int cli_validate_fit(const cli_fit_request *request, cli_fit_result *out);
/* The settings and one more behind them; free out->set.items with free(). Tells where memory is
 * short, and gives an exit status. */
int cli_fit_settings(const cli_settings *settings, const char *setting, cli_settings *out);
void cli_fit_result_free(cli_fit_result *result);

#endif
