#include "report_offers.h"

#include <math.h>
#include <string.h>

#include "cli/output/json_text.h"
#include "model/base/any.h"
#include "model/base/refused.h"
#include "model/solve/prediction_fields.h"
#include "results.h"
#include "what_if.h"
/* What the answer to a purchase question says: mixes, what would change the answer, and the JSON.
 */

/* Points of a front that JSON has at most: a picture shows no more. */
enum { FRONT_MOST = 1000, CURVE_MOST = 300, BINS_MOST = 100 };

/* So many nodes of each class of an offer, and what becomes of them. */
typedef struct mix_row {
    size_t offer;
    const isocast_mix *mix;
    const double *nodes; /* NULL: there is no such mix */
    double low, high;    /* of T, or of N where N is asked for */
} mix_row;

struct cli_offers_scratch {
    mix_row best, other; /* the row of an offer, and a mix in it or apart */
    size_t curve_offer;
    const isocast_mix *curve[CURVE_MOST];
    size_t curve_count;
    isocast_status status; /* why there is no further curve */
};

ISOCAST_GIVES(const cli_offers_view *, view_of, at->result)
ISOCAST_GIVES(const isocast_offers *, offers_of, view_of(at)->offers)
ISOCAST_GIVES(const mix_row *, row_of, at->row)
ISOCAST_GIVES(const void *, mix_of, row_of(at)->mix)
ISOCAST_GIVES(bool, asks_for_N, offers_of(at)->request.goal == ISOCAST_OFFER_PROBLEM)
ISOCAST_GIVES(bool, is_whole_life, offers_of(at)->request.whole_life)

static const char *name_at(const isocast_at *at, size_t offer) {
    return offer < offers_of(at)->count ? offers_of(at)->offers[offer].name : NULL;
}

ISOCAST_GIVES(const char *, offer_of, name_at(at, row_of(at)->offer))

/* A mix may have more processes than a system: it has no name then. */
static void put_system(const isocast_at *at, isocast_buffer *out) {
    isocast_system *system = NULL;
    if (row_of(at)->nodes == NULL) {
        return;
    }
    isocast_status status =
        isocast_mix_system(&offers_of(at)->offers[row_of(at)->offer], row_of(at)->nodes, &system);
    CLI_PUT_IF(system != NULL, out, "%s", system->name);
    out->failed = out->failed || (status != ISOCAST_OK && status != ISOCAST_INVALID);
    isocast_system_free(system);
}

static const char *nodes_of(const isocast_at *at, size_t i, double *value) {
    const isocast_machine *priced = offers_of(at)->offers[row_of(at)->offer].priced;
    if (row_of(at)->nodes == NULL || i >= priced->class_count) {
        return NULL;
    }
    *value = row_of(at)->nodes[i];
    return priced->classes[i].name;
}

ISOCAST_GIVES(double, N_low, asks_for_N(at) ? row_of(at)->low : (double)NAN)
ISOCAST_GIVES(double, N_high, asks_for_N(at) ? row_of(at)->high : (double)NAN)
ISOCAST_GIVES(double, T_low, asks_for_N(at) ? (double)NAN : row_of(at)->low)
ISOCAST_GIVES(double, T_high, asks_for_N(at) ? (double)NAN : row_of(at)->high)

ISOCAST_GIVES(const char *, currency_of, isocast_currency_unit(view_of(at)->currency))

ISOCAST_PUTS(size_heading,
             isocast_buffer_puts(
                 out, isocast_model_algorithm(offers_of(at)->offers[0].model)->sizes[0].name))

ISOCAST_GIVES(bool, serves, row_of(at)->nodes != NULL)
ISOCAST_GIVES(const char *, status_of,
              !serves(at)                                ? "none"
              : row_of(at)->offer == offers_of(at)->best ? "best"
                                                         : "ok")

