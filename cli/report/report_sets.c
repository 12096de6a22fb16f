#include "report_sets.h"

#include <math.h>

#include "cli/output/fields.h"

ISOCAST_GIVES(const isocast_set_table *, table_of, ((const cli_sets_view *)at->result)->table)

static double average_speed(const isocast_at *at) {
    const isocast_set_row *row = at->row;
    return row->W / (row->R_f * row->T);
}

enum { TIMES = 1, FACTORS };
#define FIELD(member, kind, unit, ...)                                                             \
    ISOCAST_FIELD(#member, kind, isocast_set_row, member, unit, __VA_ARGS__)
static const isocast_field row_fields[] = {
    FIELD(set, TEXT, NULL, "its name, such as 4x2: 4 processors on each of 2 nodes", .known = true),
    FIELD(n, COUNT, NULL, "processors, by the name; null where it has no such number",
          .optional = true),
    FIELD(T_ref, NUMBER, "s", "time of the reference program", .optional = true, .compared = TIMES),
    FIELD(R_f, NUMBER, NULL, "performance reference factor: the file's, else by its times",
          .optional = true, .compared = FACTORS),
    FIELD(R_f_from_time, NUMBER, NULL, "n T_ref(1)/T_ref(set)", .optional = true,
          .compared = FACTORS),
    FIELD(T, NUMBER, "s", "time of the program", .optional = true, .compared = TIMES),
    FIELD(W, NUMBER, "flop", "its work, where the file has a column W", .optional = true),
    ISOCAST_MADE("average_speed", NUMBER, .number = average_speed, "flop/s",
                 "W/(R_f T), where W and R_f are known", .optional = true),
    FIELD(psi, NUMBER, NULL, "to this row from the row before", .optional = true),
    FIELD(psi_from_base, NUMBER, NULL, "to this row from the first", .optional = true)};
static const isocast_table set_rows = {NULL, "one processor set", ISOCAST_TABLE(row_fields)};

ISOCAST_OWN_ITEMS(row_item, table_of(in)->count, &table_of(in)->rows[i])

const char *cli_psi_of_sets(const isocast_set_table *table) {
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
                            cli_psi_of_sets(table), table->rows[0].set);
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

cli_report *cli_report_of_sets(const cli_sets_view *view) {
    const isocast_set_table *table = view->table;
    cli_report *report = cli_report_create();
    isocast_buffer title = {0};
    cli_title_of_sets(table, &title);
    cli_report_title(report, "%s", title.text != NULL ? title.text : "");
    isocast_buffer_free(&title);
    cli_fields_fill(report, &set_rows, view, row_item);
    add_footnotes(report, table);
    return report;
}

ISOCAST_GIVES(const char *, metric_of,
              table_of(at)->times_name != NULL ? isocast_metric_name(table_of(at)->metric) : NULL)
ISOCAST_GIVES(const char *, formula_of,
              table_of(at)->times_name != NULL ? cli_psi_of_sets(table_of(at)) : NULL)
ISOCAST_GIVES(const void *, from_table, table_of(at))

static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.processor-sets/1"),
    ISOCAST_MADE("metric", TEXT, .text = metric_of, NULL,
                 "what the times were taken at; null for reference times alone",
                 .words = cli_metric_words),
    ISOCAST_MADE("psi_formula", TEXT, .text = formula_of, NULL,
                 "the formula that psi was computed by; null likewise"),
    ISOCAST_FIELD("times", TEXT, isocast_set_table, times_name, NULL,
                  "the file of times; null likewise", .from = from_table),
    ISOCAST_FIELD("reference", TEXT, isocast_set_table, reference_name, NULL,
                  "the file of reference times; null where none was given", .from = from_table),
    ISOCAST_MADE("rows", LIST, .item = row_item, NULL, "the sets in the order of the file",
                 .of = &set_rows),
    CLI_PAIRS,
    CLI_PROVENANCE_BRIEF};
const isocast_table cli_sets_document = {
    "processor-sets",
    "isocast scalability TIMES.csv --format json: times and reference factors of processor sets",
    ISOCAST_TABLE(fields)};
