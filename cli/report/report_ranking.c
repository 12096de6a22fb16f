#include "report_ranking.h"

#include <math.h>
#include <stdint.h>

#include "model/base/any.h"
#include "model/base/refused.h"
#include "model/solve/prediction_fields.h"
#include "model/spec/bill.h"

/* What a ranking says: its rows, its crossings, and its JSON. */

/* Points of a curve, evenly spaced in ln N or ln p. */
enum { CLI_RANKING_CURVE_POINTS = 81 };

struct cli_ranking_curve {
    const char *system, *contender;
    double N;                                                        /* of a curve over p */
    double x[CLI_RANKING_CURVE_POINTS], T[CLI_RANKING_CURVE_POINTS]; /* [count] */
    size_t count;
    isocast_effort effort; /* that is left for the others */
    isocast_status status; /* why there is no further one */
};

/* A curve goes on so much beyond the last thing that is to be seen on it. */
static const double curve_margin = 4;
/* Where nothing is to be seen, it is so many times as long as its begin. */
static const double curve_length = 65536;

typedef struct span {
    double from, to; /* from > to: nothing was put there yet */
} span;

static void widen(span *s, double x) {
    if (isfinite(x) && x > 0) {
        s->from = fmin(s->from, x);
        s->to = fmax(s->to, x);
    }
}

/* Sizes or numbers of processes of the rows that belong to a place. */
static void widen_to_rows(const cli_ranking_view *v, bool over_p, size_t place, span *s) {
    size_t count = v->contenders->count;
    for (size_t value = 0; value < v->value_count; value++) {
        for (size_t system = 0; system < v->contenders->system_count; system++) {
            for (size_t k = 0; (over_p ? value : system) == place && k < count; k++) {
                const isocast_prediction_row *row =
                    &v->predictions[value * count + k]->rows[system];
                widen(s, over_p ? row->p : row->N);
            }
        }
    }
}

/* Crossings, and where contenders begin or end to work; *low and *high: where the search did. */
static void widen_to_ranking(const isocast_ranking *ranking, size_t place, span *s, double *low,
                             double *high) {
    for (size_t i = 0; i < ranking->pair_count; i++) {
        const isocast_ranking_pair *pair = &ranking->pairs[i];
        for (size_t k = 0; pair->place == place && k < pair->crossings.count; k++) {
            widen(s, pair->crossings.at[k]);
        }
    }
    bool first = true;
    for (size_t i = 0; i < ranking->range_count; i++) {
        const isocast_ranking_range *range = &ranking->ranges[i];
        if (range->place == place) {
            *low = first ? range->from : *low;
            *high = range->to;
            widen(s, first ? NAN : range->from);
            first = false;
        }
    }
}

/* Rising; numbers of processes are whole, and none is there twice. Gives how many there are. */
static size_t put_places(const cli_ranking_view *v, bool over_p, size_t place,
                         double x[CLI_RANKING_CURVE_POINTS]) {
    span seen = {INFINITY, -INFINITY};
    double low = NAN;
    double high = NAN;
    widen_to_rows(v, over_p, place, &seen);
    widen_to_ranking(over_p ? v->over_p : v->over_N, place, &seen, &low, &high);
    if (isnan(low) || !(low < high)) {
        return 0;
    }
    double from = seen.from <= seen.to && !over_p ? fmax(low, seen.from / curve_margin) : low;
    double to = seen.from <= seen.to ? seen.to * curve_margin : low * curve_length;
    to = fmin(high, to);
    size_t count = 0;
    for (int i = 0; i < CLI_RANKING_CURVE_POINTS && from <= to; i++) {
        double at = from * pow(to / from, i / (double)(CLI_RANKING_CURVE_POINTS - 1));
        at = over_p ? floor(at + 0.5) : at;
        if (count == 0 || at > x[count - 1]) {
            x[count++] = at;
        }
    }
    return count;
}

static isocast_status compute(const cli_ranking_view *v, bool over_p, size_t place,
                              size_t contender, isocast_effort *effort, cli_ranking_curve *out) {
    const cli_contender *c = &v->contenders->items[contender];
    const isocast_crossing_side side = {.model = c->loaded.model,
                                        .system = over_p ? NULL : c->systems[place]};
    out->count = put_places(v, over_p, place, out->x);
    out->N = over_p ? v->values[place] : NAN;
    out->system = over_p ? NULL : c->systems[place]->name;
    out->contender = c->name;
    return isocast_ranking_times(&side, out->N, out->x, out->count, effort, out->T);
}

/* T of a contender over N on a system, or over p at an N, the i-th by place and contender. The
 * places span the rows, the crossings and where a contender begins or ends to work. NULL where
 * there is no i-th, or `out` has a status; else it is `out`. */
