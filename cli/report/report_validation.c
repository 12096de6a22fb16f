#include "results.h"

#include <math.h>
#include <stdlib.h>

#include "cli/output/report.h"
#include "model/base/any.h"
#include "model/base/refused.h"
#include "model/runs/validation_result.h"
#include "report_notes.h"
#include "report_prediction.h"

/* What a validation says: its points, its sizes, the summary of errors, and its JSON. */

/* Points of the predicted curves, evenly spaced in ln N a little beyond the sizes measured. */
enum { CURVE_POINTS = 81 };
static const double curve_margin = 1.15;

ISOCAST_GIVES(const isocast_validation *, result_of, at->result)
ISOCAST_GIVES(const isocast_validation_point *, point_of, at->row)
ISOCAST_GIVES(const isocast_algorithm *, algorithm_at,
              isocast_model_algorithm(result_of(at)->model))
ISOCAST_GIVES(const isocast_metric_row *, metric_of, isocast_metric_row_of(result_of(at)->metric))

/* The system of a point. */
ISOCAST_GIVES(const void *, system_of, &result_of(at)->systems[point_of(at)->system])
ISOCAST_GIVES(const isocast_validation_system *, point_system, system_of(at))
ISOCAST_GIVES(double, processes_of, point_system(at)->system->p)
ISOCAST_GIVES(double, speed_of, point_system(at)->system->C)
ISOCAST_GIVES(bool, has_other_sizes, algorithm_at(at)->size_count > 1)

ISOCAST_NAMES(size_of_point,
              cli_other_size(algorithm_at(at), point_system(at)->other_sizes, i, value))

ISOCAST_GIVES(const isocast_validation_system *, system_at, at->row)
ISOCAST_NAMES(size_of_system,
              cli_other_size(algorithm_at(at), system_at(at)->other_sizes, i, value))

ISOCAST_PUTS(heading_measured, isocast_buffer_printf(out, "%s measured", metric_of(at)->bare))

ISOCAST_PUTS(heading_error, isocast_buffer_printf(out, "error of %s", metric_of(at)->bare))

ISOCAST_GIVES(const char *, unit_held, metric_of(at)->unit)

static const char *term_name(const isocast_validation *v, size_t term) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(v->model);
    return term < algorithm->overhead_count ? algorithm->overhead[term].name : NULL;
}

ISOCAST_GIVES(const char *, largest_of, term_name(result_of(at), point_of(at)->largest_term))
ISOCAST_GIVES(const char *, validity_of, point_of(at)->valid ? NULL : "no")

/* Columns that are compared. */
enum { OF_T = 1, OF_E };
enum { OF_N = 1, OF_PSI };

#define OTHER_SIZES(of)                                                                            \
    ISOCAST_MADE("other_sizes", NAMED, .named = of, NULL, "the further size parameters, by name",  \
                 .known = true, .shown = has_other_sizes)
