#include "results.h"

#include <math.h>

#include "model/base/any.h"
#include "model/solve/isoefficiency.h"
#include "model/solve/prediction_fields.h"
#include "report_notes.h"
#include "report_prediction.h"

/* What an isoefficiency function says: its rows, what each part needs, and its JSON. */

CLI_RESULT(isocast_isoefficiency)
ISOCAST_GIVES(const isocast_algorithm *, algorithm_at,
              isocast_model_algorithm(result_of(at)->prediction->model))
ISOCAST_GIVES(const isocast_prediction_row *, row_of, at->row)

/* Its processor-times. */
ISOCAST_GIVES(const void *, times_of, &result_of(at)->rows[at->index])
ISOCAST_GIVES(const char *, size_name, algorithm_at(at)->sizes[0].name)

ISOCAST_ANY(has_idle, (const isocast_at *at), result_of(at)->prediction->row_count,
            !isnan(result_of(at)->rows[i].idle) && result_of(at)->rows[i].idle != 0)

static const char *term_of(const isocast_at *at, size_t i, double *value) {
    if (i >= result_of(at)->prediction->term_count) {
        return NULL;
    }
    *value = row_of(at) != NULL ? result_of(at)->rows[at->index].terms[i] : (double)NAN;
    return algorithm_at(at)->overhead[i].name;
}

#define ROW ISOCAST_POINT
#define TIME(name, member, ...)                                                                    \
    ISOCAST_FIELD(name, NUMBER, isocast_isoefficiency_row, member, "s", __VA_ARGS__,               \
                  .from = times_of, .compared = 1)
#define EXPONENT(name, ...)                                                                        \
    ISOCAST_FIELD(name, NUMBER, isocast_isoefficiency_row, exponent, NULL,                         \
                  "d ln W/d ln p where E is held, exact at this point", .from = times_of,          \
                  __VA_ARGS__)
static const isocast_field row_fields[] = {
    ROW("system", TEXT, system, NULL, "the system as it was asked for", .known = true),
    ROW("p", COUNT, p, NULL, "processes", .known = true),
    ROW("C", NUMBER, C, "flop/s", "sum of the marked speeds of all processes", ISOCAST_JSON,
        .known = true),
    ROW("N", NUMBER, N, NULL, "the size that holds E; null where there is none",
        .name_of = size_name, .digits = 6),
    ROW("W", NUMBER, W, "flop", "work at N: the isoefficiency function"),
    ROW("T", NUMBER, T, "s", "execution time at N", ISOCAST_JSON),
    ROW("E", NUMBER, E, NULL, "speed-efficiency W/(T C)", ISOCAST_JSON),
    TIME("ideal", ideal,
         "W/C_1 with C_1 = C/p: what the work takes without overhead, processor-time",
         .heading = "W/C_1"),
    TIME("overhead", overhead, "p T - W/C_1, the total overhead, processor-time",
         .heading = "p T - W/C_1"),
    ISOCAST_MADE("terms", NAMED, .named = term_of, "s", "p times each overhead term, by name",
                 .where = ISOCAST_IN_ROWS | ISOCAST_IN_JSON, .spread = ISOCAST_FIELD_NUMBER,
                 .compared = 1),
    TIME("idle", idle, "p T_c - W/C_1, idle or excess computation, processor-time", ISOCAST_ROWS,
         .heading = "idle or excess", .shown = has_idle),
    TIME("idle", idle, "p T_c - W/C_1, idle or excess computation, processor-time", ISOCAST_JSON),
    TIME("cost", cost, "p T, processor-time", .heading = "p T"),
    EXPONENT("g", ISOCAST_ROWS),
    EXPONENT("exponent", ISOCAST_JSON),
    ROW("status", TEXT, status, NULL, "like in a prediction", .words = isocast_row_status_words,
        .known = true),
    ROW("note", TEXT, note, NULL, "like in a prediction", ISOCAST_JSON)};