static const cli_ranking_curve *make_curve(const cli_ranking_view *view, bool over_p, size_t i,
                                           cli_ranking_curve *out) {
    size_t places = !over_p                ? view->contenders->system_count
                    : view->over_p == NULL ? 0
                                           : view->value_count;
    size_t curves = places * view->contenders->count;
    if (i >= curves || out->status != ISOCAST_OK) {
        return NULL;
    }
    out->effort = i == 0 ? isocast_effort_of(curves) : out->effort;
    isocast_effort lent = isocast_effort_lend(&out->effort, 1 / (double)(curves - i));
    out->status =
        compute(view, over_p, i / view->contenders->count, i % view->contenders->count, &lent, out);
    isocast_effort_return(&out->effort, &lent);
    if (out->status != ISOCAST_OK) {
        isocast_refused_note();
    }
    return out->status == ISOCAST_OK ? out : NULL;
}

ISOCAST_GIVES(const cli_ranking_view *, view_of, at->result)
ISOCAST_GIVES(const cli_contenders *, contenders_of, view_of(at)->contenders)
ISOCAST_GIVES(const isocast_prediction_row *, row_of, at->row)

/* Rows come by value, then system, then contender. */
ISOCAST_GIVES(const cli_contender *, contender_of,
              &contenders_of(at)->items[at->index % contenders_of(at)->count])
ISOCAST_GIVES(size_t, system_of,
              at->index / contenders_of(at)->count % contenders_of(at)->system_count)
ISOCAST_GIVES(size_t, value_of,
              at->index / contenders_of(at)->count / contenders_of(at)->system_count)
ISOCAST_GIVES(double, target_of,
              view_of(at)->fixed_size ? (double)NAN : view_of(at)->values[value_of(at)])

static const isocast_prediction_row *row_at(const cli_ranking_view *v, size_t value,
                                            size_t contender, size_t system) {
    return &v->predictions[value * v->contenders->count + contender]->rows[system];
}

static const char *size_name(const cli_ranking_view *v) {
    return v->contenders->items[0].loaded.algorithm->sizes[0].name;
}

/* The row of a contender at the same value and system. */
static const isocast_prediction_row *row_beside(const isocast_at *at, size_t contender) {
    return row_at(view_of(at), value_of(at), contender, system_of(at));
}

static double measure_of(const isocast_at *at, const isocast_prediction_row *row) {
    bool solved = row->status == ISOCAST_ROW_OK || row->status == ISOCAST_ROW_SEVERAL;
    return !solved ? NAN : view_of(at)->fixed_size ? row->T : row->W;
}

/* T over the least T of the contenders there, at a fixed size; else W over the least W. NAN where
 * the row is not solved. */
static double ratio_of(const isocast_at *at) {
    double least = NAN;
    for (size_t k = 0; k < contenders_of(at)->count; k++) {
        least = fmin(least, measure_of(at, row_beside(at, k)));
    }
    return measure_of(at, row_of(at)) / least;
}

ISOCAST_GIVES(const char *, name_at, contender_of(at)->name)

ISOCAST_PUTS(size_heading, isocast_buffer_puts(out, size_name(view_of(at))))

ISOCAST_PUTS(ratio_heading, isocast_buffer_puts(out, view_of(at)->fixed_size ? "T/best" : "W/best"))

/* Whether some machine file says anything of price or power. */
ISOCAST_ANY(ranking_has_bill, (const cli_ranking_view *v), v->contenders->count,
            isocast_machine_has_bill(v->contenders->items[i].loaded.machine))

/* A table has the columns of amounts where one machine file says anything of price or power. */
ISOCAST_GIVES(bool, has_bill,
              row_of(at) == NULL ? ranking_has_bill(view_of(at))
                                 : isocast_machine_has_bill(contender_of(at)->loaded.machine))
ISOCAST_GIVES(bool, counts_nodes,
              row_of(at) == NULL ? ranking_has_bill(view_of(at))
                                 : isocast_machine_counts_nodes(contender_of(at)->loaded.machine))

ISOCAST_GIVES(const char *, currency_of,
              isocast_currency_unit(contender_of(at)->loaded.machine->purchase.currency))

/* The one currency of all contenders that have amounts; NULL where they have several, or none:
 * then each row states its own. */
static const char *common_currency(const isocast_at *at) {
    isocast_currency common = ISOCAST_CURRENCY_NONE;
    for (size_t k = 0; k < contenders_of(at)->count; k++) {
        isocast_currency own = contenders_of(at)->items[k].loaded.machine->purchase.currency;
        if (own != ISOCAST_CURRENCY_NONE && common != ISOCAST_CURRENCY_NONE && own != common) {
            return NULL;
        }
        common = own != ISOCAST_CURRENCY_NONE ? own : common;
    }
    return isocast_currency_unit(common);
}

