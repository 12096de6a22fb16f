/* What a page needs to compute a prediction again with other numbers: the compiled formulas as they
 * are, and what they read. The page's script (cli/output/what_if.js) is the evaluator. */
#ifndef CLI_WHAT_IF_H
#define CLI_WHAT_IF_H

#include <jansson.h>

#include "cli/options/prediction_run.h"
#include "model/offers/choice.h"

/* The formulas of a prediction of `count` answers, with their inputs, in SI units; a text that says
 * why the page has none, where these are too much for one. NULL where memory is short. */
json_t *cli_what_if_of(const cli_prediction_answer *answers, size_t count);

/* The same of offers that were looked at, with all that mixes of their nodes are made of. */
json_t *cli_what_if_of_offers(const isocast_offers *offers);

/* A program as the script reads it; NULL where memory is short. */
json_t *cli_what_if_program(const isocast_program *program);

#endif
