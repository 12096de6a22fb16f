#include "results.h"

#include <math.h>
#include <string.h>

#include "model/base/any.h"
#include "model/solve/explanation.h"
#include "model/solve/prediction_fields.h"
#include "report_notes.h"
#include "report_prediction.h"

enum { BAR_LENGTH = 30 };

/* Elasticities under this move nothing that a table could show. */
static const double elasticity_shown = 5e-5;

static double share(const isocast_explanation *e, const isocast_part *part, size_t row) {
    return part->T[row] / e->prediction->rows[row].T;
}

static bool has_growth(const isocast_explanation *e) {
    return isfinite(e->growth_T);
}

static bool is_single(const isocast_explanation *e) {
    return e->prediction->row_count == 1;
}

static void add_part_columns(cli_report *report, const isocast_explanation *e) {
    cli_report_column(report, &(cli_column){.name = "part", .kind = CLI_COLUMN_TEXT});
    for (size_t row = 0; row < e->prediction->row_count; row++) {
        cli_report_column(report, &(cli_column){.name = "T",
                                                .heading = e->prediction->rows[row].system,
                                                .unit = "s",
                                                .kind = CLI_COLUMN_NUMBER,
                                                .compared = 1});
        cli_report_column(report, &(cli_column){.name = "share", .kind = CLI_COLUMN_SHARE});
    }
    if (has_growth(e)) {
        cli_report_column(report,
                          &(cli_column){.name = "growth", .kind = CLI_COLUMN_NUMBER, .digits = 3});
    }
    if (is_single(e)) {
        cli_report_column(report,
                          &(cli_column){.name = "bar", .heading = "", .kind = CLI_COLUMN_TEXT});
    }
}

static void add_bar(cli_report *report, double part) {
    char bar[BAR_LENGTH + 1] = "";
    if (isfinite(part) && part > 0) {
        size_t length = (size_t)lround(fmin(part, 1) * BAR_LENGTH);
        memset(bar, '#', length);
        bar[length] = '\0';
    }
    cli_report_text(report, bar);
}

static void add_part(cli_report *report, const isocast_explanation *e, const isocast_part *part) {
    cli_report_text(report, part->name);
    for (size_t row = 0; row < e->prediction->row_count; row++) {
        cli_report_number(report, part->T[row]);
        cli_report_number(report, share(e, part, row));
    }
    if (has_growth(e)) {
        cli_report_number(report, part->growth);
    }
    if (is_single(e)) {
        add_bar(report, share(e, part, 0));
    }
}

static void add_total(cli_report *report, const isocast_explanation *e) {
    cli_report_text(report, "T");
    for (size_t row = 0; row < e->prediction->row_count; row++) {
        double T = e->prediction->rows[row].T;
        cli_report_number(report, T);
        cli_report_number(report, isfinite(T) ? 1 : NAN);
    }
    if (has_growth(e)) {
        cli_report_number(report, e->growth_T);
    }
    if (is_single(e)) {
        cli_report_text(report, "");
    }
}

static const isocast_part *largest_overhead(const isocast_explanation *e) {
    for (size_t i = 0; i < e->part_count; i++) {
        if (e->parts[i].is_overhead) {
            return &e->parts[i];
        }
    }
    return NULL;
}

static void add_verdict(cli_report *report, const isocast_explanation *e) {
    const isocast_prediction *prediction = e->prediction;
    const isocast_prediction_row *first = &prediction->rows[e->first];
    const isocast_prediction_row *last = &prediction->rows[e->last];
    const isocast_part *overhead = largest_overhead(e);
    const char *size = isocast_model_algorithm(prediction->model)->sizes[0].name;
    if (overhead != NULL && last->T_o > 0) {
        cli_note(report,
                 "On %s (%s = %.6g) the computation takes %.1f %% of T; the largest overhead is "
                 "the term '%s', %.1f %% of T and %.1f %% of the overhead.",
                 last->system, size, last->N, 100 * last->T_c / last->T, overhead->name,
                 100 * share(e, overhead, e->last), 100 * overhead->T[e->last] / last->T_o);
    } else {
        cli_note(report, "On %s (%s = %.6g) there is no overhead.", last->system, size, last->N);
    }
    CLI_NOTE_IF(
        has_growth(e), report,
        "growth: the exponent g of p^g between %s (p = %.6g) and %s (p = %.6g), each at its N.",
        first->system, first->p, last->system, last->p);
}