static const isocast_table growth_rows = {
    NULL, "one system at its N; processor-times are summed over all processes",
    ISOCAST_TABLE(row_fields)};
ISOCAST_OWN_ITEMS(cli_growth_row_item, result_of(in)->prediction->row_count,
                  &result_of(in)->prediction->rows[i])

ISOCAST_GIVES(const isocast_growth_part *, part_at_row, at->row)

/* The place of a part among them: terms, idle, processes, concurrency, the whole. */
enum { IDLE, PROCESSES, CONCURRENCY, WHOLE, TERM };

static int place_of(const isocast_at *at) {
    const isocast_growth *growth = result_of(at)->growth;
    const isocast_growth_part *const places[] = {&growth->idle, &growth->processes,
                                                 &growth->concurrency, &growth->whole};
    int place = IDLE;
    while (place < TERM && places[place] != at->row) {
        place++;
    }
    return place;
}

ISOCAST_GIVES(const char *, term_name,
              algorithm_at(at)->overhead[part_at_row(at) - result_of(at)->growth->terms].name)

/* What a part is called and what kind it is, in files and in tables. */
static const struct {
    const char *name, *kind, *tabled_name, *tabled_kind;
} place_words[] = {[IDLE] = {"idle", "computation", "p T_c - W/C_1", "idle or excess computation"},
                   [PROCESSES] = {"processes", "bound", "W = Omega(p)", "bound"},
                   [CONCURRENCY] = {"concurrency", "bound", "concurrency", "bound"},
                   [WHOLE] = {"all", "all", "all", ""},
                   [TERM] = {NULL, "overhead", NULL, "overhead"}};
ISOCAST_GIVES(const char *, name_of,
              place_of(at) == TERM ? term_name(at) : place_words[place_of(at)].name)
ISOCAST_GIVES(const char *, name_in_table,
              place_of(at) == TERM ? term_name(at) : place_words[place_of(at)].tabled_name)
ISOCAST_GIVES(const char *, kind_of, place_words[place_of(at)].kind)
ISOCAST_GIVES(const char *, kind_in_table, place_words[place_of(at)].tabled_kind)

/* What a part needs, in a table's cell. */
static void put_need(const isocast_at *at, isocast_buffer *out) {
    static const char *const needs[] = {
        [ISOCAST_GROWTH_FREE] = "no more than W = Omega(p)",
        [ISOCAST_GROWTH_CAPPED] = "unreachable: E has a limit",
        [ISOCAST_GROWTH_UNSCALABLE] = "unscalable: no polynomial W is enough",
        [ISOCAST_GROWTH_FALLING] = "finite range of p: E falls with W",
        [ISOCAST_GROWTH_UNDECIDED] = "undecided"};
    const isocast_growth_part *part = part_at_row(at);
    bool undecided = part->verdict == ISOCAST_GROWTH_UNDECIDED;
    if (part->verdict == ISOCAST_GROWTH_PROVED) {
        isocast_growth_order_put(&part->W, out);
    } else {
        isocast_buffer_puts(out, needs[part->verdict]);
    }
    if (undecided && part->reason != NULL) {
        isocast_buffer_printf(out, ": %s", part->reason);
    } else if (!undecided && part->at_bound == ISOCAST_GROWTH_NOT_CERTAIN) {
        isocast_buffer_puts(out, "; not certain at the bounds");
    }
}

ISOCAST_PUTS(put_law, isocast_growth_law_put(part_at_row(at), out))

static void put_order(const isocast_at *at, isocast_buffer *out) {
    if (part_at_row(at)->verdict == ISOCAST_GROWTH_PROVED) {
        isocast_growth_order_put(&part_at_row(at)->W, out);
    }
}

static void *truth(isocast_growth_truth truth) {
    return truth == ISOCAST_GROWTH_NOT_CERTAIN ? json_null()
                                               : json_boolean(truth == ISOCAST_GROWTH_YES);
}

