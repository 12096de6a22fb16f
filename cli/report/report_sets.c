#include "report_sets.h"

#include <math.h>

#include "cli/output/json_text.h"
#include "report_matrix.h"

static void add_columns(cli_report *report) {
    static const cli_column columns[] = {
        {.name = "set", .kind = CLI_COLUMN_TEXT},
        {.name = "n", .kind = CLI_COLUMN_COUNT, .optional = true},
        {.name = "T_ref", .unit = "s", .kind = CLI_COLUMN_NUMBER, .optional = true, .compared = 1},
        {.name = "R_f", .kind = CLI_COLUMN_NUMBER, .optional = true, .compared = 2},
        {.name = "R_f_from_time", .kind = CLI_COLUMN_NUMBER, .optional = true, .compared = 2},
        {.name = "T", .unit = "s", .kind = CLI_COLUMN_NUMBER, .optional = true, .compared = 1},
        {.name = "W", .unit = "flop", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "average_speed", .unit = "flop/s", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "psi", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "psi_from_base", .kind = CLI_COLUMN_NUMBER, .optional = true}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
}

static double average_speed(const isocast_set_row *row) {
    return row->W / (row->R_f * row->T);
}

static void add_row(cli_report *report, const isocast_set_row *row) {
    cli_report_text(report, row->set);
    const double numbers[] = {row->n, row->T_ref,         row->R_f, row->R_f_from_time, row->T,
                              row->W, average_speed(row), row->psi, row->psi_from_base};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        cli_report_number(report, numbers[i]);
    }
}

/* The formula that psi was computed by. */
static const char *psi_formula(const isocast_set_table *table) {
    return table->has_W && table->metric == ISOCAST_METRIC_ISOSPEED
               ? isocast_metric_row_of(table->metric)->psi
               : "T/T'";
}

void cli_title_of_sets(const isocast_set_table *table, isocast_buffer *out) {
    if (table->times_name == NULL) {
        isocast_buffer_printf(out, "Performance reference factors by the times of %s",
                              table->reference_name);
        return;
    }
    const isocast_metric_row *metric = isocast_metric_row_of(table->metric);
    isocast_buffer_printf(out, "Scalability (%s) by the times of %s, taken at one %s %s",
                          metric->name, table->times_name, metric->held, metric->formula);
}

static bool has_both_factors(const isocast_set_table *table) {
    for (size_t i = 0; i < table->count; i++) {
        if (!isnan(table->rows[i].R_f_given) && !isnan(table->rows[i].R_f_from_time)) {
            return true;
        }
    }
    return false;
}

static void add_footnotes(cli_report *report, const isocast_set_table *table) {
    if (table->reference_name != NULL) {
        cli_report_footnote(report, "R_f = n T_ref(1)/T_ref: T_ref is the time of the reference "
                                    "program, n counts processors.");
    }
    if (has_both_factors(table)) {
        cli_report_footnote(report, "R_f is the file's own; R_f_from_time follows from its times.");
    }
    if (table->times_name != NULL) {
        cli_report_footnote(report,
                            "psi = %s to this row from the row before; psi_from_base from %s.",
                            psi_formula(table), table->rows[0].set);
    }
    if (table->times_name != NULL && !table->has_W) {
        cli_report_footnote(report,
                            "Each time was taken at the W that holds the %s, so psi is the "
                            "ratio of the times.",
                            isocast_metric_row_of(table->metric)->held);
    }
    if (table->reference_name != NULL && table->without_R_f) {
        cli_report_footnote(report, "Some sets have no reference time: their R_f is not known.");
    }
}

cli_report *cli_report_of_sets(const isocast_set_table *table) {
    cli_report *report = cli_report_create();
    isocast_buffer title = {0};
    cli_title_of_sets(table, &title);
    cli_report_title(report, "%s", title.text != NULL ? title.text : "");
    isocast_buffer_free(&title);
    add_columns(report);
    for (size_t i = 0; i < table->count; i++) {
        add_row(report, &table->rows[i]);
    }
    add_footnotes(report, table);
    return report;
}

static json_t *json_row(const isocast_set_row *row) {
    json_t *object = json_object();
    cli_json_set(&object, "set", cli_json_string(row->set));
    cli_json_set(&object, "n", cli_json_number(row->n));
    cli_json_set(&object, "T_ref", cli_json_number(row->T_ref));
    cli_json_set(&object, "R_f", cli_json_number(row->R_f));
    cli_json_set(&object, "R_f_from_time", cli_json_number(row->R_f_from_time));
    cli_json_set(&object, "T", cli_json_number(row->T));
    cli_json_set(&object, "W", cli_json_number(row->W));
    cli_json_set(&object, "average_speed", cli_json_number(average_speed(row)));
    cli_json_set(&object, "psi", cli_json_number(row->psi));
    cli_json_set(&object, "psi_from_base", cli_json_number(row->psi_from_base));
    return object;
}

json_t *cli_json_sets(const isocast_set_table *table, const isocast_psi_matrix *matrix,
                      json_t *command) {
    bool has_times = table->times_name != NULL;
    json_t *rows = json_array();
    for (size_t i = 0; i < table->count; i++) {
        cli_json_append(&rows, json_row(&table->rows[i]));
    }
    json_t *provenance = json_object();
    cli_json_set(&provenance, "isocast", json_string(ISOCAST_VERSION));
    cli_json_set(&provenance, "command", command);
    json_t *object = json_object();
    cli_json_set(&object, "schema", json_string("isocast.processor-sets/1"));
    cli_json_set(&object, "metric",
                 has_times ? json_string(isocast_metric_row_of(table->metric)->name) : json_null());
    cli_json_set(&object, "psi_formula", has_times ? json_string(psi_formula(table)) : json_null());
    cli_json_set(&object, "times", cli_json_string(table->times_name));
    cli_json_set(&object, "reference", cli_json_string(table->reference_name));
    cli_json_set(&object, "rows", rows);
    if (matrix != NULL) {
        cli_json_set(&object, "pairs", cli_json_pairs(matrix));
    }
    cli_json_set(&object, "provenance", provenance);
    return object;
}
