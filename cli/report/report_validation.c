#include "report_validation.h"

#include <math.h>
#include <string.h>

#include "above_one.h"
#include "report_notes.h"
#include "report_prediction.h"

static const isocast_algorithm *algorithm_of(const isocast_validation *v) {
    return isocast_model_algorithm(v->model);
}

static const char *term_name(const isocast_validation *v, size_t term) {
    return term < algorithm_of(v)->overhead_count ? algorithm_of(v)->overhead[term].name : NULL;
}

/* What is held, as "E" or "average speed". */
static const char *held_name(const isocast_validation *v) {
    return isocast_metric_row_of(v->metric)->bare;
}

/* The value that is held, with its unit; free it with isocast_buffer_free(). */
static isocast_buffer target_of(const isocast_validation *v, cli_report *report) {
    isocast_buffer target = {0};
    isocast_metric_format(v->metric, v->efficiency, 4, &target);
    cli_report_rely(report, &target);
    return target;
}

/* Columns that are compared. */
enum { OF_T = 1, OF_E, OF_N, OF_PSI };

static void report_points(const isocast_validation *v, cli_report *report) {
    static const cli_column columns[] = {
        {.name = "system", .kind = CLI_COLUMN_TEXT},
        {.name = "p", .kind = CLI_COLUMN_COUNT},
        {.name = "N", .kind = CLI_COLUMN_COUNT},
        {.name = "runs", .kind = CLI_COLUMN_COUNT},
        {.name = "T",
         .heading = "T measured",
         .unit = "s",
         .kind = CLI_COLUMN_NUMBER,
         .compared = OF_T},
        {.name = "T_min", .unit = "s", .kind = CLI_COLUMN_NUMBER, .file_only = true},
        {.name = "T_max", .unit = "s", .kind = CLI_COLUMN_NUMBER, .file_only = true},
        {.name = "spread", .kind = CLI_COLUMN_SHARE, .digits = 2, .optional = true},
        {.name = "T_predicted",
         .heading = "predicted",
         .unit = "s",
         .kind = CLI_COLUMN_NUMBER,
         .compared = OF_T},
        {.name = "T_error", .heading = "error of T", .kind = CLI_COLUMN_SHARE, .digits = 2},
        {.name = "E", .heading = "E measured", .kind = CLI_COLUMN_NUMBER, .compared = OF_E},
        {.name = "E_predicted",
         .heading = "predicted",
         .kind = CLI_COLUMN_NUMBER,
         .compared = OF_E},
        {.name = "E_error", .heading = "error of E", .kind = CLI_COLUMN_SHARE, .digits = 2},
        {.name = "largest_overhead", .heading = "largest overhead", .kind = CLI_COLUMN_TEXT},
        {.name = "its_share", .heading = "its share", .kind = CLI_COLUMN_SHARE, .digits = 2},
        {.name = "valid", .kind = CLI_COLUMN_TEXT, .optional = true}};
    isocast_buffer measured = {0};
    isocast_buffer error = {0};
    isocast_buffer_printf(&measured, "%s measured", held_name(v));
    isocast_buffer_printf(&error, "error of %s", held_name(v));
    cli_report_rely(report, &measured);
    cli_report_rely(report, &error);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_column column = columns[i];
        bool of_E = column.compared == OF_E;
        column.unit = of_E ? isocast_metric_row_of(v->metric)->unit : column.unit;
        column.heading = of_E && column.name[1] == '\0'        ? measured.text
                         : strcmp(column.name, "E_error") == 0 ? error.text
                                                               : column.heading;
        cli_report_column(report, &column);
    }
    isocast_buffer_free(&measured);
    isocast_buffer_free(&error);
    for (size_t i = 0; i < v->point_count; i++) {
        const isocast_validation_point *point = &v->points[i];
        const isocast_validation_system *system = &v->systems[point->system];
        cli_report_text(report, system->label);
        cli_report_number(report, system->system->p);
        cli_report_number(report, point->N);
        cli_report_number(report, (double)point->repetitions);
        cli_report_number(report, point->T);
        cli_report_number(report, point->T_min);
        cli_report_number(report, point->T_max);
        cli_report_number(report, point->spread);
        cli_report_number(report, point->T_predicted);
        cli_report_number(report, point->T_error);
        cli_report_number(report, point->E);
        cli_report_number(report, point->E_predicted);
        cli_report_number(report, point->E_error);
        cli_report_text(report, term_name(v, point->largest_term));
        cli_report_number(report, point->largest_share);
        cli_report_text(report, v->points[i].valid ? NULL : "no");
    }
}

