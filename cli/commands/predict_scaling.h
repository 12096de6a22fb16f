/* What predict does with --fixed and --processes: lines of scaling, and numbers of processes. */
#ifndef CLI_PREDICT_SCALING_H
#define CLI_PREDICT_SCALING_H

#include "cli/options/prediction_run.h"
#include "cli/options/scaling_options.h"
#include "platform_session.h"

/* Loads what the positional arguments name, or the platform in place of the machine, answers,
 * writes, and frees all but the texts. Gives an exit status. */
int cli_predict_scaling(const cli_usage *usage, const char *const *positional,
                        const cli_platform_texts *platform, const cli_scaling_texts *texts,
                        cli_prediction_texts *others, cli_prediction_run *run);

#endif
