/* A purchase question answered in sentences. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/base/any.h"
#include "model/base/quantity.h"
#include "report_offers.h"

enum { AMOUNT_DIGITS = 4, BUDGET_DIGITS = 6, AMOUNT_DIGITS_MOST = 15 };
/* A bound that leaves more than this part of the value open says nothing. */
static const double useful_gap = 0.9;
/* Of an N that is a root of T or E. */
static const double rounding = 1e-9;

const char *const cli_offers_goals[] = {[ISOCAST_OFFER_PROBLEM] = "largest-problem",
                                        [ISOCAST_OFFER_RUN] = "largest-run",
                                        [ISOCAST_OFFER_TIME] = "time",
                                        [ISOCAST_OFFER_COST] = "cost",
                                        [ISOCAST_OFFER_ENERGY] = "energy",
                                        [ISOCAST_OFFER_PROCESSES] = "processes",
                                        NULL};

static const char *name_of(const cli_offers_view *v, size_t offer) {
    return v->offers->offers[offer].name;
}

static const char *size_name(const cli_offers_view *v) {
    return isocast_model_algorithm(v->offers->offers[0].model)->sizes[0].name;
}

static isocast_amount amount(const cli_offers_view *v, double value) {
    return isocast_quantity_text(value, isocast_currency_name(v->currency), AMOUNT_DIGITS);
}

static isocast_amount seconds(double value) {
    return isocast_quantity_text(value, "s", 4);
}

/* The least amount that is enough, so that the stated one is, too: more digits where it would reach
 * `next`, from which on something else holds. */
static isocast_amount least_amount(const cli_offers_view *v, double least, double next) {
    int digits = BUDGET_DIGITS;
    while (digits < AMOUNT_DIGITS_MOST && isocast_quantity_round(least, digits, true) >= next) {
        digits++;
    }
    return isocast_quantity_text(isocast_quantity_round(least, digits, true),
                                 isocast_currency_name(v->currency), digits);
}

static void append_count(double count, const char *one, isocast_buffer *out) {
    isocast_buffer_printf(out, "%.0f %s%s", count, one,
                          count == 1                    ? ""
                          : one[strlen(one) - 1] == 's' ? "es"
                                                        : "s");
}

/* What the goal looks at, of a mix. */
static void append_value(const cli_offers_view *v, const isocast_mix *mix, isocast_buffer *out) {
    switch (v->offers->request.goal) {
    case ISOCAST_OFFER_PROBLEM:
        isocast_buffer_printf(out, "%s = %.6g", size_name(v), mix->N);
        break;
    case ISOCAST_OFFER_RUN:
        isocast_buffer_printf(out, "%s = %.6g", size_name(v),
                              isocast_quantity_round(mix->N, 6, false));
        break;
    case ISOCAST_OFFER_TIME:
        isocast_buffer_puts(out, seconds(mix->T).text);
        break;
    case ISOCAST_OFFER_COST:
        isocast_buffer_printf(out, "%s a run", amount(v, mix->cost).text);
        break;
    case ISOCAST_OFFER_ENERGY:
        isocast_buffer_printf(out, "%s a run", isocast_quantity_text(mix->energy, "J", 4).text);
        break;
    case ISOCAST_OFFER_PROCESSES:
        append_count(mix->p, "process", out);
        isocast_buffer_printf(out, " and T = %s", seconds(mix->T).text);
        break;
    }
}

/* "32 nodes (8x32, 256 processes) for 488 kEUR". */
static void append_mix(const cli_offers_view *v, size_t offer, isocast_buffer *out) {
    const isocast_mix *mix = isocast_offers_best(v->offers, offer);
    append_count(mix->bill.nodes, "node", out);
    isocast_buffer_printf(out, " (%s, ", v->offers->answers[offer].system->name);
    append_count(mix->p, "process", out);
    isocast_buffer_printf(out, ") for %s%s", amount(v, mix->spent).text,
                          v->offers->request.whole_life ? " over the lifetime" : "");
}