#define POINT(member, kind, unit, ...)                                                             \
    ISOCAST_FIELD(#member, kind, isocast_validation_point, member, unit, __VA_ARGS__)
static const isocast_field point_fields[] = {
    ISOCAST_FIELD("system", TEXT, isocast_validation_system, label, NULL, "name of the system",
                  .from = system_of, .known = true),
    ISOCAST_COUNT("p", processes_of, "processes"),
    ISOCAST_NUMBER("C", speed_of, "flop/s", "sum of the marked speeds of all processes",
                   ISOCAST_JSON),
    OTHER_SIZES(size_of_point),
    POINT(N, COUNT, NULL, "problem size"),
    ISOCAST_FIELD("valid", FLAG, isocast_validation_point, valid, NULL,
                  "the algorithm's formulas hold for this size; rows of other sizes are in no "
                  "summary"),
    ISOCAST_FIELD("runs", COUNT, isocast_validation_point, repetitions, NULL, "repetitions",
                  .is_size = true),
    ISOCAST_FIELD("oversubscribed", FLAG, isocast_validation_system, oversubscribed, NULL,
                  "measured with more processes than processors", .from = system_of),
    POINT(T, NUMBER, "s", "median of the runs", .heading = "T measured", .compared = OF_T),
    POINT(T_min, NUMBER, "s", "shortest run", ISOCAST_FILES),
    POINT(T_max, NUMBER, "s", "longest run", ISOCAST_FILES),
    POINT(spread, SHARE, NULL, "median absolute deviation of the runs over their median",
          .digits = 2, .optional = true),
    POINT(T_predicted, NUMBER, "s", "predicted execution time", .heading = "predicted",
          .compared = OF_T),
    POINT(T_error, SHARE, NULL, "relative error of T", .heading = "error of T", .digits = 2),
    POINT(E, NUMBER, NULL, "measured speed-efficiency", .heading_put = heading_measured,
          .unit_of = unit_held, .compared = OF_E),
    POINT(E_predicted, NUMBER, NULL, "predicted speed-efficiency", .heading = "predicted",
          .unit_of = unit_held, .compared = OF_E),
    POINT(E_error, SHARE, NULL, "relative error of E", .heading_put = heading_error, .digits = 2),
    ISOCAST_TEXT("largest_overhead", largest_of,
                 "overhead term with the largest share of the prediction",
                 .heading = "largest overhead"),
    ISOCAST_FIELD("its_share", SHARE, isocast_validation_point, largest_share, NULL,
                  "of the predicted T", .heading = "its share", .digits = 2),
    ISOCAST_TEXT("valid", validity_of, NULL, ISOCAST_ROWS, .optional = true)};
static const isocast_table validation_points =
    ISOCAST_TABLE_OF(point_fields, "one system at one size");
ISOCAST_OWN_ITEMS(cli_validation_point_item, result_of(in)->point_count, &result_of(in)->points[i])

ISOCAST_GIVES(bool, is_compared, system_at(at)->pairing == ISOCAST_PAIRING_OK)

#define SYSTEM(member, kind, ...)                                                                  \
    ISOCAST_FIELD(#member, kind, isocast_validation_system, member, NULL, __VA_ARGS__)
static const isocast_field system_fields[] = {
    ISOCAST_FIELD("system", TEXT, isocast_validation_system, label, NULL, "name of the system",
                  .known = true),
    OTHER_SIZES(size_of_system),
    SYSTEM(N_predicted, NUMBER,
           "size at which the prediction passes it in the same direction; where nothing is "
           "measured, the smallest",
           .heading = "N predicted", .compared = OF_N),
    SYSTEM(N_predicted_low, NUMBER,
           "lower end of the 90 % interval of N_predicted, by the errors of the machine's numbers; "
           "null where it is not known",
           .heading = "N_low", .optional = true, .compared = OF_N),
    SYSTEM(N_predicted_high, NUMBER, "its upper end", .heading = "N_high", .optional = true,
           .compared = OF_N),
    SYSTEM(N, NUMBER,
           "size at which the trend of the measured E over N passes the efficiency; of several, "
           "the one that is compared",
           .heading = "N measured", .compared = OF_N),
    SYSTEM(N_low, NUMBER,
           "lower end of the 90 % interval of N, by the errors of the line and of the runs; null "
           "where it is not known",
           ISOCAST_FILES),
    SYSTEM(N_high, NUMBER, "its upper end", ISOCAST_FILES),
    SYSTEM(N_reading_error, SHARE,
           "how far N, or N_direct where there is none, may itself be off, relative, at 90 %; null "
           "where that is not known. An error of N that is no larger says nothing against the "
           "prediction",
           .heading = "its own error", .optional = true, .digits = 2),
    SYSTEM(N_direct, NUMBER, "a size next to N whose runs show the efficiency within 2 %",
           .heading = "N of a run", .compared = OF_N),
    SYSTEM(N_error, SHARE,
           "relative error of N_predicted: to N, or to N_direct where there is none; null where "
           "they are not the same solution",
           .heading = "error of N", .digits = 2),
    ISOCAST_FLAG("compared", is_compared,
                 "measured and predicted sizes are the same solution: nearest in ln N among those "
                 "where E passes in the same direction"),
    SYSTEM(crossings, COUNT, "at how many sizes the measured E passes the efficiency", ISOCAST_JSON,
           .is_size = true, .known = true),
    SYSTEM(roots, COUNT, "at how many sizes the predicted E does", ISOCAST_JSON, .is_size = true,
           .known = true),
    SYSTEM(psi_predicted, NUMBER, "predicted", .heading = "psi predicted", .optional = true,
           .compared = OF_PSI),
    SYSTEM(psi_predicted_low, NUMBER, "lower end of its 90 % interval", ISOCAST_FILES),
    SYSTEM(psi_predicted_high, NUMBER, "its upper end", ISOCAST_FILES),
    SYSTEM(psi, NUMBER, "computed from N, to this system from the one before",
           .heading = "psi measured", .optional = true, .compared = OF_PSI),
    SYSTEM(psi_direct, NUMBER, "from N_direct", ISOCAST_FILES),
    SYSTEM(psi_reading_error, SHARE,
           "how far psi may itself be off, relative, by the N_reading_error of this system and of "
           "the one before; null where that is not known",
           .heading = "its own error", .optional = true, .digits = 2),
    SYSTEM(psi_error, SHARE,
           "relative error of psi_predicted: to psi, or to psi_direct where there is none; null "
           "where the sizes of either system are not compared",
           .heading = "error of psi", .optional = true, .digits = 2),
    SYSTEM(condition, NUMBER,
           "by how many per cent N_predicted moves for one per cent of error in E", ISOCAST_FILES)};
static const isocast_table validation_systems = {"validation-system", "one system",
                                                 ISOCAST_TABLE(system_fields)};
ISOCAST_OWN_ITEMS(cli_validation_system_item, result_of(in)->system_count,
                  &result_of(in)->systems[i])

ISOCAST_GIVES(const cli_validations *, view_of, at->result)

/* The errors of all, by isocast_validation_kind. */
ISOCAST_OWN_ITEMS(cli_validation_error_item, ISOCAST_VALIDATION_PSI + 1, &view_of(in)->errors[i])

/* What is held, as "E" or "average speed". */
static const char *validation_held(const isocast_validation *v) {
    return isocast_metric_row_of(v->metric)->bare;
}

static const char *summarised(const isocast_at *at) {
    const char *const names[] = {"T", validation_held(view_of(at)->items[0]), "N'", "psi'"};
    return names[at->index];
}

#define ERROR(member, kind, ...)                                                                   \
    ISOCAST_FIELD(#member, kind, isocast_error_summary, member, NULL, __VA_ARGS__)
static const isocast_field error_fields[] = {
    ISOCAST_TEXT("of", summarised, NULL, .heading = "relative error of", ISOCAST_ROWS),
    ERROR(mean, SHARE, "mean of the absolute errors; null where n is 0", .digits = 3),
    ERROR(max, SHARE, "largest absolute error", .digits = 3),
    ERROR(bias, SHARE, "mean of the signed errors", .digits = 3),
    ERROR(mean_beyond, NUMBER,
          "mean of what the absolute errors are above N_reading_error or psi_reading_error, the "
          "own error of what is measured; of T and E the mean. --max-error takes this",
          ISOCAST_JSON),
    ISOCAST_FIELD("points", COUNT, isocast_error_summary, n, NULL, NULL, .is_size = true,
                  ISOCAST_ROWS),
    ERROR(n, COUNT, "points compared", ISOCAST_JSON, .is_size = true, .known = true)};
static const isocast_table validation_errors = {
    "errors", "a summary of relative errors, predicted over measured - 1",
    ISOCAST_TABLE(error_fields)};

ISOCAST_OWN_ITEMS(T_errors, 1, &view_of(in)->errors[ISOCAST_VALIDATION_T])
ISOCAST_OWN_ITEMS(E_errors, 1, &view_of(in)->errors[ISOCAST_VALIDATION_E])
ISOCAST_OWN_ITEMS(N_errors, 1, &view_of(in)->errors[ISOCAST_VALIDATION_N])
ISOCAST_OWN_ITEMS(psi_errors, 1, &view_of(in)->errors[ISOCAST_VALIDATION_PSI])
#define ERRORS(name, of_it)                                                                        \
    ISOCAST_OBJECT(name, of_it, &validation_errors, "of " name, .known = true)
static const isocast_field errors_fields[] = {ERRORS("T", T_errors), ERRORS("E", E_errors),
                                              ERRORS("N", N_errors), ERRORS("psi", psi_errors)};
static const isocast_table errors = {NULL, NULL, ISOCAST_TABLE(errors_fields)};

/* The predicted T and E of one system over the sizes measured on it. */
struct cli_validation_curve {
    const char *system;
    double N[CURVE_POINTS], T[CURVE_POINTS], E[CURVE_POINTS];
    isocast_status status; /* why there is no further one */
};

static isocast_status compute_curve(const isocast_validation *v, size_t index,
                                    cli_validation_curve *out) {
    const isocast_validation_system *measured = &v->systems[index];
    double least = v->points[measured->first_point].N;
    double most = v->points[measured->first_point + measured->point_count - 1].N;
    double first = log(fmax(isocast_model_algorithm(v->model)->sizes[0].min, least / curve_margin));
    double step = (log(most * curve_margin) - first) / (CURVE_POINTS - 1);
    isocast_effort left = isocast_effort_lend(v->effort, 1 / (double)(v->system_count - index + 1));
    out->system = measured->label;
    isocast_status status = ISOCAST_OK;
    for (int k = 0; k < CURVE_POINTS && status == ISOCAST_OK; k++) {
        isocast_model_results results = {.T = &out->T[k]};
        out->N[k] = exp(first + step * k);
        status = isocast_validation_times(v, measured, out->N[k], &left, &results, &out->E[k]);
    }
    isocast_effort_return(v->effort, &left);
    return status;
}

static bool curve_item(const isocast_at *in, size_t i, isocast_at *out) {
    const isocast_validation *v = view_of(in)->items[0];
    cli_validation_curve *curve = view_of(in)->curve;
    if (i < v->system_count && curve->status == ISOCAST_OK) {
        curve->status = compute_curve(v, i, curve);
    }
    if (curve->status != ISOCAST_OK) {
        isocast_refused_note();
    }
    out->row = curve;
    return i < v->system_count && curve->status == ISOCAST_OK;
}

#define CURVE(member, its_unit, ...)                                                               \
    {                                                                                              \
        .name = #member, .kind = ISOCAST_FIELD_NUMBERS, .unit = (its_unit),                        \
        .length = CURVE_POINTS, .offset = offsetof(cli_validation_curve, member),                  \
        .meaning = __VA_ARGS__                                                                     \
    }
static const isocast_field curve_fields[] = {
    ISOCAST_FIELD("system", TEXT, cli_validation_curve, system, NULL, "name of the system",
                  .known = true),
    CURVE(N, NULL, "problem sizes"), CURVE(T, "s", "predicted T at each"),
    CURVE(E, NULL, "predicted E at each")};
static const isocast_table curves = ISOCAST_TABLE_OF(curve_fields, "one system");

/* The validation at a target, in the whole of which at->index is the number. */
ISOCAST_OWN_ITEMS(target_item, view_of(in)->count, view_of(in)->items[i])
ISOCAST_ITEMS_WITHIN(system_of_target, in->row, cli_validation_system_item)
ISOCAST_ITEMS_WITHIN(point_item, view_of(in)->items[0], cli_validation_point_item)
ISOCAST_ITEMS_WITHIN(system_item, view_of(in)->items[0], cli_validation_system_item)

ISOCAST_GIVES(const void *, from_first, view_of(at)->items[0])
ISOCAST_GIVES(bool, runs_are_simulated,
              isocast_validation_has_simulated_runs(view_of(at)->items[0]))

#define EFFICIENCY(...)                                                                            \
    ISOCAST_FIELD("efficiency", NUMBER, isocast_validation, efficiency, NULL,                      \
                  "speed-efficiency at which N and psi are compared; null where the systems have " \
                  "none in common",                                                                \
                  __VA_ARGS__)
static const isocast_field target_fields[] = {
    EFFICIENCY(ISOCAST_JSON),
    ISOCAST_LIST("systems", system_of_target, &validation_systems, "as systems of the validation")};
static const isocast_table targets = ISOCAST_TABLE_OF(target_fields, "one efficiency");

static void put_answer(const isocast_at *at, isocast_buffer *out) {
    const isocast_error_summary *all = ((const cli_validations *)at->result)->errors;
    const isocast_error_summary *T = &all[ISOCAST_VALIDATION_T];
    const isocast_error_summary *N = &all[ISOCAST_VALIDATION_N];
    if (T->n == 0) {
        isocast_buffer_puts(out, "No prediction of T could be compared with a run.");
        return;
    }
    isocast_buffer_printf(out,
                          "Predictions of T were off by %.2g %% on average, and by %.2g %% at "
                          "most, at %zu measured %s.",
                          100 * T->mean, 100 * T->max, T->n, T->n == 1 ? "point" : "points");
    CLI_PUT_IF(N->n > 0, out, " Predictions of the size were off by %.2g %% on average.",
               100 * N->mean);
}

static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.validation/1"),
    CLI_ANSWER(put_answer),
    CLI_ALGORITHM,
    CLI_MACHINE,
    CLI_RUNS("the file of measured runs"),
    ISOCAST_FLAG("runs_simulated", runs_are_simulated,
                 "the runs are known to be simulated: the machine is, and they name it"),
    CLI_METRIC,
    EFFICIENCY(.from = from_first),
    ISOCAST_OBJECT("errors", NULL, &errors, "errors of each quantity apart", .known = true),
    ISOCAST_LIST("rows", point_item, &validation_points, "points, by system and size"),
    ISOCAST_LIST("systems", system_item, &validation_systems,
                 "sizes at the first efficiency, by system"),
    ISOCAST_LIST("targets", target_item, &targets, "sizes at each efficiency that was asked for"),
    ISOCAST_LIST("curves", curve_item, &curves, "predictions over the sizes measured"),
    CLI_PROVENANCE};
const isocast_table cli_validation_document = {"validation", "what isocast validate gives",
                                               ISOCAST_TABLE(fields)};

void cli_validations_sum(cli_validations *all) {
    all->errors[ISOCAST_VALIDATION_T] = all->items[0]->T;
    all->errors[ISOCAST_VALIDATION_E] = all->items[0]->E;
    for (isocast_validation_kind k = ISOCAST_VALIDATION_N; k <= ISOCAST_VALIDATION_PSI; k++) {
        all->errors[k] = isocast_validation_sum(all->items, all->count, k);
    }
}

/* The value that is held, with its unit. */
static isocast_amount target_of(const isocast_validation *v) {
    return isocast_metric_text(v->metric, v->efficiency, 4);
}

/* Where the measured or the predicted E passes the value more than once, one N of several is
 * compared. */
#define IS_PAIRED(v) ((v)->systems[i].pairing == ISOCAST_PAIRING_OK)
ISOCAST_ANY(measures_several, (const isocast_validation *v), v->system_count,
            IS_PAIRED(v) && v->systems[i].crossings > 1)
ISOCAST_ANY(predicts_several, (const isocast_validation *v), v->system_count,
            IS_PAIRED(v) && v->systems[i].roots > 1)

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
        CLI_NOTE_IF(pairing != ISOCAST_PAIRING_OK, report, "%s is not compared: %s %s %s %s%s.",
                    v->systems[i].label, reasons[pairing].whose, validation_held(v),
                    reasons[pairing].passes, target.text, reasons[pairing].behind);
    }
    CLI_NOTE_IF(measures_several(v), report,
                "the measured %s of a system passes the value at several N; the first that the "
                "prediction has, too, is compared.",
                validation_held(v));
    CLI_NOTE_IF(predicts_several(v), report,
                "the predicted %s of a system passes the value at several N; the one nearest to "
                "the measured is compared.",
                validation_held(v));
    CLI_NOTE_IF(v->N.n == 0, report, "So no N and no psi is compared at %s = %s.",
                validation_held(v), target.text);
}

