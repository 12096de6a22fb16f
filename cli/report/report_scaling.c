#include "report_scaling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "above_one.h"
#include "cli/output/fields.h"
#include "model/base/quantity.h"
#include "report_notes.h"
#include "report_prediction.h"

static isocast_amount level_of(const isocast_scaling *scaling) {
    const char *unit = isocast_line_unit(scaling->line);
    return isocast_quantity_text(scaling->level, unit, unit[0] == '\0' ? 10 : 5);
}

static void append_held(const isocast_scaling *scaling, isocast_buffer *out) {
    /* What stands before and behind the level. */
    static const char *const words[][2] = {
        [ISOCAST_LINE_SIZE] = {"is held at ", " on every system (strong scaling)"},
        [ISOCAST_LINE_SIZE_PER_PROCESS] = {"grows with p: each process has ",
                                           " of it (weak scaling)"},
        [ISOCAST_LINE_WORK_PER_PROCESS] = {"is scaled so that the work per process stays ",
                                           " (weak scaling)"},
        [ISOCAST_LINE_MEMORY_PER_PROCESS] = {"is scaled so that the memory per process stays ",
                                             " (memory-bounded scaling)"},
        [ISOCAST_LINE_MEMORY] = {"is the largest that fits into the memory of each system "
                                 "(memory-bounded scaling)",
                                 ""},
        [ISOCAST_LINE_TIME] = {"is the largest that takes T = ",
                               " at most (time-bounded scaling)"}};
    const isocast_size *size = &isocast_model_algorithm(scaling->model)->sizes[0];
    bool has_level = scaling->line != ISOCAST_LINE_MEMORY;
    cli_report_append_size(size, out);
    isocast_buffer_printf(out, " %s%s%s", words[scaling->line][0],
                          has_level ? level_of(scaling).text : "", words[scaling->line][1]);
    if (scaling->has_base && has_level) {
        isocast_buffer_printf(out, ", as on %s at %s = %.10g", scaling->base.system, size->name,
                              scaling->base.N);
    }
}

/* The base, where there is one, and the rows, by one index. */
static size_t all_count(const isocast_scaling *scaling) {
    return scaling->row_count + (scaling->has_base ? 1 : 0);
}

static const isocast_scaling_row *all_row(const isocast_scaling *scaling, size_t i) {
    if (scaling->has_base) {
        return i == 0 ? &scaling->base : &scaling->rows[i - 1];
    }
    return &scaling->rows[i];
}

static cli_remark remark_of(const void *result, size_t i) {
    const isocast_scaling_row *row = all_row(result, i);
    return (cli_remark){row->system, row->status, row->note};
}

static void add_remarks(cli_report *report, const isocast_scaling *scaling) {
    cli_report_put_remarks(report, scaling, all_count(scaling), remark_of);
    cli_report_note_restrictions(report, scaling->model);
}

static const char *first_system(const isocast_scaling *scaling) {
    if (scaling->has_base) {
        return scaling->base.system;
    }
    for (size_t i = 0; i < scaling->row_count; i++) {
        if (isfinite(scaling->rows[i].scaled_speedup)) {
            return scaling->rows[i].system;
        }
    }
    return NULL;
}