static void put_note(const isocast_at *at, isocast_buffer *out) {
    if (!serves(at)) {
        cli_offers_append_lack(view_of(at), row_of(at)->offer, out);
        return;
    }
    const char *note = offers_of(at)->answers[row_of(at)->offer].prediction->rows[0].note;
    CLI_PUT_IF(note != NULL, out, "%s", note);
}

ISOCAST_GIVES(const void *, search_of, &offers_of(at)->searches[row_of(at)->offer])

static double gap_of(const isocast_at *at) {
    const isocast_offer_search *search = search_of(at);
    return search->all ? 0 : search->gap;
}

ISOCAST_GIVES(bool, has_other_N,
              asks_for_N(at) && serves(at) && offers_of(at)->best < offers_of(at)->count)

static bool beyond_item(const isocast_at *in, size_t i, isocast_at *out) {
    size_t offer = row_of(in)->offer;
    const isocast_mixes *beyond = &offers_of(in)->answers[offer].beyond;
    if (i < beyond->count) {
        view_of(in)->scratch->other =
            (mix_row){offer, &beyond->items[i], isocast_mixes_nodes(beyond, i), NAN, NAN};
    }
    out->row = &view_of(in)->scratch->other;
    return i < beyond->count;
}

ISOCAST_OWN_ITEMS(there_item, 1, &offers_of(in)->answers[row_of(in)->offer].at_best_N)

static const char currencies[] = "EUR or USD";
static const isocast_table offers_mixes;

