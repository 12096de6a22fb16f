#include "results.h"

#include <math.h>

#include "model/base/any.h"
#include "model/base/quantity.h"
#include "model/solve/prediction_fields.h"

ISOCAST_GIVES(const cli_suite_view *, view_of, at->result)
ISOCAST_GIVES(const isocast_suite_verdict *, verdict_of, view_of(at)->verdict)
ISOCAST_GIVES(const isocast_suite *, suite_of, verdict_of(at)->request.suite)
ISOCAST_GIVES(bool, has_reference, isocast_suite_has_reference(suite_of(at)))
ISOCAST_GIVES(bool, has_no_budget, !isfinite(verdict_of(at)->request.budget))
ISOCAST_GIVES(const char *, currency_of, isocast_currency_unit(view_of(at)->currency))
ISOCAST_GIVES(const char *, speed_per_price,
              view_of(at)->currency == ISOCAST_CURRENCY_USD ? "Mflop/s/USD" : "Mflop/s/EUR")
ISOCAST_GIVES(const char *, price_of_work,
              view_of(at)->currency == ISOCAST_CURRENCY_USD ? "USD/Eflop" : "EUR/Eflop")

static const char currencies[] = "EUR or USD";
static const double exa = 1e18;
static const double day = 86400;

static const char *offer_name(const isocast_suite_verdict *v, size_t offer) {
    return offer < v->request.count ? v->request.offers[0][offer].name : NULL;
}

/* ---- offers ---- */

ISOCAST_GIVES(const isocast_suite_offer *, offer_of, at->row)
ISOCAST_GIVES(size_t, number_of, (size_t)(offer_of(at) - verdict_of(at)->offers))
ISOCAST_GIVES(const char *, name_of, offer_name(verdict_of(at), number_of(at)))
ISOCAST_GIVES(bool, serves, offer_of(at)->merit > 0)
ISOCAST_GIVES(const char *, status_of,
              !serves(at)                             ? "none"
              : number_of(at) == verdict_of(at)->best ? "best"
                                                      : "ok")
ISOCAST_GIVES(const char *, class_of,
              verdict_of(at)
                  ->request.offers[0][number_of(at)]
                  .priced->classes[offer_of(at)->class_index]
                  .name)
ISOCAST_GIVES(double, work_cost, exa *offer_of(at)->work_cost)
ISOCAST_GIVES(double, mega_per_price, 1e-6 * offer_of(at)->ssp_per_price)
ISOCAST_GIVES(double, nano_energy, 1e9 * offer_of(at)->work_energy)
ISOCAST_GIVES(double, jobs_of_day, day *offer_of(at)->throughput)

static void append_lack(const isocast_suite_verdict *v, const isocast_suite_offer *offer,
                        isocast_buffer *out) {
    for (size_t i = 0; i < v->request.suite->count; i++) {
        const isocast_suite_run *run = &offer->runs[i];
        const char *name = v->request.suite->applications[i].name;
        if (offer->nodes < 1) {
            isocast_buffer_puts(out, "one node exceeds the budget");
            return;
        }
        if (run->is_too_large) {
            isocast_buffer_printf(out, "a job of %s takes %.0f nodes, and there are %.0f", name,
                                  run->nodes, offer->nodes);
            return;
        }
        if (!(run->T > 0)) {
            isocast_buffer_printf(out, "%s has no T on %.0f nodes (%s)", name, run->nodes,
                                  isocast_row_status_word(run->status));
            return;
        }
    }
}

static void put_note(const isocast_at *at, isocast_buffer *out) {
    if (!serves(at)) {
        append_lack(verdict_of(at), offer_of(at), out);
    }
}

/* Columns of tables in units that people read, whose numbers JSON has, too. */
#define SCALED .where = ISOCAST_IN_TABLES | ISOCAST_IN_JSON
#define OF(name, kind, member, unit, ...)                                                          \
    ISOCAST_FIELD(name, kind, isocast_suite_offer, member, unit, __VA_ARGS__)