/* The largest N that the mix can run, and what it is limited by. */
static void append_run(const cli_offers_view *v, const isocast_mix *mix, isocast_buffer *out) {
    static const char *const limits[] = {
        [ISOCAST_RUN_BY_SIZE] = "which is all that the algorithm file allows",
        [ISOCAST_RUN_BY_MEMORY] = "which fills their memory",
        [ISOCAST_RUN_BY_DEADLINE] = "which takes all of the time allowed",
        [ISOCAST_RUN_BY_EFFICIENCY] = "beyond which E is too low"};
    isocast_buffer_printf(out, "They run %s up to %.6g, %s, in %s with E = %.4g: the largest %s",
                          size_name(v), isocast_quantity_round(mix->N, 6, false),
                          limits[mix->limit], seconds(mix->T).text, mix->E, size_name(v));
}

/* What the chosen mix does, after "Buy 32 nodes of alpha for 488 kEUR". */
static void append_reason(const cli_offers_view *v, isocast_buffer *out) {
    const isocast_offers_request *request = &v->offers->request;
    const isocast_mix *mix = isocast_offers_best(v->offers, v->offers->best);
    const char *size = size_name(v);
    switch (request->goal) {
    case ISOCAST_OFFER_PROBLEM:
        isocast_buffer_printf(out, "They hold E = %.4g at %s = %.6g, the largest %s",
                              request->efficiency, size, mix->N, size);
        break;
    case ISOCAST_OFFER_RUN:
        append_run(v, mix, out);
        break;
    case ISOCAST_OFFER_TIME:
        isocast_buffer_printf(out, "They run %s = %.6g in %s, the least time", size, mix->N,
                              seconds(mix->T).text);
        break;
    case ISOCAST_OFFER_COST:
        isocast_buffer_printf(out, "A run of %s = %.6g costs %s on them, the least cost", size,
                              mix->N, amount(v, mix->cost).text);
        break;
    case ISOCAST_OFFER_ENERGY:
        isocast_buffer_printf(out, "A run of %s = %.6g takes %s on them, the least energy", size,
                              mix->N, isocast_quantity_text(mix->energy, "J", 4).text);
        break;
    case ISOCAST_OFFER_PROCESSES:
        append_count(mix->p, "process", out);
        isocast_buffer_printf(out,
                              isnan(request->efficiency)
                                  ? " are the most worth buying: price times time is the least "
                                    "at %s = %.6g"
                                  : " are the most that keep the efficiency at %s = %.6g",
                              size, mix->N);
        break;
    }
}

/* How far the answer is proved. */
static void append_proof(const cli_offers_view *v, isocast_buffer *out) {
    size_t looked = 0;
    size_t unknown = 0;
    size_t serving = 0;
    bool all = true;
    double gap = 0;
    double highest = 0;
    for (size_t i = 0; i < v->offers->count; i++) {
        const isocast_offer_search *search = &v->offers->searches[i];
        looked += search->mixes.count;
        unknown += search->unknown;
        for (size_t k = 0; k < search->mixes.count; k++) {
            serving += isnan(search->mixes.items[k].value) ? 0 : 1;
        }
        all = all && search->all;
        if (!search->all && search->best < search->mixes.count) {
            gap = isnan(gap) || isnan(search->gap) ? NAN : fmax(gap, search->gap);
            highest = fmax(highest, search->highest_E);
        }
    }
    bool limited = isfinite(v->offers->request.budget);
    const char *which = limited ? "inside the budget" : "that are offered";
    if (all && serving < looked) {
        isocast_buffer_printf(out, " of the %zu that serve, of all %zu mixes %s", serving, looked,
                              which);
    } else if (all) {
        isocast_buffer_printf(out, " of all %zu mixes %s", looked, which);
    } else {
        isocast_buffer_printf(out,
                              " of the %zu mixes that were looked at; there are too many to look "
                              "at all, so it is not proved",
                              looked);
    }
    CLI_PUT_IF(all && unknown > 0, out, ", of which %zu have no result", unknown);
    if (!all && gap < useful_gap) {
        isocast_buffer_printf(out,
                              ". No mix is better by more than %.3g %%, as long as none has a "
                              "speed-efficiency above the largest seen, %.4g",
                              isocast_quantity_round(100 * gap, 3, true),
                              isocast_quantity_round(highest, 4, false));
    } else if (!all) {
        isocast_buffer_puts(out, ", and no useful bound on what was missed is known");
    }
}

