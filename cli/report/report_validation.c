#include "report_validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "above_one.h"
#include "cli/output/fields.h"
#include "cli/output/per_cent.h"
#include "cli/output/report_join.h"
#include "model/solve/prediction_result.h"
#include "report_notes.h"
#include "report_prediction.h"

/* The value that is held, with its unit. */
static isocast_amount target_of(const isocast_validation *v) {
    return isocast_metric_text(v->metric, v->efficiency, 4);
}

/* Where the measured or the predicted E passes the value more than once, one N of several is
 * compared. */
static void explain_several(const isocast_validation *v, cli_report *report) {
    bool measured = false;
    bool predicted = false;
    for (size_t i = 0; i < v->system_count; i++) {
        bool paired = v->systems[i].pairing == ISOCAST_PAIRING_OK;
        measured = measured || (paired && v->systems[i].crossings > 1);
        predicted = predicted || (paired && v->systems[i].roots > 1);
    }
    if (measured) {
        cli_report_footnote(report,
                            "the measured %s of a system passes the value at several N; the first "
                            "that the prediction has, too, is compared.",
                            cli_validation_held(v));
    }
    if (predicted) {
        cli_report_footnote(report,
                            "the predicted %s of a system passes the value at several N; the one "
                            "nearest to the measured is compared.",
                            cli_validation_held(v));
    }
}

/* Why systems are not compared: "the measured E does not pass 0.3 within the sizes measured". */
static void explain_pairings(const isocast_validation *v, cli_report *report) {
    static const struct {
        const char *whose, *passes, *behind;
    } reasons[] = {
        [ISOCAST_PAIRING_NOT_MEASURED] = {"the measured", "does not pass",
                                          " within the sizes measured"},
        [ISOCAST_PAIRING_NOT_PREDICTED] = {"the predicted", "does not pass", ""},
        [ISOCAST_PAIRING_CONCURRENCY] = {"where", "passes",
                                         " not all of its processes can work, so that the "
                                         "concurrency rules N"},
        [ISOCAST_PAIRING_OTHER_BRANCH] = {"where the measured", "passes",
                                          " it rises with N and the predicted one falls, or the "
                                          "other way round"}};
    isocast_amount target = target_of(v);
    for (size_t i = 0; i < v->system_count; i++) {
        isocast_validation_pairing pairing = v->systems[i].pairing;
        if (pairing != ISOCAST_PAIRING_OK) {
            cli_report_footnote(report, "%s is not compared: %s %s %s %s%s.", v->systems[i].label,
                                reasons[pairing].whose, cli_validation_held(v),
                                reasons[pairing].passes, target.text, reasons[pairing].behind);
        }
    }
    explain_several(v, report);
    if (v->N.n == 0) {
        cli_report_footnote(report, "So no N and no psi is compared at %s = %s.",
                            cli_validation_held(v), target.text);
    }
}

/* The sizes at one value of what is held; a table of one value has it in its title. */
static cli_report *report_at(const isocast_validation *v, bool alone) {
    cli_report *report = cli_report_create();
    if (isnan(v->efficiency)) {
        cli_fields_head(report, &cli_validation_systems, v);
        cli_report_footnote(report, "N and psi are not compared: no efficiency is passed by every "
                                    "system within the sizes measured. Measure other sizes, or "
                                    "give --efficiency.");
        return report;
    }
    if (alone) {
        cli_report_title(report, "The N that gives %s = %s, predicted and measured",
                         cli_validation_held(v), target_of(v).text);
    }
    cli_fields_fill(report, &cli_validation_systems, v, cli_validation_system_item);
    explain_pairings(v, report);
    return report;
}

/* What the comparison of all N came to. */
typedef struct outcome {
    isocast_error_summary errors; /* of N */
    size_t with_interval, inside;
    size_t with_reading, within_reading;    /* of the error of what is measured itself */
    double condition_least, condition_most; /* of those with an error */
} outcome;

static void count_system(const isocast_validation_system *system, outcome *out) {
    double measured = isnan(system->N) ? system->N_direct : system->N;
    if (!isfinite(system->N_error)) {
        return;
    }
    if (isfinite(system->N_predicted_low) && isfinite(system->N_predicted_high)) {
        out->with_interval++;
        out->inside += measured >= system->N_predicted_low && measured <= system->N_predicted_high;
    }
    if (isfinite(system->N_reading_error)) {
        out->with_reading++;
        out->within_reading += fabs(system->N_error) <= system->N_reading_error;
    }
    out->condition_least = fmin(out->condition_least, system->condition);
    out->condition_most = fmax(out->condition_most, system->condition);
}