ISOCAST_GIVES(void *, at_bound, truth(part_at_row(at)->at_bound))
ISOCAST_GIVES(void *, falls_later, truth(part_at_row(at)->falls_later))
ISOCAST_GIVES(const isocast_growth_order *, order_at, at->row)
ISOCAST_GIVES(double, exponent_of_p, isocast_growth_exponent(order_at(at)->p))
ISOCAST_GIVES(double, exponent_of_log, isocast_growth_exponent(order_at(at)->log_p))
ISOCAST_GIVES(double, exponent_of_log_log, isocast_growth_exponent(order_at(at)->log_log_p))

static const isocast_field order_fields[] = {
    ISOCAST_NUMBER("p", exponent_of_p, NULL, "exponent of p", .known = true),
    ISOCAST_NUMBER("log_p", exponent_of_log, NULL, "exponent of log p", .known = true),
    ISOCAST_NUMBER("log_log_p", exponent_of_log_log, NULL, "exponent of log log p", .known = true)};
static const isocast_table order_table = {
    "growth_order", "an order p^p log^log_p p (log log p)^log_log_p", ISOCAST_TABLE(order_fields)};

/* An order, which is null where it is not known. */
#define ORDER_ITEM(name, order)                                                                    \
    static bool order_of_##name(const isocast_at *in, size_t i, isocast_at *out) {                 \
        const isocast_growth_order *its = &(order);                                                \
        out->row = its;                                                                            \
        return i == 0 && !isnan(its->p);                                                           \
    }
ORDER_ITEM(W, part_at_row(in)->W)
ORDER_ITEM(N, part_at_row(in)->N)
ORDER_ITEM(loss, part_at_row(in)->lost)
ORDER_ITEM(T, result_of(in)->growth->along.T)
ORDER_ITEM(psi, result_of(in)->growth->along.psi)
ORDER_ITEM(memory, result_of(in)->growth->along.memory)
ORDER_ITEM(least_T, result_of(in)->growth->along.least_T)
ORDER_ITEM(least_p, result_of(in)->growth->along.least_p)

static const char *const kind_words[] = {"overhead", "computation", "bound", "all", NULL};
static const char *const verdict_words[] = {[ISOCAST_GROWTH_PROVED] = "proved",
                                            [ISOCAST_GROWTH_FREE] = "free",
                                            [ISOCAST_GROWTH_CAPPED] = "unreachable",
                                            [ISOCAST_GROWTH_UNSCALABLE] = "unscalable",
                                            [ISOCAST_GROWTH_FALLING] = "finite-range",
                                            [ISOCAST_GROWTH_UNDECIDED] = "undecided",
                                            NULL};
#define ORDER(name, item_of, ...) ISOCAST_OBJECT(name, item_of, &order_table, __VA_ARGS__)
#define TRUTH(name, how, ...)                                                                      \
    ISOCAST_MADE(name, FOREIGN, .foreign = how, NULL, __VA_ARGS__,                                 \
                 .schema = "{\"type\": [\"boolean\", \"null\"]}")
