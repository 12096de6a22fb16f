#include "report_prediction.h"

#include <math.h>
#include <stdio.h>

#include "cli/output/fields.h"
#include "model/base/any.h"
#include "model/solve/prediction_fields.h"
#include "report_notes.h"
#include "subject.h"

ISOCAST_GIVES(const isocast_prediction *, prediction_of, ((const cli_view *)at->result)->result)
ISOCAST_GIVES(const void *, from_prediction, prediction_of(at))
ISOCAST_GIVES(const char *, held_of, cli_held_word(prediction_of(at)))
ISOCAST_GIVES(bool, is_by_reference, prediction_of(at)->measure == ISOCAST_SIZE_BY_REFERENCE)

ISOCAST_ITEMS_WITHIN(row_item, prediction_of(in), isocast_prediction_row_item)
ISOCAST_ITEMS_WITHIN(base_item, prediction_of(in), isocast_prediction_base_item)

/* A size is whole for people where it is large. */
static isocast_amount amount_of(double value, const char *unit) {
    bool whole = unit[0] == '\0' && value >= 1000 && value < 1e15;
    isocast_amount text = isocast_quantity_text(value, unit, 4);
    if (whole) {
        (void)snprintf(text.text, sizeof text.text, "%.0f", value);
    }
    return text;
}

/* "a (90 % interval b to c)". */
static void put_with_interval(double value, double low, double high, double level, const char *unit,
                              isocast_buffer *out) {
    isocast_buffer_puts(out, amount_of(value, unit).text);
    if (!isnan(low) && !isnan(high)) {
        isocast_buffer_printf(out, " (%.3g %% interval %s to ", 100 * level,
                              amount_of(low, unit).text);
        isocast_buffer_printf(out, "%s)", amount_of(high, unit).text);
    }
}

/* Of the largest system that has an answer; at a fixed size, of the fastest one. */
static void put_answer(const isocast_at *at, isocast_buffer *out) {
    const isocast_prediction *p = prediction_of(at);
    const isocast_size *size = &isocast_model_algorithm(p->model)->sizes[0];
    const isocast_prediction_row *best = NULL;
    size_t answered = 0;
    for (size_t i = 0; i < p->row_count; i++) {
        const isocast_prediction_row *row = &p->rows[i];
        bool better = best == NULL || (p->fixed_size ? row->T < best->T : row->C >= best->C);
        best = !isnan(row->T) && better ? row : best;
        answered += isnan(row->T) ? 0 : 1;
    }
    if (best == NULL) {
        isocast_buffer_printf(out, "%s has an answer: the rows say why.",
                              p->row_count == 1 ? "The system does not" : "None of the systems");
        return;
    }
    if (p->fixed_size) {
        isocast_buffer_puts(out, "With ");
        cli_report_append_size(size, out);
        isocast_buffer_printf(out, " = %.10g a run on %s takes ", best->N, best->system);
        put_with_interval(best->T, best->T_low, best->T_high, p->level, "s", out);
        CLI_PUT_IF(answered > 1, out, ", the least time of %zu systems", answered);
    } else {
        isocast_buffer_printf(out, "On %s, with %.10g processes, ", best->system, best->p);
        cli_report_append_size(size, out);
        isocast_buffer_puts(out, " has to be ");
        put_with_interval(best->N, best->N_low, best->N_high, p->level, "", out);
        isocast_buffer_printf(out, " to hold the %s at %s; a run then takes ",
                              isocast_metric_row_of(p->metric)->held,
                              isocast_metric_text(p->metric, p->target, 4).text);
        put_with_interval(best->T, best->T_low, best->T_high, p->level, "s", out);
    }
    isocast_buffer_puts(out, ".");
    CLI_PUT_IF(!isnan(best->psi_from_base), out,
               " The scalability psi from %s is %.4g, where 1 would be ideal.",
               p->has_base ? p->base.system : p->rows[0].system, best->psi_from_base);
    CLI_PUT_IF(answered < p->row_count, out, " %zu of %zu systems have no answer.",
               p->row_count - answered, p->row_count);
}

#define NUMBER(member, ...)                                                                        \
    ISOCAST_FIELD(#member, NUMBER, isocast_prediction, member, NULL, __VA_ARGS__,                  \
                  .from = from_prediction)