ISOCAST_GIVES(bool, has_several_currencies, common_currency(at) == NULL)

#define ROW(member, kind, unit, ...)                                                               \
    ISOCAST_FIELD(#member, kind, isocast_prediction_row, member, unit, __VA_ARGS__)
#define BILL .optional = true, .shown = has_bill
static const isocast_field row_fields[] = {
    ISOCAST_NUMBER("target", target_of, NULL, "speed-efficiency that is held; null at a given size",
                   .optional = true),
    ROW(system, TEXT, NULL, "as it was asked for", .known = true),
    ISOCAST_TEXT("contender", name_at, "its name", .known = true),
    ROW(p, COUNT, NULL, "processes", .known = true),
    ROW(C, NUMBER, "flop/s", "marked speed", ISOCAST_FILES, .known = true),
    ROW(N, COUNT, NULL, "first size parameter", .heading_put = size_heading, .digits = 5),
    ROW(W, NUMBER, "flop", "work"),
    ROW(T, NUMBER, "s", "time"),
    ROW(E, NUMBER, NULL, "speed-efficiency"),
    ISOCAST_NUMBER("ratio", ratio_of, NULL,
                   "T over the smallest T on this system at a given size; W over the smallest W "
                   "that holds the target else",
                   .heading_put = ratio_heading),
    ISOCAST_POINT_NODES(.optional = true, .shown = counts_nodes),
    ISOCAST_POINT_PRICE(.unit_of = common_currency, BILL),
    ISOCAST_POINT_POWER(BILL),
    ISOCAST_POINT_ENERGY(BILL),
    ISOCAST_POINT_COST("cost", .unit_of = common_currency, BILL),
    ISOCAST_CURRENCY(currency_of, .tabled = has_several_currencies, BILL),
    ROW(status, TEXT, NULL, "like in a prediction", .words = isocast_row_status_words,
        .known = true),
    ROW(note, TEXT, NULL, "what a reader must know beside", ISOCAST_FILES)};
static const isocast_table ranking_rows = ISOCAST_TABLE_OF(row_fields, "a contender on a system");

ISOCAST_OWN_ITEMS(
    ranking_row_item,
    view_of(in)->value_count *contenders_of(in)->system_count *contenders_of(in)->count,
    row_beside(out, i % contenders_of(in)->count))

/* What is of a ranking over N stands at a system, over p at an N. */
ISOCAST_GIVES(const isocast_ranking_pair *, pair_of, at->row)
ISOCAST_GIVES(const isocast_ranking_range *, range_of, at->row)

static const char *system_name(const isocast_at *at, size_t place) {
    return contenders_of(at)->items[0].systems[place]->name;
}

ISOCAST_GIVES(const char *, system_of_pair, system_name(at, pair_of(at)->place))
ISOCAST_GIVES(double, N_of_pair, view_of(at)->values[pair_of(at)->place])
ISOCAST_GIVES(const char *, system_of_range, system_name(at, range_of(at)->place))
ISOCAST_GIVES(double, N_of_range, view_of(at)->values[range_of(at)->place])
ISOCAST_GIVES(const char *, first_of, contenders_of(at)->items[pair_of(at)->first].name)
ISOCAST_GIVES(const char *, second_of, contenders_of(at)->items[pair_of(at)->second].name)

static const char *fastest_of(const isocast_at *at) {
    size_t fastest = range_of(at)->fastest;
    return fastest < contenders_of(at)->count ? contenders_of(at)->items[fastest].name : NULL;
}

ISOCAST_GIVES(bool, is_complete, pair_of(at)->crossings.complete_to >= pair_of(at)->crossings.end)

/* A crossing is a pair, and its number among the crossings of these. */
ISOCAST_GIVES(double, crossing_at, pair_of(at)->crossings.at[at->index])
ISOCAST_GIVES(double, crossing_T, pair_of(at)->crossings.T[at->index])
ISOCAST_GIVES(const char *, faster_beyond,
              pair_of(at)->crossings.faster[at->index] == 0 ? first_of(at) : second_of(at))
ISOCAST_GIVES(const char *, faster_before,
              pair_of(at)->crossings.faster[at->index] == 0 ? second_of(at) : first_of(at))

/* In a table the row that has it says by its number whether it is over p. */
ISOCAST_GIVES(bool, is_over_p, at->in->index > 0)

/* Appends the name of a system, or an N. */
static void ranking_append_place(const cli_ranking_view *v, bool over_p, size_t place,
                                 isocast_buffer *out) {
    if (over_p) {
        isocast_buffer_printf(out, "%s = %.6g", size_name(v), v->values[place]);
    } else {
        isocast_buffer_puts(out, v->contenders->items[0].systems[place]->name);
    }
}

ISOCAST_PUTS(put_where, ranking_append_place(view_of(at), is_over_p(at), pair_of(at)->place, out))

ISOCAST_GIVES(const char *, over_of, is_over_p(at) ? "p" : size_name(view_of(at)))

static const isocast_field crossing_fields[] = {
    ISOCAST_PUT("where", put_where, NULL, ISOCAST_ROWS),
    ISOCAST_TEXT("faster_before", faster_before, NULL, ISOCAST_ROWS, .heading = "faster before"),
    ISOCAST_TEXT("faster_beyond", faster_beyond, "the contender that is faster beyond",
                 .heading = "faster beyond", .known = true),
    ISOCAST_TEXT("over", over_of, NULL, ISOCAST_ROWS),
    ISOCAST_COUNT("at", crossing_at, "N, or p", .digits = 6, .known = true),
    ISOCAST_NUMBER("T", crossing_T, "s", "time of both there", .known = true)};
static const isocast_table ranking_crossings = ISOCAST_TABLE_OF(crossing_fields, "a crossing");
ISOCAST_OWN_ITEMS(crossing_item, pair_of(in)->crossings.count, in->row)

/* The place of what is over N, and of what is over p; and the tables of both. */
enum { AT_SYSTEM = 1, AT_N };
#define PLACE(system_of, N_of)                                                                     \
    ISOCAST_TEXT("system", system_of, "as it was asked for", .known = true, .only = AT_SYSTEM),    \
        ISOCAST_NUMBER("N", N_of, NULL, "the size", .known = true, .only = AT_N)
#define TABLES_OVER(name, fields, what)                                                            \
    static const isocast_table name##_N = {NULL, what, ISOCAST_TABLE(fields), .without = AT_N},    \
                               name##_p = {NULL, what, ISOCAST_TABLE(fields),                      \
                                           .without = AT_SYSTEM};