/* The cheapest node is over the budget: with so many digits that it is read as such. */
static void append_over_budget(const cli_offers_view *v, double least, double budget,
                               isocast_buffer *out) {
    const char *currency = isocast_currency_name(v->currency);
    int digits = isocast_quantity_digits_apart(budget, least, AMOUNT_DIGITS);
    isocast_buffer_printf(out,
                          "the cheapest node with all that it needs costs %s, which is over the "
                          "budget of %s",
                          isocast_quantity_text(least, currency, digits).text,
                          isocast_quantity_text(budget, currency, digits).text);
}

void cli_offers_append_lack(const cli_offers_view *v, size_t offer, isocast_buffer *out) {
    const isocast_offers *o = v->offers;
    isocast_row_status status;
    static const char *const words[] = {
        [ISOCAST_LACK_WORK] = "not all processes can work at this size",
        [ISOCAST_LACK_DEADLINE] = "no mix meets the deadline",
        [ISOCAST_LACK_EFFICIENCY] = "no mix keeps the efficiency",
        [ISOCAST_LACK_VALUE] = "what the goal looks at is not known"};
    isocast_offer_lack lack = isocast_offers_lack(o, offer, &status);
    if (lack == ISOCAST_LACK_BUDGET) {
        append_over_budget(v, o->searches[offer].least_spent, o->request.budget, out);
    } else if (lack == ISOCAST_LACK_SOLUTION) {
        isocast_buffer_printf(out, "no mix has a result; most are '%s'",
                              isocast_row_status_word(status));
    } else if (lack != ISOCAST_LACK_NONE) {
        isocast_buffer_puts(out, words[lack]);
    }
}

/* Whether an offer runs the N of the chosen one with at least its E, and in less time: who holds E
 * at a larger N may only have the slower network. */
static bool is_faster_there(const isocast_offers *o, size_t offer) {
    const isocast_mix *mix = &o->answers[offer].at_best_N;
    return o->request.goal == ISOCAST_OFFER_PROBLEM && offer != o->best && !isnan(mix->value) &&
           mix->T < isocast_offers_best(o, o->best)->T;
}

ISOCAST_ANY(any_is_faster_there, (const isocast_offers *o), o->count, is_faster_there(o, i))

static void append_faster_there(const cli_offers_view *v, isocast_buffer *out) {
    const isocast_offers *o = v->offers;
    bool any = false;
    for (size_t i = 0; i < o->count; i++) {
        if (is_faster_there(o, i)) {
            isocast_buffer_printf(out, "%s %s runs that %s with E = %.4g in %s",
                                  any ? "," : " But this does not speak for it:", name_of(v, i),
                                  size_name(v), o->answers[i].at_best_N.E,
                                  seconds(o->answers[i].at_best_N.T).text);
            any = true;
        }
    }
    CLI_PUT_IF(any, out,
               ", where it takes %s itself. Compare the times with --goal time --at %s=%.6g.",
               seconds(isocast_offers_best(o, o->best)->T).text, size_name(v),
               isocast_offers_best(o, o->best)->N);
}

/* Cost and energy of a run are often the least on few nodes; who asks for them with a budget may
 * expect it to be spent. */
static void append_nature(const cli_offers_view *v, isocast_buffer *out) {
    const isocast_offers_request *request = &v->offers->request;
    const isocast_mix *mix = isocast_offers_best(v->offers, v->offers->best);
    if (request->goal != ISOCAST_OFFER_COST && request->goal != ISOCAST_OFFER_ENERGY) {
        return;
    }
    isocast_buffer_printf(out, " This goal takes the mix with the least %s of a run, %s",
                          request->goal == ISOCAST_OFFER_COST ? "cost" : "energy",
                          isnan(request->deadline) ? "however long that takes"
                                                   : "within the deadline");
    CLI_PUT_IF(isfinite(request->budget), out, ", and spends %s of the budget of %s",
               amount(v, mix->spent).text, amount(v, request->budget).text);
    isocast_buffer_printf(out, "; here it takes %s. For the shortest run%s, take --goal time.",
                          seconds(mix->T).text,
                          isfinite(request->budget) ? " inside the budget" : "");
}