static const char *const offer_words[] = {"best", "ok", "none", NULL};
static const isocast_field offer_fields[] = {
    ISOCAST_TEXT("offer", name_of, "its name", .known = true),
    ISOCAST_TEXT("class", class_of, "of the nodes: the best one of the offer", .known = true),
    OF("nodes", COUNT, nodes, NULL, "that the budget buys, of those offered"),
    OF("price", NUMBER, bill.price, currencies,
       "of the nodes with what they need besides, in the currency", .unit_of = currency_of),
    OF("spent", NUMBER, spent, currencies, "what counts against the budget, in the currency",
       ISOCAST_JSON),
    OF("SSI", NUMBER, ssi.value, NULL,
       "scalable system improvement: weighted geometric mean over the applications of capability "
       "* utilization * speedup over the reference machine",
       .tabled = has_reference),
    OF("SSI_low", NUMBER, ssi.low, NULL, "low end of its 90 % interval", .tabled = has_reference),
    OF("SSI_high", NUMBER, ssi.high, NULL, "its high end", .tabled = has_reference),
    OF("SSP", NUMBER, ssp.value, "flop/s",
       "sustained system performance: nodes times the weighted geometric mean over the "
       "applications of W/(T n), the rate of a node; where nodes come in phases, the mean over "
       "the lifetime",
       .compared = 1),
    OF("SSP_low", NUMBER, ssp.low, "flop/s", "low end of its 90 % interval", .compared = 1),
    OF("SSP_high", NUMBER, ssp.high, "flop/s", "its high end", .compared = 1),
    OF("SSP_per_price", NUMBER, ssp_per_price, "flop/s/EUR or flop/s/USD",
       "SSP for each unit of the price", ISOCAST_FILES),
    ISOCAST_NUMBER("SSP_per_price_mega", mega_per_price, "Mflop/s/EUR or Mflop/s/USD",
                   "SSP for each unit of the price, as tables have it", .heading = "SSP/price",
                   .unit_of = speed_per_price, SCALED),
    OF("work_cost", NUMBER, work_cost, "EUR/flop or USD/flop",
       "price, running cost and energy of the lifetime for what it computes at the SSP",
       ISOCAST_FILES),
    ISOCAST_NUMBER("work_cost_exa", work_cost, "EUR/Eflop or USD/Eflop",
                   "the cost of work, as tables have it", .heading = "cost of work",
                   .unit_of = price_of_work, SCALED, .optional = true),
    OF("work_energy", NUMBER, work_energy, "J/flop", "energy of the whole machine at the SSP",
       ISOCAST_FILES),
    ISOCAST_NUMBER("work_energy_nano", nano_energy, "nJ/flop",
                   "the energy of work, as tables have it", .heading = "energy of work", SCALED,
                   .optional = true),
    ISOCAST_NUMBER("mixes_per_day", jobs_of_day, NULL,
                   "how often a day all nodes run the jobs of the suite, each as many times as its "
                   "weight, where jobs leave no node idle",
                   .heading = "mixes a day"),
    ISOCAST_WORD(
        "status", status_of, offer_words,
        "best: the offer to buy; ok: it serves, too; none: it does not, and the note says why"),
    ISOCAST_PUT("note", put_note, "why it does not serve", ISOCAST_FILES)};
static const isocast_table offer_table = {"suite_offer", "an offer", ISOCAST_TABLE(offer_fields)};
ISOCAST_OWN_ITEMS(offer_item, verdict_of(in)->request.count, &verdict_of(in)->offers[i])

/* ---- nodes that come in phases ---- */

ISOCAST_GIVES(const isocast_delivered *, phase_of, at->row)
ISOCAST_GIVES(const char *, phase_offer, offer_name(verdict_of(at), at->index))
ISOCAST_GIVES(double, phase_years, phase_of(at)->after / (365.25 * day))
ISOCAST_GIVES(double, phase_SSP, verdict_of(at)->offers[at->index].ssp_of_node *phase_of(at)->nodes)
static const isocast_field phase_fields[] = {
    ISOCAST_TEXT("offer", phase_offer, "its name", .known = true),
    ISOCAST_FIELD("after", NUMBER, isocast_delivered, after, "s",
                  "since the beginning of the lifetime", ISOCAST_JSON, .known = true),
    ISOCAST_NUMBER("after_years", phase_years, "year", "the same", SCALED, .heading = "after",
                   .known = true),
    ISOCAST_FIELD("share", NUMBER, isocast_delivered, share, NULL,
                  "of the lifetime, up to the next phase", .heading = "part of lifetime",
                  .known = true),
    ISOCAST_FIELD("nodes", COUNT, isocast_delivered, nodes, NULL, "that are there", .known = true),
    ISOCAST_NUMBER("SSP", phase_SSP, "flop/s", "of these nodes")};
