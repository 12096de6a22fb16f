/* What a prediction is asked: the options --base, --at, --efficiency and --to, read against a model
 * into a request of prediction.h. Predicts nothing. */
#ifndef CLI_QUESTION_H
#define CLI_QUESTION_H

#include "model/solve/prediction.h"
#include "options.h"

/* The options as given. */
typedef struct cli_question_texts {
    const char *base;
    cli_list at;
    double efficiency; /* NAN where not given */
    const char *to;
} cli_question_texts;

/* Fills `options`, shape [CLI_QUESTION_OPTIONS + 1] with the end of the table, and sets the texts
 * to nothing given. */
enum { CLI_QUESTION_OPTIONS = 4 };
void cli_question_table(cli_question_texts *texts, cli_option *options);
void cli_question_texts_free(cli_question_texts *texts);

/* Start from {0}. `request` points into the rest. */
typedef struct cli_question {
    isocast_prediction_request request;
    isocast_system **base; /* [base_count], at most one; NULL where there is no base */
    size_t base_count;
    isocast_system **systems; /* [request.system_count] */
    double *sizes;            /* [size_count]; NAN: not given */
    isocast_effort effort;    /* that its answer may take */
} cli_question;

/* Tells on stderr what is wrong; gives an exit status. Free in either case. */
int cli_question_read(const cli_usage *usage, const cli_question_texts *texts,
                      const isocast_model *model, cli_question *out);
void cli_question_free(cli_question *question);

#endif