/* The offers that the intervals do not state from the chosen one: "beta", "beta and gamma". */
static size_t append_uncertain(const cli_offers_view *v, isocast_buffer *out) {
    const isocast_offers *o = v->offers;
    size_t count = 0;
    for (size_t i = 0; i < o->count; i++) {
        CLI_PUT_IF(i != o->best && isocast_offers_overlap(o, o->best, i), out, "%s%s",
                   count++ > 0 ? " or " : "", name_of(v, i));
    }
    return count;
}

static const double percent = 100;

/* Under which condition the best offer stays that, as terms are uncertain: of the offer that it
 * depends on most. Whether there is one. */
static bool append_condition(const cli_offers_view *v, isocast_buffer *out) {
    const isocast_offers *o = v->offers;
    size_t closest = o->count;
    double least = INFINITY;
    double most = NAN;
    for (size_t i = 0; i < o->count; i++) {
        double needed;
        double found;
        if (isocast_offers_may_reverse(o, i, &needed, &found) &&
            (closest == o->count || needed < least)) {
            closest = i;
            least = needed;
            most = found;
        }
    }
    if (closest == o->count) {
        return false;
    }
    if (isnan(least)) {
        isocast_buffer_printf(out,
                              "%s comes first, where terms stated as uncertain count for "
                              "nothing: ",
                              name_of(v, o->best));
        return true;
    }
    isocast_buffer_printf(out,
                          "%s comes first as long as terms stated as uncertain make its run less "
                          "than %.3g %% longer, against that of %s, and they may make it ",
                          name_of(v, o->best), percent * (least - 1), name_of(v, closest));
    if (isfinite(most)) {
        isocast_buffer_printf(out, "%.3g %% longer: ", percent * (most - 1));
    } else {
        isocast_buffer_puts(out, "longer by an unknown time: ");
    }
    return true;
}

void cli_offers_append_answer(const cli_offers_view *v, isocast_buffer *out) {
    const isocast_offers *o = v->offers;
    if (o->best == o->count) {
        isocast_buffer_puts(out, "No offer serves");
        for (size_t i = 0; i < o->count; i++) {
            isocast_buffer_printf(out, "%s %s: ", i == 0 ? "." : ";", name_of(v, i));
            cli_offers_append_lack(v, i, out);
        }
        isocast_buffer_puts(out, ".");
        return;
    }
    isocast_buffer uncertain = {0};
    bool certain = append_uncertain(v, &uncertain) == 0;
    if (certain && append_condition(v, out)) {
        /* It is stated. */
    } else if (certain && !any_is_faster_there(o)) {
        isocast_buffer_printf(out, "Buy %s: ", name_of(v, o->best));
    } else if (certain) {
        isocast_buffer_printf(out, "%s comes first: ", name_of(v, o->best));
    } else {
        isocast_buffer_printf(out,
                              "%s comes first, but it is not certain that it is better than %s: ",
                              name_of(v, o->best), uncertain.text != NULL ? uncertain.text : "");
    }
    out->failed = out->failed || uncertain.failed;
    isocast_buffer_free(&uncertain);
    append_mix(v, o->best, out);
    isocast_buffer_puts(out, ". ");
    append_reason(v, out);
    append_proof(v, out);
    isocast_buffer_puts(out, ".");
    append_nature(v, out);
    append_faster_there(v, out);
}

/* Reports a sentence, and frees it. */
static void report_line(isocast_buffer *sentence, cli_sentence_taker *report, void *to) {
    report(to, sentence->failed ? NULL : sentence->text);
    isocast_buffer_free(sentence);
}