static const isocast_table phase_table = ISOCAST_TABLE_OF(phase_fields, "a phase of an offer");
/* Of offers that come in more than one. */
static bool phase_item(const isocast_at *in, size_t i, isocast_at *out) {
    const isocast_suite_verdict *v = verdict_of(in);
    for (size_t offer = 0; offer < v->request.count; offer++) {
        const isocast_suite_offer *o = &v->offers[offer];
        size_t count = v->request.deliveries[offer].count > 0 ? o->phase_count : 0;
        if (i < count) {
            out->row = &o->phases[i];
            out->index = offer;
            return true;
        }
        i -= count;
    }
    out->row = NULL;
    return false;
}

ISOCAST_ANY(has_phases, (const isocast_suite_verdict *v), v->request.count,
            v->request.deliveries[i].count > 0)

/* ---- applications on offers ---- */

ISOCAST_GIVES(const isocast_suite_run *, run_of, at->row)
ISOCAST_GIVES(size_t, run_offer, at->index % verdict_of(at)->request.count)
ISOCAST_GIVES(size_t, run_number, at->index / verdict_of(at)->request.count)
ISOCAST_GIVES(const isocast_suite_application *, application_of,
              &suite_of(at)->applications[run_number(at)])
ISOCAST_GIVES(const char *, run_application, application_of(at)->name)
ISOCAST_GIVES(double, run_weight, application_of(at)->weight)
ISOCAST_GIVES(const char *, run_offer_name, offer_name(verdict_of(at), run_offer(at)))
ISOCAST_GIVES(double, run_capability, application_of(at)->capability)
ISOCAST_GIVES(double, run_utilization,
              application_of(at)->reference_nodes / run_of(at)->nodes *
                  (verdict_of(at)->offers[run_offer(at)].nodes / suite_of(at)->reference_nodes))
#define RUN(name, kind, member, unit, ...)                                                         \
    ISOCAST_FIELD(name, kind, isocast_suite_run, member, unit, __VA_ARGS__)
static const isocast_field run_fields[] = {
    ISOCAST_TEXT("application", run_application, "its name", .known = true),
    ISOCAST_NUMBER("weight", run_weight, NULL, "how much it counts", .known = true),
    ISOCAST_TEXT("offer", run_offer_name, "its name", .known = true),
    RUN("nodes", COUNT, nodes, NULL, "of a job"),
    RUN("p", COUNT, p, NULL, "processes of a job"),
    RUN("N", COUNT, N, NULL, "first size parameter", .digits = 5),
    RUN("W", NUMBER, W, "flop", "work of a job", ISOCAST_JSON),
    RUN("T", NUMBER, T, "s", "time of a job", .compared = 1),
    RUN("T_low", NUMBER, T_low, "s", "low end of its 90 % interval", .compared = 1),
    RUN("T_high", NUMBER, T_high, "s", "its high end", .compared = 1),
    RUN("E", NUMBER, E, NULL, "speed-efficiency"),
    RUN("energy", NUMBER, energy, "J", "of the nodes of a job", .optional = true),
    RUN("rate", NUMBER, rate, "flop/s", "of a node: W/(T n)"),
    ISOCAST_NUMBER("capability", run_capability, NULL,
                   "how much more is computed than on the reference machine", ISOCAST_JSON,
                   .known = true),
    ISOCAST_NUMBER("utilization", run_utilization, NULL,
                   "(n_ref/n) (N/N_ref) of n nodes of a job and N of the machine; null where there "
                   "is no reference machine",
                   ISOCAST_JSON),
    RUN("speedup", NUMBER, speedup, NULL, "time on the reference machine over T; null likewise",
        ISOCAST_JSON),
    RUN("factor", NUMBER, factor, NULL,
        "capability * utilization * speedup over the reference machine", .tabled = has_reference,
        .heading = "over reference"),
    RUN("status", TEXT, status, NULL, "of the prediction", .words = isocast_row_status_words,
        .known = true)};
static const isocast_table run_table = {"suite_run", "an application on an offer",
                                        ISOCAST_TABLE(run_fields)};
ISOCAST_GIVES(size_t, offer_count, verdict_of(at)->request.count)
ISOCAST_OWN_ITEMS(run_item, offer_count(in) * suite_of(in)->count,
                  &verdict_of(in)->offers[i % offer_count(in)].runs[i / offer_count(in)])

/* ---- what would change the answer ---- */

