/* A prediction as JSON: the contract "isocast.prediction/1" of docs/result-schema.json. */
#ifndef CLI_JSON_PREDICTION_H
#define CLI_JSON_PREDICTION_H

#include <jansson.h>

#include "cli/options/prediction_run.h"
#include "model/base/field.h"
#include "model/solve/prediction.h"
#include "model/solve/psi_matrix.h"

/* `other_sizes` like in the request; the matrix is NULL where none was asked for. NULL where
 * memory is short. */
json_t *cli_json_prediction(const cli_prediction_run *answer, const isocast_prediction *prediction,
                            const double *other_sizes, const isocast_psi_matrix *matrix);

/* What is held: "size", "speed" or "efficiency". */
const char *cli_held_word(const isocast_prediction *prediction);
extern const char *const cli_held_words[]; /* ending in NULL */

#endif
