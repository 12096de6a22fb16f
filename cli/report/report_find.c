#include "report_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "above_one.h"
#include "cli/output/json_text.h"
#include "cli/output/report_join.h"
#include "report_notes.h"

static bool is_isospeed_e(const cli_find_subject *subject) {
    return subject->metric == ISOCAST_METRIC_ISOSPEED_E;
}

static void add_columns(cli_report *report, const cli_find_subject *subject) {
    const isocast_metric_row *metric = isocast_metric_row_of(subject->metric);
    const cli_column size = {.name = "R_f", .kind = CLI_COLUMN_NUMBER};
    const cli_column alone = {
        .name = "T_alone", .unit = "s", .kind = CLI_COLUMN_NUMBER, .optional = true};
    const cli_column columns[] = {
        {.name = "system", .kind = CLI_COLUMN_TEXT},
        {.name = "p", .kind = CLI_COLUMN_COUNT},
        {.name = "C", .unit = "flop/s", .kind = CLI_COLUMN_NUMBER, .digits = 5},
        {.name = "N", .kind = CLI_COLUMN_COUNT},
        {.name = "W", .unit = "flop", .kind = CLI_COLUMN_NUMBER},
        {.name = "T", .unit = "s", .kind = CLI_COLUMN_NUMBER},
        {.name = metric->field,
         .unit = metric->unit[0] != '\0' ? metric->unit : NULL,
         .kind = CLI_COLUMN_NUMBER},
        {.name = "psi", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "psi_from_base", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "steps", .kind = CLI_COLUMN_COUNT},
        {.name = "status", .kind = CLI_COLUMN_TEXT},
        {.name = "note", .kind = CLI_COLUMN_TEXT, .file_only = true}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        if (strcmp(columns[i].name, metric->field) == 0 && !is_isospeed_e(subject)) {
            cli_report_column(report, &size);
            cli_report_column(report, &alone);
        }
        cli_report_column(report, &columns[i]);
    }
}

/* In the order of the columns. */
static void add_row(cli_report *report, const cli_find_subject *subject,
                    const campaign_search_row *row, const char *note) {
    cli_report_text(report, row->system->name);
    cli_report_number(report, row->system->p);
    cli_report_number(report, row->system->C);
    cli_report_number(report, row->N);
    cli_report_number(report, row->W);
    cli_report_number(report, row->T);
    if (!is_isospeed_e(subject)) {
        cli_report_number(report, row->system->reference_factor);
        cli_report_number(report, row->T_alone);
    }
    cli_report_number(report, row->E);
    cli_report_number(report, row->psi);
    cli_report_number(report, row->psi_from_base);
    cli_report_number(report, (double)row->steps);
    cli_report_text(report, campaign_search_status_word(row->state));
    cli_report_text(report, note);
}

/* The machine file of measured runs may lack operations that a prediction needs: then there is no
 * model to ask for the working set. */
static void note_above_one(cli_report *report, const cli_find_subject *subject,
                           const campaign_search_row *rows, size_t count) {
    cli_above_one above = {0};
    for (size_t i = 0; is_isospeed_e(subject) && i < count; i++) {
        const cli_above_one place = {
            .name = rows[i].system->name, .system = rows[i].system, .N = rows[i].N};
        cli_above_one_take(&above, rows[i].E, &place);
    }
    isocast_diagnostics ignored = {0};
    isocast_model *model = NULL;
    bool bound =
        above.count > 0 && subject->algorithm->size_count == 1 &&
        isocast_model_create(subject->algorithm, subject->machine, &ignored, &model) == ISOCAST_OK;
    isocast_diagnostics_clear(&ignored);
    cli_report_note_above_one(report, subject->algorithm, subject->machine, bound ? model : NULL,
                              subject->kernel, &above);
    isocast_model_free(model);
}

cli_report *cli_report_find(const cli_find_subject *subject, const campaign_search_row *rows,
                            size_t count) {
    cli_report *report = cli_report_create();
    cli_report_title(report, "%s (kernel %s) on %s, %s", subject->algorithm->name, subject->kernel,
                     subject->machine->name, subject->simulated ? "simulated" : "measured");
    const isocast_metric_row *metric = isocast_metric_row_of(subject->metric);
    isocast_buffer target = {0};
    isocast_metric_format(subject->metric, subject->search.target, 6, &target);
    cli_report_title(report, "%s is scaled until the runs show the %s %s%s = %s",
                     subject->algorithm->sizes[0].name, metric->held,
                     is_isospeed_e(subject) ? "E = " : "", metric->formula,
                     target.text != NULL ? target.text : "");
    isocast_buffer_free(&target);
    add_columns(report, subject);
    cli_report_call(report, "N", subject->algorithm->sizes[0].name);
    for (size_t i = 0; i < count; i++) {
        isocast_buffer note = {0};
        campaign_search_note(&rows[i], subject->metric, &subject->search, &note);
        add_row(report, subject, &rows[i], note.text);
        if (note.text != NULL) {
            cli_report_footnote(report, "%s: %s: %s.", rows[i].system->name,
                                campaign_search_status_word(rows[i].state), note.text);
        }
        isocast_buffer_free(&note);
    }
    if (subject->simulated) {
        cli_report_footnote(report,
                            "T: of a simulated run; %s may be %.3g %% off; steps: sizes tried.",
                            metric->symbol, 100 * subject->search.tolerance);
    } else {
        cli_report_footnote(report,
                            "T: median of %ld runs; %s may be %.3g %% off; steps: sizes tried.",
                            subject->repetitions, metric->symbol, 100 * subject->search.tolerance);
    }
    if (metric->numerator == ISOCAST_NUMERATOR_TIME_ALONE) {
        cli_report_footnote(report, "T_alone is T(W,1), the median of the runs on one process.");
    }
    cli_report_note_marked_speed(report, subject->machine, subject->kernel);
    note_above_one(report, subject, rows, count);
    if (count > 1 && metric->psi != NULL) {
        cli_report_footnote(report,
                            "psi = %s to this row from the row before; psi_from_base from %s.",
                            metric->psi, rows[0].system->name);
    }
    return report;
}