#define RANGE(name, member, ...)                                                                   \
    ISOCAST_FIELD(name, NUMBER, isocast_ranking_range, member, NULL, __VA_ARGS__, .known = true)
static const isocast_field range_fields[] = {
    PLACE(system_of_range, N_of_range), RANGE("from", from, "its begin"),
    RANGE("to", to, "its end"),
    ISOCAST_TEXT("fastest", fastest_of,
                 "the contender that is fastest there; null where no contender has a T")};
TABLES_OVER(range, range_fields, "a range over which one contender is fastest")

#define CROSSINGS(name, kind, member, ...)                                                         \
    ISOCAST_FIELD(name, kind, isocast_ranking_pair, crossings.member, NULL, __VA_ARGS__)
static const isocast_field pair_fields[] = {
    PLACE(system_of_pair, N_of_pair),
    ISOCAST_TEXT("first", first_of, "a contender", .known = true),
    ISOCAST_TEXT("second", second_of, "another", .known = true),
    ISOCAST_LIST("points", crossing_item, &ranking_crossings,
                 "where the faster of the two changes, rising"),
    CROSSINGS("more", FLAG, more, "there are more crossings than were kept"),
    CROSSINGS("alike", FLAG, alike, "both take the same time wherever that was looked at"),
    ISOCAST_FLAG("complete", is_complete, "all crossings up to the end are known"),
    CROSSINGS("complete_to", NUMBER, complete_to, "all crossings up to here are known",
              .known = true),
    CROSSINGS("end", NUMBER, end, "the search ends here", .known = true)};
TABLES_OVER(pair, pair_fields, "two contenders")

/* Over p there may be none. */
static const isocast_ranking *ranking_of(const cli_ranking_view *v, bool over_p) {
    static const isocast_ranking none = {0};
    return !over_p ? v->over_N : v->over_p != NULL ? v->over_p : &none;
}

ISOCAST_GIVES(const isocast_ranking *, over_N, ranking_of(view_of(at), false))
ISOCAST_GIVES(const isocast_ranking *, over_p, ranking_of(view_of(at), true))

ISOCAST_OWN_ITEMS(range_N_item, over_N(in)->range_count, &over_N(in)->ranges[i])
ISOCAST_OWN_ITEMS(range_p_item, over_p(in)->range_count, &over_p(in)->ranges[i])
ISOCAST_OWN_ITEMS(pair_N_item, over_N(in)->pair_count, &over_N(in)->pairs[i])
ISOCAST_OWN_ITEMS(pair_p_item, over_p(in)->pair_count, &over_p(in)->pairs[i])

ISOCAST_GIVES(const cli_ranking_curve *, curve_of, at->row)

ISOCAST_ELEMENTS(curve_x, curve_of(at)->count, curve_of(at)->x[i])
ISOCAST_ELEMENTS(curve_T, curve_of(at)->count, curve_of(at)->T[i])