static void add_legend(cli_report *report, const isocast_scaling *scaling) {
    bool unlike = false;
    for (size_t i = 0; i < all_count(scaling); i++) {
        const isocast_scaling_row *row = all_row(scaling, i);
        unlike = unlike || fabs(row->equivalent - row->p) > 1e-9 * row->p;
    }
    cli_report_footnote(report,
                        "T_1 is the time of process 0 alone at the same N. speedup = T_1/T, "
                        "efficiency = speedup/p, E = W/(T C).");
    cli_report_footnote(report, "cost = p T, overhead = p T - T_1, serial_fraction = "
                                "(1/speedup - 1/p)/(1 - 1/p) (Karp and Flatt).");
    double level = isocast_scaling_interval_level(scaling);
    if (!isnan(level)) {
        cli_report_footnote(report,
                            "T_low to T_high is the %.4g %% interval of T in a run at this N, from "
                            "the standard errors that the machine file gives, the spread between "
                            "launches and the misfit of the formulas.",
                            100 * level);
    }
    if (unlike) {
        cli_report_footnote(report,
                            "In efficiency, overhead and serial_fraction p stands for C over "
                            "the marked speed of process 0, as the nodes differ.");
    }
    if (scaling->line != ISOCAST_LINE_SIZE && first_system(scaling) != NULL) {
        cli_report_footnote(report, "scaled_speedup is the speed W/T over that of %s.",
                            first_system(scaling));
    } else if (first_system(scaling) != NULL) {
        cli_report_footnote(report, "scaled_speedup is T of %s over T, as the work is the same.",
                            first_system(scaling));
    }
}

/* Whose marked speeds E is reckoned with, and what E above 1 means. */
static void add_marked_speed(cli_report *report, const isocast_scaling *scaling,
                             const double *other_sizes) {
    const isocast_machine *machine = isocast_model_machine(scaling->model);
    const char *program = isocast_model_algorithm(scaling->model)->kernel;
    cli_report_note_marked_speed(report, machine, program);
    cli_above_one above = {0};
    for (size_t i = 0; i < all_count(scaling); i++) {
        const isocast_prediction_row *point = isocast_scaling_point(all_row(scaling, i));
        if (point != NULL) {
            const cli_above_one place = {
                .name = point->system, .N = point->N, .other_sizes = other_sizes};
            cli_above_one_take(&above, point->E, &place);
        }
    }
    cli_report_note_above_one(report, isocast_model_algorithm(scaling->model), machine,
                              scaling->model, program, &above);
}

static void add_title(cli_report *report, const isocast_model *model, const double *other_sizes,
                      isocast_buffer *held) {
    cli_report_subject(report, model);
    cli_report_append_other_sizes(isocast_model_algorithm(model), other_sizes, held);
    cli_report_title(report, "%s", held->text != NULL ? held->text : "");
    isocast_buffer_free(held);
}

cli_scaling_view cli_scaling_view_of(const cli_prediction_run *run, const double *other_sizes,
                                     const isocast_scaling *scaling, const isocast_choice *choice) {
    cli_scaling_view view = {cli_subject_of(run->argc, run->argv, &run->loaded), scaling, choice,
                             isocast_prediction_row_unknown()};
    view.subject.other_sizes = other_sizes;
    return view;
}

cli_report *cli_report_of_scaling(const cli_scaling_view *view, bool with_base) {
    const isocast_scaling *scaling = view->scaling;
    const double *other_sizes = view->subject.other_sizes;
    cli_report *report = cli_report_create();
    isocast_buffer held = {0};
    append_held(scaling, &held);
    add_title(report, scaling->model, other_sizes, &held);
    cli_fields_head(report, &cli_scaling_rows, view);
    cli_report_call(report, "N", isocast_model_algorithm(scaling->model)->sizes[0].name);
    for (size_t i = with_base && scaling->has_base ? 0 : 1; i <= scaling->row_count; i++) {
        const isocast_at at = {.result = view,
                               .row = i == 0 ? &scaling->base : &scaling->rows[i - 1]};
        cli_fields_row(report, &cli_scaling_rows, &at);
    }
    add_remarks(report, scaling);
    add_legend(report, scaling);
    add_marked_speed(report, scaling, other_sizes);
    return report;
}

