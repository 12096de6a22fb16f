/* isocast validate --platform: what predictions of the measured runs need to know of a platform. */
#ifndef CLI_VALIDATE_PLATFORM_H
#define CLI_VALIDATE_PLATFORM_H

#include "model/base/metric.h"
#include "model/runs/runs.h"
#include "platform_session.h"

/* What is compared, as isocast_validate() takes it. */
typedef struct cli_validation_question {
    const isocast_runs *runs;
    const char *algorithm;
    isocast_metric metric;
    const double *targets; /* [target_count] */
    size_t target_count;
} cli_validation_question;

/* Loads an algorithm and the platform, and simulates what the algorithm calls on the systems and at
 * the sizes of the runs, and where the prediction passes the efficiency. Gives an exit status;
 * tells on stderr. Free *loaded where it is CLI_EXIT_OK. */
int cli_validate_platform(const cli_usage *usage, const char *algorithm,
                          const cli_platform_texts *texts, const cli_settings *settings, bool quiet,
                          const cli_validation_question *question, cli_loaded *loaded);

#endif