static cli_report *report_parts(const isocast_explanation *e, const double *other_sizes) {
    cli_report *report = cli_report_create();
    cli_report_held(report, e->prediction, other_sizes);
    add_part_columns(report, e);
    for (size_t i = 0; i < e->part_count; i++) {
        add_part(report, e, &e->parts[i]);
    }
    add_total(report, e);
    if (e->first < e->prediction->row_count) {
        add_verdict(report, e);
        cli_report_note_held_out(report, e->prediction->model);
        cli_report_note_sources(report, e->prediction->model);
    }
    cli_report_remarks(report, e->prediction);
    const isocast_model *model = e->prediction->model;
    cli_report_note_marked_speed(report, isocast_model_machine(model),
                                 isocast_model_algorithm(model)->kernel);
    return report;
}

ISOCAST_GIVES(const isocast_driver *, driver_of, at->row)

static const char *const kind_words[] = {
    [ISOCAST_DRIVER_PARAMETER] = "parameter", [ISOCAST_DRIVER_MARKED_SPEED] = "marked-speed",
    [ISOCAST_DRIVER_TERM] = "term",           [ISOCAST_DRIVER_REFERENCE] = "reference-factor",
    [ISOCAST_DRIVER_MESSAGES] = "messages",   NULL};

/* Whether it is a number of the algorithm file that is varied. */
static bool is_of_algorithm(const isocast_at *at) {
    const isocast_explanation *e = at->result;
    const isocast_algorithm *a = isocast_model_algorithm(e->prediction->model);
    size_t i = isocast_requirement_find(a, driver_of(at)->name);
    return driver_of(at)->kind == ISOCAST_DRIVER_PARAMETER && i < a->requirement_count &&
           a->requirements[i].varied;
}

static const char *kind_in_table(const isocast_at *at) {
    static const char *const kinds[] = {[ISOCAST_DRIVER_PARAMETER] = "machine parameter",
                                        [ISOCAST_DRIVER_MARKED_SPEED] = "marked speed",
                                        [ISOCAST_DRIVER_TERM] = "overhead term",
                                        [ISOCAST_DRIVER_REFERENCE] = "reference factor",
                                        [ISOCAST_DRIVER_MESSAGES] = "misfit of formulas"};
    return is_of_algorithm(at) ? "algorithm parameter" : kinds[driver_of(at)->kind];
}

static bool is_shown(const isocast_driver *driver) {
    return !(fabs(driver->elasticity) < elasticity_shown);
}

ISOCAST_ANY(has_drivers, (const isocast_explanation *e), e->drivers.count,
            is_shown(&e->drivers.items[i]))

static const char *words_of(const isocast_driver *driver) {
    return driver->meaning != NULL ? driver->meaning : driver->name;
}

static bool is_alike(const isocast_driver *one, const isocast_driver *other) {
    return one != other && one->meaning != NULL && other->meaning != NULL &&
           strcmp(one->meaning, other->meaning) == 0;
}

/* Where two mean the same in words, the names keep them apart. */
static void put_words(const isocast_at *at, isocast_buffer *out) {
    const isocast_explanation *e = at->result;
    const isocast_driver *driver = at->row;
    isocast_buffer_puts(out, words_of(driver));
    for (size_t i = 0; i < e->drivers.count; i++) {
        if (is_alike(driver, &e->drivers.items[i])) {
            isocast_buffer_printf(out, " (%s)", driver->name);
            return;
        }
    }
}

