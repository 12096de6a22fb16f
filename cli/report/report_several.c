#include "report_several.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/output/fields.h"
#include "cli/output/json_text.h"
#include "cli/output/render.h"

/* What differs from answer to answer: the target that is held, or the size. */
static double value_of(const cli_prediction_answer *answer) {
    const isocast_prediction *prediction = answer->prediction;
    return prediction->fixed_size ? answer->question.request.N : prediction->target;
}

static bool make_labels(const cli_prediction_run *answer, const char *name, char **labels,
                        double *values) {
    bool made = true;
    for (size_t k = 0; k < answer->count; k++) {
        isocast_buffer label = {0};
        values[k] = value_of(&answer->answers[k]);
        isocast_buffer_printf(&label, "%s = %.6g", name, values[k]);
        labels[k] = isocast_buffer_take(&label);
        made = made && labels[k] != NULL;
    }
    return made;
}

static cli_report *join(const cli_prediction_run *answer, cli_report *const *reports, bool always,
                        char **labels, double *values) {
    const isocast_prediction *first = answer->prediction;
    const char *size = answer->loaded.algorithm->sizes[0].name;
    const isocast_metric_row *metric = isocast_metric_row_of(first->metric);
    bool fixed = first->fixed_size;
    if (!make_labels(answer, fixed ? size : "target", labels, values)) {
        return NULL;
    }
    const cli_column column = {.name = fixed ? "at_N" : "target",
                               .heading = fixed ? size : NULL,
                               .unit = fixed || metric->unit[0] == '\0' ? NULL : metric->unit,
                               .kind = fixed ? CLI_COLUMN_COUNT : CLI_COLUMN_NUMBER};
    isocast_buffer title = {0};
    if (fixed) {
        isocast_buffer_printf(&title, "%s is held on every system (strong scaling), at %zu values",
                              size, answer->count);
    } else {
        isocast_buffer_printf(
            &title, "%s is scaled so that the %s stays the target, for %zu targets%s", size,
            metric->held, answer->count, first->has_base ? ", those of the base at its sizes" : "");
    }
    const cli_join how = {!fixed || always ? &column : NULL, values, labels,
                          title.text != NULL ? title.text : ""};
    cli_report *joined =
        title.failed ? NULL
                     : cli_report_join((const cli_report *const *)reports, answer->count, &how);
    isocast_buffer_free(&title);
    return joined;
}

cli_report *cli_report_several(const cli_prediction_run *answer, cli_report **reports,
                               bool always) {
    char **labels = calloc(answer->count, sizeof(char *));
    double *values = calloc(answer->count, sizeof *values);
    cli_report *joined = NULL;
    if (labels != NULL && values != NULL) {
        joined = join(answer, reports, always, labels, values);
    }
    for (size_t k = 0; k < answer->count; k++) {
        cli_report_free(reports[k]);
        if (labels != NULL) {
            free(labels[k]);
        }
    }
    free(labels);
    free(values);
    return joined;
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
