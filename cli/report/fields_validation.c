/* What a validation says: its points, its sizes, the summary of errors, and its JSON. */
#include <math.h>

#include "cli/output/fields.h"
#include "model/runs/validation_result.h"
#include "report_validation.h"

/* Points of the predicted curves, evenly spaced in ln N a little beyond the sizes measured. */
enum { CURVE_POINTS = 81 };
static const double curve_margin = 1.15;

ISOCAST_GIVES(const isocast_validation *, result_of, at->result)
ISOCAST_GIVES(const isocast_validation_point *, point_of, at->row)
ISOCAST_GIVES(const isocast_algorithm *, algorithm_of,
              isocast_model_algorithm(result_of(at)->model))
ISOCAST_GIVES(const isocast_metric_row *, metric_of, isocast_metric_row_of(result_of(at)->metric))

/* The system of a point. */
ISOCAST_GIVES(const void *, system_of, &result_of(at)->systems[point_of(at)->system])
ISOCAST_GIVES(const isocast_validation_system *, point_system, system_of(at))
ISOCAST_GIVES(double, processes_of, point_system(at)->system->p)
ISOCAST_GIVES(double, speed_of, point_system(at)->system->C)
ISOCAST_GIVES(bool, has_other_sizes, algorithm_of(at)->size_count > 1)

static const char *size_of_point(const isocast_at *at, size_t i, double *value) {
    return cli_other_size(algorithm_of(at), point_system(at)->other_sizes, i, value);
}

static const char *size_of_system(const isocast_at *at, size_t i, double *value) {
    const isocast_validation_system *system = at->row;
    return cli_other_size(algorithm_of(at), system->other_sizes, i, value);
}

static void heading_measured(const isocast_at *at, isocast_buffer *out) {
    isocast_buffer_printf(out, "%s measured", metric_of(at)->bare);
}

static void heading_error(const isocast_at *at, isocast_buffer *out) {
    isocast_buffer_printf(out, "error of %s", metric_of(at)->bare);
}

ISOCAST_GIVES(const char *, unit_held, metric_of(at)->unit)

static const char *largest_of(const isocast_at *at) {
    size_t term = point_of(at)->largest_term;
    return term < algorithm_of(at)->overhead_count ? algorithm_of(at)->overhead[term].name : NULL;
}

ISOCAST_GIVES(const char *, validity_of, point_of(at)->valid ? NULL : "no")

/* Columns that are compared. */
enum { OF_T = 1, OF_E };
enum { OF_N = 1, OF_PSI };

#define FILES .where = ISOCAST_IN_FILES
#define JSON .where = ISOCAST_IN_JSON
#define OTHER_SIZES(of)                                                                            \
    ISOCAST_MADE("other_sizes", NAMED, .named = of, NULL, "the further size parameters, by name",  \
                 .known = true, .shown = has_other_sizes)
#define POINT(member, kind, unit, ...)                                                             \
    ISOCAST_FIELD(#member, kind, isocast_validation_point, member, unit, __VA_ARGS__)
static const isocast_field point_fields[] = {
    ISOCAST_FIELD("system", TEXT, isocast_validation_system, label, NULL, "name of the system",
                  .from = system_of, .known = true),
    ISOCAST_MADE("p", COUNT, .number = processes_of, NULL, "processes"),
    ISOCAST_MADE("C", NUMBER, .number = speed_of, "flop/s",
                 "sum of the marked speeds of all processes", JSON),
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
    POINT(T_min, NUMBER, "s", "shortest run", FILES),
    POINT(T_max, NUMBER, "s", "longest run", FILES),
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
    ISOCAST_MADE("largest_overhead", TEXT, .text = largest_of, NULL,
                 "overhead term with the largest share of the prediction",
                 .heading = "largest overhead"),
    ISOCAST_FIELD("its_share", SHARE, isocast_validation_point, largest_share, NULL,
                  "of the predicted T", .heading = "its share", .digits = 2),
    ISOCAST_MADE("valid", TEXT, .text = validity_of, NULL, NULL, .where = ISOCAST_IN_ROWS,
                 .optional = true)};
const isocast_table cli_validation_points = {NULL, "one system at one size",
                                             ISOCAST_TABLE(point_fields)};
ISOCAST_ITEMS(cli_validation_point_item, result_of(in)->point_count, &result_of(in)->points[i])

ISOCAST_GIVES(bool, is_compared,
              ((const isocast_validation_system *)at->row)->pairing == ISOCAST_PAIRING_OK)

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
           FILES),
    SYSTEM(N_high, NUMBER, "its upper end", FILES),
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
    ISOCAST_MADE("compared", FLAG, .flag = is_compared, NULL,
                 "measured and predicted sizes are the same solution: nearest in ln N among those "
                 "where E passes in the same direction"),
    SYSTEM(crossings, COUNT, "at how many sizes the measured E passes the efficiency", JSON,
           .is_size = true, .known = true),
    SYSTEM(roots, COUNT, "at how many sizes the predicted E does", JSON, .is_size = true,
           .known = true),
    SYSTEM(psi_predicted, NUMBER, "predicted", .heading = "psi predicted", .optional = true,
           .compared = OF_PSI),
    SYSTEM(psi_predicted_low, NUMBER, "lower end of its 90 % interval", FILES),
    SYSTEM(psi_predicted_high, NUMBER, "its upper end", FILES),
    SYSTEM(psi, NUMBER, "computed from N, to this system from the one before",
           .heading = "psi measured", .optional = true, .compared = OF_PSI),
    SYSTEM(psi_direct, NUMBER, "from N_direct", FILES),
    SYSTEM(psi_reading_error, SHARE,
           "how far psi may itself be off, relative, by the N_reading_error of this system and of "
           "the one before; null where that is not known",
           .heading = "its own error", .optional = true, .digits = 2),
    SYSTEM(psi_error, SHARE,
           "relative error of psi_predicted: to psi, or to psi_direct where there is none; null "
           "where the sizes of either system are not compared",
           .heading = "error of psi", .optional = true, .digits = 2),
    SYSTEM(condition, NUMBER,
           "by how many per cent N_predicted moves for one per cent of error in E", FILES)};
