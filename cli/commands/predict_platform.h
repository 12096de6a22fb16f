/* What predict and explain do with --platform: the platform becomes a machine whose operations are
 * simulated where the answer needs them. Tells what the question needs to know, again and again. */
#ifndef CLI_PREDICT_PLATFORM_H
#define CLI_PREDICT_PLATFORM_H

#include "cli/options/prediction_run.h"
#include "platform_session.h"

/* As cli_predict_texts(), with the platform in place of a machine where one is given. */
int cli_predict_platform(const cli_usage *usage, const char *const *positional,
                         const cli_platform_texts *platform, const cli_prediction_texts *texts,
                         cli_prediction_run *answer,
                         int (*write)(const cli_prediction_run *answer));

/* Notes what one row needs: its N or, where it has none, the N that came nearest. */
isocast_status cli_platform_need_row(const campaign_subject *subject, const isocast_system *system,
                                     const isocast_prediction_row *row, const double *other_sizes);

#endif