static const isocast_field columns[] = {
    CLI_SCHEMA("isocast.prediction/1"),
    CLI_ANSWER(put_answer),
    CLI_ALGORITHM,
    CLI_MACHINE,
    CLI_METRIC,
    ISOCAST_WORD("held", held_of, cli_held_words,
                 "what is held constant over the rows: the speed-efficiency or efficiency, the "
                 "average speed, or N (then nothing is solved)"),
    CLI_SIZE,
    CLI_OTHER_SIZES,
    ISOCAST_OBJECT("base", base_item, &isocast_prediction_base,
                   "the system and size whose speed-efficiency is held; null where it was given as "
                   "a number, and at a fixed size"),
    NUMBER(target, "the speed-efficiency that is held; null at a fixed size; with isospeed in "
                   "flop/s, else"),
    NUMBER(level, "the share of cases in which an interval is to hold the true value",
           .known = true),
    NUMBER(sum_error, "largest relative error estimate of any sum() in the formulas; 0: exact",
           .known = true),
    ISOCAST_LIST("rows", row_item, &isocast_prediction_rows,
                 "one for each system of --to, in its order"),
    CLI_PAIRS,
    CLI_SOURCES,
    CLI_PROVENANCE,
    CLI_BY_REFERENCE(is_by_reference)};

const isocast_table cli_prediction_document = {"prediction", "what isocast predict writes",
                                               ISOCAST_TABLE(columns)};

const char *const cli_held_words[] = {"efficiency", "speed", "size", NULL};

const char *cli_held_word(const isocast_prediction *prediction) {
    bool is_speed = isocast_metric_row_of(prediction->metric)->unit[0] != '\0';
    return prediction->fixed_size ? "size" : is_speed ? "speed" : "efficiency";
}

/* A sum() with a larger estimate than this is worth a footnote. */
static const double sum_error_reported = 1e-9;
/* Where less of T depends on numbers with known errors, a footnote says so. */
static const double covered_enough = 0.5;

void cli_report_append_size(const isocast_size *size, isocast_buffer *out) {
    isocast_buffer_puts(out, size->name);
    CLI_PUT_IF(size->description != NULL, out, " (%s)", size->description);
}

void cli_report_append_other_sizes(const isocast_algorithm *algorithm, const double *other_sizes,
                                   isocast_buffer *out) {
    for (size_t i = 1; other_sizes != NULL && i < algorithm->size_count; i++) {
        isocast_buffer_puts(out, i == 1 ? "; " : ", ");
        cli_report_append_size(&algorithm->sizes[i], out);
        isocast_buffer_printf(out, " = %.10g", other_sizes[i - 1]);
    }
}

const char *cli_report_strong(const isocast_prediction *prediction) {
    for (size_t i = 1; i < prediction->row_count; i++) {
        if (fabs(prediction->rows[i].W - prediction->rows[0].W) > 0) {
            return "";
        }
    }
    return " (strong scaling)";
}

static void append_held(const isocast_prediction *prediction, isocast_buffer *out) {
    const isocast_size *size = &isocast_model_algorithm(prediction->model)->sizes[0];
    cli_report_append_size(size, out);
    if (prediction->fixed_size) {
        double N = prediction->row_count > 0 ? prediction->rows[0].N : NAN;
        isocast_buffer_printf(out, " is held at %.10g on every system%s", N,
                              cli_report_strong(prediction));
        return;
    }
    const isocast_metric_row *metric = isocast_metric_row_of(prediction->metric);
    const char *stays = prediction->has_base ? "stays" : "is";
    if (prediction->metric == ISOCAST_METRIC_ISOSPEED_E) {
        isocast_buffer_printf(out, " is scaled so that the %s %s E = %s = ", metric->held, stays,
                              prediction->measure == ISOCAST_SIZE_BY_REFERENCE ? "W/(T R_f C_1)"
                                                                               : metric->formula);
    } else {
        isocast_buffer_printf(out, " is scaled so that the %s %s %s ", metric->held,
                              metric->formula, stays);
    }
    isocast_metric_format(prediction->metric, prediction->target, prediction->has_base ? 4 : 6,
                          out);
    CLI_PUT_IF(prediction->has_base, out, ", that of %s at %s = %.10g", prediction->base.system,
               size->name, prediction->base.N);
}

static void put_title_held(const isocast_prediction *prediction, const double *other_sizes,
                           isocast_buffer *out) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(prediction->model);
    isocast_buffer_printf(out, "%s on %s: ", algorithm->name,
                          isocast_model_machine(prediction->model)->name);
    append_held(prediction, out);
    cli_report_append_other_sizes(algorithm, other_sizes, out);
}

void cli_report_subject(cli_report *report, const isocast_model *model) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(model);
    const isocast_machine *machine = isocast_model_machine(model);
    bool titled = algorithm->title != NULL;
    cli_report_title(report, "%s%s%s%s on %s", titled ? algorithm->title : "", titled ? " (" : "",
                     algorithm->name, titled ? ")" : "", machine->name);
}

