/* The isoefficiency functions of a command's answers, written as reports or as JSON. */
#ifndef CLI_EXPLAIN_GROWTH_H
#define CLI_EXPLAIN_GROWTH_H

#include "cli/options/prediction_run.h"

/* One isoefficiency function for each answer. Gives an exit status; a speed-efficiency that is not
 * held is a slip on the command line. */
int cli_explain_growth(const cli_usage *usage, const cli_prediction_run *answer);

#endif
