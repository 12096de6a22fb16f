/* isocast offers with a suite of applications. */
#ifndef CLI_OFFERS_SUITE_H
#define CLI_OFFERS_SUITE_H

#include "cli/options/load.h"
#include "model/base/currency.h"

enum { CLI_ACCEPT_MAX = 8 };

/* The numbers of nodes of --accept. */
typedef struct cli_accept {
    double nodes[CLI_ACCEPT_MAX]; /* [count] */
    size_t count;
} cli_accept;

typedef struct cli_suite_question {
    const cli_call *call; /* its only argument is the file */
    const cli_settings *settings;
    const cli_accept *accept;
    double budget; /* INFINITY: none */
    isocast_currency currency;
    bool whole_life;
} cli_suite_question;

/* Loads the suite, judges its offers and writes the answer. Gives an exit status. */
int cli_suite_answer(const cli_suite_question *question);

#endif