/* The offer that comes next, and whether the intervals distinguish the two. */
static void report_second(const cli_offers_view *v, cli_sentence_taker *report, void *to) {
    const isocast_offers *o = v->offers;
    size_t second = isocast_offers_second(o);
    if (o->best == o->count || second == o->count) {
        return;
    }
    isocast_buffer line = {0};
    isocast_buffer_printf(&line, "%s comes next: ", name_of(v, second));
    append_mix(v, second, &line);
    isocast_buffer_puts(&line, ", with ");
    append_value(v, isocast_offers_best(o, second), &line);
    isocast_buffer_puts(&line, ".");
    if (isocast_offers_overlap(o, o->best, second)) {
        isocast_buffer_puts(&line, " The 90 % intervals of both overlap, so which is better is not "
                                   "certain.");
    }
    report_line(&line, report, to);
}

/* What one node more of each class would do. */
static void report_beyond(const cli_offers_view *v, cli_sentence_taker *report, void *to) {
    const isocast_offers *o = v->offers;
    if (o->best == o->count) {
        return;
    }
    const isocast_mix *best = isocast_offers_best(o, o->best);
    const double *nodes =
        isocast_mixes_nodes(&o->searches[o->best].mixes, o->searches[o->best].best);
    const isocast_mixes *beyond = &o->answers[o->best].beyond;
    const isocast_machine *machine = o->offers[o->best].priced;
    for (size_t i = 0; i < beyond->count; i++) {
        const isocast_mix *mix = &beyond->items[i];
        size_t class_index = 0;
        while (isocast_mixes_nodes(beyond, i)[class_index] == nodes[class_index]) {
            class_index++;
        }
        bool of_N = isocast_offer_goal_is_size(o->request.goal);
        double change = of_N ? mix->N / best->N - 1 : mix->T / best->T - 1;
        double dearer = mix->spent / best->spent - 1;
        isocast_buffer line = {0};
        isocast_buffer_puts(&line, "One node more");
        CLI_PUT_IF(machine->class_count > 1, &line, " of class %s",
                   machine->classes[class_index].name);
        isocast_buffer_printf(&line, " costs %s (%+.3g %%) and changes %s by %+.3g %%.",
                              amount(v, mix->spent - best->spent).text, 100 * dearer,
                              of_N ? size_name(v) : "T", 100 * change);
        const isocast_offers_request *request = &o->request;
        /* A largest run that is outside its limits is none. */
        bool runs = request->goal != ISOCAST_OFFER_RUN ||
                    (!(mix->T > request->deadline * (1 + rounding)) &&
                     !(mix->E < request->efficiency * (1 - rounding)));
        if (isfinite(change) && isfinite(dearer) && !mix->idle && runs) {
            report_line(&line, report, to);
        }
        isocast_buffer_free(&line);
    }
}

static isocast_amount decider_value(const cli_offers_view *v, const isocast_decider *d,
                                    double value, int digits) {
    const char *currency = isocast_currency_name(v->currency);
    isocast_amount out;
    if (d->kind == ISOCAST_DECIDER_ENERGY_PRICE) {
        snprintf(out.text, sizeof out.text, "%.*g %s/kWh", digits, value * d->per_unit, currency);
        return out;
    }
    isocast_unit_text unit = isocast_dimension_text(d->dimension);
    return isocast_quantity_text(value,
                                 isocast_dimension_is_count(d->dimension) ? ""
                                 : d->kind == ISOCAST_DECIDER_PRICE       ? currency
                                                                          : unit.text,
                                 digits);
}

isocast_amount cli_offers_decider_now(const cli_offers_view *v, const isocast_decider *d) {
    return decider_value(
        v, d, d->now,
        isnan(d->stated) ? d->digits : isocast_quantity_digits_apart(d->now, d->stated, d->digits));
}

isocast_amount cli_offers_decider_end(const cli_offers_view *v, const isocast_decider *d) {
    bool up = d->to > d->now;
    double end = up ? d->to : d->from;
    return decider_value(v, d,
                         isnan(d->stated) ? isocast_quantity_round(end, d->digits, !up) : d->stated,
                         d->digits);
}