static outcome outcome_of(const isocast_validation *const *validations, size_t count) {
    outcome out = {.condition_least = NAN, .condition_most = NAN};
    out.errors = isocast_validation_sum(validations, count, ISOCAST_VALIDATION_N);
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < validations[k]->system_count; i++) {
            count_system(&validations[k]->systems[i], &out);
        }
    }
    return out;
}

/* What was learnt, in sentences. */
static void put_outcome(const isocast_validation *const *validations, size_t count,
                        cli_report *report) {
    const char *held = cli_validation_held(validations[0]);
    outcome out = outcome_of(validations, count);
    if (out.errors.n == 0) {
        return;
    }
    cli_report_footnote(report,
                        "N measured: where a line through the measured %s passes the value that "
                        "is held; N of a run: a size next to it whose runs show %s within 2 %%.",
                        held, held);
    cli_report_footnote(report, "N is predicted with a mean error of %.2g %%, at most %.2g %%.",
                        100 * out.errors.mean, 100 * out.errors.max);
    if (out.with_reading > 0) {
        cli_report_footnote(report,
                            "Its own error: how far N measured may be off, as few sizes are "
                            "measured and runs scatter (%.3g %%), and so psi measured.",
                            100 * ISOCAST_LEVEL);
        cli_report_footnote(report,
                            "%zu of %zu errors of N are no larger than that: they say nothing "
                            "against the prediction.",
                            out.within_reading, out.with_reading);
    }
    if (out.with_interval > 0) {
        cli_report_footnote(report,
                            "%zu of %zu measured N lie between N_low and N_high, the %.3g %% "
                            "interval of the prediction.",
                            out.inside, out.with_interval, 100 * ISOCAST_LEVEL);
    }
    if (isfinite(out.condition_most)) {
        cli_report_footnote(report,
                            "Where T is predicted 1 %% wrong, N is up to %.2g %% wrong here: that "
                            "is how flat the curve of %s over N is.",
                            out.condition_most, held);
    }
}

static double efficiency_of(const void *validations, size_t k) {
    return ((const isocast_validation *const *)validations)[k]->efficiency;
}

static cli_report *join(const isocast_validation *const *validations, size_t count) {
    const isocast_metric_row *metric = isocast_metric_row_of(validations[0]->metric);
    const cli_column column = {.name = "target",
                               .heading = metric->symbol,
                               .unit = metric->unit[0] != '\0' ? metric->unit : NULL,
                               .kind = CLI_COLUMN_NUMBER,
                               .digits = 2};
    cli_report **reports = calloc(count, sizeof(cli_report *));
    for (size_t k = 0; reports != NULL && k < count; k++) {
        reports[k] = report_at(validations[k], false);
    }
    const cli_join how = {&column, efficiency_of, validations, metric->bare, " = ", metric->unit,
                          4};
    cli_report *joined =
        reports != NULL
            ? cli_report_join(reports, count, &how, "The N that gives %s, predicted and measured",
                              metric->bare)
            : NULL;
    free(reports);
    return joined;
}

static cli_report *report_sizes(const isocast_validation *const *validations, size_t count) {
    cli_report *report = count > 1 ? join(validations, count) : report_at(validations[0], true);
    put_outcome(validations, count, report);
    return report;
}

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
    char error[CLI_PER_CENT_MAX];
    char share[CLI_PER_CENT_MAX];
    char largest[CLI_PER_CENT_MAX];
    char spread[CLI_PER_CENT_MAX];
    cli_report_footnote(
        report,
        "The largest error of T, %s %%, is at N = %g on %s, where computation is "
        "%s %% of the prediction and the largest overhead is %s (%s %%).",
        cli_per_cent(worst->T_error, 1, true, error), worst->N, v->systems[worst->system].label,
        cli_per_cent(worst->compute_share, 0, false, share), term != NULL ? term : "none",
        cli_per_cent(fmax(worst->largest_share, 0), 1, false, largest));
    if (worst->spread >= fabs(worst->T_error) / 2) {
        cli_report_footnote(report,
                            "Its repetitions differ by %s %% among themselves: much of that error "
                            "is the machine's noise.",
                            cli_per_cent(worst->spread, 1, false, spread));
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
        char bias[CLI_PER_CENT_MAX];
        cli_report_footnote(report,
                            "T is %s throughout (by %s %% on average): one cause for all "
                            "points, such as a missing overhead or a machine that has "
                            "changed since it was calibrated.",
                            v->T.least > 0 ? "over-predicted" : "under-predicted",
                            cli_per_cent(fabs(v->T.bias), 1, false, bias));
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
    reports[VALIDATION_SIZES] = report_sizes(validations->items, validations->count);
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