void cli_report_held(cli_report *report, const isocast_prediction *prediction,
                     const double *other_sizes) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(prediction->model);
    cli_report_subject(report, prediction->model);
    isocast_buffer held = {0};
    append_held(prediction, &held);
    cli_report_append_other_sizes(algorithm, other_sizes, &held);
    cli_report_title_take(report, &held);
}

/* The base, where there is one, and the rows, by one index. */
static size_t all_count(const isocast_prediction *prediction) {
    return prediction->row_count + (prediction->has_base ? 1 : 0);
}

static const isocast_prediction_row *all_row(const isocast_prediction *prediction, size_t i) {
    bool has_base = prediction->has_base;
    return has_base && i == 0 ? &prediction->base : &prediction->rows[i - has_base];
}

ISOCAST_OWN_ITEMS(all_item, all_count(in->result), all_row(in->result, i))

static cli_remark remark_of(const void *result, size_t i) {
    const isocast_prediction_row *row = all_row(result, i);
    return (cli_remark){row->system, row->status, row->note};
}

void cli_report_remarks(cli_report *report, const isocast_prediction *prediction) {
    cli_report_put_remarks(report, prediction, all_count(prediction), remark_of);
    cli_report_note_restrictions(report, prediction->model);
}

ISOCAST_ANY(has_psi, (const isocast_prediction *p), p->row_count, isfinite(p->rows[i].psi))
ISOCAST_ANY(has_interval, (const isocast_prediction *p), p->row_count, isfinite(p->rows[i].N_low))
ISOCAST_ANY(has_time_interval, (const isocast_prediction *p), p->row_count,
            isfinite(p->rows[i].T_low))
ISOCAST_ANY(meets_with_jump, (const isocast_prediction *p), p->row_count,
            p->rows[i].status == ISOCAST_ROW_SEVERAL && isfinite(p->rows[i].solution.jump_N))

/* Whether intervals count errors of marked speeds, too. */
ISOCAST_ANY(speeds_have_errors, (const isocast_prediction *p),
            p->uncertainty != NULL ? isocast_model_machine(p->model)->class_count : 0,
            isocast_uncertainty_of_size(p->uncertainty, i) > 0)

/* What the columns of a metric other than isospeed-efficiency mean. */
static void note_metric(cli_report *report, const isocast_prediction *prediction) {
    const isocast_metric_row *metric = isocast_metric_row_of(prediction->metric);
    CLI_NOTE_IF(prediction->measure == ISOCAST_SIZE_BY_REFERENCE, report,
                "The size of a system is R_f C_1 here, not C: C_1 is the marked speed of one "
                "processor, and R_f C_1 stands for C in E and psi.");
    CLI_NOTE_IF(metric->size == ISOCAST_SIZE_REFERENCE_FACTOR ||
                    prediction->measure == ISOCAST_SIZE_BY_REFERENCE,
                report,
                "R_f is the performance reference factor: as the machine file gives it, else p, or "
                "C/C_j where marked speeds differ.");
    CLI_NOTE_IF(
        metric->numerator == ISOCAST_NUMERATOR_TIME_ALONE, report,
        "T_alone is T(W,1), the computation on process 0 alone, without overhead; efficiency = %s.",
        metric->formula);
    CLI_NOTE_IF(metric->reading == ISOCAST_READ_LATENCY, report,
                "L_e = T - T(W,1)/R_f is the average overhead latency.");
    CLI_NOTE_IF(
        metric->reading == ISOCAST_READ_FUNCTION && !prediction->fixed_size, report,
        "There is no psi: the result is the function W, the work that holds the efficiency.");
}

/* Where most of T depends on numbers without a known error, intervals are too narrow. */
static void note_uncovered(cli_report *report, const isocast_prediction *prediction) {
    const isocast_prediction_row *worst = NULL;
    double least = covered_enough;
    for (size_t i = 0; i < prediction->row_count; i++) {
        const isocast_prediction_row *row = &prediction->rows[i];
        if ((isfinite(row->N_low) || isfinite(row->T_low)) && row->covered < least) {
            worst = row;
            least = row->covered;
        }
    }
    CLI_NOTE_IF(worst != NULL && !isocast_model_machine(prediction->model)->simulated, report,
                "%s: %.2g %% of T comes from numbers with a known error; the intervals take the "
                "rest as exact.",
                worst->system, 100 * least);
}