const isocast_table cli_validation_systems = {"validation-system", "one system",
                                              ISOCAST_TABLE(system_fields)};
ISOCAST_ITEMS(cli_validation_system_item, result_of(in)->system_count, &result_of(in)->systems[i])

ISOCAST_GIVES(const cli_validations *, view_of, at->result)

/* The errors of all, by isocast_validation_kind. */
ISOCAST_ITEMS(cli_validation_error_item, ISOCAST_VALIDATION_PSI + 1, &view_of(in)->errors[i])

static const char *summarised(const isocast_at *at) {
    const char *const names[] = {"T", cli_validation_held(view_of(at)->items[0]), "N'", "psi'"};
    return names[at->index];
}

#define ERROR(member, kind, ...)                                                                   \
    ISOCAST_FIELD(#member, kind, isocast_error_summary, member, NULL, __VA_ARGS__)
static const isocast_field error_fields[] = {
    ISOCAST_MADE("of", TEXT, .text = summarised, NULL, NULL, .heading = "relative error of",
                 .where = ISOCAST_IN_ROWS),
    ERROR(mean, SHARE, "mean of the absolute errors; null where n is 0", .digits = 3),
    ERROR(max, SHARE, "largest absolute error", .digits = 3),
    ERROR(bias, SHARE, "mean of the signed errors", .digits = 3),
    ERROR(mean_beyond, NUMBER,
          "mean of what the absolute errors are above N_reading_error or psi_reading_error, the "
          "own error of what is measured; of T and E the mean. --max-error takes this",
          JSON),
    ISOCAST_FIELD("points", COUNT, isocast_error_summary, n, NULL, NULL, .is_size = true,
                  .where = ISOCAST_IN_ROWS),
    ERROR(n, COUNT, "points compared", JSON, .is_size = true, .known = true)};
const isocast_table cli_validation_errors = {
    "errors", "a summary of relative errors, predicted over measured - 1",
    ISOCAST_TABLE(error_fields)};

ISOCAST_OWN_ITEMS(T_errors, 1, &view_of(in)->errors[ISOCAST_VALIDATION_T])
ISOCAST_OWN_ITEMS(E_errors, 1, &view_of(in)->errors[ISOCAST_VALIDATION_E])
ISOCAST_OWN_ITEMS(N_errors, 1, &view_of(in)->errors[ISOCAST_VALIDATION_N])
ISOCAST_OWN_ITEMS(psi_errors, 1, &view_of(in)->errors[ISOCAST_VALIDATION_PSI])
#define ERRORS(name, of_it)                                                                        \
    ISOCAST_MADE(name, OBJECT, .item = of_it, NULL, "of " name, .of = &cli_validation_errors,      \
                 .known = true)
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
static const isocast_table curves = {NULL, "one system", ISOCAST_TABLE(curve_fields)};

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
    EFFICIENCY(JSON), ISOCAST_MADE("systems", LIST, .item = system_of_target, NULL,
                                   "as systems of the validation", .of = &cli_validation_systems)};
static const isocast_table targets = {NULL, "one efficiency", ISOCAST_TABLE(target_fields)};

static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.validation/1"),
    CLI_ALGORITHM,
    CLI_MACHINE,
    CLI_RUNS("the file of measured runs"),
    ISOCAST_MADE("runs_simulated", FLAG, .flag = runs_are_simulated, NULL,
                 "the runs are known to be simulated: the machine is, and they name it"),
    CLI_METRIC,
    EFFICIENCY(.from = from_first),
    ISOCAST_MADE("errors", OBJECT, .item = NULL, NULL, "errors of each quantity apart",
                 .of = &errors, .known = true),
    ISOCAST_MADE("rows", LIST, .item = point_item, NULL, "points, by system and size",
                 .of = &cli_validation_points),
    ISOCAST_MADE("systems", LIST, .item = system_item, NULL,
                 "sizes at the first efficiency, by system", .of = &cli_validation_systems),
    ISOCAST_MADE("targets", LIST, .item = target_item, NULL,
                 "sizes at each efficiency that was asked for", .of = &targets),
    ISOCAST_MADE("curves", LIST, .item = curve_item, NULL, "predictions over the sizes measured",
                 .of = &curves),
    CLI_PROVENANCE};
const isocast_table cli_validation_document = {"validation", "what isocast validate gives",
                                               ISOCAST_TABLE(fields)};

json_t *cli_json_validation(const cli_validations *validations) {
    cli_validation_curve curve = {.status = ISOCAST_OK};
    cli_validations whole = *validations;
    whole.curve = &curve;
    json_t *object = cli_fields_document(&cli_validation_document, &whole);
    if (curve.status != ISOCAST_OK) {
        json_decref(object);
        return NULL;
    }
    return object;
}

void cli_validations_sum(cli_validations *all) {
    all->errors[ISOCAST_VALIDATION_T] = all->items[0]->T;
    all->errors[ISOCAST_VALIDATION_E] = all->items[0]->E;
    for (isocast_validation_kind k = ISOCAST_VALIDATION_N; k <= ISOCAST_VALIDATION_PSI; k++) {
        all->errors[k] = isocast_validation_sum(all->items, all->count, k);
    }
}

const char *cli_validation_held(const isocast_validation *v) {
    return isocast_metric_row_of(v->metric)->bare;
}