static const isocast_field part_fields[] = {
    ISOCAST_TEXT("part", name_in_table, NULL, ISOCAST_ROWS),
    ISOCAST_TEXT("kind", kind_in_table, NULL, ISOCAST_ROWS),
    ISOCAST_PUT("work", put_need, NULL, ISOCAST_ROWS, .heading = "work must grow as"),
    ISOCAST_TEXT(
        "part", name_of,
        "the overhead term's name; idle: p T_c - W/C_1; processes: W = Omega(p); concurrency; all",
        ISOCAST_JSON, .known = true),
    ISOCAST_WORD("kind", kind_of, kind_words, "what it is", ISOCAST_JSON),
    ISOCAST_CHOSEN(
        "verdict", isocast_growth_part, verdict, verdict_words,
        "proved: W' = Theta(order); free: no more than W = Omega(p); unreachable: E has a limit "
        "below; unscalable: no polynomial W of p holds E; finite-range: E falls again as N grows, "
        "so that it is held on a finite range of p at most; undecided: nothing is proved",
        ISOCAST_JSON, .known = true),
    ISOCAST_PUT("order", put_order,
                "of W, in words, such as Theta(p^(3/2) log p); null where none is proved",
                ISOCAST_JSON),
    ORDER("W", order_of_W, "the order of W; null where none is proved"),
    ORDER("N", order_of_N, "the order of N; null where none is proved"),
    ISOCAST_FIELD("depends_on_E", FLAG, isocast_growth_part, depends_on_E, NULL,
                  "whether the exponents change with E"),
    ISOCAST_PUT("law", put_law,
                "the order of W by K = E/(1-E), such as Theta(p^(2 K) log p); null where it does "
                "not depend on E, or not in so simple a way",
                .heading = "with K = E/(1-E)", .optional = true),
    TRUTH("held_at_bound", at_bound,
          "whether some work of the order of the bounds holds E; null where that is not certain"),
    TRUTH("falls_later", falls_later,
          "whether E is lost again at larger work that is a polynomial of p; null where that is "
          "not certain"),
    ORDER("lost_at_W", order_of_loss,
          "the order of W at which E is lost again; null where that is not so, or not known"),
    ISOCAST_FIELD("reason", TEXT, isocast_growth_part, reason, NULL,
                  "why nothing is proved; null where something is", ISOCAST_JSON)};
static const isocast_table growth_parts = {
    "growth_part",
    "what a part of the total overhead, a bound, or all together need of W as p grows without end",
    ISOCAST_TABLE(part_fields)};

/* The parts; in a table all together are the last. */
ISOCAST_GIVES(size_t, part_count,
              result_of(at)->growth->term_count + (result_of(at)->growth->has_concurrency ? 3 : 2))

static const isocast_growth_part *part_at(const isocast_growth *growth, size_t i) {
    const isocast_growth_part *const behind[] = {&growth->idle, &growth->processes,
                                                 &growth->concurrency};
    return i < growth->term_count ? &growth->terms[i] : behind[i - growth->term_count];
}

ISOCAST_OWN_ITEMS(part_item, part_count(in), part_at(result_of(in)->growth, i))

ISOCAST_OWN_ITEMS(cli_growth_part_item, part_count(in) + 1,
                  i < part_count(in) ? part_at(result_of(in)->growth, i)
                                     : &result_of(in)->growth->whole)
ISOCAST_OWN_ITEMS(whole_item, 1, &result_of(in)->growth->whole)

/* The name of the part that rules the order, as among the parts; NULL where none does alone. */
static const char *ruler_of(const isocast_at *at) {
    const isocast_isoefficiency *e = result_of(at);
    size_t terms = e->growth->term_count;
    return e->ruler < terms        ? algorithm_at(at)->overhead[e->ruler].name
           : e->ruler == terms     ? "idle"
           : e->ruler == terms + 1 ? "bound"
                                   : NULL;
}

ISOCAST_GIVES(double, target_of, result_of(at)->prediction->target)
ISOCAST_GIVES(double, K_of, isocast_growth_exponent(result_of(at)->growth->K))
ISOCAST_GIVES(double, limit_of, result_of(at)->growth->limit_of_E)
ISOCAST_GIVES(double, rules_from, result_of(at)->rules_from_p)

static bool has_premises(const isocast_at *at) {
    const isocast_question_premises *premises = &result_of(at)->growth->premises;
    return premises->squares || premises->cubes || premises->divisors;
}

