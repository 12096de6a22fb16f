#include "report_validation.h"

#include <math.h>
#include <string.h>

#include "above_one.h"
#include "cli/output/fields.h"
#include "report_notes.h"
#include "report_prediction.h"
#include "report_validation_sizes.h"

static const isocast_algorithm *algorithm_of(const isocast_validation *v) {
    return isocast_model_algorithm(v->model);
}

static const char *term_name(const isocast_validation *v, size_t term) {
    return term < algorithm_of(v)->overhead_count ? algorithm_of(v)->overhead[term].name : NULL;
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

static void report_summary(const cli_validations *all, cli_report *report) {
    const isocast_validation *v = all->items[0];
    cli_fields_fill(report, &cli_validation_errors, all, cli_validation_error_item);
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

void cli_report_validation(const cli_validations *validations,
                           cli_report *reports[VALIDATION_REPORTS]) {
    const isocast_validation *validation = validations->items[0];
    const char *runs_name = validations->subject.runs;
    reports[VALIDATION_POINTS] = cli_report_create();
    reports[VALIDATION_SIZES] = cli_report_validation_sizes(validations->items, validations->count);
    reports[VALIDATION_SUMMARY] = cli_report_create();
    const isocast_machine *machine = isocast_model_machine(validation->model);
    isocast_buffer sizes = {0};
    if (!validation->sizes.several && validation->system_count > 0) {
        cli_report_append_other_sizes(algorithm_of(validation), validation->systems[0].other_sizes,
                                      &sizes);
    }
    cli_report_title(reports[VALIDATION_POINTS], "%s on %s%s, predicted against the runs of %s%s",
                     algorithm_of(validation)->name, machine->name,
                     machine->simulated ? " (simulated)" : "", runs_name,
                     sizes.text != NULL ? sizes.text : "");
    isocast_buffer_free(&sizes);
    cli_fields_fill(reports[VALIDATION_POINTS], &cli_validation_points, validation,
                    cli_validation_point_item);
    cli_report_footnote(reports[VALIDATION_POINTS],
                        "measured: median of the runs; spread: median absolute "
                        "deviation; error: predicted over measured - 1.");
    tell_valid(validation, reports[VALIDATION_POINTS]);
    const char *program = algorithm_of(validation)->kernel;
    cli_report_note_marked_speed(reports[VALIDATION_POINTS], machine, program);
    note_above_one(reports[VALIDATION_POINTS], validation);
    cli_report_note_restrictions(reports[VALIDATION_POINTS], validation->model);
    const char *name = algorithm_of(validation)->sizes[0].name;
    cli_report_call(reports[VALIDATION_POINTS], "N", name);
    cli_report_call(reports[VALIDATION_SIZES], "N", name);
    report_summary(validations, reports[VALIDATION_SUMMARY]);
}
