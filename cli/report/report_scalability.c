#include "report_scalability.h"

#include <math.h>

const char *cli_scalability_status_name(isocast_scalability_status status) {
    switch (status) {
    case ISOCAST_SCALABILITY_OK:
        return "ok";
    case ISOCAST_SCALABILITY_SEVERAL:
        return "several";
    case ISOCAST_SCALABILITY_BELOW:
        return "below";
    case ISOCAST_SCALABILITY_ABOVE:
        return "above";
    case ISOCAST_SCALABILITY_MISFIT:
        return "misfit";
    case ISOCAST_SCALABILITY_TOO_FEW:
        break;
    }
    return "too-few";
}

const char *cli_scalability_trend_name(const isocast_scalability_row *row) {
    if (!row->has_trend) {
        return NULL;
    }
    return row->reading.kind == ISOCAST_TREND_POLYNOMIAL ? "polynomial" : "monotone";
}

double cli_scalability_degree(const isocast_scalability_row *row) {
    bool is_polynomial = row->has_trend && row->reading.kind == ISOCAST_TREND_POLYNOMIAL;
    return is_polynomial ? (double)row->reading.degree : NAN;
}

double cli_scalability_error(const isocast_scalability_row *row) {
    return row->has_trend ? row->reading.error : NAN;
}

static void add_columns(cli_report *report) {
    static const cli_column columns[] = {
        {.name = "system", .kind = CLI_COLUMN_TEXT},
        {.name = "p", .kind = CLI_COLUMN_COUNT, .optional = true},
        {.name = "C", .unit = "flop/s", .kind = CLI_COLUMN_NUMBER, .digits = 5},
        {.name = "N", .kind = CLI_COLUMN_NUMBER},
        {.name = "N_low", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "N_high", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "W", .unit = "flop", .kind = CLI_COLUMN_NUMBER},
        {.name = "psi", .kind = CLI_COLUMN_NUMBER},
        {.name = "psi_from_base", .kind = CLI_COLUMN_NUMBER},
        {.name = "trend", .kind = CLI_COLUMN_TEXT, .optional = true},
        {.name = "degree", .kind = CLI_COLUMN_COUNT, .optional = true},
        {.name = "validation_error",
         .heading = "error of E",
         .kind = CLI_COLUMN_NUMBER,
         .digits = 2,
         .optional = true},
        {.name = "points", .kind = CLI_COLUMN_COUNT, .optional = true},
        {.name = "N_first", .kind = CLI_COLUMN_NUMBER, .file_only = true},
        {.name = "N_last", .kind = CLI_COLUMN_NUMBER, .file_only = true},
        {.name = "status", .kind = CLI_COLUMN_TEXT}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
}

static void add_row(cli_report *report, const isocast_scalability_row *row) {
    cli_report_text(report, row->system);
    cli_report_number(report, row->p);
    cli_report_number(report, row->C);
    cli_report_number(report, row->N);
    cli_report_number(report, row->N_low);
    cli_report_number(report, row->N_high);
    cli_report_number(report, row->W);
    cli_report_number(report, row->psi);
    cli_report_number(report, row->psi_from_base);
    cli_report_text(report, cli_scalability_trend_name(row));
    cli_report_number(report, cli_scalability_degree(row));
    cli_report_number(report, cli_scalability_error(row));
    cli_report_number(report, row->points > 0 ? (double)row->points : NAN);
    cli_report_number(report, row->N_first);
    cli_report_number(report, row->N_last);
    cli_report_text(report, cli_scalability_status_name(row->status));
}

/* Every N at which E passes the wanted one. */
static void list_crossings(cli_report *report, const isocast_scalability_row *row) {
    isocast_buffer list = {0};
    for (size_t i = 0; i < row->reading.count; i++) {
        const isocast_crossing *crossing = &row->reading.crossings[i];
        isocast_buffer_printf(&list, "%s%.4g (%s)", i == 0 ? "" : ", ", crossing->N,
                              crossing->rises ? "rising" : "falling");
    }
    cli_report_footnote(report, "%s: E passes the wanted one at N = %s%s; the smallest is given.",
                        row->system, list.text != NULL ? list.text : "",
                        row->reading.more ? " and at more" : "");
    isocast_buffer_free(&list);
}

static void explain_status(cli_report *report, const isocast_scalability_row *row) {
    switch (row->status) {
    case ISOCAST_SCALABILITY_SEVERAL:
        list_crossings(report, row);
        break;
    case ISOCAST_SCALABILITY_BELOW:
        cli_report_footnote(report,
                            "%s: E is over the wanted one at every N measured (%.3g at the "
                            "smallest, %.4g). Measure smaller ones.",
                            row->system, row->E_first, row->N_first);
        break;
    case ISOCAST_SCALABILITY_ABOVE:
        cli_report_footnote(report,
                            "%s: E is under the wanted one at every N measured (%.3g at the "
                            "largest, %.4g). Measure larger ones.",
                            row->system, row->E_last, row->N_last);
        break;
    case ISOCAST_SCALABILITY_MISFIT:
        cli_report_footnote(report,
                            "%s: the measured E passes the wanted one, but the polynomial of "
                            "degree %d does not. Choose another degree, or none.",
                            row->system, row->reading.degree);
        break;
    case ISOCAST_SCALABILITY_TOO_FEW:
        cli_report_footnote(report, "%s: too few sizes were measured for the trend line: %zu.",
                            row->system, row->points);
        break;
    case ISOCAST_SCALABILITY_OK:
        if (!row->reading.crossings[0].rises && row->has_trend) {
            cli_report_footnote(report,
                                "%s: E falls with N there: it is over the wanted one at smaller N.",
                                row->system);
        }
        break;
    }
}

static bool has_interval(const isocast_scalability *s) {
    bool found = false;
    for (size_t i = 0; i < s->count; i++) {
        found |= !isnan(s->rows[i].N_low);
    }
    return found;
}

static void add_footnotes(cli_report *report, const isocast_scalability *s) {
    if (isnan(s->efficiency)) {
        cli_report_footnote(report, "N as listed; psi = C'W/(C W') to this row from the row "
                                    "before; psi_from_base from the first.");
        return;
    }
    cli_report_footnote(report, "N is read off a trend line of E over N; psi = C'W/(C W') to this "
                                "row from the row before; psi_from_base from the first.");
    if (has_interval(s)) {
        cli_report_footnote(report, "N_low to N_high: 90 %% interval from the scatter about the "
                                    "line; error of E: root mean square, leave-one-out.");
    }
    for (size_t i = 0; i < s->count; i++) {
        explain_status(report, &s->rows[i]);
        if (s->rows[i].oversubscribed) {
            cli_report_footnote(report,
                                "%s was measured with more processes than processors "
                                "(oversubscribed): its times are the scheduler's too.",
                                s->rows[i].system);
        }
    }
}

cli_report *cli_report_of_scalability(const cli_scalability_view *view) {
    const isocast_scalability *s = view->scalability;
    cli_report *report = cli_report_create();
    if (isnan(s->efficiency)) {
        cli_report_title(report, "Scalability with the work of %s, N as listed in %s",
                         view->algorithm->name, view->runs_name);
    } else {
        cli_report_title(report,
                         "Scalability with the work of %s, N that gives E = W/(T C) = %.4g by "
                         "the runs of %s",
                         view->algorithm->name, s->efficiency, view->runs_name);
    }
    add_columns(report);
    for (size_t i = 0; i < s->count; i++) {
        add_row(report, &s->rows[i]);
    }
    add_footnotes(report, s);
    return report;
}