#define MIX(member, unit, ...)                                                                     \
    ISOCAST_FIELD(#member, NUMBER, isocast_mix, member, unit, __VA_ARGS__)
static const isocast_field there_fields[] = {
    MIX(N, NULL, "that the offer to buy holds", .known = true), MIX(T, "s", "of this mix there"),
    MIX(E, NULL, "of this mix there"),
    ISOCAST_CHOSEN("status", isocast_mix, status, isocast_row_status_words,
                   "of a prediction of this mix there", .known = true)};
static const isocast_table there = {ISOCAST_TABLE(there_fields)};

enum { OF_OFFERS = 1 };
#define OFFER .only = OF_OFFERS
#define OF_MIX(name, kind, member, unit, ...)                                                      \
    ISOCAST_FIELD(name, kind, isocast_mix, member, unit, __VA_ARGS__, .from = mix_of)
#define SEARCH(name, kind, member, ...)                                                            \
    ISOCAST_FIELD(name, kind, isocast_offer_search, member, NULL, __VA_ARGS__, .from = search_of,  \
                  OFFER)
static const char *const offer_words[] = {"best", "ok", "none", NULL};
static const isocast_field mix_fields[] = {
    ISOCAST_TEXT("offer", offer_of, "its name", .known = true),
    ISOCAST_PUT("system", put_system,
                "its nodes, all of whose processors work, as predict takes them; null where the "
                "offer does not serve"),
    ISOCAST_MADE("nodes_of_class", NAMED, .named = nodes_of, NULL, "nodes by their class",
                 .known = true),
    OF_MIX("nodes", COUNT, bill.nodes, NULL, "of all classes"),
    OF_MIX("p", COUNT, p, NULL, "processes"),
    OF_MIX("C", NUMBER, C, "flop/s", "marked speed", ISOCAST_FILES),
    OF_MIX("price", NUMBER, bill.price, currencies,
           "of the nodes with what they need besides, in the currency", .unit_of = currency_of),
    OF_MIX("lifetime_price", NUMBER, bill.lifetime_price, currencies,
           "price, running cost and energy of the lifetime, in the currency; null without a "
           "lifetime",
           .heading = "lifetime price", .unit_of = currency_of, .tabled = is_whole_life),
    OF_MIX("spent", NUMBER, spent, currencies, "what counts against the budget, in the currency",
           ISOCAST_JSON),
    OF_MIX("N", COUNT, N, NULL, "first size parameter", .heading_put = size_heading, .digits = 5),
    ISOCAST_COUNT("N_low", N_low, "low end of the 90 % interval of N, where N is looked for",
                  .digits = 4, .optional = true),
    ISOCAST_COUNT("N_high", N_high, "its high end", .digits = 4, .optional = true),
    OF_MIX("W", NUMBER, W, "flop", "work", ISOCAST_JSON),
    OF_MIX("T", NUMBER, T, "s", "time of a run", .compared = 1),
    ISOCAST_NUMBER("T_low", T_low, "s", "low end of the 90 % interval of T, where N is given",
                   .optional = true, .compared = 1),
    ISOCAST_NUMBER("T_high", T_high, "s", "its high end", .optional = true, .compared = 1),
    OF_MIX("E", NUMBER, E, NULL, "speed-efficiency"),
    OF_MIX("power", NUMBER, bill.power, "W", "of the nodes with what they need besides",
           .optional = true),
    OF_MIX("energy", NUMBER, energy, "J", "of a run", .optional = true),
    OF_MIX("cost", NUMBER, cost, currencies, "of a run, in the currency", .optional = true,
           .unit_of = currency_of),
    SEARCH("mixes", COUNT, mixes.count, "that were looked at", .is_size = true, .known = true),
    ISOCAST_WORD(
        "status", status_of, offer_words,
        "best: the offer to buy; ok: it serves, too; none: it does not, and the note says why",
        OFFER),
    ISOCAST_PUT("note", put_note, "what a reader must know beside", ISOCAST_FILES, OFFER),
    SEARCH("all_mixes", FLAG, all, "these are all inside the budget"),
    SEARCH("unknown_mixes", COUNT, unknown,
           "of them that have no result, as their sums or solutions are not known", ISOCAST_JSON,
           .is_size = true, .known = true),
    ISOCAST_NUMBER("gap", gap_of, NULL,
                   "no mix inside the budget is better by more than this part, as long as none has "
                   "an E above those that were looked at; null where no bound is known",
                   ISOCAST_JSON, OFFER),
    ISOCAST_LIST("one_more", beyond_item, &offers_mixes,
                 "the mix with one node more of each class in turn, whatever the budget", OFFER),
    ISOCAST_OBJECT("at_best_N", there_item, &there,
                   "this mix at the N of the offer to buy, where the goal is largest-problem",
                   .known = true, .shown = has_other_N, OFFER)};
static const isocast_table offers_rows = ISOCAST_TABLE_OF(mix_fields, "an offer");
static const isocast_table offers_mixes = {
    "offers_mix", "so many nodes of each class of an offer, and what becomes of them",
    ISOCAST_TABLE(mix_fields), .without = OF_OFFERS};
static bool offers_row_item(const isocast_at *in, size_t i, isocast_at *out) {
    static const isocast_mix none = {
        .bill = {.nodes = NAN, .price = NAN, .power = NAN, .rate = NAN, .lifetime_price = NAN},
        .spent = NAN,
        .p = NAN,
        .C = NAN,
        .N = NAN,
        .W = NAN,
        .T = NAN,
        .E = NAN,
        .cost = NAN,
        .energy = NAN};
    const isocast_offers *o = offers_of(in);
    mix_row *row = &view_of(in)->scratch->best;
    out->row = row;
    if (i >= o->count) {
        return false;
    }
    const isocast_mix *best = isocast_offers_best(o, i);
    const isocast_offer_search *search = &o->searches[i];
    *row =
        (mix_row){i, best != NULL ? best : &none,
                  best != NULL ? isocast_mixes_nodes(&search->mixes, search->best) : NULL,
                  best != NULL ? o->answers[i].low : NAN, best != NULL ? o->answers[i].high : NAN};
    return true;
}

/* The point of the front whose number this is. */
static bool front_row(const isocast_at *in, size_t at, isocast_at *out) {
    const isocast_front_point *point = &offers_of(in)->front.points[at];
    const isocast_mixes *mixes = &offers_of(in)->searches[point->offer].mixes;
    view_of(in)->scratch->other =
        (mix_row){point->offer, &mixes->items[point->mix], isocast_mixes_nodes(mixes, point->mix),
                  point->low, point->high};
    out->row = &view_of(in)->scratch->other;
    return true;
}

/* The i-th of `count` that stand for `all`, spread evenly. */
static size_t spread(size_t i, size_t count, size_t all) {
    return count > 1 ? i * (all - 1) / (count - 1) : 0;
}

static bool front_item(const isocast_at *in, size_t i, isocast_at *out) {
    size_t all = offers_of(in)->front.count;
    size_t count = all < FRONT_MOST ? all : FRONT_MOST;
    return i < count && front_row(in, spread(i, count, all), out);
}

static bool offers_front_item(const isocast_at *in, size_t i, isocast_at *out) {
    size_t shown[ISOCAST_FRONT_SHOWN];
    return i < isocast_front_shown(&offers_of(in)->front, shown) && front_row(in, shown[i], out);
}

/* The front of an offer's mixes. */
static isocast_status find_front(const isocast_offers *o, size_t offer,
                                 struct cli_offers_scratch *out) {
    isocast_front front = {0};
    isocast_status status = isocast_front_find(&o->request, &o->searches[offer], 1, &front);
    out->curve_count = front.count < CURVE_MOST ? front.count : CURVE_MOST;
    for (size_t k = 0; k < out->curve_count; k++) {
        size_t at = spread(k, out->curve_count, front.count);
        out->curve[k] = &o->searches[offer].mixes.items[front.points[at].mix];
    }
    isocast_front_free(&front);
    return status;
}

/* Where the goal is of cost, energy or processes, which may rise again as more is spent: the best
 * mix in each of many steps of what is spent. */
static void find_best(const isocast_mixes *mixes, struct cli_offers_scratch *out) {
    const isocast_mix *best[BINS_MOST] = {NULL};
    double least = INFINITY;
    double most = 0;
    for (size_t i = 0; i < mixes->count; i++) {
        least = fmin(least, mixes->items[i].spent);
        most = fmax(most, mixes->items[i].spent);
    }
    for (size_t i = 0; i < mixes->count; i++) {
        const isocast_mix *mix = &mixes->items[i];
        double share = most > least && least > 0 ? log(mix->spent / least) / log(most / least) : 0;
        const isocast_mix **bin = &best[(size_t)(fmin(fmax(share, 0), 1) * (BINS_MOST - 1))];
        if (!isnan(mix->value) && (*bin == NULL || mix->value < (*bin)->value)) {
            *bin = mix;
        }
    }
    out->curve_count = 0;
    for (size_t k = 0; k < BINS_MOST; k++) {
        if (best[k] != NULL) {
            out->curve[out->curve_count++] = best[k];
        }
    }
}

/* A line for each offer alone, for the picture. */
static bool curve_item(const isocast_at *in, size_t i, isocast_at *out) {
    const isocast_offers *o = offers_of(in);
    struct cli_offers_scratch *scratch = view_of(in)->scratch;
    isocast_offer_goal goal = o->request.goal;
    out->row = scratch;
    if (i >= o->count || scratch->status != ISOCAST_OK) {
        return false;
    }
    scratch->curve_offer = i;
    if (goal == ISOCAST_OFFER_COST || goal == ISOCAST_OFFER_ENERGY ||
        goal == ISOCAST_OFFER_PROCESSES) {
        find_best(&o->searches[i].mixes, scratch);
    } else {
        scratch->status = find_front(o, i, scratch);
    }
    if (scratch->status != ISOCAST_OK) {
        isocast_refused_note();
    }
    return scratch->status == ISOCAST_OK;
}

ISOCAST_GIVES(const char *, curve_name, name_at(at, view_of(at)->scratch->curve_offer))

ISOCAST_OWN_ITEMS(curve_point, view_of(in)->scratch->curve_count, view_of(in)->scratch->curve[i])

static const isocast_field point_fields[] = {
    MIX(spent, currencies, "in the currency", .known = true),
    MIX(p, NULL, "processes", .known = true),
    MIX(N, NULL, "first size parameter"),
    MIX(T, "s", "time"),
    MIX(cost, currencies, "of a run, in the currency; null where it is not known"),
    MIX(energy, "J", "of a run; null where it is not known")};
static const isocast_table point_table = ISOCAST_TABLE_OF(point_fields, "a mix");
static const isocast_field curve_fields[] = {
    ISOCAST_TEXT("offer", curve_name, "its name", .known = true),
    ISOCAST_LIST("points", curve_point, &point_table, "rising; at most 300")};
static const isocast_table curve_table = ISOCAST_TABLE_OF(curve_fields, "an offer");

ISOCAST_GIVES(const char *, range_offer,
              name_at(at, ((const isocast_budget_range *)at->row)->offer))

static const isocast_field range_fields[] = {
    ISOCAST_FIELD("from", NUMBER, isocast_budget_range, from, currencies, "in the currency",
                  .known = true),
    ISOCAST_FIELD("to", NUMBER, isocast_budget_range, to, currencies,
                  "in the currency; null: no limit"),
    ISOCAST_TEXT("offer", range_offer, "its name", .known = true)};
static const isocast_table range_table = ISOCAST_TABLE_OF(range_fields, "a range of budgets");
ISOCAST_OWN_ITEMS(range_item, offers_of(in)->range_count, &offers_of(in)->ranges[i])

ISOCAST_GIVES(const isocast_decider *, decider_of, at->row)
ISOCAST_GIVES(const char *, decider_offer, name_at(at, decider_of(at)->offer))

ISOCAST_PUTS(put_unit,
             isocast_buffer_puts(out, isocast_dimension_text(decider_of(at)->dimension).text))

ISOCAST_GIVES(bool, keeps_nodes, !decider_of(at)->chosen_again)

ISOCAST_PUTS(put_what, cli_offers_append_decider(view_of(at), decider_of(at), out))

ISOCAST_PUTS(put_now,
             isocast_buffer_puts(out, cli_offers_decider_now(view_of(at), decider_of(at)).text))

static void put_threshold(const isocast_at *at, isocast_buffer *out) {
    const isocast_decider *d = decider_of(at);
    bool up = d->to > d->now;
    const char *words = !isnan(d->threshold) ? (up ? "above" : "below")
                                             : (up ? "not found up to" : "not found down to");
    isocast_buffer_printf(out, "%s %s", words, cli_offers_decider_end(view_of(at), d).text);
}

ISOCAST_PUTS(put_sentence, cli_offers_append_change(view_of(at), decider_of(at), out))

static const char *const decider_words[] = {
#define WORD(name, word) word,
    ISOCAST_DECIDER_LIST(WORD)
#undef WORD
        NULL};
#define DECIDER(name, member, unit, ...)                                                           \
    ISOCAST_FIELD(name, NUMBER, isocast_decider, member, unit, __VA_ARGS__)
static const char si_units[] = "SI units";
static const isocast_field change_fields[] = {
    CLI_CHANGE_COLUMNS(put_what, put_now, put_threshold),
    ISOCAST_CHOSEN("of", isocast_decider, kind, decider_words, "what is varied", ISOCAST_JSON,
                   .known = true),
    ISOCAST_TEXT("offer", decider_offer, "whose number it is; null where it belongs to none alone",
                 ISOCAST_JSON),
    ISOCAST_FIELD("name", TEXT, isocast_decider, name, NULL, "of the node class or the parameter",
                  ISOCAST_JSON),
    ISOCAST_FIELD("meaning", TEXT, isocast_decider, meaning, NULL, "of a parameter, in words",
                  ISOCAST_JSON),
    ISOCAST_PUT("unit", put_unit, "SI unit of the numbers; 1 for none", ISOCAST_JSON,
                .known = true),
    DECIDER("now", now, si_units, "its value", ISOCAST_JSON, .known = true),
    DECIDER("threshold", threshold, si_units,
            "the nearest value at which the second offer is as good; null where none was found",
            ISOCAST_JSON),
    DECIDER("searched_from", from, si_units, "least value that was looked at", ISOCAST_JSON,
            .known = true),
    DECIDER("searched_to", to, si_units, "largest value that was looked at", ISOCAST_JSON,
            .known = true),
    DECIDER("elasticity", elasticity, NULL, "of N or T of this offer to it", .optional = true),
    ISOCAST_FLAG("same_nodes", keeps_nodes,
                 "both offers keep their nodes; else the best mix of each was looked for again"),
    ISOCAST_PUT("what", put_what, "the number in words", ISOCAST_JSON, .known = true),
    ISOCAST_PUT("sentence", put_sentence, "what comes of it", ISOCAST_JSON, .known = true)};
static const isocast_table offers_changes =
    ISOCAST_TABLE_OF(change_fields, "one number that was varied");
ISOCAST_OWN_ITEMS(cli_offers_change_item, view_of(in)->decision->count,
                  &view_of(in)->decision->items[i])

ISOCAST_OWN_ITEMS(acceptance_item, view_of(in)->acceptances->count,
                  &view_of(in)->acceptances->items[i])

ISOCAST_GIVES(const void *, request_of, &offers_of(at)->request)
ISOCAST_GIVES(const char *, budget_for, is_whole_life(at) ? "lifetime" : "price")

static const char *const budget_words[] = {"price", "lifetime", NULL};
#define ASKED(member, unit, ...)                                                                   \
    ISOCAST_FIELD(#member, NUMBER, isocast_offers_request, member, unit, __VA_ARGS__,              \
                  .from = request_of)
static const isocast_field question_fields[] = {
    ISOCAST_CHOSEN("goal", isocast_offers_request, goal, cli_offers_goals, "what is looked for",
                   .from = request_of, .known = true),
    ASKED(budget, currencies, "in the currency; null: no limit"),
    ASKED(N, NULL, "first size parameter; null where it is looked for"),
    ASKED(efficiency, NULL, "that is held, or kept at least; null: no limit"),
    ASKED(deadline, "s", "the longest T; null: no limit"),
    ISOCAST_WORD("budget_for", budget_for, budget_words, "what the budget is for")};
static const isocast_table question = {NULL, NULL, ISOCAST_TABLE(question_fields)};

ISOCAST_PUTS(put_answer, cli_offers_append_answer(view_of(at), out))

static void append_sentence(void *array, const char *sentence) {
    cli_json_append(array, sentence != NULL ? cli_json_string(sentence) : NULL);
}

static void *sentences_of(const isocast_at *at) {
    json_t *sentences = json_array();
    cli_offers_report(view_of(at), append_sentence, &sentences);
    return sentences;
}

ISOCAST_GIVES(const char *, best_of, name_at(at, offers_of(at)->best))
ISOCAST_GIVES(const void *, from_front, &offers_of(at)->front)
ISOCAST_GIVES(const char *, given_offer, name_at(at, at->index))
ISOCAST_GIVES(const char *, given_machine, ((const cli_loaded *)at->row)->machine->name)

static const isocast_field given_fields[] = {
    ISOCAST_TEXT("offer", given_offer, "its name", .known = true),
    ISOCAST_TEXT("machine", given_machine, "its machine", .known = true),
    ISOCAST_FIELD("file", TEXT, cli_loaded, machine_path, NULL, "of the machine, as it was found",
                  .known = true)};
static const isocast_table given_table = ISOCAST_TABLE_OF(given_fields, "an offer");
ISOCAST_OWN_ITEMS(given_item, view_of(in)->given->count, &view_of(in)->given->loaded[i])

ISOCAST_GIVES(const char *, algorithm_file, view_of(at)->given->loaded[0].algorithm_path)

static bool is_set_everywhere(const cli_offers *offers, const isocast_setting *setting) {
    size_t found = 0;
    for (size_t i = 0; i < offers->count; i++) {
        const cli_loaded *loaded = &offers->loaded[i];
        for (size_t k = 0; k < loaded->setting_count; k++) {
            found += strcmp(loaded->settings[k].name, setting->name) == 0 &&
                     loaded->settings[k].value == setting->value;
        }
    }
    return found >= offers->count;
}

/* By name, and by "OFFER.NAME" where not all offers have it. */
static void *settings_of(const isocast_at *at) {
    const cli_offers *given = view_of(at)->given;
    json_t *set = json_object();
    for (size_t i = 0; i < given->count; i++) {
        for (size_t k = 0; k < given->loaded[i].setting_count; k++) {
            const isocast_setting *setting = &given->loaded[i].settings[k];
            bool everywhere = is_set_everywhere(given, setting);
            isocast_buffer key = {0};
            isocast_buffer_printf(&key, "%s%s%s", everywhere ? "" : given->names[i],
                                  everywhere ? "" : ".", setting->name);
            if (!key.failed) {
                cli_json_set(&set, key.text, cli_json_number(setting->value));
            }
            isocast_buffer_free(&key);
        }
    }
    return set;
}

static const isocast_field provenance_fields[] = {
    CLI_VERSION, CLI_COMMAND,
    ISOCAST_TEXT("algorithm_file", algorithm_file, "as it was found", .known = true),
    ISOCAST_LIST("offers", given_item, &given_table, "by offer"),
    ISOCAST_MADE("set", FOREIGN, .foreign = settings_of, NULL, "values that --set gave",
                 .schema = "{\"type\": \"object\", \"additionalProperties\": {\"type\": "
                           "\"number\", \"description\": \"a value [SI units]\"}}")};
static const isocast_table provenance = {NULL, NULL, ISOCAST_TABLE(provenance_fields)};

static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.offers/1"),
    CLI_ALGORITHM,
    CLI_SIZE,
    ISOCAST_TEXT("currency", currency_of,
                 "of all amounts, EUR or USD; null where there is none but 0"),
    ISOCAST_OBJECT("question", NULL, &question, "what was asked", .known = true),
    ISOCAST_PUT("answer", put_answer, "in one or two sentences", .known = true),
    ISOCAST_MADE("sentences", FOREIGN, .foreign = sentences_of, NULL, "further sentences",
                 .schema = "{\"type\": \"array\", \"items\": {\"type\": \"string\", "
                           "\"description\": \"one\"}}"),
    ISOCAST_TEXT("best", best_of, "the offer to buy; null where none serves"),
    ISOCAST_LIST("rows", offers_row_item, &offers_rows, "by offer: its best mix"),
    ISOCAST_LIST("front", front_item, &offers_mixes,
                 "Pareto front of what is spent and T, or N where it is looked for, over all "
                 "offers; rising; at most 1000"),
    ISOCAST_FIELD("front_points", COUNT, isocast_front, count, NULL, "of the whole front",
                  .from = from_front, .is_size = true, .known = true),
    ISOCAST_LIST("fronts_of_offers", curve_item, &curve_table,
                 "the front of each offer alone; where the goal is cost, energy or processes, its "
                 "best mix in each of up to 100 steps of what is spent"),
    ISOCAST_LIST("best_by_budget", range_item, &range_table,
                 "which offer is best at which smaller budget, by the mixes that were looked at"),
    ISOCAST_LIST("changes", cli_offers_change_item, &offers_changes,
                 "what would change the answer"),
    CLI_ACCEPTANCE(acceptance_item),
    ISOCAST_OBJECT("provenance", NULL, &provenance, "where the result comes from", .known = true)};