static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.growth/1"),
    CLI_ALGORITHM,
    CLI_MACHINE,
    CLI_SIZE,
    CLI_OTHER_SIZES,
    ISOCAST_NUMBER("target", target_of, NULL, "the speed-efficiency E that is held", .known = true),
    ISOCAST_NUMBER("K", K_of, NULL, "E/(1-E): W/C_1 is K times the total overhead; null at E = 1"),
    ISOCAST_OBJECT("growth", whole_item, &growth_parts, "what all together need", .known = true),
    ORDER("T", order_of_T, "the order of T where E is held; null where it is not known"),
    ORDER("psi", order_of_psi, "of psi from a fixed system, likewise"),
    ORDER("memory", order_of_memory, "of the memory of a process, likewise"),
    ORDER("least_T", order_of_least_T,
          "of the least T of a fixed W, as exponents of W in the place of p; null where it is not "
          "known"),
    ORDER("least_p", order_of_least_p, "of the fewest processes that it needs, likewise"),
    ISOCAST_NUMBER(
        "limit_of_E", limit_of, NULL,
        "what E tends to as p grows and N grows fast enough with it; null where that is not known"),
    ISOCAST_TEXT(
        "ruler", ruler_of,
        "the part that rules: an overhead term, idle, or bound; null where none does alone"),
    ISOCAST_NUMBER("rules_from_p", rules_from, NULL,
                   "from this p on, among the systems, it is the largest part of the total "
                   "overhead; null where it is not on those of the largest p"),
    ISOCAST_LIST("parts", part_item, &growth_parts,
                 "each overhead term alone, the computation, and the bounds"),
    ISOCAST_LIST("rows", cli_growth_row_item, &growth_rows,
                 "one for each system of --to, in its order"),
    ISOCAST_FLAG("squares", has_premises,
                 "whether all orders hold for p alone whose process grids are squares or cubes, or "
                 "that x divides in each divisor(p, x)"),
    CLI_PROVENANCE};
const isocast_table cli_growth_document = {
    "growth",
    "what isocast explain --growth writes: the isoefficiency function and its proved "
    "order",
    ISOCAST_TABLE(fields)};

static const isocast_algorithm *algorithm_of(const isocast_isoefficiency *e) {
    return isocast_model_algorithm(e->prediction->model);
}

static cli_report *report_rows(const cli_view *view) {
    const isocast_isoefficiency *e = view->result;
    const isocast_prediction *prediction = e->prediction;
    cli_report *report = cli_report_create();
    cli_report_held(report, prediction, view->subject.other_sizes);
    cli_fields_fill(report, &growth_rows, view, cli_growth_row_item);
    cli_note(report, "Times are those of all processes together. C_1 = C/p is the mean marked "
                     "speed of a process, and T_o = p T - W/C_1 is the total overhead.");
    CLI_NOTE_IF(isfinite(e->growth->K) && e->growth->K > 0, report,
                "W/C_1 = K T_o with K = E/(1-E) = %.6g: the work must grow with p as the total "
                "overhead does.",
                e->growth->K);
    cli_note(report,
             "g = d ln W/d ln p is the exact local exponent of growth where E is held. Jumps of "
             "the formulas do not count in it, and at a kink it is that of one side.");
    cli_report_note_marked_speed(report, isocast_model_machine(prediction->model),
                                 isocast_model_algorithm(prediction->model)->kernel);
    cli_report_remarks(report, prediction);
    return report;
}

/* A part in words: "the overhead broadcast". */
static void put_part(const isocast_isoefficiency *e, size_t k, isocast_buffer *out) {
    if (k < e->growth->term_count) {
        isocast_buffer_printf(out, "the overhead %s", algorithm_of(e)->overhead[k].name);
    } else {
        isocast_buffer_puts(out, "the idle or excess computation");
    }
}

static const isocast_growth_part *part_of(const isocast_isoefficiency *e, size_t k) {
    return k < e->growth->term_count ? &e->growth->terms[k] : &e->growth->idle;
}

/* What is said holds for work beyond the bounds. */
static const char *premise_of(const isocast_growth_part *whole) {
    return whole->at_bound == ISOCAST_GROWTH_NOT_CERTAIN
               ? "Where the work grows faster than the bounds"
               : "Where all processes have work";
}

static void say_at_bound(cli_report *report, const isocast_growth *growth) {
    CLI_NOTE_IF(growth->whole.verdict != ISOCAST_GROWTH_UNDECIDED &&
                    growth->whole.at_bound == ISOCAST_GROWTH_NOT_CERTAIN,
                report,
                "Whether E = %.6g is held where the work grows as the bounds is not certain.",
                growth->efficiency);
}

