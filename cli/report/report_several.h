/* Predictions of one algorithm at several targets or sizes as one table, and as JSON
 * ("isocast.predictions/1" of docs/result-schema.json). */
#ifndef CLI_REPORT_SEVERAL_H
#define CLI_REPORT_SEVERAL_H

#include <jansson.h>

#include "cli/options/prediction_run.h"
#include "cli/output/report_join.h"

/* Joins reports of the answers, shape [answer->count], which have the same columns: with a column
 * for what differs, where `always` or where they have none. Frees them. NULL where memory is short.
 */
cli_report *cli_report_several(const cli_prediction_run *answer, cli_report **reports, bool always);

/* {"schema": schema, key: [objects]}; takes the objects over, shape [count]. */
json_t *cli_json_several(const char *schema, const char *key, json_t **objects, size_t count);

#endif