static const isocast_suite_change *change_at(const isocast_suite_verdict *v, size_t i) {
    size_t weights = v->second < v->request.count ? v->request.suite->count : 0;
    return i < weights                       ? &v->weights[i]
           : weights > 0 && i == weights     ? &v->node_price
           : weights > 0 && i == weights + 1 ? &v->energy_price
                                             : NULL;
}

ISOCAST_GIVES(const isocast_suite_change *, change_of, at->row)
ISOCAST_GIVES(bool, is_node_price, change_of(at) == &verdict_of(at)->node_price)
ISOCAST_GIVES(bool, is_weight, change_of(at)->application < suite_of(at)->count)
ISOCAST_GIVES(const char *, change_kind,
              is_weight(at)       ? "weight"
              : is_node_price(at) ? "price"
                                  : "energy-price")
ISOCAST_GIVES(const char *, change_application,
              is_weight(at) ? suite_of(at)->applications[change_of(at)->application].name : NULL)

static void put_what(const isocast_at *at, isocast_buffer *out) {
    const isocast_suite_verdict *v = verdict_of(at);
    if (is_weight(at)) {
        isocast_buffer_printf(out, "weight of %s", change_application(at));
    } else if (is_node_price(at)) {
        isocast_buffer_printf(out, "price of a node of %s", offer_name(v, v->best));
    } else {
        isocast_buffer_printf(out, "price of energy, for the cost of work");
    }
}

static void put_amount(const isocast_at *at, double value, isocast_buffer *out) {
    const double kWh = 3.6e6;
    const char *currency = isocast_currency_name(view_of(at)->currency);
    if (is_weight(at)) {
        isocast_buffer_printf(out, "%.4g", value);
    } else if (is_node_price(at)) {
        isocast_buffer_puts(out, isocast_quantity_text(value, currency, 4).text);
    } else {
        isocast_buffer_printf(out, "%.4g %s/kWh", value * kWh, currency);
    }
}

ISOCAST_PUTS(put_now, put_amount(at, change_of(at)->now, out))

static void put_threshold(const isocast_at *at, isocast_buffer *out) {
    const isocast_suite_change *change = change_of(at);
    const isocast_suite_verdict *v = verdict_of(at);
    if (!is_weight(at) && !is_node_price(at) &&
        v->offers[v->best].work_cost > v->offers[v->second].work_cost) {
        isocast_buffer_printf(out, "work costs less on %s as it is", offer_name(v, v->second));
        return;
    }
    if (isnan(change->threshold)) {
        isocast_buffer_puts(out, is_node_price(at) ? "not up to 4 times this" : "never");
        return;
    }
    isocast_buffer_puts(out, change->threshold > change->now ? "above " : "below ");
    put_amount(at, change->threshold, out);
}

#define CHANGE(name, member, ...)                                                                  \
    ISOCAST_FIELD(name, NUMBER, isocast_suite_change, member, "SI units", __VA_ARGS__)
static const char *const change_words[] = {"weight", "price", "energy-price", NULL};
static const isocast_field change_fields[] = {
    CLI_CHANGE_COLUMNS(put_what, put_now, put_threshold),
    ISOCAST_WORD("of", change_kind, change_words, "what is varied", ISOCAST_JSON),
    ISOCAST_TEXT("application", change_application, "whose weight it is; null for a price",
                 ISOCAST_JSON),
    CHANGE("now", now, "its value", ISOCAST_JSON),
    CHANGE("threshold", threshold,
           "where the second offer is as good: by the ranking, and for the price of energy by the "
           "cost of work; null: nowhere, for a price of a node nowhere up to four times of it",
           ISOCAST_JSON)};
static const isocast_table change_table =
    ISOCAST_TABLE_OF(change_fields, "a number that was varied");
static bool change_item(const isocast_at *in, size_t i, isocast_at *out) {
    const isocast_suite_verdict *v = verdict_of(in);
    /* Without prices of energy there is no row of it. */
    const isocast_suite_change *change = change_at(v, i);
    out->row = change != NULL && !isnan(change->now) ? change : NULL;
    return out->row != NULL;
}

/* ---- the whole ---- */

ISOCAST_OWN_ITEMS(acceptance_item, view_of(in)->acceptances->count,
                  &view_of(in)->acceptances->items[i])

static const char *measure_word(const isocast_suite_verdict *v) {
    return isocast_suite_has_reference(v->request.suite) ? "SSI" : "SSP";
}

