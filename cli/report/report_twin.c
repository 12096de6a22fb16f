#include "report_twin.h"

#include <math.h>

static void add_columns(cli_report *report) {
    static const cli_column columns[] = {
        {.name = "operation", .kind = CLI_COLUMN_TEXT},
        {.name = "points", .kind = CLI_COLUMN_COUNT},
        {.name = "messages_alone", .heading = "messages alone", .kind = CLI_COLUMN_SHARE},
        {.name = "fitted", .kind = CLI_COLUMN_SHARE},
        {.name = "left_out", .heading = "left out", .kind = CLI_COLUMN_COUNT},
        {.name = "p", .kind = CLI_COLUMN_COUNT},
        {.name = "twin", .kind = CLI_COLUMN_SHARE},
        {.name = "formulas", .kind = CLI_COLUMN_SHARE},
        {.name = "better", .kind = CLI_COLUMN_TEXT}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
}

static bool is_compared(const campaign_twin_row *row) {
    return !isnan(row->twin) && !isnan(row->formulas);
}

static const char *better_of(const campaign_twin_row *row) {
    if (!is_compared(row)) {
        return NULL;
    }
    return campaign_twin_is_better(row) ? "twin" : "formulas";
}

static void add_row(cli_report *report, const char *name, const campaign_twin_row *row) {
    cli_report_text(report, name);
    cli_report_number(report, (double)row->points);
    cli_report_number(report, row->before);
    cli_report_number(report, row->after);
    cli_report_number(report, (double)row->held_points);
    cli_report_number(report, row->held_points > 0 ? row->held_p : NAN);
    cli_report_number(report, row->twin);
    cli_report_number(report, row->formulas);
    cli_report_text(report, better_of(row));
}

/* What was found by many messages at once. */
static void add_scales(cli_report *report, const campaign_twin *twin) {
    const fit_network_scales *scales = &twin->scales;
    cli_report_footnote(report,
                        "A link carries %.3g messages at once at the rate of the fastest one. "
                        "Latencies%s count %.3g times. Collectives: %s.",
                        scales->capacity,
                        twin->network.has_between ? "" : " between nodes, as within one,",
                        scales->latency, isocast_collectives_name(twin->collectives));
    if (isfinite(scales->node)) {
        cli_report_footnote(report,
                            "A node carries %.3g messages within it at once at the rate of the "
                            "fastest one.",
                            scales->node);
    } else if (scales->memory != 1) {
        cli_report_footnote(report, "Bytes within a node count %.3g times.", scales->memory);
    }
}

static void add_verdict(cli_report *report, const campaign_twin *twin) {
    if (!twin->searched) {
        cli_report_footnote(report, "No collective was measured whose placement is known. The twin "
                                    "has messages between two processes alone.");
    } else if (is_compared(&twin->all)) {
        cli_report_footnote(
            report, "On the most processes, which nothing was fitted to, the %s. Use %s.",
            campaign_twin_is_better(&twin->all) ? "twin is nearer to the timings than formulas"
                                                : "formulas are nearer to the timings than the "
                                                  "twin",
            campaign_twin_is_better(&twin->all) ? "predict --platform with the twin"
                                                : "the machine file");
    } else {
        cli_report_footnote(report,
                            twin->held_simulated
                                ? "The timings have no formula to compare the twin with."
                                : "The twin was not tested on more processes than it was fitted "
                                  "to: there are no such timings, or no time to simulate them.");
    }
    if (twin->ended_early) {
        cli_report_footnote(report, "The budget ended the search: more --budget may give a better "
                                    "twin.");
    }
}

cli_report *cli_report_twin(const campaign_twin *twin, const isocast_machine *machine) {
    cli_report *report = cli_report_create();
    cli_report_title(report, "A twin of %s: relative errors of simulated times, medians",
                     machine->name);
    add_columns(report);
    for (size_t i = 0; i < twin->row_count; i++) {
        const campaign_twin_row *row = &twin->rows[i];
        add_row(report, isocast_known_operations[row->operation].name, row);
    }
    add_row(report, "all collectives", &twin->all);
    cli_report_footnote(report,
                        "messages alone: with messages between two processes fitted; fitted: with "
                        "collectives, too. left out: points on p processes, which nothing was "
                        "fitted to; twin and formulas are the errors there.");
    add_scales(report, twin);
    cli_report_footnote(report,
                        "%zu sets of parameters were tried; %zu simulations were run, %zu results "
                        "came from the cache.",
                        twin->evaluations, twin->launches, twin->cached);
    add_verdict(report, twin);
    return report;
}