/* What becomes of E at larger work. */
static void say_later(cli_report *report, const isocast_growth *growth) {
    const isocast_growth_part *whole = &growth->whole;
    double E = growth->efficiency;
    if (whole->falls_later == ISOCAST_GROWTH_NO) {
        cli_note(report,
                 "Where the work grows faster, as a polynomial of p, E stays at least %.6g and p T "
                 "= O(W): the algorithm is cost-optimal there.",
                 E);
    } else if (whole->falls_later == ISOCAST_GROWTH_NOT_CERTAIN) {
        cli_note(report, "Whether E falls below %.6g again at larger work is not certain.", E);
    } else if (isnan(whole->lost.p)) {
        cli_note(report, "E falls below %.6g again at larger work.", E);
    } else {
        isocast_buffer lost = {0};
        isocast_buffer_printf(&lost, "E falls below %.6g again at larger work of the order ", E);
        isocast_growth_order_put(&whole->lost, &lost);
        isocast_buffer_puts(&lost, ". Between the two orders p T = O(W): the algorithm is "
                                   "cost-optimal there.");
        cli_note_take(report, &lost);
    }
}

static void say_proved(cli_report *report, const isocast_isoefficiency *e) {
    const isocast_growth_part *whole = &e->growth->whole;
    bool beyond = whole->at_bound == ISOCAST_GROWTH_NOT_CERTAIN;
    isocast_buffer order = {0};
    isocast_buffer size = {0};
    isocast_buffer law = {0};
    isocast_growth_order_put(&whole->W, &order);
    isocast_growth_order_put(&whole->N, &size);
    isocast_growth_law_put(whole, &law);
    cli_note(report,
             "%s%she isoefficiency function is %s, which is proved. %so hold E = %.6g the work "
             "must grow with p at this rate, and %s as %s.",
             beyond ? premise_of(whole) : "", beyond ? ", t" : "T", order.text,
             whole->at_bound == ISOCAST_GROWTH_YES ? "To give all processes work and t" : "T",
             e->growth->efficiency, algorithm_of(e)->sizes[0].name, size.text);
    if (whole->depends_on_E && law.text != NULL) {
        cli_note(report,
                 "The exponent depends on E: near this E the function is %s, and K = %.6g here.",
                 law.text, e->growth->K);
    } else if (whole->depends_on_E) {
        cli_note(report, "The exponent depends on E; it is that of E = %.6g.",
                 e->growth->efficiency);
    }
    say_later(report, e->growth);
    isocast_buffer_free(&order);
    isocast_buffer_free(&size);
    isocast_buffer_free(&law);
}

/* No part was found that asks alone for what all together do. */
static void say_no_ruler(cli_report *report, const isocast_isoefficiency *e, const char *rules) {
    const isocast_growth *growth = e->growth;
    bool known = true;
    bool holds = growth->whole.verdict == ISOCAST_GROWTH_PROVED;
    for (size_t k = 0; k <= growth->term_count; k++) {
        const isocast_growth_part *part = part_of(e, k);
        bool is_held =
            part->verdict == ISOCAST_GROWTH_PROVED || part->verdict == ISOCAST_GROWTH_FREE;
        known = known && part->verdict != ISOCAST_GROWTH_UNDECIDED && (is_held || !holds);
    }
    cli_note(report,
             known ? "No part alone %s: it is several together." : "Which part %s is not certain.",
             rules);
}

static void say_bound_rules(cli_report *report, const isocast_growth_part *whole) {
    static const char *const sentences[] = {
        [ISOCAST_GROWTH_NO] = "A bound rules the order, and no overhead: E is held as soon as all "
                              "processes can have work.",
        [ISOCAST_GROWTH_YES] = "A bound rules the order, and all overheads together.",
        [ISOCAST_GROWTH_NOT_CERTAIN] = "A bound rules the order. Whether the overheads ask for it, "
                                       "too, is not certain."};
    cli_note(report, "%s", sentences[whole->asks_bound]);
}