const isocast_table cli_offers_document = {"offers", "what isocast offers writes",
                                           ISOCAST_TABLE(fields)};

static bool looks_for_N(const cli_offers_view *v) {
    return v->offers->request.goal == ISOCAST_OFFER_PROBLEM;
}

static void add_footnote(void *report, const char *sentence) {
    if (sentence == NULL) {
        cli_report_fail(report);
    } else {
        cli_note(report, "%s", sentence);
    }
}

static void add_notes(const cli_offers_view *v, cli_report *report) {
    for (size_t i = 0; i < v->offers->count && v->offers->best < v->offers->count; i++) {
        const isocast_prediction *prediction = v->offers->answers[i].prediction;
        if (prediction != NULL && prediction->rows[0].note != NULL) {
            cli_note(report, "%s: %s", v->offers->offers[i].name, prediction->rows[0].note);
        } else if (prediction == NULL) {
            isocast_buffer lack = {0};
            cli_offers_append_lack(v, i, &lack);
            cli_note(report, "%s does not serve: %s.", v->offers->offers[i].name,
                     lack.text != NULL ? lack.text : "");
            isocast_buffer_free(&lack);
        }
    }
}

static cli_report *report_best(const cli_offers_view *v) {
    cli_report *report = cli_report_create();
    isocast_buffer answer = {0};
    cli_offers_append_answer(v, &answer);
    cli_report_title_take(report, &answer);
    cli_fields_fill(report, &offers_rows, v, offers_row_item);
    cli_offers_report(v, add_footnote, report);
    add_notes(v, report);
    return report;
}

