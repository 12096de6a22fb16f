#include "report_transfer.h"

#include <math.h>

const char *cli_transfer_status_name(isocast_transfer_status status) {
    return status == ISOCAST_TRANSFER_OK ? "ok" : "beyond-nodes";
}

void cli_transfer_why(const isocast_transfer *transfer, isocast_buffer *out) {
    double share = 100 * transfer->weights[ISOCAST_TRANSFER_MEMORY];
    isocast_buffer_printf(out, "%.3g %% of the time of a node is taken as bound by memory", share);
    if (transfer->evidence == 0) {
        isocast_buffer_puts(out, ", one of four kinds in equal parts: the runs show nothing of it, "
                                 "as none leaves processors of its nodes idle.");
        return;
    }
    isocast_buffer_printf(out,
                          ": runs that leave processors of their nodes idle show it (%zu pair%s of "
                          "runs, weighed with the 25 %% that stand for knowing nothing).",
                          transfer->evidence, transfer->evidence == 1 ? "" : "s");
}

static void add_columns(cli_report *report, const isocast_algorithm *algorithm) {
    enum { TIMES = 1, EFFICIENCIES = 2 };
    const cli_column first = {.name = "N", .kind = CLI_COLUMN_COUNT};
    cli_report_column(report, &first);
    for (size_t k = 1; algorithm != NULL && k < algorithm->size_count; k++) {
        cli_report_column(
            report, &(cli_column){.name = algorithm->sizes[k].name, .kind = CLI_COLUMN_COUNT});
    }
    const cli_column columns[] = {
        {.name = "nodes", .kind = CLI_COLUMN_COUNT},
        {.name = "p_here", .heading = "p here", .kind = CLI_COLUMN_COUNT},
        {.name = "p", .heading = "p there", .kind = CLI_COLUMN_COUNT},
        {.name = "T_here", .heading = "T here", .compared = TIMES},
        {.name = "T", .heading = "T there", .compared = TIMES},
        {.name = "T_low", .compared = TIMES},
        {.name = "T_high", .compared = TIMES},
        {.name = "T_by_memory", .heading = "by memory", .compared = TIMES},
        {.name = "T_by_speed", .heading = "by speed", .compared = TIMES},
        {.name = "rest", .kind = CLI_COLUMN_SHARE, .digits = 2},
        {.name = "W", .unit = "flop", .kind = CLI_COLUMN_NUMBER, .file_only = true},
        {.name = "E_here", .heading = "E here", .compared = EFFICIENCIES},
        {.name = "E", .heading = "E there", .compared = EFFICIENCIES},
        {.name = "E_low", .compared = EFFICIENCIES},
        {.name = "E_high", .compared = EFFICIENCIES},
        {.name = "N_there", .heading = "N'", .kind = CLI_COLUMN_NUMBER},
        {.name = "N_there_low", .heading = "N'_low", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "N_there_high", .heading = "N'_high", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "psi", .kind = CLI_COLUMN_NUMBER},
        {.name = "status", .kind = CLI_COLUMN_TEXT}};
    enum { COLUMNS = sizeof columns / sizeof columns[0], WITH_WORK = 10, STATUS = COLUMNS - 1 };
    for (size_t i = 0; i < COLUMNS; i++) {
        cli_column column = columns[i];
        if (column.compared != 0) {
            column.kind = CLI_COLUMN_NUMBER;
            column.unit = column.compared == TIMES ? "s" : NULL;
        }
        if (i < WITH_WORK || i == STATUS || algorithm != NULL) {
            cli_report_column(report, &column);
        }
    }
    if (algorithm != NULL) {
        cli_report_call(report, "N", algorithm->sizes[0].name);
    }
}

static void add_row(cli_report *report, const isocast_transfer_row *row, size_t size_count,
                    bool with_work) {
    for (size_t k = 0; k < size_count; k++) {
        cli_report_number(report, row->sizes[k]);
    }
    const double numbers[] = {row->nodes,      row->p_here, row->p,      row->T_here,
                              row->T,          row->T_low,  row->T_high, row->T_by_memory,
                              row->T_by_speed, row->rest,   row->W,      row->E_here,
                              row->E,          row->E_low,  row->E_high, row->N,
                              row->N_low,      row->N_high, row->psi};
    enum { ALL = sizeof numbers / sizeof numbers[0], WITHOUT_WORK = 10 };
    for (size_t i = 0; i < (with_work ? ALL : WITHOUT_WORK); i++) {
        cli_report_number(report, numbers[i]);
    }
    cli_report_text(report, cli_transfer_status_name(row->status));
}

static void add_footnotes(cli_report *report, const cli_transfer_view *view) {
    const isocast_transfer *t = view->transfer;
    const char *there = view->request->to.machine->name;
    isocast_buffer why = {0};
    cli_transfer_why(t, &why);
    cli_report_footnote(report, "%s", why.text != NULL ? why.text : "");
    isocast_buffer_free(&why);
    double mean = 0;
    for (size_t k = 0; k < ISOCAST_TRANSFER_KINDS; k++) {
        mean += t->weights[k] * log(t->ratios[k]);
    }
    cli_report_footnote(
        report,
        "A full node of %s is taken as %.3g times as fast: %.3g times by its memory "
        "bandwidth, %.3g times by processors and clock, %.3g times by their speed.",
        there, exp(-mean), 1 / t->ratios[ISOCAST_TRANSFER_MEMORY],
        1 / t->ratios[ISOCAST_TRANSFER_ISSUE], 1 / t->ratios[ISOCAST_TRANSFER_VECTORS]);
    cli_report_footnote(report, "T_low to T_high: 90 %% interval, by what is not known of these "
                                "shares and by how far such transfers were off.");
    cli_report_footnote(report,
                        "by memory, by speed: T by the bare ratio of memory bandwidths and of "
                        "speeds. rest: the share of T there that more nodes do not shorten.");
    if (!t->has_clock) {
        cli_report_footnote(report, "One of the files does not state the frequency of its "
                                    "processors, which counts as the same on both machines.");
    }
    if (!t->has_network) {
        cli_report_footnote(report, "One of the files does not state latency and bandwidth of its "
                                    "network, which count as the same on both machines.");
    }
    bool beyond = false;
    bool sizeless = false;
    for (size_t i = 0; i < t->count; i++) {
        beyond |= t->rows[i].status == ISOCAST_TRANSFER_BEYOND;
        sizeless |= t->rows[i].status == ISOCAST_TRANSFER_OK && isnan(t->rows[i].N);
    }
    if (beyond) {
        cli_report_footnote(report, "beyond-nodes: %s has %.10g nodes.", there,
                            view->request->to.machine->classes[0].count);
    }
    if (view->algorithm != NULL) {
        cli_report_footnote(
            report,
            "N': the size with which E there is E here, on as many nodes%s; "
            "psi = C'W/(C W') from here to there.",
            sizeless ? "; it lies beyond the sizes that were run where it is missing" : "");
    }
}

cli_report *cli_report_of_transfer(const cli_transfer_view *view) {
    const isocast_transfer *t = view->transfer;
    cli_report *report = cli_report_create();
    cli_report_title(report, "T on %s by the runs of %s on %s, on as many nodes",
                     view->request->to.machine->name, view->runs_name,
                     view->request->from.machine->name);
    add_columns(report, view->algorithm);
    for (size_t i = 0; i < t->count; i++) {
        add_row(report, &t->rows[i], t->size_count, view->algorithm != NULL);
    }
    add_footnotes(report, view);
    return report;
}