static void append_answer(const cli_suite_view *view, isocast_buffer *out) {
    const isocast_suite_verdict *v = view->verdict;
    const isocast_suite *suite = v->request.suite;
    if (v->best == v->request.count) {
        isocast_buffer_printf(out, "No offer serves all %zu applications: %s: ", suite->count,
                              offer_name(v, 0));
        append_lack(v, &v->offers[0], out);
        isocast_buffer_puts(out, ".");
        return;
    }
    const isocast_suite_offer *best = &v->offers[v->best];
    bool alone = v->second == v->request.count;
    const char *currency = isocast_currency_name(view->currency);
    if (alone || v->is_certain) {
        isocast_buffer_printf(out, "Buy %s: ", offer_name(v, v->best));
    } else {
        isocast_buffer_printf(out,
                              "%s comes first, but it is not certain that it is better than %s: ",
                              offer_name(v, v->best), offer_name(v, v->second));
    }
    isocast_buffer_printf(out, "%.0f node%s for %s. ", best->nodes, best->nodes == 1 ? "" : "s",
                          isocast_quantity_text(best->spent, currency, 4).text);
    if (isocast_suite_has_reference(suite)) {
        isocast_buffer_printf(out, "Its SSI is %.4g (%.4g to %.4g)", best->ssi.value, best->ssi.low,
                              best->ssi.high);
    } else {
        isocast_buffer_printf(out, "Its SSP is %s (%s to %s)",
                              isocast_quantity_text(best->ssp.value, "flop/s", 4).text,
                              isocast_quantity_text(best->ssp.low, "flop/s", 4).text,
                              isocast_quantity_text(best->ssp.high, "flop/s", 4).text);
    }
    isocast_buffer_puts(out, ".");
    if (!alone) {
        double times = best->merit / v->offers[v->second].merit;
        if (isfinite(v->request.budget)) {
            isocast_buffer_printf(out, " That is %.4g times the %s of %s", times, measure_word(v),
                                  offer_name(v, v->second));
        } else {
            isocast_buffer_printf(out, " Its %s over its price is %.4g times that of %s",
                                  measure_word(v), times, offer_name(v, v->second));
        }
        CLI_PUT_IF(v->decisive < suite->count, out, "; the application %s decides",
                   suite->applications[v->decisive].name);
        isocast_buffer_puts(out, ".");
    }
}

ISOCAST_PUTS(put_answer, append_answer(view_of(at), out))

ISOCAST_GIVES(const char *, best_of, offer_name(verdict_of(at), verdict_of(at)->best))
ISOCAST_GIVES(const char *, second_of, offer_name(verdict_of(at), verdict_of(at)->second))
ISOCAST_GIVES(bool, certain, verdict_of(at)->is_certain)
ISOCAST_GIVES(const char *, decisive_of,
              verdict_of(at)->decisive < suite_of(at)->count
                  ? suite_of(at)->applications[verdict_of(at)->decisive].name
                  : NULL)
ISOCAST_GIVES(double, budget_of, verdict_of(at)->request.budget)
ISOCAST_GIVES(double, reference_of, suite_of(at)->reference_nodes)
ISOCAST_GIVES(const char *, file_of, view_of(at)->path)
ISOCAST_GIVES(const char *, ranked_by,
              has_reference(at) ? (has_no_budget(at) ? "SSI-per-price" : "SSI")
                                : (has_no_budget(at) ? "SSP-per-price" : "SSP"))
static const char *const ranking_words[] = {"SSI", "SSP", "SSI-per-price", "SSP-per-price", NULL};

static const isocast_field provenance_fields[] = {
    CLI_VERSION, CLI_COMMAND,
    ISOCAST_TEXT("offers_file", file_of, "as it was given", .known = true)};
static const isocast_table provenance = {NULL, NULL, ISOCAST_TABLE(provenance_fields)};