/* "Of 1 to 4096 processes" or "Of the systems". */
static void append_asked(const isocast_model *model, const isocast_choice *choice,
                         isocast_buffer *out) {
    cli_report_append_size(&isocast_model_algorithm(model)->sizes[0], out);
    isocast_buffer_printf(out, " is held at %.10g: ", choice->N);
    if (choice->goal == ISOCAST_CHOICE_MOST) {
        isocast_buffer_printf(out, "the largest number of processes with E of at least %.6g",
                              choice->efficiency);
    } else if (isnan(choice->efficiency)) {
        isocast_buffer_puts(out, "the number of processes with the smallest T");
    } else {
        isocast_buffer_printf(
            out, "the number of processes with the smallest T among those with E of at least %.6g",
            choice->efficiency);
    }
    if (choice->of_list) {
        isocast_buffer_printf(out, ", of %.0f systems", choice->looked);
    } else {
        isocast_buffer_printf(out, ", from 1 to %.10g", choice->most);
    }
}

/* Where T is the least, and why another number of processes stands there. */
static void add_least(cli_report *report, const isocast_choice *choice) {
    const isocast_scaling_row *row = &choice->scaling->rows[0];
    if (isnan(choice->least_p)) {
        return;
    }
    double longer = isocast_scaling_point(row)->T / choice->least_T - 1;
    cli_report_footnote(report,
                        "T is the least with %.10g processes, %s. With %.10g all processors of the "
                        "nodes work, and T is longer by %.2g %%.",
                        choice->least_p, isocast_quantity_text(choice->least_T, "s", 4).text,
                        row->p, 100 * longer);
}

/* Why not more processes. */
static void add_ruler(cli_report *report, const isocast_choice *choice) {
    bool filled = !isnan(choice->least_p);
    double last = fmax(choice->scaling->rows[0].p, choice->least_p);
    char more[64] = "more processes";
    if (filled) {
        snprintf(more, sizeof more, "more than %.10g processes", last);
    }
    switch (choice->ruler) {
    case ISOCAST_CHOICE_BY_TIME:
        cli_report_footnote(report,
                            "With %s it takes longer%s: the overhead grows by more than the "
                            "computation shrinks.",
                            more, filled ? " than the least T" : "");
        break;
    case ISOCAST_CHOICE_BY_EFFICIENCY:
        cli_report_footnote(report, "The efficiency rules: with %s E is below %.6g.", more,
                            choice->efficiency);
        break;
    case ISOCAST_CHOICE_BY_CONCURRENCY:
        cli_report_footnote(report,
                            "The concurrency rules: no more than %.10g processes can work at "
                            "this size.",
                            last);
        break;
    case ISOCAST_CHOICE_BY_MEMORY:
        cli_report_footnote(report, "The memory rules: %s need more of it than there is.", more);
        break;
    case ISOCAST_CHOICE_BY_NO_VALUE:
        cli_report_footnote(report, "With %s the formulas have no time.", more);
        break;
    case ISOCAST_CHOICE_BY_END:
        cli_report_footnote(
            report, "These are all that was to be looked at: with %s it may be better.", more);
        break;
    case ISOCAST_CHOICE_BY_RULES:
    case ISOCAST_CHOICE_RULERS:
        break;
    }
}

cli_report *cli_report_of_choice(const cli_scaling_view *view) {
    const isocast_choice *choice = view->choice;
    const isocast_model *model = choice->scaling->model;
    const double *other_sizes = view->subject.other_sizes;
    cli_report *report = cli_report_create();
    isocast_buffer asked = {0};
    append_asked(model, choice, &asked);
    add_title(report, model, other_sizes, &asked);
    cli_fields_fill(report, &cli_scaling_rows, view, cli_scaling_row_item);
    cli_report_call(report, "N", isocast_model_algorithm(model)->sizes[0].name);
    if (choice->found) {
        add_least(report, choice);
        add_ruler(report, choice);
    }
    add_remarks(report, choice->scaling);
    if (choice->found) {
        add_legend(report, choice->scaling);
        add_marked_speed(report, choice->scaling, other_sizes);
    }
    if (!choice->complete) {
        cli_report_footnote(report,
                            "This is not certain: %.0f numbers of processes were looked at, "
                            "not all.",
                            choice->looked);
    }
    return report;
}