/* "the price of a node of alpha", "T_send.start of beta (start-up time of T_send)". */
void cli_offers_append_decider(const cli_offers_view *v, const isocast_decider *d,
                               isocast_buffer *out) {
    bool one_class =
        d->offer < v->offers->count && v->offers->offers[d->offer].priced->class_count == 1;
    switch (d->kind) {
    case ISOCAST_DECIDER_PRICE:
    case ISOCAST_DECIDER_POWER:
    case ISOCAST_DECIDER_MARKED_SPEED:
        isocast_buffer_printf(out, "the %s of a %s%s%s of %s",
                              d->kind == ISOCAST_DECIDER_PRICE   ? "price"
                              : d->kind == ISOCAST_DECIDER_POWER ? "power"
                                                                 : "marked speed",
                              d->kind == ISOCAST_DECIDER_MARKED_SPEED ? "processor" : "node",
                              one_class ? "" : " of class ", one_class ? "" : d->name,
                              name_of(v, d->offer));
        break;
    case ISOCAST_DECIDER_ENERGY_PRICE:
        isocast_buffer_puts(out, "the price of energy");
        break;
    case ISOCAST_DECIDER_SIZE:
        isocast_buffer_puts(out, size_name(v));
        break;
    case ISOCAST_DECIDER_EFFICIENCY:
        isocast_buffer_puts(out, v->offers->request.goal == ISOCAST_OFFER_RUN
                                     ? "the least efficiency allowed"
                                     : "the efficiency that is held");
        break;
    default:
        isocast_buffer_printf(out, "%s of %s", d->name, name_of(v, d->offer));
        CLI_PUT_IF(d->meaning != NULL, out, " (%s)", d->meaning);
        break;
    }
}

void cli_offers_append_change(const cli_offers_view *v, const isocast_decider *d,
                              isocast_buffer *out) {
    const isocast_offers *o = v->offers;
    bool up = d->to > d->now;
    bool found = !isnan(d->threshold);
    isocast_buffer_printf(out, "%s is %s than %s %s ", name_of(v, o->best),
                          found ? "no longer better" : "better", name_of(v, v->decision->rival),
                          found ? "with" : "at each value looked at of");
    cli_offers_append_decider(v, d, out);
    isocast_buffer_printf(out, " %s %s (now %s)%s",
                          found ? (up ? "just above" : "just below") : (up ? "up to" : "down to"),
                          cli_offers_decider_end(v, d).text, cli_offers_decider_now(v, d).text,
                          found ? "." : "; beyond, nothing was looked at.");
}

ISOCAST_ALL(all_looked_at, (const isocast_offers *o), o->count, o->searches[i].all)

/* Which offer is best at a smaller budget. */
static void report_budgets(const cli_offers_view *v, cli_sentence_taker *report, void *to) {
    enum { RANGES_REPORTED = 4 };
    const isocast_offers *o = v->offers;
    if (o->range_count < 2) {
        return;
    }
    isocast_buffer line = {0};
    size_t first = o->range_count > RANGES_REPORTED ? o->range_count - RANGES_REPORTED : 0;
    double next = o->request.budget;
    isocast_buffer_puts(&line, "With a smaller budget:");
    for (size_t i = o->range_count; i-- > first;) {
        isocast_buffer_printf(&line, "%s %s is the best from %s on",
                              i + 1 == o->range_count ? "" : ",", name_of(v, o->ranges[i].offer),
                              least_amount(v, o->ranges[i].from, next).text);
        next = o->ranges[i].from;
    }
    isocast_buffer_puts(&line, first > 0 ? ", and others below that" : "");
    isocast_buffer_puts(&line, all_looked_at(o) ? "." : ", of the mixes that were looked at.");
    report_line(&line, report, to);
}

void cli_offers_report(const cli_offers_view *view, cli_sentence_taker *report, void *to) {
    report_second(view, report, to);
    report_beyond(view, report, to);
    report_budgets(view, report, to);
    const isocast_decider *nearest = NULL;
    for (size_t i = 0; i < view->decision->count; i++) {
        const isocast_decider *d = &view->decision->items[i];
        bool nearer = nearest == NULL || fabs(log(d->threshold / d->now)) <
                                             fabs(log(nearest->threshold / nearest->now));
        nearest = !isnan(d->threshold) && nearer ? d : nearest;
    }
    if (nearest != NULL) {
        isocast_buffer line = {0};
        isocast_buffer_puts(&line, "The smallest change that was found: ");
        cli_offers_append_change(view, nearest, &line);
        report_line(&line, report, to);
    }
}
