#include "results.h"

#include <math.h>

#include "cli/output/report.h"
#include "model/runs/comparison.h"
#include "report_notes.h"

/* What a comparison says: terms beside phases at each point and over all of them, and its JSON. */

/* The columns of the runs that measure a group, or "rest of T". */
static const char *phases_of(const isocast_comparison_group *group) {
    return group->phases != NULL ? group->phases : "rest of T";
}

CLI_RESULT(isocast_comparison)
ISOCAST_GIVES(const isocast_validation_point *, point_of, at->row)

/* The system of a point. */
ISOCAST_GIVES(const void *, system_of, &result_of(at)->validation->systems[point_of(at)->system])
ISOCAST_GIVES(double, processes_of, ((const isocast_validation_system *)system_of(at))->system->p)

/* A cell is a group at a point, by its number; the one behind the last group is T. */
ISOCAST_GIVES(const isocast_comparison_group *, group_of,
              at->index < result_of(at)->group_count ? &result_of(at)->groups[at->index] : NULL)

static size_t place_of(const isocast_at *at) {
    const isocast_comparison *c = result_of(at);
    return (size_t)(point_of(at) - c->validation->points) * c->group_count + at->index;
}

ISOCAST_GIVES(double, predicted_of,
              group_of(at) != NULL ? result_of(at)->predicted[place_of(at)]
                                   : point_of(at)->T_predicted)
ISOCAST_GIVES(double, measured_of,
              group_of(at) != NULL ? result_of(at)->measured[place_of(at)] : point_of(at)->T)
ISOCAST_GIVES(double, error_of, measured_of(at) > 0 ? predicted_of(at) / measured_of(at) - 1 : NAN)
ISOCAST_GIVES(double, share_of, measured_of(at) / point_of(at)->T)
ISOCAST_GIVES(double, off_of, (predicted_of(at) - measured_of(at)) / point_of(at)->T)
ISOCAST_GIVES(const char *, part_of, group_of(at) != NULL ? group_of(at)->parts : "T")
ISOCAST_GIVES(const char *, phase_of, group_of(at) != NULL ? group_of(at)->phases : "T")
ISOCAST_GIVES(const char *, phase_in_table, group_of(at) != NULL ? phases_of(group_of(at)) : "T")

static const char parts_meaning[] = "the terms, joined by +; - where only the rest of T is meant";
static const char phase_meaning[] =
    "the columns of the runs that show them, joined by +; null: the rest of T";

static const isocast_field cell_fields[] = {
    ISOCAST_FIELD("system", TEXT, isocast_validation_system, label, NULL, NULL, .from = system_of,
                  ISOCAST_ROWS),
    ISOCAST_COUNT("p", processes_of, NULL, ISOCAST_ROWS),
    ISOCAST_FIELD("N", COUNT, isocast_validation_point, N, NULL, NULL, ISOCAST_ROWS),
    ISOCAST_TEXT("part", part_of, parts_meaning, .heading = "term", .known = true),
    ISOCAST_TEXT("phase", phase_in_table, NULL, ISOCAST_ROWS),
    ISOCAST_TEXT("phase", phase_of, phase_meaning, ISOCAST_JSON),
    ISOCAST_NUMBER("predicted", predicted_of, "s", "sum of the terms", .compared = 1),
    ISOCAST_NUMBER("measured", measured_of, "s", "sum of the phases, of the run with the median T",
                   .compared = 1),
    ISOCAST_SHARE("error", error_of, "predicted over measured, less 1", .digits = 2),
    ISOCAST_SHARE("share", share_of, "measured, as part of the measured T", .heading = "share of T",
                  .digits = 2),
    ISOCAST_SHARE("off", off_of, "predicted less measured, as part of the measured T",
                  .heading = "off, of T", .digits = 2)};
static const isocast_table comparison_cells =
    ISOCAST_TABLE_OF(cell_fields, "terms that are measured together");
ISOCAST_OWN_ITEMS(cell_item, result_of(in)->group_count, in->row)

static const isocast_field point_fields[] = {
    ISOCAST_FIELD("system", TEXT, isocast_validation_system, label, NULL, "the system",
                  .from = system_of, .known = true),
    ISOCAST_COUNT("p", processes_of, "processes", .known = true),
    ISOCAST_FIELD("N", COUNT, isocast_validation_point, N, NULL, "size", .known = true),
    ISOCAST_FIELD("runs", COUNT, isocast_validation_point, repetitions, NULL, "repetitions",
                  .is_size = true, .known = true),
    ISOCAST_FIELD("T", NUMBER, isocast_validation_point, T, "s", "measured execution time, median",
                  .known = true),
    ISOCAST_FIELD("T_predicted", NUMBER, isocast_validation_point, T_predicted, "s",
                  "predicted execution time"),
    ISOCAST_FIELD("T_error", SHARE, isocast_validation_point, T_error, NULL,
                  "predicted over measured, less 1"),
    ISOCAST_LIST("parts", cell_item, &comparison_cells, "terms and phases side by side")};
static const isocast_table points = ISOCAST_TABLE_OF(point_fields, "one system at one size");

static bool comparison_point_item(const isocast_at *in, size_t i, isocast_at *out) {
    const isocast_comparison *c = result_of(in);
    for (size_t k = 0, seen = 0; k < c->validation->point_count; k++) {
        if ((c->chosen == NULL || c->chosen[k]) && seen++ == i) {
            out->row = &c->validation->points[k];
            return true;
        }
    }
    return false;
}