/* Parts and bounds that rule as much as the one that is named. */
static void say_other_rulers(cli_report *report, const isocast_isoefficiency *e) {
    const isocast_growth *growth = e->growth;
    bool holds = growth->whole.verdict == ISOCAST_GROWTH_PROVED;
    isocast_buffer others = {0};
    for (size_t k = 0; k <= growth->term_count; k++) {
        if (k != e->ruler && isocast_growth_part_rules(growth, part_of(e, k))) {
            isocast_buffer_puts(&others, others.length > 0 ? ", " : "");
            put_part(e, k, &others);
        }
    }
    const isocast_growth_part *const bounds[] = {&growth->processes, &growth->concurrency};
    static const char *const names[] = {"the bound W = Omega(p)", "the bound of concurrency"};
    for (size_t k = 0; k < 2; k++) {
        CLI_PUT_IF(isocast_growth_part_rules(growth, bounds[k]), &others, "%s%s",
                   others.length > 0 ? ", " : "", names[k]);
    }
    CLI_NOTE_IF(others.length > 0, report,
                holds ? "The same order is needed for %s." : "The same would be decided by %s.",
                others.text);
    isocast_buffer_free(&others);
}

static void say_part_rules(cli_report *report, const isocast_isoefficiency *e) {
    isocast_buffer ruler = {0};
    put_part(e, e->ruler, &ruler);
    if (e->growth->whole.verdict != ISOCAST_GROWTH_PROVED) {
        cli_note(report, "What decides that is %s.", ruler.text);
    } else if (e->rules_on_all) {
        cli_note(report,
                 "What rules is %s; on all of these systems it is the largest part of the total "
                 "overhead.",
                 ruler.text);
    } else if (!isnan(e->rules_from_p)) {
        cli_note(report,
                 "What rules is %s; among these systems it is the largest part of the total "
                 "overhead from p = %.6g on.",
                 ruler.text, e->rules_from_p);
    } else {
        cli_note(report,
                 "What rules as p grows is %s; on the largest of these systems another part of the "
                 "total overhead is still larger, or there is no solution.",
                 ruler.text);
    }
    isocast_buffer_free(&ruler);
    say_other_rulers(report, e);
}

static void say_ruler(cli_report *report, const isocast_isoefficiency *e) {
    const isocast_growth *growth = e->growth;
    bool holds = growth->whole.verdict == ISOCAST_GROWTH_PROVED;
    if (growth->whole.verdict == ISOCAST_GROWTH_UNDECIDED) {
        return;
    }
    if (e->ruler <= growth->term_count) {
        say_part_rules(report, e);
    } else if (e->ruler == ISOCAST_NO_RULER) {
        say_no_ruler(report, e, holds ? "rules" : "decides that");
    } else if (holds) {
        say_bound_rules(report, &growth->whole);
    } else {
        cli_note(report, "What decides that is a bound.");
    }
}

static void say_whole(cli_report *report, const isocast_isoefficiency *e) {
    const isocast_growth *growth = e->growth;
    const isocast_growth_part *whole = &growth->whole;
    double E = growth->efficiency;
    const char *size = algorithm_of(e)->sizes[0].name;
    if (whole->verdict == ISOCAST_GROWTH_PROVED) {
        say_proved(report, e);
    } else if (whole->verdict == ISOCAST_GROWTH_CAPPED) {
        cli_note(report,
                 "%s, E = %.6g is unreachable as p grows, which is proved for every W that is a "
                 "polynomial of p.",
                 premise_of(whole), E);
        CLI_NOTE_IF(!isnan(growth->limit_of_E), report,
                    "Where %s grows fast enough with p, E tends to %.6g.", size,
                    growth->limit_of_E);
    } else if (whole->verdict == ISOCAST_GROWTH_UNSCALABLE && whole->reason != NULL) {
        cli_note(report, "The algorithm is unscalable at E = %.6g, which is proved: %s.", E,
                 whole->reason);
    } else if (whole->verdict == ISOCAST_GROWTH_UNSCALABLE) {
        cli_note(report,
                 "%s, the algorithm is unscalable at E = %.6g, which is proved: no W that is a "
                 "polynomial of p holds E.",
                 premise_of(whole), E);
    } else if (whole->verdict == ISOCAST_GROWTH_FALLING) {
        cli_note(report,
                 "%s, E = %.6g is held on a finite range of p at most, which is proved: the "
                 "overhead grows faster with %s than the work, so that E falls as %s grows.",
                 premise_of(whole), E, size, size);
    } else {
        cli_note(report,
                 "The order of growth is undecided: %s. The numbers above are those of the "
                 "formulas, and prove no order.",
                 whole->reason != NULL ? whole->reason : "no rule is known");
    }
    say_at_bound(report, growth);
}