static cli_report *report_front(const cli_offers_view *v) {
    cli_report *report = cli_report_create();
    size_t count = v->offers->front.count;
    cli_report_title(report, "Pareto front of price and %s, from the cheapest mix on",
                     looks_for_N(v) ? "size" : "time");
    cli_fields_fill(report, &offers_mixes, v, offers_front_item);
    CLI_NOTE_IF(count > ISOCAST_FRONT_SHOWN, report, "%d of %zu mixes are shown; JSON has more.",
                ISOCAST_FRONT_SHOWN, count);
    return report;
}

ISOCAST_ANY(keeps_some_nodes, (const isocast_decision *d), d->count, !d->items[i].chosen_again)

static cli_report *report_changes(const cli_offers_view *v) {
    const isocast_offers *o = v->offers;
    cli_report *report = cli_fields_report(
        &offers_changes, v, cli_offers_change_item, "What makes %s no longer better than %s",
        o->offers[o->best].name, o->offers[v->decision->rival].name);
    CLI_NOTE_IF(keeps_some_nodes(v->decision), report,
                "One number changes at a time. As prices change, the best mix of each offer is "
                "chosen again; as others do, both keep their nodes.");
    return report;
}

/* The best mix of each offer, the front, and what would change the answer: without a second offer
 * nothing would, and without any that serves there is no front. The first one's title answers the
 * question. CSV has one table: that of acceptance where it is asked for. */
static size_t make_reports(const void *result, bool csv, cli_report **reports) {
    const cli_offers_view *view = result;
    const isocast_offers *o = view->offers;
    size_t count = 0;
    if (csv && view->acceptances->count > 0) {
        reports[count++] = cli_acceptance_report(view->acceptances);
        return count;
    }
    reports[count++] = report_best(view);
    if (o->best < o->count) {
        reports[count++] = report_front(view);
    }
    if (view->decision->rival < o->count) {
        reports[count++] = report_changes(view);
    }
    if (view->acceptances->count > 0) {
        reports[count++] = cli_acceptance_report(view->acceptances);
    }
    return count;
}

static json_t *what_if(const void *view) {
    return cli_what_if_of_offers(((const cli_offers_view *)view)->offers);
}

int cli_offers_write(const cli_offers_view *view, const cli_common *common) {
    struct cli_offers_scratch scratch = {.status = ISOCAST_OK};
    cli_offers_view whole = *view;
    whole.scratch = &scratch;
    return cli_result_write(&(cli_written){&cli_offers_document, make_reports, what_if}, &whole,
                            common, NULL, 0);
}