static void add_legend(cli_report *report, const isocast_prediction *prediction) {
    cli_note(report, "p counts processes, %sT = T_c + T_o.",
             prediction->metric == ISOCAST_METRIC_ISOSPEED_E
                 ? "C is the sum of their marked speeds, "
                 : "");
    const char *program = isocast_model_algorithm(prediction->model)->kernel;
    cli_report_note_marked_speed(report, isocast_model_machine(prediction->model), program);
    cli_report_note_held_out(report, prediction->model);
    cli_report_note_sources(report, prediction->model);
    if (prediction->fixed_size) {
        cli_note(report, "S = W/T is the speed that is reached, E = S/C; speedup is T of process 0 "
                         "alone over T.");
    } else if (has_psi(prediction)) {
        cli_note(report, "psi = %s to this row from the row before; psi_from_base from %s.",
                 isocast_metric_row_of(prediction->metric)->psi,
                 prediction->has_base ? prediction->base.system : prediction->rows[0].system);
    }
    note_metric(report, prediction);
    CLI_NOTE_IF(has_interval(prediction), report,
                "N_low to N_high is the %.4g %% interval of N from the standard errors of the "
                "machine's parameters%s.",
                100 * prediction->level,
                speeds_have_errors(prediction) ? " and marked speeds" : "");
    CLI_NOTE_IF(
        prediction->fixed_size && has_time_interval(prediction), report,
        "T_low to T_high is the %.4g %% interval of T in a run, from the standard errors of the "
        "machine's parameters%s, the spread between launches and the misfit of the formulas.",
        100 * prediction->level, speeds_have_errors(prediction) ? " and marked speeds" : "");
    note_uncovered(report, prediction);
    CLI_NOTE_IF(meets_with_jump(prediction), report,
                "%s jumps where data outgrow a cache, or messages a limit of the library, so it "
                "can meet the target several times. Take the largest N if larger problems are to "
                "hold the target, too; the smallest N has the smallest T.",
                prediction->metric == ISOCAST_METRIC_ISOSPEED_E ? "E" : "What is held");
    if (isinf(prediction->sum_error)) {
        cli_note(report,
                 "A sum of which too many terms follow no rule is not known: at one N it may take "
                 "%d terms with the sums inside it, and all rows together may take about %d "
                 "computing steps.",
                 ISOCAST_SUM_TERMS_MAX, ISOCAST_EFFORT_MAX);
    } else if (prediction->sum_error > sum_error_reported) {
        cli_note(report, "Sums are estimated; their relative error is up to %.1e.",
                 prediction->sum_error);
    }
}

static cli_report *report_rows(const isocast_prediction *prediction, const double *other_sizes,
                               bool with_base) {
    cli_report *report = cli_report_create();
    cli_report_held(report, prediction, other_sizes);
    cli_fields_fill(report, &isocast_prediction_rows, prediction,
                    with_base ? all_item : isocast_prediction_row_item);
    cli_report_call(report, "N", isocast_model_algorithm(prediction->model)->sizes[0].name);
    cli_report_remarks(report, prediction);
    add_legend(report, prediction);
    return report;
}

static void take_above_one(const isocast_prediction *prediction, const double *other_sizes,
                           bool with_base, cli_above_one *rows) {
    bool of_E = prediction->metric == ISOCAST_METRIC_ISOSPEED_E;
    for (size_t i = with_base ? 0 : prediction->has_base; of_E && i < all_count(prediction); i++) {
        const isocast_prediction_row *row = all_row(prediction, i);
        const cli_above_one place = {.name = row->system, .N = row->N, .other_sizes = other_sizes};
        cli_above_one_take(rows, row->E, &place);
    }
}

size_t cli_reports_of_prediction(const void *view, bool csv, cli_report **reports) {
    const cli_subject *subject = view;
    const isocast_prediction *prediction = ((const cli_view *)view)->result;
    if (subject->matrix == NULL) {
        reports[0] = report_rows(prediction, subject->other_sizes, !csv);
        return 1;
    }
    isocast_buffer title = {0};
    put_title_held(prediction, subject->other_sizes, &title);
    const char *psi = isocast_metric_row_of(prediction->metric)->psi;
    size_t count = cli_reports_of_matrix(subject->matrix, csv, &title, psi, reports);
    cli_report_remarks(reports[0], prediction);
    return count;
}

void cli_note_above_one_of(const cli_prediction_run *answer, bool csv, cli_report *report) {
    cli_above_one above = {0};
    for (size_t k = 0; k < answer->count && !answer->matrix; k++) {
        const cli_prediction_answer *one = &answer->answers[k];
        take_above_one(one->prediction, one->question.request.other_sizes, !csv, &above);
    }
    const cli_loaded *loaded = &answer->loaded;
    cli_report_note_above_one(report, loaded->algorithm, loaded->machine, loaded->model,
                              loaded->algorithm->kernel, &above);
}
