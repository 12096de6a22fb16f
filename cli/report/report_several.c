#include "report_several.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/output/json_text.h"
#include "cli/output/page.h"
#include "cli/output/report.h"
#include "report_prediction.h"
#include "what_if.h"

/* What differs from answer to answer: the target that is held, or the size. */
static double value_of(const void *run, size_t k) {
    const cli_prediction_answer *answer = &((const cli_prediction_run *)run)->answers[k];
    return answer->prediction->fixed_size ? answer->question.request.N : answer->prediction->target;
}

/* Joins reports of the answers, which have the same columns: with a column for what differs, where
 * `always` or where they have none. Frees them. NULL where memory is short. */
static cli_report *join(const cli_prediction_run *answer, cli_report **reports, bool always) {
    const isocast_prediction *first = answer->prediction;
    const char *size = answer->loaded.algorithm->sizes[0].name;
    const isocast_metric_row *metric = isocast_metric_row_of(first->metric);
    const char *unit = metric->unit[0] == '\0' ? NULL : metric->unit;
    if (!first->fixed_size) {
        const cli_column column = {.name = "target", .unit = unit, .kind = CLI_COLUMN_NUMBER};
        const cli_join how = {&column, value_of, answer, "target", " = ", "", 6};
        return cli_report_join(reports, answer->count, &how,
                               "%s is scaled so that the %s stays the target, for %zu targets%s",
                               size, metric->held, answer->count,
                               first->has_base ? ", those of the base at its sizes" : "");
    }
    const cli_column column = {.name = "at_N", .heading = size, .kind = CLI_COLUMN_COUNT};
    const cli_join how = {always ? &column : NULL, value_of, answer, size, " = ", "", 6};
    return cli_report_join(reports, answer->count, &how,
                           "%s is held on every system%s, at %zu values", size,
                           cli_report_strong(first), answer->count);
}

ISOCAST_GIVES(void *, objects_of, *(json_t *const *)at->result)

#define SEVERAL(key, document, what)                                                               \
    CLI_SCHEMA("isocast." key "/1"),                                                               \
        ISOCAST_MADE(key, FOREIGN, .foreign = objects_of, NULL, what,                              \
                     .schema =                                                                     \
                         "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/" document "\"}}")
static const isocast_field predictions[] = {
    SEVERAL("predictions", "prediction", "one a target, or a size, in the order asked for")};
static const isocast_field explanations[] = {
    SEVERAL("explanations", "explanation", "one a target, or a size, in the order asked for")};
static const isocast_field growths[] = {
    SEVERAL("growths", "growth", "one a target, in the order asked for")};
static const isocast_field measurements[] = {
    SEVERAL("measurements", "measurement", "one a target, in the order asked for")};
const isocast_table cli_predictions_document = {
    "predictions", "predict at several targets or sizes", ISOCAST_TABLE(predictions)};
const isocast_table cli_explanations_document = {
    "explanations", "explain at several targets or sizes", ISOCAST_TABLE(explanations)};
const isocast_table cli_growths_document = {"growths", "explain --growth at several targets",
                                            ISOCAST_TABLE(growths)};
const isocast_table cli_measurements_document = {
    "measurements", "measure --find at several targets", ISOCAST_TABLE(measurements)};

json_t *cli_json_several(const isocast_table *document, json_t **objects, size_t count) {
    json_t *array = json_array();
    for (size_t k = 0; k < count; k++) {
        cli_json_append(&array, objects[k]);
    }
    return cli_fields_document(document, &array);
}

static cli_view view_of(const cli_prediction_run *answer, size_t k, const void *result,
                        const isocast_psi_matrix *matrix) {
    cli_view view = {cli_subject_of(&answer->call, &answer->loaded), result};
    view.subject.other_sizes = answer->answers[k].question.request.other_sizes;
    view.subject.metric = answer->answers[k].prediction->metric;
    view.subject.matrix = matrix;
    return view;
}

/* NULL where memory is short. */
static json_t *document_of(const cli_answers_writer *writer, void *const *results,
                           const isocast_psi_matrix *matrix, const cli_prediction_run *answer) {
    json_t **objects = calloc(answer->count, sizeof(json_t *));
    if (objects == NULL) {
        return NULL;
    }
    for (size_t k = 0; k < answer->count; k++) {
        const cli_view view = view_of(answer, k, results[k], matrix);
        objects[k] = cli_fields_document(writer->document, &view);
    }
    json_t *all =
        answer->count == 1 ? objects[0] : cli_json_several(writer->several, objects, answer->count);
    free(objects);
    return all;
}

/* A file gets one table of all; people get one answer after the other, or one table. */
static int write_reports(const cli_answers_writer *writer, void *const *results,
                         const isocast_psi_matrix *matrix, const cli_prediction_run *answer) {
    cli_report **reports = calloc(CLI_REPORTS_MAX * answer->count, sizeof(cli_report *));
    if (reports == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    size_t count = 0;
    bool csv = strcmp(answer->call.common.format, "csv") == 0;
    for (size_t k = 0; k < answer->count; k++) {
        const cli_view view = view_of(answer, k, results[k], matrix);
        count += writer->reports(&view, csv, reports + count);
    }
    if (answer->count > 1 && (csv || writer->joined)) {
        reports[0] = join(answer, reports, !writer->joined);
        count = 1;
    }
    if (writer->note != NULL) {
        writer->note(answer, csv, reports[0]);
    }
    int status;
    if (strcmp(answer->call.common.format, "html") == 0) {
        json_t *document = document_of(writer, results, matrix, answer);
        json_t *what_if = writer->movable ? cli_what_if_of(answer->answers, answer->count) : NULL;
        isocast_buffer page = {.failed = document == NULL || (writer->movable && what_if == NULL)};
        cli_page_render(reports, count, document, what_if, &page);
        status = cli_output_write_text(answer->call.common.output, &page);
    } else {
        status = cli_reports_write(reports, count, &answer->call.common);
    }
    free(reports);
    return status;
}

static isocast_status find_all(const cli_answers_writer *writer, const cli_prediction_run *answer,
                               void **results) {
    isocast_status outcome = ISOCAST_OK;
    for (size_t k = 0; k < answer->count && outcome == ISOCAST_OK; k++) {
        if (writer->find != NULL) {
            outcome = writer->find(&answer->answers[k], &results[k]);
        } else {
            results[k] = answer->answers[k].prediction;
        }
    }
    return outcome;
}

int cli_answers_write(const cli_answers_writer *writer, const isocast_psi_matrix *matrix,
                      const cli_prediction_run *answer) {
    void **results = calloc(answer->count, sizeof(void *));
    if (results == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    isocast_status outcome = find_all(writer, answer, results);
    int status = outcome == ISOCAST_ARGUMENT && writer->argument != NULL
                     ? cli_usage_error(answer->call.usage, "%s", writer->argument)
                     : cli_exit_of(outcome);
    if (status == CLI_EXIT_OK) {
        bool json = strcmp(answer->call.common.format, "json") == 0;
        status = json ? cli_json_write(document_of(writer, results, matrix, answer),
                                       &answer->call.common)
                      : write_reports(writer, results, matrix, answer);
    }
    for (size_t k = 0; writer->free != NULL && k < answer->count; k++) {
        writer->free(results[k]);
    }
    free(results);
    return status;
}