/* "E passes 0.7 at 3 N" for a system whose measured or predicted E does so more than once. */
static void explain_several(const isocast_validation *v, cli_report *report,
                            const isocast_validation_system *system) {
    const char *name = system->label;
    bool paired = system->pairing == ISOCAST_PAIRING_OK;
    isocast_buffer target = target_of(v, report);
    if (system->crossings > 1) {
        cli_report_footnote(report, "%s: the measured %s passes %s at %zu N%s.", name, held_name(v),
                            target.text, system->crossings,
                            paired ? "; the first that the prediction has, too, is compared" : "");
    }
    if (system->roots > 1) {
        cli_report_footnote(report, "%s: the predicted %s passes %s at %zu N%s.", name,
                            held_name(v), target.text, system->roots,
                            paired ? "; the one nearest to the measured is compared" : "");
    }
    isocast_buffer_free(&target);
}

/* Why systems are not compared. */
static void explain_pairings(const isocast_validation *v, cli_report *report) {
    isocast_buffer target = target_of(v, report);
    for (size_t i = 0; i < v->system_count; i++) {
        const isocast_validation_system *system = &v->systems[i];
        const char *name = system->label;
        switch (system->pairing) {
        case ISOCAST_PAIRING_OK:
            break;
        case ISOCAST_PAIRING_NOT_MEASURED:
            cli_report_footnote(report,
                                "%s is not compared: the measured %s does not pass %s within the "
                                "sizes measured.",
                                name, held_name(v), target.text);
            break;
        case ISOCAST_PAIRING_NOT_PREDICTED:
            cli_report_footnote(report, "%s is not compared: the predicted %s does not pass %s.",
                                name, held_name(v), target.text);
            break;
        case ISOCAST_PAIRING_OTHER_BRANCH:
            cli_report_footnote(report,
                                "%s is not compared: where the measured %s passes %s it rises with "
                                "N and the predicted one falls, or the other way round.",
                                name, held_name(v), target.text);
            break;
        }
        explain_several(v, report, system);
    }
    if (v->N.n == 0) {
        cli_report_footnote(report, "So no N and no psi is compared at %s = %s.", held_name(v),
                            target.text);
    }
    isocast_buffer_free(&target);
}

