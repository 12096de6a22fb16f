/* The options --fixed and --processes of predict, read against a model into requests of
 * scaling_line.h and least_time.h. Predicts nothing. */
#ifndef CLI_SCALING_OPTIONS_H
#define CLI_SCALING_OPTIONS_H

#include "model/solve/least_time.h"
#include "prediction_options.h"

/* The options as given; NULL where not given. */
typedef struct cli_scaling_texts {
    const char *fixed;
    const char *processes;
} cli_scaling_texts;

/* Fills `options`, shape [CLI_SCALING_OPTIONS], without the end of the table. */
enum { CLI_SCALING_OPTIONS = 2 };
void cli_scaling_options_table(cli_scaling_texts *texts, cli_option *options);

/* One of the two is asked. They point into the `question` that they were read with. */
typedef struct cli_scaling_options {
    bool is_choice;
    isocast_scaling_request scaling;
    isocast_choice_request choice;
} cli_scaling_options;

/* `question` was read from the same `texts`, with `line` set. Tells on stderr what is wrong; gives
 * an exit status. */
int cli_scaling_options_read(const cli_usage *usage, const cli_scaling_texts *texts,
                             const cli_prediction_texts *others, const isocast_model *model,
                             const cli_prediction_options *question, cli_scaling_options *out);

#endif