ISOCAST_OWN_ITEMS(curve_N_item, SIZE_MAX, make_curve(view_of(in), false, i, view_of(in)->curve))
ISOCAST_OWN_ITEMS(curve_p_item, SIZE_MAX, make_curve(view_of(in), true, i, view_of(in)->curve))

#define CURVE(name, kind, member, ...)                                                             \
    ISOCAST_FIELD(name, kind, cli_ranking_curve, member, NULL, __VA_ARGS__, .known = true)
#define PLACES(name, where)                                                                        \
    ISOCAST_MADE(name, NUMBERS, .element = curve_x, NULL, "places of the curve, rising",           \
                 .known = true, .only = where)
static const isocast_field curve_fields[] = {
    CURVE("system", TEXT, system, "as it was asked for", .only = AT_SYSTEM),
    CURVE("N", NUMBER, N, "the size", .only = AT_N),
    CURVE("contender", TEXT, contender, "its name"),
    PLACES("N", AT_SYSTEM),
    PLACES("p", AT_N),
    ISOCAST_MADE("T", NUMBERS, .element = curve_T, "s",
                 "times there; null where it does not work")};
TABLES_OVER(curve, curve_fields, "a contender")

ISOCAST_GIVES(const cli_contender *, given, at->row)
ISOCAST_GIVES(const char *, algorithm_of, given(at)->loaded.algorithm->name)
ISOCAST_GIVES(const char *, machine_of, given(at)->loaded.machine->name)

ISOCAST_NAMES(setting_of, cli_setting_of(&given(at)->loaded, i, value))

#define CONTENDER_TEXT(name, member, ...)                                                          \
    ISOCAST_FIELD(name, TEXT, cli_contender, member, NULL, __VA_ARGS__, .known = true)
static const isocast_field contender_fields[] = {
    CONTENDER_TEXT("name", name, "what distinguishes it from the others"),
    ISOCAST_TEXT("algorithm", algorithm_of, "its name", .known = true),
    CONTENDER_TEXT("algorithm_file", loaded.algorithm_path, "as it was found"),
    ISOCAST_TEXT("machine", machine_of, "its name", .known = true),
    CONTENDER_TEXT("machine_file", loaded.machine_path, "as it was found"),
    CLI_SET(setting_of)};
static const isocast_table contender_table =
    ISOCAST_TABLE_OF(contender_fields, "an algorithm on a machine");
ISOCAST_OWN_ITEMS(contender_item, contenders_of(in)->count, &contenders_of(in)->items[i])

ISOCAST_GIVES(const char *, held_of,
              view_of(at)->value_count == 0 ? NULL
              : view_of(at)->fixed_size     ? "size"
                                            : "efficiency")

static void put_answer(const isocast_at *at, isocast_buffer *out);

static const char *const held_words[] = {"size", "efficiency", NULL};
static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.ranking/1"),
    CLI_ANSWER(put_answer),
    CLI_SIZE,
    ISOCAST_TEXT("held", held_of, "what the rows have in common; null where there are none",
                 .words = held_words),
    ISOCAST_LIST("contenders", contender_item, &contender_table, "what is compared"),
    ISOCAST_LIST("rows", ranking_row_item, &ranking_rows, "by value, system and contender"),
    ISOCAST_LIST("ranges_over_N", range_N_item, &range_N, "by system, rising"),
    ISOCAST_LIST("crossings_over_N", pair_N_item, &pair_N, "by system and pair"),
    ISOCAST_LIST("ranges_over_p", range_p_item, &range_p,
                 "by N, rising; empty where p was not looked at"),
    ISOCAST_LIST("crossings_over_p", pair_p_item, &pair_p, "by N and pair"),
    ISOCAST_LIST("curves_over_N", curve_N_item, &curve_N,
                 "T of each contender over the sizes that are of interest, by system"),
    ISOCAST_LIST(
        "curves_over_p", curve_p_item, &curve_p,
        "T of each contender over the number of processes, by N; empty where p was not looked at"),
    CLI_PROVENANCE_BRIEF};
const isocast_table cli_ranking_document = {"ranking", "what isocast compare writes",
                                            ISOCAST_TABLE(fields)};

static const char *name_of(const cli_ranking_view *v, size_t contender) {
    return v->contenders->items[contender].name;
}

static bool has_fastest(const cli_ranking_view *v, const isocast_ranking_range *range) {
    return range->fastest < v->contenders->count;
}

/* "binary is fastest up to n = 800", then "cube up to n = 19600", at last "square beyond". leads:
 * the first range of the line that has a fastest contender. */
