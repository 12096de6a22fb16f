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

#define CLI_SCALING_OPTIONS(texts)                                                                 \
    {"--fixed",                                                                                    \
     0,                                                                                            \
     CLI_OPTION_TEXT,                                                                              \
     "WHAT",                                                                                       \
     "hold this instead of the efficiency: size (strong scaling), size-per-process or "            \
     "work-per-process (weak), memory-per-process, memory (all that a system has) or time; as "    \
     "--base and --at have it, or WHAT=VALUE, such as time=60s",                                   \
     &(texts)->fixed},                                                                             \
    {                                                                                              \
        "--processes", 0, CLI_OPTION_TEXT, "WHICH",                                                \
            "show how many processes to take at the size of --at: least-time is the number with "  \
            "the smallest T; most is the largest number whose E is at least --efficiency, which "  \
            "also limits least-time. --to gives the largest number to look at, or systems to "     \
            "choose from; without it, all of the machine is looked at",                            \
            &(texts)->processes                                                                    \
    }

/* One of the two is asked. They point into the `question` that they were read with. */
typedef struct cli_scaling_options {
    bool is_choice;
    isocast_scaling_request scaling;
    isocast_choice_request choice;
} cli_scaling_options;

/* `question` was read from the same `texts`, with `line` set. Reports on stderr what is wrong;
 * gives an exit status. */
int cli_scaling_options_read(const cli_usage *usage, const cli_scaling_texts *texts,
                             const cli_prediction_texts *others, const isocast_model *model,
                             const cli_prediction_options *question, cli_scaling_options *out);

#endif
