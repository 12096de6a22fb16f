/* Predictions of one algorithm at several targets or sizes as one table, and as JSON
 * ("isocast.predictions/1" of docs/result-schema.json); and what else has a result for each. */
#ifndef CLI_REPORT_SEVERAL_H
#define CLI_REPORT_SEVERAL_H

#include <jansson.h>

#include "cli/options/prediction_run.h"
#include "cli/output/report_join.h"
#include "subject.h"

/* Joins reports of the answers, shape [answer->count], which have the same columns: with a column
 * for what differs, where `always` or where they have none. Frees them. NULL where memory is short.
 */
cli_report *cli_report_several(const cli_prediction_run *answer, cli_report **reports, bool always);

enum { CLI_REPORTS_OF_ANSWER = 2 };

/* How results, one for each answer, are written. */
typedef struct cli_answers_writer {
    const isocast_table *several; /* the JSON of several answers */
    /* The JSON of result k. */
    json_t *(*object)(const void *results, size_t k, const cli_subject *subject);
    /* Its reports, CLI_REPORTS_OF_ANSWER of them at most, and one for CSV; gives their number. */
    size_t (*reports)(const void *results, size_t k, const double *other_sizes, bool csv,
                      cli_report **out);
} cli_answers_writer;

/* Writes the results as JSON, or as reports: a file gets one table of all, people get one answer
 * after the other. Gives an exit status. */
int cli_answers_write(const cli_answers_writer *writer, const void *results,
                      const cli_prediction_run *answer);

/* The JSON of several results; takes the objects over, shape [count]. */
json_t *cli_json_several(const isocast_table *document, json_t **objects, size_t count);

#endif