static void append_range(const cli_ranking_view *v, const isocast_ranking_range *range,
                         const char *axis, bool leads, bool first, bool last, isocast_buffer *out) {
    bool any = has_fastest(v, range);
    isocast_buffer_printf(out, "%s%s%s",
                          first  ? " "
                          : last ? ", and "
                                 : ", ",
                          any ? name_of(v, range->fastest) : "no contender can run",
                          leads ? " is fastest" : "");
    if (first && last) {
        isocast_buffer_puts(out, any ? " everywhere" : " anywhere");
    } else if (last) {
        isocast_buffer_puts(out, " beyond");
    } else {
        isocast_buffer_printf(out, " up to %s = %.6g", axis, range->to);
    }
}

/* Where terms that are uncertain may reverse the order of the rows of a place, the closest two of
 * them. */
static void append_reversal(const cli_ranking_view *v, bool over_p, size_t place,
                            isocast_buffer *out) {
    const isocast_prediction_row *first = NULL;
    const isocast_prediction_row *second = NULL;
    const char *names[2] = {"", ""};
    double N = NAN;
    double least = INFINITY;
    double most = NAN;
    for (size_t i = 0; i < (over_p ? v->contenders->system_count : v->value_count); i++) {
        size_t value = over_p ? place : i;
        size_t system = over_p ? i : place;
        for (size_t pair = 0; pair < v->contenders->count * v->contenders->count; pair++) {
            size_t a = pair / v->contenders->count;
            size_t b = pair % v->contenders->count;
            const isocast_prediction_row *one = row_at(v, value, a, system);
            const isocast_prediction_row *other = row_at(v, value, b, system);
            double ratio = other->T / one->T;
            double found;
            if (a != b && ratio >= 1 && ratio < least &&
                isocast_rows_may_differ(one, other, ratio, &found)) {
                first = one;
                second = other;
                names[0] = name_of(v, a);
                names[1] = name_of(v, b);
                N = v->values[value];
                least = ratio;
                most = found;
            }
        }
    }
    if (first == NULL || second == NULL) {
        return;
    }
    isocast_buffer_printf(out,
                          ". Terms stated as uncertain may reverse that: on %s, %s = %.6g, %s is "
                          "faster than %s while they make its T less than %.3g %% longer, against "
                          "that of the other, and they may make it ",
                          first->system, size_name(v), N, names[0], names[1], 100 * (least - 1));
    if (isfinite(most)) {
        isocast_buffer_printf(out, "%.3g %% longer", 100 * (most - 1));
    } else {
        isocast_buffer_puts(out, "longer by an unknown time");
    }
}

/* Where no N is given, an order has no such condition. It leaves the terms out, and how much they
 * may come to is spoken of the row of a place with most of them. */
static void append_left_out(const cli_ranking_view *v, size_t place, isocast_buffer *out) {
    static const double little = 0.001;
    const isocast_prediction_row *worst = NULL;
    size_t whose = 0;
    size_t at = 0;
    double most = little;
    bool any = false;
    for (size_t k = 0; k < v->contenders->count; k++) {
        any = any || v->contenders->items[k].loaded.algorithm->uncertain_count > 0;
        for (size_t i = 0; i < v->value_count; i++) {
            const isocast_prediction_row *row = row_at(v, i, k, place);
            double share = fmax(row->uncertain_high - 1, 1 - row->uncertain_low);
            if (share > most) {
                worst = row;
                whose = k;
                at = i;
                most = share;
            }
        }
    }
    if (worst != NULL) {
        bool shorter = 1 - worst->uncertain_low >= most;
        isocast_buffer_printf(out,
                              ". Terms stated as uncertain count for nothing here and in W/best: "
                              "on %s, at E = %.6g, they may make T of %s ",
                              worst->system, v->values[at], name_of(v, whose));
        if (isfinite(most)) {
            isocast_buffer_printf(out, "%.3g %% %s", 100 * most, shorter ? "shorter" : "longer");
        } else {
            isocast_buffer_puts(out, "longer by an unknown time");
        }
    } else if (any && v->value_count == 0) {
        isocast_buffer_puts(out, ". Terms stated as uncertain count for nothing here; with --at "
                                 "the answer has their share of T");
    }
}

/* "On 64: a is fastest up to n = 4560, and b beyond" of the ranges from number `first` on that are
 * of one place; gives the number of the next. */
static size_t append_ranges(const cli_ranking_view *v, const isocast_ranking *ranking, bool over_p,
                            size_t first, isocast_buffer *out) {
    size_t i = first;
    size_t place = ranking->ranges[first].place;
    isocast_buffer_puts(out, over_p ? "At " : "On ");
    ranking_append_place(v, over_p, place, out);
    isocast_buffer_puts(out, ":");
    bool led = false;
    for (; i < ranking->range_count && ranking->ranges[i].place == place; i++) {
        const isocast_ranking_range *range = &ranking->ranges[i];
        bool last = i + 1 == ranking->range_count || range[1].place != place;
        bool leads = !led && has_fastest(v, range);
        append_range(v, range, over_p ? "p" : size_name(v), leads, i == first, last, out);
        led = led || leads;
    }
    return i;
}