/* The sizes at one value of what is held; a table of one value has it in its title. */
static cli_report *report_at(const isocast_validation *v, bool alone) {
    cli_report *report = cli_report_create();
    if (isnan(v->efficiency)) {
        cli_fields_head(report, &validation_systems, v);
        cli_note(report, "N and psi are not compared: no efficiency is passed by every system "
                         "within the sizes measured. Measure other sizes, or give --efficiency.");
        return report;
    }
    if (alone) {
        cli_report_title(report, "The N that gives %s = %s, predicted and measured",
                         validation_held(v), target_of(v).text);
    }
    cli_fields_fill(report, &validation_systems, v, cli_validation_system_item);
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
    const char *held = validation_held(validations[0]);
    outcome out = outcome_of(validations, count);
    if (out.errors.n == 0) {
        return;
    }
    cli_note(report,
             "N measured: where a line through the measured %s passes the value that is held; N of "
             "a run: a size next to it whose runs show %s within 2 %%.",
             held, held);
    cli_note(report, "N is predicted with a mean error of %.2g %%, at most %.2g %%.",
             100 * out.errors.mean, 100 * out.errors.max);
    if (out.with_reading > 0) {
        cli_note(report,
                 "Its own error: how far N measured may be off, as few sizes are measured and runs "
                 "scatter (%.3g %%), and so psi measured.",
                 100 * ISOCAST_LEVEL);
        cli_note(report,
                 "%zu of %zu errors of N are no larger than that: they say nothing against the "
                 "prediction.",
                 out.within_reading, out.with_reading);
    }
    CLI_NOTE_IF(out.with_interval > 0, report,
                "%zu of %zu measured N lie between N_low and N_high, the %.3g %% interval of the "
                "prediction.",
                out.inside, out.with_interval, 100 * ISOCAST_LEVEL);
    CLI_NOTE_IF(isfinite(out.condition_most), report,
                "Where T is predicted 1 %% wrong, N is up to %.2g %% wrong here: that is how flat "
                "the curve of %s over N is.",
                out.condition_most, held);
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

/* Says which rows count for nothing. */
static void report_valid(const isocast_validation *v, cli_report *report) {
    if (v->valid_count == v->point_count) {
        return;
    }
    isocast_buffer which = {0};
    isocast_valid_describe(isocast_model_valid(v->model), &which);
    if (which.failed) {
        cli_report_fail(report);
    } else if (which.length == 0) {
        cli_note(report, "valid: the rows with no break a rule of the algorithm file; they are in "
                         "no summary, and no N or psi is read from them.");
    } else {
        cli_note(report,
                 "valid: the prediction holds only for %s; the rows with no are in no summary, and "
                 "no N or psi is read from them.",
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

/* What the error of one point comes from, as far as the runs can say. */
static void explain_worst(const isocast_validation *v, const isocast_validation_point *worst,
                          cli_report *report) {
    const char *term = term_name(v, worst->largest_term);
    cli_note(report,
             "The largest error of T, %s %%, is at N = %g on %s, where computation is %s %% of the "
             "prediction and the largest overhead is %s (%s %%).",
             cli_per_cent(worst->T_error, 1, true).text, worst->N, v->systems[worst->system].label,
             cli_per_cent(worst->compute_share, 0, false).text, term != NULL ? term : "none",
             cli_per_cent(fmax(worst->largest_share, 0), 1, false).text);
    if (worst->spread >= fabs(worst->T_error) / 2) {
        cli_note(report,
                 "Its repetitions differ by %s %% among themselves: much of that error is the "
                 "machine's noise.",
                 cli_per_cent(worst->spread, 1, false).text);
    } else if (worst->compute_share > 1 - worst->compute_share) {
        cli_note(report, "So what dominates the rest is the time per flop: how far the kernel's "
                         "own speed there is from the calibrated one.");
    } else {
        cli_note(report, "So what dominates the rest is the overhead, %s first.",
                 term != NULL ? term : "of no single term");
    }
}

/* Whether the errors of T have one sign. */
static void explain_bias(const isocast_validation *v, cli_report *report) {
    if (v->T.n > 2 && (v->T.least > 0 || v->T.most < 0)) {
        cli_note(report,
                 "T is %s throughout (by %s %% on average): one cause for all points, such as a "
                 "missing overhead or a machine that has changed since it was calibrated.",
                 v->T.least > 0 ? "over-predicted" : "under-predicted",
                 cli_per_cent(fabs(v->T.bias), 1, false).text);
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
    CLI_NOTE_IF(!isnan(least), report, "%s is outside the calibrated range (up to %g processes).",
                system->label, least);
}

/* What the rest of the error of T comes from. */
static void explain_rest(const isocast_validation *v, cli_report *report) {
    size_t worst = worst_point(v);
    if (worst < v->point_count) {
        explain_worst(v, &v->points[worst], report);
    } else {
        cli_note(report, "No T is predicted at the sizes measured: the formulas have no finite "
                         "value above 0 there.");
    }
    explain_bias(v, report);
    for (size_t i = 0; i < v->system_count; i++) {
        CLI_NOTE_IF(v->systems[i].oversubscribed, report,
                    "%s was measured with more processes than processors (oversubscribed): its "
                    "times are the scheduler's too.",
                    v->systems[i].label);
        explain_range(v, &v->systems[i], report);
    }
}

static void report_summary(const cli_validations *all, cli_report *report) {
    const isocast_validation *v = all->items[0];
    cli_fields_fill(report, &validation_errors, all, cli_validation_error_item);
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

static void report_all(const cli_validations *validations, cli_report **reports) {
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
    cli_fields_fill(reports[VALIDATION_POINTS], &validation_points, validation,
                    cli_validation_point_item);
    cli_note(reports[VALIDATION_POINTS], "measured: median of the runs; spread: median absolute "
                                         "deviation; error: predicted over measured - 1.");
    report_valid(validation, reports[VALIDATION_POINTS]);
    const char *program = algorithm_of(validation)->kernel;
    cli_report_note_marked_speed(reports[VALIDATION_POINTS], machine, program);
    note_above_one(reports[VALIDATION_POINTS], validation);
    cli_report_note_restrictions(reports[VALIDATION_POINTS], validation->model);
    const char *name = algorithm_of(validation)->sizes[0].name;
    cli_report_call(reports[VALIDATION_POINTS], "N", name);
    cli_report_call(reports[VALIDATION_SIZES], "N", name);
    report_summary(validations, reports[VALIDATION_SUMMARY]);
}

static size_t make_reports(const void *result, bool csv, cli_report **reports) {
    (void)csv;
    const cli_validations *validations = result;
    report_all(validations, reports);
    if (validations->fitted != NULL) {
        cli_report_title(reports[VALIDATION_POINTS], "%s", validations->fitted);
    }
    if (validations->only == VALIDATION_REPORTS) {
        return VALIDATION_REPORTS;
    }
    for (size_t i = 0; i < VALIDATION_REPORTS; i++) {
        if (i != validations->only) {
            cli_report_free(reports[i]);
        }
    }
    reports[0] = reports[validations->only];
    return 1;
}

int cli_validations_write(const cli_validations *validations, const cli_common *common,
                          cli_output *other) {
    cli_validation_curve curve = {.status = ISOCAST_OK};
    cli_validations whole = *validations;
    whole.curve = &curve;
    return cli_result_write(&(cli_written){&cli_validation_document, make_reports, NULL}, &whole,
                            common, other, 1);
}