static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.suite/1"),
    ISOCAST_TEXT("currency", currency_of,
                 "of all amounts, EUR or USD; null where there is none but 0"),
    ISOCAST_NUMBER("budget", budget_of, currencies,
                   "in the currency; null: none, so that all nodes offered are bought"),
    ISOCAST_COUNT("reference_nodes", reference_of, "of the reference machine; null: there is none"),
    ISOCAST_WORD("ranked_by", ranked_by, ranking_words, "what the best has most of"),
    ISOCAST_PUT("answer", put_answer, "in a few sentences", .known = true),
    ISOCAST_TEXT("best", best_of, "the offer to buy; null where none serves"),
    ISOCAST_TEXT("second", second_of, "the next one; null where there is none"),
    ISOCAST_FLAG("certain", certain, "the 90 % intervals of the two do not overlap"),
    ISOCAST_TEXT("decisive", decisive_of,
                 "the application that favours the best most; null where there is no second"),
    ISOCAST_LIST("rows", offer_item, &offer_table, "by offer"),
    ISOCAST_LIST("runs", run_item, &run_table, "by application, then by offer"),
    ISOCAST_LIST("changes", change_item, &change_table, "what would change the answer"),
    CLI_ACCEPTANCE(acceptance_item),
    ISOCAST_LIST("phases", phase_item, &phase_table,
                 "which nodes are there when, by offer; empty where all are there at once"),
    ISOCAST_OBJECT("provenance", NULL, &provenance, "where the result comes from", .known = true)};
const isocast_table cli_suite_document = {
    "suite", "what isocast offers writes for a suite of applications", ISOCAST_TABLE(fields)};

ISOCAST_ANY(has_classes, (const isocast_suite_verdict *v), v->request.count,
            v->request.offers[0][i].priced->class_count > 1)

static cli_report *report_offers(const cli_suite_view *view) {
    const isocast_suite_verdict *v = view->verdict;
    cli_report *report = cli_report_create();
    isocast_buffer answer = {0};
    append_answer(view, &answer);
    cli_report_title_take(report, &answer);
    cli_fields_fill(report, &offer_table, view, offer_item);
    for (size_t i = 0; i < v->request.count; i++) {
        if (!(v->offers[i].merit > 0)) {
            isocast_buffer lack = {0};
            isocast_buffer_printf(&lack, "%s does not serve: ", offer_name(v, i));
            append_lack(v, &v->offers[i], &lack);
            isocast_buffer_puts(&lack, ".");
            cli_note_take(report, &lack);
        }
    }
    CLI_NOTE_IF(isocast_suite_has_reference(v->request.suite), report,
                "SSI = weighted geometric mean of capability * utilization * speedup over the "
                "reference machine of %.0f nodes.",
                v->request.suite->reference_nodes);
    cli_note(
        report,
        "SSP = nodes times the weighted geometric mean of W/(T n), n being the nodes of a job.");
    CLI_NOTE_IF(has_classes(v), report,
                "Of an offer with several node classes one class is bought.");
    cli_note(report, "Intervals take all applications of an offer to be off the same way, as they "
                     "share its machine file.");
    return report;
}

static cli_report *report_phases(const cli_suite_view *view) {
    cli_report *report =
        cli_fields_report(&phase_table, view, phase_item, "Nodes that come in phases");
    cli_note(report, "SSP of an offer is the mean over its lifetime. A phase with fewer nodes than "
                     "a job takes counts nothing.");
    return report;
}

static cli_report *report_changes(const cli_suite_view *view) {
    const isocast_suite_verdict *v = view->verdict;
    cli_report *report = cli_fields_report(&change_table, view, change_item,
                                           "What makes %s no longer better than %s",
                                           offer_name(v, v->best), offer_name(v, v->second));
    cli_note(report, "One number changes at a time.");
    return report;
}

static size_t make_reports(const void *result, bool csv, cli_report **reports) {
    const cli_suite_view *view = result;
    size_t count = 0;
    if (csv && view->acceptances->count > 0) {
        reports[count++] = cli_acceptance_report(view->acceptances);
        return count;
    }
    reports[count++] = report_offers(view);
    if (!csv) {
        reports[count++] =
            cli_fields_report(&run_table, view, run_item, "The applications on each offer");
    }
    if (!csv && view->verdict->second < view->verdict->request.count) {
        reports[count++] = report_changes(view);
    }
    if (!csv && has_phases(view->verdict)) {
        reports[count++] = report_phases(view);
    }
    if (view->acceptances->count > 0) {
        reports[count++] = cli_acceptance_report(view->acceptances);
    }
    return count;
}

/* All that the script needs is in the result. */
static json_t *what_if(const void *view) {
    (void)view;
    return json_pack("{s:b}", "suite", 1);
}

int cli_suite_write(const cli_suite_view *view, const cli_common *common) {
    return cli_result_write(&(cli_written){&cli_suite_document, make_reports, what_if}, view,
                            common, NULL, 0);
}