static void put_answer(const isocast_at *at, isocast_buffer *out) {
    const cli_ranking_view *v = at->result;
    for (size_t i = 0; i < v->over_N->range_count;) {
        isocast_buffer_puts(out, i > 0 ? " " : "");
        i = append_ranges(v, v->over_N, false, i, out);
        isocast_buffer_puts(out, ".");
    }
}

static void report_ranges(const cli_ranking_view *v, bool over_p, cli_report *report) {
    const isocast_ranking *ranking = ranking_of(v, over_p);
    for (size_t i = 0; i < ranking->range_count;) {
        size_t place = ranking->ranges[i].place;
        isocast_buffer line = {0};
        i = append_ranges(v, ranking, over_p, i, &line);
        isocast_buffer_printf(&line, "; the search ends at %s = %.6g", over_p ? "p" : size_name(v),
                              ranking->ranges[i - 1].to);
        if (v->fixed_size && v->value_count > 0) {
            append_reversal(v, over_p, place, &line);
        } else if (!over_p) {
            append_left_out(v, place, &line);
        }
        isocast_buffer_puts(&line, ".");
        cli_note_take(report, &line);
    }
}

ISOCAST_ALL(all_have_fastest, (const cli_ranking_view *v, const isocast_ranking *ranking),
            ranking->range_count, has_fastest(v, &ranking->ranges[i]))

/* The first rule of systems of any contender; NULL where there is none. */
static const char *first_rule(const cli_ranking_view *v) {
    for (size_t i = 0; i < v->contenders->count; i++) {
        const isocast_algorithm *algorithm = v->contenders->items[i].loaded.algorithm;
        for (size_t k = 0; k < algorithm->rule_count; k++) {
            if (!algorithm->rules->of_N[k]) {
                return algorithm->rule_list[k].otherwise;
            }
        }
    }
    return NULL;
}

/* Which p count where there are rules of systems. */
static void report_rules(const cli_ranking_view *v, cli_report *report) {
    const char *rule = first_rule(v);
    if (rule == NULL || v->over_p == NULL) {
        return;
    }
    const isocast_crossing_processes *all = &v->over_p->processes;
    double looked_to = fmin(all->most, ISOCAST_CROSSING_PROCESSES);
    if (all->count == 0) {
        cli_note(report,
                 "Up to p = %.6g no number of processes keeps the rules of all algorithm files, "
                 "such as \"%s\".",
                 looked_to, rule);
    } else {
        cli_note(report,
                 "Over p those numbers of processes count that keep the rules of all algorithm "
                 "files, such as \"%s\": these are %zu up to p = %.6g.",
                 rule, all->count, looked_to);
    }
    CLI_NOTE_IF(all->most > looked_to, report, "Beyond p = %.6g the rules are left aside.",
                looked_to);
}

static void add_crossings(const cli_ranking_view *v, bool over_p, cli_report *report) {
    const isocast_ranking *ranking = ranking_of(v, over_p);
    const isocast_at axis = {.result = v, .index = over_p};
    for (size_t i = 0; i < ranking->pair_count; i++) {
        isocast_at at = {.result = v, .row = &ranking->pairs[i], .in = &axis};
        for (; at.index < ranking->pairs[i].crossings.count; at.index++) {
            cli_fields_row(report, &ranking_crossings, &at);
        }
    }
}

/* Up to where all crossings of all pairs are known, where that is one number for those of which not
 * all is known; NAN elsewhere. Over p it is where samples begin. */
static double known_to(const isocast_ranking *ranking) {
    double known = NAN;
    for (size_t i = 0; i < ranking->pair_count; i++) {
        const isocast_crossings *c = &ranking->pairs[i].crossings;
        if (!c->more && c->complete_to < c->end) {
            if (known != c->complete_to && !isnan(known)) {
                return NAN;
            }
            known = c->complete_to;
        }
    }
    return known;
}

