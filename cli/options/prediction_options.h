/* What a prediction is asked: the options --base, --at, --efficiency, --to, --metric,
 * --speed, --size and --level, read against a model
 * into a request of prediction.h. Predicts nothing. */
#ifndef CLI_PREDICTION_OPTIONS_H
#define CLI_PREDICTION_OPTIONS_H

#include <math.h>

#include "load.h"
#include "model/solve/prediction.h"
#include "prediction_options.h"
#include "word_option.h"

/* The options as given. */
typedef struct cli_prediction_texts {
    const char *base;
    cli_list at;
    const char *efficiency_text; /* a list; NULL where not given */
    double efficiency;           /* of one question (below); NAN where not given */
    const char *to;
    const char *metric; /* NULL: isospeed-e */
    double speed;       /* flop/s; NAN where not given */
    const char *size;   /* NULL: sum */
    double level;       /* of intervals, a share; NAN where not given */
    bool line; /* what is held is reported elsewhere (scaling_options.h): only sizes and systems are
                  read, and --to may be left out */
    cli_settings set;
} cli_prediction_texts;

#define CLI_PREDICTION_TEXTS                                                                       \
    { .efficiency = NAN, .speed = NAN, .level = NAN }

#define CLI_BASE_HELP                                                                              \
    "hold what the metric holds, such as the speed-efficiency, at its value on this system at "    \
    "the size of --at"
#define CLI_AT_HELP                                                                                \
    "a size of the problem, such as N=310: at the base, or else on every system; several sizes "   \
    "by commas or by repeating the option, several values as N=512..65536*2 or N=100,200"
/* Rows of a table of options; beside them, where there is a base, stands --base. */
#define CLI_PREDICTION_OPTIONS(texts, at_help)                                                     \
    {"--at", 0, CLI_OPTION_LIST, "SIZE=NUMBER", at_help, &(texts)->at},                            \
        {"--efficiency",                                                                           \
         0,                                                                                        \
         CLI_OPTION_SHARES,                                                                        \
         "E",                                                                                      \
         "hold this speed-efficiency E = W/(T C), such as 0.3 (several: 0.1..0.9+0.1 or "          \
         "0.2,0.4); or this efficiency, where --metric says so",                                   \
         &(texts)->efficiency_text},                                                               \
        {"--to",                                                                                   \
         0,                                                                                        \
         CLI_OPTION_TEXT,                                                                          \
         "SYSTEMS",                                                                                \
         "the systems to predict: names of the machine file (C4,C8), process counts where the "    \
         "machine has one node class (2..64*2), mixes (server:2+sunblade:7), 4x16 (4 processes "   \
         "on each of 16 nodes) or mixes of such sets (1x2+2x1)",                                   \
         &(texts)->to},                                                                            \
        {"--metric", 0, CLI_OPTION_TEXT, "METRIC", CLI_METRIC_HELP, &(texts)->metric},             \
        {"--speed", 0, CLI_OPTION_SPEED, "SPEED", CLI_SPEED_HELP, &(texts)->speed},                \
        {"--size", 0, CLI_OPTION_TEXT, "WHICH", CLI_SIZE_HELP, &(texts)->size},                    \
        CLI_SET_OPTION(&(texts)->set), CLI_MARKED_SPEED_OPTION(&(texts)->set.marked_speed)

/* Start from {0}. `request` points into the rest. */
typedef struct cli_prediction_options {
    isocast_prediction_request request;
    isocast_system **base; /* [base_count], at most one; NULL where there is no base */
    size_t base_count;
    isocast_system **systems; /* [request.system_count] */
    double *sizes;            /* [size_count]; NAN: not given */
    isocast_effort effort;    /* that its answer may take */
} cli_prediction_options;

/* Reports on stderr what is wrong; gives an exit status. Free in either case. */
int cli_prediction_options_read(const cli_usage *usage, const cli_prediction_texts *texts,
                                const isocast_model *model, cli_prediction_options *out);
void cli_prediction_options_free(cli_prediction_options *question);

/* Several questions in one command: ranges and lists of --efficiency and of the first size in --at,
 * distinguished into questions of one value each. Predicts nothing. */

/* Reads a list such as "512..65536*2,100" of the option `label`, and reports on stderr what is
 * wrong. *values gets an array, shape [*count], which is the caller's to free. Gives an exit
 * status. */
int cli_numbers_read(const char *label, const char *text, double **values, size_t *count);

/* Start from {0}. */
typedef struct cli_prediction_values {
    cli_prediction_texts *texts; /* [count], each a question as if it stood alone */
    size_t count;                /* at least 1 */
    char **kept;                 /* [kept_count], what the texts point to */
    size_t kept_count;
    const char **items; /* arguments of the options --at of all questions */
} cli_prediction_values;

/* Reads "--efficiency 0.1..0.9+0.1" and "--at N=512..65536*2,K=3" or "--at N=100,200". Reports on
 * stderr what is wrong; gives an exit status. `texts` must outlive the values. Free in either case.
 */
int cli_prediction_values_read(const cli_usage *usage, const cli_prediction_texts *texts,
                               const isocast_algorithm *algorithm, cli_prediction_values *out);
void cli_prediction_values_free(cli_prediction_values *values);

#endif
