/* Answers of predict and explain as reports and as JSON, one or several: an algorithm at
 * several targets or sizes ("isocast.predictions/1" of docs/result-schema.json, and so on). */
#ifndef CLI_REPORT_SEVERAL_H
#define CLI_REPORT_SEVERAL_H

#include <jansson.h>

#include "cli/options/prediction_run.h"
#include "cli/output/fields.h"
#include "subject.h"

/* What is made of each answer, and how it is written. */
typedef struct cli_answers_writer {
    const isocast_table *document; /* the JSON of one; the whole is a cli_view */
    const isocast_table *several;  /* of several */
    /* The result of an answer, and what frees it; NULL: it is the prediction. */
    isocast_status (*find)(const cli_prediction_answer *answer, void **out);
    void (*free)(void *result);
    const char *argument;       /* the usage error for the status ARGUMENT */
    cli_reports_maker *reports; /* of a cli_view; one for CSV */
    /* Several are one table for people, too; for files they always are. */
    bool joined;
    bool movable; /* a page computes them again in the browser */
    /* What is to be said at the end of the first report; NULL: nothing. */
    void (*note)(const cli_prediction_run *answer, bool csv, cli_report *report);
} cli_answers_writer;

/* Writes what each answer comes to; psi between all pairs (NULL: not asked for) is of the only one.
 * Gives an exit status. */
int cli_answers_write(const cli_answers_writer *writer, const isocast_psi_matrix *matrix,
                      const cli_prediction_run *answer);

/* The JSON of several results; takes the objects over, shape [count]. */
json_t *cli_json_several(const isocast_table *document, json_t **objects, size_t count);

#endif
