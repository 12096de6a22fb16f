/* The JSON Schema of all results, made from what they declare. docs/result-schema.json is its text.
 */
#ifndef CLI_SCHEMA_H
#define CLI_SCHEMA_H

#include <jansson.h>

/* NULL where memory is short. */
json_t *cli_results_schema(void);

#endif
