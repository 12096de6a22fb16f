/* isocast offers with a suite of applications. */
#ifndef CLI_OFFERS_SUITE_H
#define CLI_OFFERS_SUITE_H

#include "cli/options/load.h"
#include "model/base/currency.h"

typedef struct cli_suite_question {
    const cli_call *call; /* its only argument is the file */
    const cli_settings *settings;
    double budget; /* INFINITY: none */
    isocast_currency currency;
    bool whole_life;
} cli_suite_question;

/* Loads the suite, judges its offers and writes the answer. Gives an exit status. */
int cli_suite_answer(const cli_suite_question *question);

#endif
