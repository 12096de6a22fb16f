/* What a prediction is asked: the options --base, --at, --efficiency, --to, --metric,
 * --speed, --size and --level, read against a model
 * into a request of prediction.h. Predicts nothing. */
#ifndef CLI_PREDICTION_OPTIONS_H
#define CLI_PREDICTION_OPTIONS_H

#include "load.h"
#include "model/solve/prediction.h"

/* The options as given. */
typedef struct cli_prediction_texts {
    const char *base;
    cli_list at;
    const char *efficiency_text; /* a list; NULL where not given */
    double efficiency;           /* of one question (prediction_values.h); NAN where not given */
    const char *to;
    const char *metric; /* NULL: isospeed-e */
    double speed;       /* flop/s; NAN where not given */
    const char *size;   /* NULL: sum */
    double level;       /* of intervals, a share; NAN where not given */
    bool line; /* what is held is told elsewhere (scaling_options.h): only sizes and systems are
                  read, and --to may be left out */
    cli_settings set;
} cli_prediction_texts;

/* Fills `options`, shape [CLI_PREDICTION_OPTIONS + 1] with the end of the table, and sets the texts
 * to nothing given. */
enum { CLI_PREDICTION_OPTIONS = 9 };
void cli_prediction_options_table(cli_prediction_texts *texts, cli_option *options);
void cli_prediction_texts_free(cli_prediction_texts *texts);

/* Start from {0}. `request` points into the rest. */
typedef struct cli_prediction_options {
    isocast_prediction_request request;
    isocast_system **base; /* [base_count], at most one; NULL where there is no base */
    size_t base_count;
    isocast_system **systems; /* [request.system_count] */
    double *sizes;            /* [size_count]; NAN: not given */
    isocast_effort effort;    /* that its answer may take */
} cli_prediction_options;

/* Tells on stderr what is wrong; gives an exit status. Free in either case. */
int cli_prediction_options_read(const cli_usage *usage, const cli_prediction_texts *texts,
                                const isocast_model *model, cli_prediction_options *out);
void cli_prediction_options_free(cli_prediction_options *question);

#endif
