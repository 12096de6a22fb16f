/* isocast explain --runs: the terms of a prediction against the phases of measured runs. */
#ifndef CLI_EXPLAIN_RUNS_H
#define CLI_EXPLAIN_RUNS_H

#include "cli/options/prediction_run.h"

/* Of the question, only the systems (--to) and the sizes (--at, whole list "N=200,N=400") count:
 * they choose among the runs. Gives an exit status; tells on stderr what is wrong. */
int cli_explain_runs(const cli_usage *usage, const char *const *positional,
                     const cli_prediction_texts *texts, const char *runs_path,
                     cli_prediction_run *answer);

#endif