cli_report *cli_report_finds(cli_report **reports, const double *targets, size_t count,
                             isocast_metric metric) {
    const isocast_metric_row *row = isocast_metric_row_of(metric);
    char **labels = calloc(count, sizeof(char *));
    bool complete = labels != NULL;
    for (size_t k = 0; complete && k < count; k++) {
        isocast_buffer label = {0};
        isocast_buffer_puts(&label, "target ");
        isocast_metric_format(metric, targets[k], 6, &label);
        labels[k] = isocast_buffer_take(&label);
        complete = labels[k] != NULL;
    }
    isocast_buffer title = {0};
    isocast_buffer_printf(&title, "N is scaled until the runs show the %s of the column target",
                          row->held);
    cli_report *joined = NULL;
    if (complete && !title.failed) {
        const cli_column column = {.name = "target",
                                   .unit = row->unit[0] != '\0' ? row->unit : NULL,
                                   .kind = CLI_COLUMN_NUMBER,
                                   .digits = 2};
        const cli_join how = {&column, targets, labels, title.text};
        joined = cli_report_join((const cli_report *const *)reports, count, &how);
    }
    for (size_t k = 0; k < count; k++) {
        cli_report_free(reports[k]);
        free(labels != NULL ? labels[k] : NULL);
    }
    free(labels);
    isocast_buffer_free(&title);
    return joined;
}

static json_t *json_row(const campaign_search_row *row, const cli_find_subject *subject) {
    isocast_buffer note = {0};
    campaign_search_note(row, subject->metric, &subject->search, &note);
    json_t *object = json_object();
    cli_json_set(&object, "system", cli_json_string(row->system->name));
    cli_json_set(&object, "p", cli_json_number(row->system->p));
    cli_json_set(&object, "C", cli_json_number(row->system->C));
    cli_json_set(&object, "N", cli_json_number(row->N));
    cli_json_set(&object, "W", cli_json_number(row->W));
    cli_json_set(&object, "T", cli_json_number(row->T));
    cli_json_set(&object, isocast_metric_row_of(subject->metric)->field, cli_json_number(row->E));
    if (!is_isospeed_e(subject)) {
        double C = row->system->C;
        cli_json_set(&object, "E", cli_json_number(row->W / (row->T * C)));
        cli_json_set(&object, "R_f", cli_json_number(row->system->reference_factor));
        cli_json_set(&object, "T_alone", cli_json_number(row->T_alone));
    }
    cli_json_set(&object, "psi", cli_json_number(row->psi));
    cli_json_set(&object, "psi_from_base", cli_json_number(row->psi_from_base));
    cli_json_set(&object, "steps", cli_json_number((double)row->steps));
    cli_json_set(&object, "status", cli_json_string(campaign_search_status_word(row->state)));
    cli_json_set(&object, "note", cli_json_string(note.text));
    isocast_buffer_free(&note);
    return object;
}

json_t *cli_json_find(const cli_find_subject *subject, const campaign_search_row *rows,
                      size_t count, json_t *provenance) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        cli_json_append(&list, json_row(&rows[i], subject));
    }
    json_t *object = json_object();
    cli_json_set(&object, "schema", cli_json_string("isocast.measurement/1"));
    cli_json_set(&object, "algorithm", cli_json_string(subject->algorithm->name));
    cli_json_set(&object, "machine", cli_json_string(subject->machine->name));
    cli_json_set(&object, "kernel", cli_json_string(subject->kernel));
    cli_json_set(&object, "runs", cli_json_string(subject->runs_name));
    cli_json_set(&object, "simulated", json_boolean(subject->simulated));
    cli_json_set(&object, "metric", json_string(isocast_metric_name(subject->metric)));
    cli_json_set(&object, "target", cli_json_number(subject->search.target));
    cli_json_set(&object, "tolerance", cli_json_number(subject->search.tolerance));
    cli_json_set(&object, "repetitions", cli_json_number((double)subject->repetitions));
    cli_json_set(&object, "rows", list);
    cli_json_set(&object, "provenance", provenance);
    return object;
}
