#include "report_comparison.h"

#include <math.h>
#include <stdio.h>

#include "report_notes.h"

static bool is_compared(const isocast_comparison *c, size_t point) {
    return c->chosen == NULL || c->chosen[point];
}

static const char *phases_of(const isocast_comparison_group *group) {
    return group->phases != NULL ? group->phases : "rest of T";
}

static void add_row(cli_report *report, const isocast_comparison *c, size_t index, const char *part,
                    const char *phase, double predicted, double measured) {
    const isocast_validation_point *point = &c->validation->points[index];
    const isocast_validation_system *system = &c->validation->systems[point->system];
    cli_report_text(report, system->label);
    cli_report_number(report, system->system->p);
    cli_report_number(report, point->N);
    cli_report_text(report, part);
    cli_report_text(report, phase);
    cli_report_number(report, predicted);
    cli_report_number(report, measured);
    cli_report_number(report, measured > 0 ? predicted / measured - 1 : NAN);
    cli_report_number(report, measured / point->T);
    cli_report_number(report, (predicted - measured) / point->T);
}

static cli_report *report_points(const isocast_comparison *c, const char *runs_name) {
    static const cli_column columns[] = {
        {.name = "system", .kind = CLI_COLUMN_TEXT},
        {.name = "p", .kind = CLI_COLUMN_COUNT},
        {.name = "N", .kind = CLI_COLUMN_COUNT},
        {.name = "part", .heading = "term", .kind = CLI_COLUMN_TEXT},
        {.name = "phase", .kind = CLI_COLUMN_TEXT},
        {.name = "predicted", .unit = "s", .kind = CLI_COLUMN_NUMBER, .compared = 1},
        {.name = "measured", .unit = "s", .kind = CLI_COLUMN_NUMBER, .compared = 1},
        {.name = "error", .kind = CLI_COLUMN_SHARE, .digits = 2},
        {.name = "share", .heading = "share of T", .kind = CLI_COLUMN_SHARE, .digits = 2},
        {.name = "off", .heading = "off, of T", .kind = CLI_COLUMN_SHARE, .digits = 2}};
    cli_report *report = cli_report_create();
    const isocast_algorithm *algorithm = isocast_model_algorithm(c->validation->model);
    const isocast_machine *machine = isocast_model_machine(c->validation->model);
    cli_report_title(report, "%s (%s) on %s%s, term by term against the phases of %s",
                     algorithm->title != NULL ? algorithm->title : algorithm->name, algorithm->name,
                     machine->name, machine->simulated ? " (simulated)" : "", runs_name);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
    cli_report_call(report, "N", algorithm->sizes[0].name);
    for (size_t i = 0; i < c->validation->point_count; i++) {
        const isocast_validation_point *point = &c->validation->points[i];
        for (size_t k = 0; is_compared(c, i) && k < c->group_count; k++) {
            size_t cell = i * c->group_count + k;
            add_row(report, c, i, c->groups[k].parts, phases_of(&c->groups[k]), c->predicted[cell],
                    c->measured[cell]);
        }
        if (is_compared(c, i)) {
            add_row(report, c, i, "T", "T", point->T_predicted, point->T);
        }
    }
    cli_report_footnote(report, "error: predicted over measured, less 1; off: predicted less "
                                "measured, as part of the measured T.");
    cli_report_note_restrictions(report, c->validation->model);
    return report;
}

/* "3.2 %" of a share; sizes of two numbers may be too far apart for one. */
static const char *per_cent(double share, bool with_sign, char text[32]) {
    const char *sign = with_sign && share > 0 ? "+" : "";
    if (isfinite(100 * share)) {
        (void)snprintf(text, 32, "%s%.3g %%", sign, 100 * share);
    } else {
        (void)snprintf(text, 32, "%smore than 1e308 %%", share < 0 ? "-" : "");
    }
    return text;
}

static void add_verdict(cli_report *report, const isocast_comparison *c) {
    if (c->most_off == c->group_count) {
        cli_report_footnote(report, "No phase was measured.");
        return;
    }
    const isocast_comparison_group *group = &c->groups[c->most_off];
    const isocast_validation_point *point = &c->validation->points[c->worst];
    size_t cell = c->worst * c->group_count + c->most_off;
    char mean[32];
    char bias[32];
    char worst[32];
    cli_report_footnote(
        report,
        "Most off is %s (%s): by %s of T on average (%s with its sign), at worst on %s at "
        "N = %.6g, where %.4g s are predicted and %.4g s measured (%s of T).",
        group->parts, phases_of(group), per_cent(group->mean_of_T, false, mean),
        per_cent(group->bias_of_T, true, bias), c->validation->systems[point->system].label,
        point->N, c->predicted[cell], c->measured[cell],
        per_cent((c->predicted[cell] - c->measured[cell]) / point->T, true, worst));
}

static cli_report *report_groups(const isocast_comparison *c) {
    static const cli_column columns[] = {
        {.name = "part", .heading = "term", .kind = CLI_COLUMN_TEXT},
        {.name = "phase", .kind = CLI_COLUMN_TEXT},
        {.name = "mean_error", .heading = "mean error", .kind = CLI_COLUMN_SHARE, .digits = 2},
        {.name = "mean_off", .heading = "mean off, of T", .kind = CLI_COLUMN_SHARE, .digits = 2},
        {.name = "bias_off", .heading = "with its sign", .kind = CLI_COLUMN_SHARE, .digits = 2}};
    cli_report *report = cli_report_create();
    cli_report_title(report, "Over %zu system%s and sizes", c->compared,
                     c->compared == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
    for (size_t k = 0; k < c->group_count; k++) {
        const isocast_comparison_group *group = &c->groups[k];
        cli_report_text(report, group->parts);
        cli_report_text(report, phases_of(group));
        cli_report_number(report, group->mean_error);
        cli_report_number(report, group->mean_of_T);
        cli_report_number(report, group->bias_of_T);
    }
    add_verdict(report, c);
    return report;
}

void cli_report_comparison(const isocast_comparison *comparison, const char *runs_name,
                           cli_report *reports[COMPARISON_REPORTS]) {
    reports[0] = report_points(comparison, runs_name);
    reports[1] = report_groups(comparison);
}
