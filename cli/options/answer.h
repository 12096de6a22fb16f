/* What predict and explain share: from the command line to a prediction, and to the exit status. */
#ifndef CLI_ANSWER_H
#define CLI_ANSWER_H

#include "load.h"
#include "question.h"

typedef struct cli_answer {
    cli_loaded loaded;
    cli_question question;
    isocast_prediction *prediction;
    cli_common common;
    int argc;    /* the command line, for the provenance */
    char **argv; /* [argc] */
} cli_answer;

/* Loads what the positional arguments name, predicts what the texts ask, lets `write` write (it
 * gives an exit status), and frees all but the texts. Gives the exit status: CLI_EXIT_NO_SOLUTION
 * where all went well but a row has none. */
int cli_answer_question(const cli_usage *usage, const char *const *positional,
                        const cli_question_texts *texts, cli_answer *answer,
                        int (*write)(const cli_answer *answer));

/* The same from a command line "ALGORITHM MACHINE --to ...", which it parses. */
int cli_answer_command(const cli_usage *usage, int argc, char **argv,
                       int (*write)(const cli_answer *answer));

#endif