/* "T as Theta(p)"; an order that is not known is left out. */
static void put_along(const char *format, const isocast_growth_order *order, const char *variable,
                      isocast_buffer *out) {
    if (!isnan(order->p)) {
        isocast_buffer_puts(out, out->length > 0 ? ", " : "");
        isocast_buffer_puts(out, format);
        isocast_growth_order_put_in(order, variable, out);
    }
}

static void say_along(cli_report *report, const isocast_growth_along *along) {
    isocast_buffer held = {0};
    put_along("T goes as ", &along->T, "p", &held);
    put_along("psi from a fixed system as ", &along->psi, "p", &held);
    put_along("the memory of a process as ", &along->memory, "p", &held);
    CLI_NOTE_IF(held.length > 0, report, "Where E is held, %s.", held.text);
    isocast_buffer_free(&held);
    isocast_buffer least = {0};
    isocast_buffer processes = {0};
    put_along("", &along->least_T, "W", &least);
    put_along("", &along->least_p, "W", &processes);
    if (least.text != NULL && processes.text != NULL) {
        /* Not a proof: the orders without "Theta". */
        static const size_t theta = sizeof "Theta" - 1;
        cli_note(report,
                 "Where W is fixed, T is least at a p that goes as %s%s, and goes as %s there: by "
                 "the largest terms of T alone, which is no proof.",
                 processes.text + theta,
                 along->least_by_bound ? ", the most processes that have work" : "",
                 least.text + theta);
    }
    isocast_buffer_free(&least);
    isocast_buffer_free(&processes);
}

static void say_premises(cli_report *report, const isocast_question_premises *premises) {
    if (premises->cubes) {
        cli_note(report,
                 "All of this holds for p whose grids of processes are cubes or squares. The grid "
                 "of another p depends on its divisors, and no order is known for it.");
    } else if (premises->squares) {
        cli_note(report,
                 "All of this holds for p that are squares, whose process grid is square. The grid "
                 "of another p depends on its divisors, and no order is known for it.");
    }
    CLI_NOTE_IF(premises->divisors, report,
                "All of this holds for p that x divides in each divisor(p, x). For another p no "
                "order is known.");
}

static cli_report *report_parts(const cli_view *view) {
    const isocast_isoefficiency *e = view->result;
    const isocast_growth *growth = e->growth;
    cli_report *report = cli_fields_report(&growth_parts, view, cli_growth_part_item,
                                           "What each part needs alone, as p grows without end");
    say_whole(report, e);
    say_ruler(report, e);
    say_along(report, &growth->along);
    cli_note(report, "The order is that of the formulas as p grows without end, also beyond the "
                     "processors that the machine file has.");
    say_premises(report, &growth->premises);
    CLI_NOTE_IF(growth->mixed, report,
                "The node classes of %s keep their shares of p and C as p grows.",
                e->prediction->rows[e->prediction->row_count - 1].system);
    return report;
}

size_t cli_reports_of_growth(const void *view, bool csv, cli_report **reports) {
    reports[0] = report_rows(view);
    reports[1] = csv ? NULL : report_parts(view);
    return csv ? 1 : 2;
}
