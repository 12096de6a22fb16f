#include "report_comparison.h"

#include "cli/output/fields.h"
#include "cli/output/per_cent.h"
#include "report_notes.h"

static cli_report *report_points(const isocast_comparison *c, const char *runs_name) {
    cli_report *report = cli_report_create();
    const isocast_algorithm *algorithm = isocast_model_algorithm(c->validation->model);
    const isocast_machine *machine = isocast_model_machine(c->validation->model);
    cli_report_title(report, "%s (%s) on %s%s, term by term against the phases of %s",
                     algorithm->title != NULL ? algorithm->title : algorithm->name, algorithm->name,
                     machine->name, machine->simulated ? " (simulated)" : "", runs_name);
    cli_fields_head(report, &cli_comparison_cells, c);
    cli_report_call(report, "N", algorithm->sizes[0].name);
    isocast_at at = {.result = c};
    for (size_t i = 0; cli_comparison_point_item(&at, i, &at); i++) {
        for (at.index = 0; at.index <= c->group_count; at.index++) {
            cli_fields_row(report, &cli_comparison_cells, &at);
        }
    }
    cli_report_footnote(report, "error: predicted over measured, less 1; off: predicted less "
                                "measured, as part of the measured T.");
    cli_report_note_restrictions(report, c->validation->model);
    return report;
}

static void add_verdict(cli_report *report, const isocast_comparison *c) {
    if (c->most_off == c->group_count) {
        cli_report_footnote(report, "No phase was measured.");
        return;
    }
    const isocast_comparison_group *group = &c->groups[c->most_off];
    const isocast_validation_point *point = &c->validation->points[c->worst];
    size_t cell = c->worst * c->group_count + c->most_off;
    char mean[CLI_PER_CENT_MAX];
    char bias[CLI_PER_CENT_MAX];
    char worst[CLI_PER_CENT_MAX];
    cli_report_footnote(
        report,
        "Most off is %s (%s): by %s %% of T on average (%s %% with its sign), at worst on %s at "
        "N = %.6g, where %.4g s are predicted and %.4g s measured (%s %% of T).",
        group->parts, cli_phases_of(group),
        cli_per_cent(group->mean_of_T, CLI_THREE_DIGITS, false, mean),
        cli_per_cent(group->bias_of_T, CLI_THREE_DIGITS, true, bias),
        c->validation->systems[point->system].label, point->N, c->predicted[cell],
        c->measured[cell],
        cli_per_cent((c->predicted[cell] - c->measured[cell]) / point->T, CLI_THREE_DIGITS, true,
                     worst));
}

static cli_report *report_groups(const isocast_comparison *c) {
    cli_report *report = cli_report_create();
    cli_report_title(report, "Over %zu system%s and sizes", c->compared,
                     c->compared == 1 ? "" : "s");
    cli_fields_fill(report, &cli_comparison_groups, c, cli_comparison_group_item);
    add_verdict(report, c);
    return report;
}

void cli_report_comparison(const cli_comparison_view *view,
                           cli_report *reports[COMPARISON_REPORTS]) {
    reports[0] = report_points(view->comparison, view->subject.runs);
    reports[1] = report_groups(view->comparison);
}