static void report_systems(const isocast_validation *v, cli_report *report) {
    static const cli_column columns[] = {
        {.name = "system", .kind = CLI_COLUMN_TEXT},
        {.name = "N", .heading = "N computed", .kind = CLI_COLUMN_NUMBER, .compared = OF_N},
        {.name = "N_direct", .heading = "measured", .kind = CLI_COLUMN_NUMBER, .compared = OF_N},
        {.name = "N_predicted",
         .heading = "predicted",
         .kind = CLI_COLUMN_NUMBER,
         .compared = OF_N},
        {.name = "N_error", .heading = "error of N", .kind = CLI_COLUMN_SHARE, .digits = 2},
        {.name = "psi", .heading = "psi computed", .kind = CLI_COLUMN_NUMBER, .compared = OF_PSI},
        {.name = "psi_direct",
         .heading = "measured",
         .kind = CLI_COLUMN_NUMBER,
         .compared = OF_PSI},
        {.name = "psi_predicted",
         .heading = "predicted",
         .kind = CLI_COLUMN_NUMBER,
         .compared = OF_PSI},
        {.name = "psi_error", .heading = "error of psi", .kind = CLI_COLUMN_SHARE, .digits = 2}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
    if (isnan(v->efficiency)) {
        cli_report_footnote(report, "N and psi are not compared: no efficiency is passed by every "
                                    "system within the sizes measured. Measure other sizes, or "
                                    "give --efficiency.");
        return;
    }
    isocast_buffer target = target_of(v, report);
    cli_report_title(report,
                     "N that gives %s = %s, computed (from the trend of the measured %s), "
                     "measured directly, and predicted",
                     held_name(v), target.text, held_name(v));
    isocast_buffer_free(&target);
    for (size_t i = 0; i < v->system_count; i++) {
        const isocast_validation_system *system = &v->systems[i];
        cli_report_text(report, system->label);
        cli_report_number(report, system->N);
        cli_report_number(report, system->N_direct);
        cli_report_number(report, system->N_predicted);
        cli_report_number(report, system->N_error);
        cli_report_number(report, system->psi);
        cli_report_number(report, system->psi_direct);
        cli_report_number(report, system->psi_predicted);
        cli_report_number(report, system->psi_error);
    }
    cli_report_footnote(report,
                        "measured: a size next to the computed one whose runs show this %s within "
                        "2 %%, as isocast measure --find makes them; errors are to what is "
                        "computed, or else to what is measured.",
                        held_name(v));
    explain_pairings(v, report);
}

static void report_summary_row(cli_report *report, const char *what,
                               const isocast_error_summary *summary) {
    cli_report_text(report, what);
    cli_report_number(report, summary->mean);
    cli_report_number(report, summary->max);
    cli_report_number(report, summary->bias);
    cli_report_number(report, (double)summary->n);
}

/* Says which rows count for nothing. */
static void tell_valid(const isocast_validation *v, cli_report *report) {
    if (v->valid_count == v->point_count) {
        return;
    }
    isocast_buffer which = {0};
    isocast_valid_describe(isocast_model_valid(v->model), &which);
    if (which.failed) {
        cli_report_fail(report);
    } else if (which.length == 0) {
        cli_report_footnote(report, "valid: the rows with no break a rule of the algorithm file; "
                                    "they are in no summary, and no N or psi is read from them.");
    } else {
        cli_report_footnote(report,
                            "valid: the prediction holds only for %s; the rows with no are in no "
                            "summary, and no N or psi is read from them.",
                            which.text);
    }
    isocast_buffer_free(&which);
}

/* The valid point whose T is most off; point_count where none has an error. */
static size_t worst_point(const isocast_validation *v) {
    size_t worst = v->point_count;
    for (size_t i = 0; i < v->point_count; i++) {
        double error = v->points[i].valid ? fabs(v->points[i].T_error) : NAN;
        if (isfinite(error) &&
            (worst == v->point_count || error > fabs(v->points[worst].T_error))) {
            worst = i;
        }
    }
    return worst;
}

/* What the error of one point comes from, as far as the runs can tell. */
static void explain_worst(const isocast_validation *v, const isocast_validation_point *worst,
                          cli_report *report) {
    const char *term = term_name(v, worst->largest_term);
    cli_report_footnote(
        report,
        "The largest error of T, %+.1f %%, is at N = %g on %s, where computation is "
        "%.0f %% of the prediction and the largest overhead is %s (%.1f %%).",
        100 * worst->T_error, worst->N, v->systems[worst->system].label, 100 * worst->compute_share,
        term != NULL ? term : "none", 100 * fmax(worst->largest_share, 0));
    if (worst->spread >= fabs(worst->T_error) / 2) {
        cli_report_footnote(
            report,
            "Its repetitions differ by %.1f %% among themselves: much of that error "
            "is the machine's noise.",
            100 * worst->spread);
    } else if (worst->compute_share > 1 - worst->compute_share) {
        cli_report_footnote(report, "So what dominates the rest is the time per flop: how far the "
                                    "kernel's own speed there is from the calibrated one.");
    } else {
        cli_report_footnote(report, "So what dominates the rest is the overhead, %s first.",
                            term != NULL ? term : "of no single term");
    }
}

/* Whether the errors of T have one sign. */
static void explain_bias(const isocast_validation *v, cli_report *report) {
    if (v->T.n > 2 && (v->T.least > 0 || v->T.most < 0)) {
        cli_report_footnote(report,
                            "T is %s throughout (by %.1f %% on average): one cause for all "
                            "points, such as a missing overhead or a machine that has "
                            "changed since it was calibrated.",
                            v->T.least > 0 ? "over-predicted" : "under-predicted",
                            100 * fabs(v->T.bias));
    }
}

/* Whether a system is predicted from measurements on fewer processes. */
static void explain_range(const isocast_validation *v, const isocast_validation_system *system,
                          cli_report *report) {
    double least = NAN;
    for (size_t k = 0; k < system->point_count; k++) {
        double p_max;
        double N = v->points[system->first_point + k].N;
        if (isocast_model_measured_processes(v->model, system->system, N, system->other_sizes,
                                             &p_max) != ISOCAST_OK) {
            cli_report_fail(report);
            return;
        }
        least = fmin(least, p_max);
    }
    if (!isnan(least)) {
        cli_report_footnote(report, "%s is outside the calibrated range (up to %g processes).",
                            system->label, least);
    }
}

/* What the rest of the error of T comes from. */
static void explain_rest(const isocast_validation *v, cli_report *report) {
    size_t worst = worst_point(v);
    if (worst < v->point_count) {
        explain_worst(v, &v->points[worst], report);
    } else {
        cli_report_footnote(report, "No T is predicted at the sizes measured: the formulas have no "
                                    "finite value above 0 there.");
    }
    explain_bias(v, report);
    for (size_t i = 0; i < v->system_count; i++) {
        if (v->systems[i].oversubscribed) {
            cli_report_footnote(report,
                                "%s was measured with more processes than processors "
                                "(oversubscribed): its times are the scheduler's too.",
                                v->systems[i].label);
        }
        explain_range(v, &v->systems[i], report);
    }
}

static void report_summary(const isocast_validation *v, cli_report *report) {
    static const cli_column columns[] = {
        {.name = "of", .heading = "relative error of", .kind = CLI_COLUMN_TEXT},
        {.name = "mean", .kind = CLI_COLUMN_SHARE, .digits = 3},
        {.name = "max", .kind = CLI_COLUMN_SHARE, .digits = 3},
        {.name = "bias", .kind = CLI_COLUMN_SHARE, .digits = 3},
        {.name = "points", .kind = CLI_COLUMN_COUNT}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
    report_summary_row(report, "T", &v->T);
    report_summary_row(report, held_name(v), &v->E);
    report_summary_row(report, "N'", &v->N);
    report_summary_row(report, "psi'", &v->psi);
    explain_rest(v, report);
}

/* Measured or predicted. */
static void note_above_one(cli_report *report, const isocast_validation *v) {
    cli_above_one above = {0};
    for (size_t i = 0; v->metric == ISOCAST_METRIC_ISOSPEED_E && i < v->point_count; i++) {
        const isocast_validation_point *point = &v->points[i];
        const isocast_validation_system *system = &v->systems[point->system];
        const cli_above_one place = {.name = system->label,
                                     .system = system->system,
                                     .N = point->N,
                                     .other_sizes = system->other_sizes};
        cli_above_one_take(&above, fmax(point->E, point->E_predicted), &place);
    }
    const isocast_algorithm *algorithm = algorithm_of(v);
    cli_report_note_above_one(report, algorithm, isocast_model_machine(v->model), v->model,
                              algorithm->kernel, &above);
}

void cli_report_validation(const isocast_validation *validation, const char *runs_name,
                           cli_report *reports[VALIDATION_REPORTS]) {
    for (size_t i = 0; i < VALIDATION_REPORTS; i++) {
        reports[i] = cli_report_create();
    }
    const isocast_machine *machine = isocast_model_machine(validation->model);
    isocast_buffer sizes = {0};
    if (!validation->sizes.several && validation->system_count > 0) {
        cli_report_append_other_sizes(algorithm_of(validation), validation->systems[0].other_sizes,
                                      &sizes);
    }
    cli_report_rely(reports[0], &sizes);
    cli_report_title(reports[0], "%s on %s%s, predicted against the runs of %s%s",
                     algorithm_of(validation)->name, machine->name,
                     machine->simulated ? " (simulated)" : "", runs_name,
                     sizes.text != NULL ? sizes.text : "");
    isocast_buffer_free(&sizes);
    report_points(validation, reports[0]);
    cli_report_footnote(reports[0], "measured: median of the runs; spread: median absolute "
                                    "deviation; error: predicted over measured - 1.");
    tell_valid(validation, reports[0]);
    const char *program = algorithm_of(validation)->kernel;
    cli_report_note_marked_speed(reports[0], machine, program);
    note_above_one(reports[0], validation);
    cli_report_note_restrictions(reports[0], validation->model);
    report_systems(validation, reports[1]);
    for (size_t i = 0; i < 2; i++) {
        cli_report_call(reports[i], "N", algorithm_of(validation)->sizes[0].name);
    }
    report_summary(validation, reports[2]);
}
