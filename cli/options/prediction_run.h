/* What predict and explain share: from the command line to a prediction, and to the exit status. */
#ifndef CLI_PREDICTION_RUN_H
#define CLI_PREDICTION_RUN_H

#include "load.h"
#include "prediction_options.h"

/* One question and its answer. */
typedef struct cli_prediction_answer {
    cli_prediction_options question;
    isocast_prediction *prediction;
} cli_prediction_answer;

typedef struct cli_prediction_run {
    cli_loaded loaded;
    cli_prediction_options question; /* the first, like its prediction */
    isocast_prediction *prediction;
    const cli_prediction_answer *answers; /* [count], with the first; at least 1 */
    size_t count;
    bool matrix; /* psi between all pairs is asked for */
    cli_call call;
} cli_prediction_run;

/* Answers answer->loaded, which stays, lets `write` write (it gives an exit status), and frees the
 * answers. Gives the exit status: CLI_EXIT_NO_SOLUTION where all went well but a row has none. */
int cli_predict_loaded(const cli_prediction_texts *texts, cli_prediction_run *answer,
                       int (*write)(const cli_prediction_run *answer));

#endif
