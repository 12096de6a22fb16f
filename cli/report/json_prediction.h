/* A prediction as JSON: the contract "isocast.prediction/1" of docs/result-schema.json. */
#ifndef CLI_JSON_PREDICTION_H
#define CLI_JSON_PREDICTION_H

#include <jansson.h>

#include "model/solve/prediction.h"

/* `other_sizes` like in the request. Takes `provenance` over. NULL where memory is short. */
json_t *cli_json_prediction(const isocast_prediction *prediction, const double *other_sizes,
                            json_t *provenance);

/* Sets price, power, energy, what a run costs (under the key `cost`) and the currency of a row,
 * where the machine file says anything of price or power, and nodes, where it has R_f, too. */
void cli_json_set_bill(json_t **object, const isocast_machine *machine,
                       const isocast_prediction_row *row, const char *cost);

/* What is held: "size", "speed" or "efficiency". */
const char *cli_json_held(const isocast_prediction *prediction);

/* The fixed sizes by name, {} where there are none. */
json_t *cli_json_other_sizes(const isocast_algorithm *algorithm, const double *other_sizes);

#endif
