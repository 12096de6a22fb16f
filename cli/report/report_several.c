#include "report_several.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/output/fields.h"
#include "cli/output/json_text.h"
#include "cli/output/render.h"

/* What differs from answer to answer: the target that is held, or the size. */
static double value_of(const void *run, size_t k) {
    const cli_prediction_answer *answer = &((const cli_prediction_run *)run)->answers[k];
    return answer->prediction->fixed_size ? answer->question.request.N : answer->prediction->target;
}

cli_report *cli_report_several(const cli_prediction_run *answer, cli_report **reports,
                               bool always) {
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
                           "%s is held on every system (strong scaling), at %zu values", size,
                           answer->count);
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

static const double *other_sizes_of(const cli_prediction_run *answer, size_t k) {
    return answer->answers[k].question.request.other_sizes;
}

static int write_json(const cli_answers_writer *writer, const void *results,
                      const cli_prediction_run *answer) {
    json_t **objects = calloc(answer->count, sizeof(json_t *));
    if (objects == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    for (size_t k = 0; k < answer->count; k++) {
        cli_subject subject = cli_subject_of(answer->argc, answer->argv, &answer->loaded);
        subject.other_sizes = other_sizes_of(answer, k);
        subject.metric = answer->answers[k].prediction->metric;
        objects[k] = writer->object(results, k, &subject);
    }
    json_t *all =
        answer->count == 1 ? objects[0] : cli_json_several(writer->several, objects, answer->count);
    free(objects);
    return cli_json_write(all, &answer->common);
}

int cli_answers_write(const cli_answers_writer *writer, const void *results,
                      const cli_prediction_run *answer) {
    if (strcmp(answer->common.format, "json") == 0) {
        return write_json(writer, results, answer);
    }
    cli_report **reports = calloc(CLI_REPORTS_OF_ANSWER * answer->count, sizeof(cli_report *));
    if (reports == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    size_t count = 0;
    bool csv = strcmp(answer->common.format, "csv") == 0;
    for (size_t k = 0; k < answer->count; k++) {
        count += writer->reports(results, k, other_sizes_of(answer, k), csv, reports + count);
    }
    if (csv && answer->count > 1) {
        reports[0] = cli_report_several(answer, reports, true);
        count = 1;
    }
    int status = cli_reports_write(reports, count, &answer->common);
    free(reports);
    return status;
}