#define DRIVER(member, kind, ...)                                                                  \
    ISOCAST_FIELD(#member, kind, isocast_driver, member, NULL, __VA_ARGS__)
static const char *const matter_words[] = {[ISOCAST_MATTER_UNASKED] = NULL,
                                           [ISOCAST_MATTER_NOW] = "now",
                                           [ISOCAST_MATTER_BY_FACTOR] = "by-factor",
                                           [ISOCAST_MATTER_NOT_FOUND] = "not-found",
                                           [ISOCAST_MATTER_ZERO] = "zero",
                                           [ISOCAST_MATTER_UNKNOWN] = "unknown",
                                           NULL};
ISOCAST_GIVES(const char *, matter_of, matter_words[driver_of(at)->matter])

#define SMALLER(...)                                                                               \
    DRIVER(                                                                                        \
        smaller, NUMBER,                                                                           \
        "with --idle, the largest factor below 1 found by which it moves the outcome by 5 % or "   \
        "leaves no solution; null where none was found down to 10^-6",                             \
        __VA_ARGS__, .digits = 3)
#define LARGER(...)                                                                                \
    DRIVER(                                                                                        \
        larger, NUMBER,                                                                            \
        "with --idle, the smallest factor above 1 found by which it moves the outcome by 5 % or "  \
        "leaves no solution; null where none was found up to 10^6",                                \
        __VA_ARGS__, .digits = 3)
#define MATTERS(...)                                                                               \
    ISOCAST_TEXT("matters", matter_of,                                                             \
                 "with --idle: now, where half or twice of it moves the outcome by 5 %; by a "     \
                 "factor beyond; not found to 10^6; zero, which no factor changes; or unknown",    \
                 __VA_ARGS__, .words = matter_words + 1)
static const isocast_field driver_fields[] = {
    ISOCAST_PUT("driver", put_words, NULL, ISOCAST_ROWS),
    ISOCAST_FIELD("driver", TEXT, isocast_driver, name, NULL,
                  "its name; of the node class, for a marked speed", ISOCAST_JSON, .known = true),
    DRIVER(meaning, TEXT,
           "what a machine parameter stands for, in words; null where its name is all there is",
           ISOCAST_JSON),
    ISOCAST_TEXT("kind", kind_in_table, NULL, ISOCAST_ROWS),
    DRIVER(
        kind, TEXT,
        "a parameter of the machine file (with --idle also of the algorithm file, or a constant "
        "there), the marked speed of a node class, an overhead term as a whole, R_f of the system, "
        "or all messages of the algorithm, whose formulas miss what the machine file states",
        ISOCAST_JSON, .words = kind_words, .known = true),
    DRIVER(elasticity, NUMBER,
           "d ln outcome/d ln driver: per cent of the outcome for one per cent more; null where it "
           "is not known",
           .digits = 3),
    SMALLER(ISOCAST_JSON),
    LARGER(ISOCAST_JSON),
    MATTERS(ISOCAST_JSON)};
static const isocast_table drivers =
    ISOCAST_TABLE_OF(driver_fields, "one number that the outcome depends on");

static const isocast_field idle_fields[] = {ISOCAST_PUT("driver", put_words, NULL, ISOCAST_ROWS),
                                            ISOCAST_TEXT("kind", kind_in_table, NULL, ISOCAST_ROWS),
                                            SMALLER(ISOCAST_ROWS), LARGER(ISOCAST_ROWS),
                                            MATTERS(ISOCAST_ROWS)};
static const isocast_table idle = ISOCAST_TABLE_OF(idle_fields, "a number of one of the files");

/* Names what has no effect, instead of rows of zeros; a long list says nothing, so it is counted.
 */
static void add_idle_drivers(cli_report *report, const isocast_explanation *e, const char *what) {
    enum { NAMED_MAX = 8 };
    isocast_buffer names = {0};
    size_t count = 0;
    for (size_t i = 0; i < e->drivers.count; i++) {
        bool named = !is_shown(&e->drivers.items[i]) && ++count <= NAMED_MAX;
        CLI_PUT_IF(named, &names, "%s%s", names.length > 0 ? ", " : "",
                   words_of(&e->drivers.items[i]));
    }
    if (count > NAMED_MAX) {
        cli_note(report,
                 "The other %zu numbers of the machine file do not move %s: they are of other "
                 "operations, kernels, sizes or numbers of processes.",
                 count, what);
    } else if (names.length > 0) {
        cli_note(report, "No effect on %s: %s.", what, names.text);
    }
    isocast_buffer_free(&names);
}

static cli_report *report_drivers(const isocast_explanation *e) {
    cli_report *report = cli_report_create();
    const char *size = isocast_model_algorithm(e->prediction->model)->sizes[0].name;
    const char *what = e->prediction->fixed_size ? "T" : size;
    const isocast_prediction_row *row = &e->prediction->rows[e->last];
    cli_report_title(report, "What moves %s on %s: per cent of %s for one per cent more", what,
                     row->system, what);
    cli_fields_head(report, &drivers, e);
    for (size_t i = 0; i < e->drivers.count; i++) {
        if (is_shown(&e->drivers.items[i])) {
            cli_fields_row(report, &drivers,
                           &(isocast_at){.result = e, .row = &e->drivers.items[i]});
        }
    }
    add_idle_drivers(report, e, what);
    return report;
}

static cli_report *report_idle(const isocast_explanation *e, bool csv) {
    cli_report *report = cli_report_create();
    const isocast_prediction *prediction = e->prediction;
    const char *size = isocast_model_algorithm(prediction->model)->sizes[0].name;
    const char *what = prediction->fixed_size ? "T" : size;
    isocast_buffer now = {0};
    bool any = false;
    if (!csv) {
        cli_report_title(report,
                         "What does not matter to %s on %s, and the factors by which it would "
                         "change %s by 5 %%",
                         what, prediction->rows[e->last].system, what);
    }
    cli_fields_head(report, &idle, e);
    for (size_t i = 0; i < e->drivers.count; i++) {
        const isocast_driver *driver = &e->drivers.items[i];
        bool matters = driver->matter == ISOCAST_MATTER_NOW;
        if (matters && !csv) {
            isocast_buffer_printf(&now, "%s%s", now.length > 0 ? ", " : "", words_of(driver));
        } else if (driver->matter != ISOCAST_MATTER_UNASKED) {
            any = true;
            cli_fields_row(report, &idle, &(isocast_at){.result = e, .row = driver});
        }
    }
    CLI_NOTE_IF(!any, report, "There is no such number.");
    CLI_NOTE_IF(now.length > 0, report, "Half or twice of these changes %s by 5 %% or more: %s.",
                what, now.text);
    isocast_buffer_free(&now);
    CLI_NOTE_IF(
        !csv, report,
        "Each number is tried alone at 10, 100 and so on to 10^6 times and at as small parts of "
        "it. A change between two of these that goes back before the next one is missed.");
    return report;
}

size_t cli_reports_of_idle(const void *view, bool csv, cli_report **reports) {
    const isocast_explanation *e = ((const cli_view *)view)->result;
    bool solved = e->first < e->prediction->row_count;
    reports[0] = csv || solved ? report_idle(e, csv)
                               : report_parts(e, ((const cli_view *)view)->subject.other_sizes);
    return 1;
}

ISOCAST_GIVES(const isocast_explanation *, result_of, at->result)
ISOCAST_GIVES(const isocast_part *, part_of, at->row)

/* The system of a part, by its number, in a row for each. */
ISOCAST_GIVES(const void *, system_of, &result_of(at)->prediction->rows[at->index])
ISOCAST_GIVES(const char *, kind_of_part, part_of(at)->is_overhead ? "overhead" : "computation")
ISOCAST_GIVES(double, time_of, part_of(at)->T[at->index])
ISOCAST_GIVES(double, share_of, share(result_of(at), part_of(at), at->index))

ISOCAST_ELEMENTS(time_on, result_of(at)->prediction->row_count, part_of(at)->T[i])
ISOCAST_ELEMENTS(share_on, result_of(at)->prediction->row_count,
                 share(result_of(at), part_of(at), i))

#define SYSTEM(member, kind)                                                                       \
    ISOCAST_FIELD(#member, kind, isocast_prediction_row, member, NULL, NULL, ISOCAST_ROWS,         \
                  .from = system_of)
static const isocast_field part_fields[] = {
    SYSTEM(system, TEXT),
    SYSTEM(p, COUNT),
    SYSTEM(N, COUNT),
    ISOCAST_FIELD("part", TEXT, isocast_part, name, NULL,
                  "'computation', or the name of the overhead term", .known = true),
    ISOCAST_TEXT("kind", kind_of_part, NULL, ISOCAST_ROWS),
    ISOCAST_NUMBER("T", time_of, "s", NULL, ISOCAST_ROWS),
    ISOCAST_MADE("T", NUMBERS, .element = time_on, "s", "its time, by system"),
    ISOCAST_SHARE("share", share_of, NULL, ISOCAST_ROWS),
    ISOCAST_MADE("share", NUMBERS, .element = share_on, NULL, "its part of T, by system"),
    ISOCAST_FIELD("growth", NUMBER, isocast_part, growth, NULL,
                  "exponent g of p^g by which it grows from the first solved system to the last; "
                  "null where there are not two")};
static const isocast_table parts = ISOCAST_TABLE_OF(part_fields, "one part of T");

/* All parts on the first system, then on the next one. */
static bool part_row_item(const isocast_at *in, size_t i, isocast_at *out) {
    const isocast_explanation *e = result_of(in);
    bool any = e->part_count > 0 && i < e->part_count * e->prediction->row_count;
    out->row = any ? &e->parts[i % e->part_count] : NULL;
    out->index = any ? i / e->part_count : 0;
    return any;
}

size_t cli_reports_of_explanation(const void *view, bool csv, cli_report **reports) {
    const isocast_explanation *e = ((const cli_view *)view)->result;
    if (csv) {
        reports[0] = cli_report_create();
        cli_fields_fill(reports[0], &parts, e, part_row_item);
        return 1;
    }
    reports[0] = report_parts(e, ((const cli_view *)view)->subject.other_sizes);
    reports[1] = has_drivers(e) ? report_drivers(e) : NULL;
    return has_drivers(e) ? 2 : 1;
}

ISOCAST_GIVES(const isocast_explanation *, explanation_of, ((const cli_view *)at->result)->result)

ISOCAST_ITEMS_WITHIN(system_item, explanation_of(in)->prediction, isocast_prediction_row_item)

ISOCAST_OWN_ITEMS(own_part_item, result_of(in)->part_count, &result_of(in)->parts[i])
ISOCAST_ITEMS_WITHIN(part_item, explanation_of(in), own_part_item)
ISOCAST_OWN_ITEMS(driver_item, explanation_of(in)->drivers.count,
                  &explanation_of(in)->drivers.items[i])

ISOCAST_GIVES(const char *, held_of, cli_held_word(explanation_of(at)->prediction))
ISOCAST_GIVES(const char *, moved_of, explanation_of(at)->prediction->fixed_size ? "T" : "N")

static const char *last_system(const isocast_at *at) {
    const isocast_explanation *e = explanation_of(at);
    bool solved = e->first < e->prediction->row_count;
    return solved ? e->prediction->rows[e->last].system : NULL;
}

ISOCAST_GIVES(double, growth_of, explanation_of(at)->growth_T)
ISOCAST_GIVES(double, target_of, explanation_of(at)->prediction->target)
ISOCAST_GIVES(bool, is_by_reference,
              explanation_of(at)->prediction->measure == ISOCAST_SIZE_BY_REFERENCE)

static const char *const moved_words[] = {"N", "T", NULL};
static const isocast_field sensitivity_fields[] = {
    ISOCAST_WORD("of", moved_of, moved_words,
                 "what moves: N where the efficiency is held, T at a fixed size"),
    ISOCAST_TEXT("system", last_system, "the system; null where no system has a solution"),
    ISOCAST_LIST("drivers", driver_item, &drivers, "by size of the elasticity, largest first")};
static const isocast_table sensitivity = {NULL, NULL, ISOCAST_TABLE(sensitivity_fields)};

static void put_answer(const isocast_at *at, isocast_buffer *out) {
    const isocast_explanation *e = explanation_of(at);
    if (last_system(at) == NULL || e->part_count == 0) {
        isocast_buffer_puts(out, "No system has an answer: the rows say why.");
        return;
    }
    const isocast_prediction_row *row = &e->prediction->rows[e->last];
    isocast_buffer_printf(out, "On %s the largest part of the time is %s, %.3g %% of %s.",
                          row->system, e->parts[0].name, 100 * e->parts[0].T[e->last] / row->T,
                          isocast_quantity_text(row->T, "s", 4).text);
    const isocast_driver *driver = e->drivers.count > 0 ? &e->drivers.items[0] : NULL;
    CLI_PUT_IF(driver != NULL && is_shown(driver) && !isnan(driver->elasticity), out,
               " %s moves most with %s: 1 %% more of it changes %s by %+.2g %%.", moved_of(at),
               words_of(driver), moved_of(at), driver->elasticity);
}

static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.explanation/1"),
    CLI_ANSWER(put_answer),
    CLI_ALGORITHM,
    CLI_MACHINE,
    CLI_METRIC,
    ISOCAST_WORD("held", held_of, cli_held_words, "like in a prediction"),
    CLI_SIZE,
    CLI_OTHER_SIZES,
    ISOCAST_NUMBER(
        "target", target_of, NULL,
        "the speed-efficiency that is held; null at a fixed size; with isospeed in flop/s, else"),
    ISOCAST_LIST("systems", system_item, &isocast_prediction_brief,
                 "one for each system of --to, in its order"),
    ISOCAST_LIST("parts", part_item, &parts,
                 "the computation and the overhead terms, by their share of T on the last solved "
                 "system, largest first"),
    ISOCAST_NUMBER(
        "growth", growth_of, NULL,
        "d ln T/d ln p from the first solved system to the last one; null where it is not known"),
    ISOCAST_OBJECT("sensitivity", NULL, &sensitivity,
                   "what moves the outcome on the last solved system", .known = true),
    CLI_SOURCES,
    CLI_PROVENANCE,
    CLI_BY_REFERENCE(is_by_reference)};
const isocast_table cli_explanation_document = {"explanation", "what isocast explain writes",
                                                ISOCAST_TABLE(fields)};
