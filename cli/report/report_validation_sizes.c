#include "report_validation_sizes.h"
#include "report_validation.h"

#include <math.h>
#include <stdlib.h>

#include "cli/output/fields.h"
#include "cli/output/report_join.h"
#include "model/solve/prediction_request.h"

const char *cli_validation_held(const isocast_validation *v) {
    return isocast_metric_row_of(v->metric)->bare;
}

/* The value that is held, with its unit; free it with isocast_buffer_free(). */
static isocast_buffer target_of(const isocast_validation *v) {
    isocast_buffer target = {0};
    isocast_metric_format(v->metric, v->efficiency, 4, &target);
    return target;
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

/* Why systems are not compared. */
static void explain_pairings(const isocast_validation *v, cli_report *report) {
    isocast_buffer target = target_of(v);
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
                                name, cli_validation_held(v), target.text);
            break;
        case ISOCAST_PAIRING_NOT_PREDICTED:
            cli_report_footnote(report, "%s is not compared: the predicted %s does not pass %s.",
                                name, cli_validation_held(v), target.text);
            break;
        case ISOCAST_PAIRING_CONCURRENCY:
            cli_report_footnote(report,
                                "%s is not compared: where %s passes %s not all of its processes "
                                "can work, so that the concurrency rules N.",
                                name, cli_validation_held(v), target.text);
            break;
        case ISOCAST_PAIRING_OTHER_BRANCH:
            cli_report_footnote(report,
                                "%s is not compared: where the measured %s passes %s it rises with "
                                "N and the predicted one falls, or the other way round.",
                                name, cli_validation_held(v), target.text);
            break;
        }
    }
    explain_several(v, report);
    if (v->N.n == 0) {
        cli_report_footnote(report, "So no N and no psi is compared at %s = %s.",
                            cli_validation_held(v), target.text);
    }
    isocast_buffer_free(&target);
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
    isocast_buffer target = target_of(v);
    if (alone) {
        cli_report_title(report, "The N that gives %s = %s, predicted and measured",
                         cli_validation_held(v), target.text);
    }
    isocast_buffer_free(&target);
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

static cli_report *join(const isocast_validation *const *validations, size_t count) {
    const isocast_metric_row *metric = isocast_metric_row_of(validations[0]->metric);
    cli_report **reports = calloc(count, sizeof(cli_report *));
    char **labels = calloc(count, sizeof(char *));
    double *values = calloc(count, sizeof *values);
    cli_report *joined = NULL;
    bool complete = reports != NULL && labels != NULL && values != NULL;
    for (size_t k = 0; complete && k < count; k++) {
        isocast_buffer label = {0};
        isocast_buffer_printf(&label, "%s = ", metric->bare);
        isocast_metric_format(validations[k]->metric, validations[k]->efficiency, 4, &label);
        reports[k] = report_at(validations[k], false);
        labels[k] = isocast_buffer_take(&label);
        values[k] = validations[k]->efficiency;
        complete = labels[k] != NULL;
    }
    if (complete) {
        const cli_column column = {.name = "target",
                                   .heading = metric->symbol,
                                   .unit = metric->unit[0] != '\0' ? metric->unit : NULL,
                                   .kind = CLI_COLUMN_NUMBER,
                                   .digits = 2};
        isocast_buffer title = {0};
        isocast_buffer_printf(&title, "The N that gives %s, predicted and measured", metric->bare);
        const cli_join how = {&column, values, labels, title.text != NULL ? title.text : ""};
        joined =
            title.failed ? NULL : cli_report_join((const cli_report *const *)reports, count, &how);
        isocast_buffer_free(&title);
    }
    for (size_t k = 0; k < count; k++) {
        cli_report_free(reports != NULL ? reports[k] : NULL);
        free(labels != NULL ? labels[k] : NULL);
    }
    free(reports);
    free(labels);
    free(values);
    return joined;
}

cli_report *cli_report_validation_sizes(const isocast_validation *const *validations,
                                        size_t count) {
    cli_report *report = count > 1 ? join(validations, count) : report_at(validations[0], true);
    put_outcome(validations, count, report);
    return report;
}