/* Pairs without a crossing, and those of which not all is known. */
static void report_pairs(const cli_ranking_view *v, bool over_p, cli_report *report) {
    const isocast_ranking *ranking = ranking_of(v, over_p);
    const char *axis = over_p ? "p" : size_name(v);
    double together = over_p ? known_to(ranking) : NAN;
    for (size_t i = 0; i < ranking->pair_count; i++) {
        const isocast_ranking_pair *pair = &ranking->pairs[i];
        const isocast_crossings *c = &pair->crossings;
        isocast_buffer line = {0};
        isocast_buffer_puts(&line, over_p ? "At " : "On ");
        ranking_append_place(v, over_p, pair->place, &line);
        isocast_buffer_printf(&line, " %s and %s", name_of(v, pair->first),
                              name_of(v, pair->second));
        size_t length = line.length;
        if (c->alike) {
            isocast_buffer_puts(&line, " take the same time wherever that was looked at");
        } else if (c->count == 0 && c->complete_to >= c->end && v->contenders->count == 2) {
            /* One of two is fastest everywhere, which was reported. */
        } else if (c->count == 0 && c->complete_to >= c->end) {
            isocast_buffer_printf(&line, " do not cross up to %s = %.6g", axis, c->end);
        } else if (c->count == 0 && c->complete_to == together) {
            isocast_buffer_printf(&line,
                                  " do not cross up to %s = %.6g, and no crossing was found up to "
                                  "%s = %.6g",
                                  axis, c->complete_to, axis, c->end);
        } else if (c->more) {
            isocast_buffer_printf(&line, " cross more often; the first %d are given",
                                  ISOCAST_CROSSINGS_MAX);
        }
        CLI_PUT_IF(!c->more && c->complete_to < c->end && c->complete_to != together, &line,
                   "%s: it is not certain that all crossings beyond %s = %.6g were found",
                   line.length > length ? "; of these" : "", axis, c->complete_to);
        CLI_NOTE_IF(line.length > length, report, "%s.", line.text);
        isocast_buffer_free(&line);
    }
    CLI_NOTE_IF(!isnan(together), report,
                "Beyond %s = %.6g samples are looked at. It is not certain that all crossings "
                "there were found.",
                axis, together);
}

static void add_notes(const cli_ranking_view *v, cli_report *report) {
    for (size_t value = 0; value < v->value_count; value++) {
        for (size_t k = 0; k < v->contenders->count; k++) {
            for (size_t system = 0; system < v->contenders->system_count; system++) {
                const isocast_prediction_row *row = row_at(v, value, k, system);
                if (row->note != NULL) {
                    bool ok = row->status == ISOCAST_ROW_OK;
                    cli_note(report, "%s on %s, %s = %.6g: %s%s%s.", name_of(v, k), row->system,
                             v->fixed_size ? size_name(v) : "target", v->values[value],
                             ok ? "" : isocast_row_status_word(row->status), ok ? "" : ": ",
                             row->note);
                }
            }
        }
    }
}

static cli_report *report_rows(const cli_ranking_view *view) {
    cli_report *rows = cli_fields_report(
        &ranking_rows, view, ranking_row_item, "%zu contenders, side by side%s",
        view->contenders->count,
        view->value_count == 0 ? ""
        : view->fixed_size     ? " at the same size"
                               : ", each at the size that holds the speed-efficiency");
    add_notes(view, rows);
    cli_note(rows,
             view->fixed_size
                 ? "T/best is T over the smallest T on the same system."
                 : "W/best is W over the smallest W that holds the target on the same system.");
    CLI_NOTE_IF(ranking_has_bill(view), rows,
                "price and power are those of the nodes that the system uses, with the switches "
                "and the cooling that these need; energy and cost are those of one run.");
    return rows;
}

static cli_report *report_crossings(const cli_ranking_view *view) {
    cli_report *crossings = cli_report_create();
    cli_fields_head(crossings, &ranking_crossings, view);
    add_crossings(view, false, crossings);
    add_crossings(view, true, crossings);
    cli_report_title(crossings, "%s",
                     cli_report_rows(crossings) > 0 ? "Where the faster of two changes"
                                                    : "No crossing was found");
    report_ranges(view, false, crossings);
    report_ranges(view, true, crossings);
    CLI_NOTE_IF(!all_have_fastest(view, ranking_of(view, false)) ||
                    !all_have_fastest(view, ranking_of(view, true)),
                crossings,
                "No contender can run where not all processes have work, or where rules of the "
                "algorithm files do not hold.");
    report_rules(view, crossings);
    report_pairs(view, false, crossings);
    report_pairs(view, true, crossings);
    return crossings;
}

static size_t make_reports(const void *result, bool csv, cli_report **reports) {
    (void)csv;
    const cli_ranking_view *view = result;
    size_t count = 0;
    if (view->value_count > 0) {
        reports[count++] = report_rows(view);
    }
    reports[count++] = report_crossings(view);
    return count;
}

int cli_ranking_write(const cli_ranking_view *view, const cli_common *common) {
    cli_ranking_curve curve = {.status = ISOCAST_OK};
    cli_ranking_view whole = *view;
    whole.curve = &curve;
    return cli_result_write(&(cli_written){&cli_ranking_document, make_reports, NULL}, &whole,
                            common, NULL, 0);
}
