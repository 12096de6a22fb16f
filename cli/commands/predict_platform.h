/* What predict and explain do with --platform: the platform becomes a machine whose operations are
 * simulated where the answer needs them. The library knows what to simulate; this reads the
 * options, asks again until nothing is missing, and tells. */
#ifndef CLI_PREDICT_PLATFORM_H
#define CLI_PREDICT_PLATFORM_H

#include "cli/options/prediction_run.h"

typedef struct cli_platform_texts {
    const char *platform; /* NULL: a machine is given */
    const char *cache;    /* folder; NULL: the user's own */
    bool no_cache;
    double budget; /* s */
} cli_platform_texts;

/* Fills `options`, shape [CLI_PLATFORM_OPTIONS], and sets the texts to nothing given. */
enum { CLI_PLATFORM_OPTIONS = 4 };
void cli_platform_options_table(cli_platform_texts *texts, cli_option *options);

/* What is said of positional arguments: one with a platform, two without. Gives an exit status. */
int cli_platform_check(const cli_usage *usage, const cli_platform_texts *platform, size_t count);

/* As cli_predict_texts(), with the platform in place of a machine where one is given. */
int cli_predict_platform(const cli_usage *usage, const char *const *positional,
                         const cli_platform_texts *platform, const cli_prediction_texts *texts,
                         cli_prediction_run *answer,
                         int (*write)(const cli_prediction_run *answer));

#endif