#define GROUP(name, member, ...)                                                                   \
    ISOCAST_FIELD(name, SHARE, isocast_comparison_group, member, NULL, __VA_ARGS__, .digits = 2)
static const isocast_field group_fields[] = {
    ISOCAST_FIELD("part", TEXT, isocast_comparison_group, parts, NULL, parts_meaning,
                  .heading = "term", .known = true),
    ISOCAST_TEXT("phase", phase_in_table, NULL, ISOCAST_ROWS),
    ISOCAST_FIELD("phase", TEXT, isocast_comparison_group, phases, NULL, phase_meaning,
                  ISOCAST_JSON),
    GROUP("mean_error", mean_error, "mean size of the error", .heading = "mean error"),
    GROUP("mean_off", mean_of_T, "mean size of off", .heading = "mean off, of T"),
    GROUP("bias_off", bias_of_T, "mean of off with its sign", .heading = "with its sign")};
static const isocast_table comparison_groups =
    ISOCAST_TABLE_OF(group_fields, "terms that are measured together");
ISOCAST_OWN_ITEMS(cli_comparison_group_item, result_of(in)->group_count, &result_of(in)->groups[i])

ISOCAST_GIVES(const cli_subject *, subject_of, at->result)

ISOCAST_GIVES(bool, is_simulated, subject_of(at)->machine->simulated)
ISOCAST_GIVES(bool, runs_are_simulated,
              isocast_validation_has_simulated_runs(result_of(at)->validation))

static const char *most_off(const isocast_at *at) {
    const isocast_comparison *c = result_of(at);
    return c->most_off < c->group_count ? c->groups[c->most_off].parts : NULL;
}

static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.comparison/1"),
    CLI_ALGORITHM,
    CLI_MACHINE,
    ISOCAST_FLAG("simulated", is_simulated, "whether the machine was calibrated in simulation"),
    CLI_RUNS("the runs file"),
    ISOCAST_FLAG("runs_simulated", runs_are_simulated,
                 "the runs are known to be simulated: the machine is, and they name it"),
    ISOCAST_LIST("rows", comparison_point_item, &points, "one for each system and size"),
    ISOCAST_LIST("parts", cli_comparison_group_item, &comparison_groups, "the same over all rows"),
    ISOCAST_TEXT("most_off", most_off,
                 "the part with the largest mean_off; null where no phase was measured"),
    CLI_PROVENANCE};
const isocast_table cli_comparison_document = {"comparison", "what isocast explain --runs writes",
                                               ISOCAST_TABLE(fields)};

static cli_report *report_points(const cli_view *view) {
    const isocast_comparison *c = view->result;
    cli_report *report = cli_report_create();
    const isocast_algorithm *algorithm = isocast_model_algorithm(c->validation->model);
    const isocast_machine *machine = isocast_model_machine(c->validation->model);
    cli_report_title(report, "%s (%s) on %s%s, term by term against the phases of %s",
                     algorithm->title != NULL ? algorithm->title : algorithm->name, algorithm->name,
                     machine->name, machine->simulated ? " (simulated)" : "", view->subject.runs);
    cli_fields_head(report, &comparison_cells, view);
    cli_report_call(report, "N", algorithm->sizes[0].name);
    isocast_at at = {.result = view};
    for (size_t i = 0; comparison_point_item(&at, i, &at); i++) {
        for (at.index = 0; at.index <= c->group_count; at.index++) {
            cli_fields_row(report, &comparison_cells, &at);
        }
    }
    cli_note(report, "error: predicted over measured, less 1; off: predicted less measured, as "
                     "part of the measured T.");
    cli_report_note_restrictions(report, c->validation->model);
    return report;
}

static void add_verdict(cli_report *report, const isocast_comparison *c) {
    if (c->most_off == c->group_count) {
        cli_note(report, "No phase was measured.");
        return;
    }
    const isocast_comparison_group *group = &c->groups[c->most_off];
    const isocast_validation_point *point = &c->validation->points[c->worst];
    size_t cell = c->worst * c->group_count + c->most_off;
    cli_note(
        report,
        "Most off is %s (%s): by %s %% of T on average (%s %% with its sign), at worst on %s "
        "at N = %.6g, where %.4g s are predicted and %.4g s measured (%s %% of T).",
        group->parts, phases_of(group),
        cli_per_cent(group->mean_of_T, CLI_THREE_DIGITS, false).text,
        cli_per_cent(group->bias_of_T, CLI_THREE_DIGITS, true).text,
        c->validation->systems[point->system].label, point->N, c->predicted[cell],
        c->measured[cell],
        cli_per_cent((c->predicted[cell] - c->measured[cell]) / point->T, CLI_THREE_DIGITS, true)
            .text);
}

static cli_report *report_groups(const cli_view *view) {
    const isocast_comparison *c = view->result;
    cli_report *report =
        cli_fields_report(&comparison_groups, view, cli_comparison_group_item,
                          "Over %zu system%s and sizes", c->compared, c->compared == 1 ? "" : "s");
    add_verdict(report, c);
    return report;
}

size_t cli_reports_of_comparison(const void *view, bool csv, cli_report **reports) {
    (void)csv;
    reports[0] = report_points(view);
    reports[1] = report_groups(view);
    return 2;
}
