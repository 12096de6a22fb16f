#include "report_offers.h"

#include <math.h>

static bool asks_for_N(const cli_offers_view *v) {
    return v->offers->request.goal == ISOCAST_OFFER_PROBLEM;
}

static const char *currency_of(const cli_offers_view *v) {
    const char *name = isocast_currency_name(v->currency);
    return name[0] != '\0' ? name : NULL;
}

/* The columns that both tables have; the front has neither status nor note. */
static void add_columns(const cli_offers_view *v, bool is_front, cli_report *report) {
    const char *size = isocast_model_algorithm(v->offers->offers[0].model)->sizes[0].name;
    const char *currency = currency_of(v);
    bool whole = v->offers->request.whole_life;
    const cli_column columns[] = {
        {.name = "offer", .kind = CLI_COLUMN_TEXT},
        {.name = "system", .kind = CLI_COLUMN_TEXT},
        {.name = "nodes", .kind = CLI_COLUMN_COUNT},
        {.name = "p", .kind = CLI_COLUMN_COUNT},
        {.name = "C", .unit = "flop/s", .kind = CLI_COLUMN_NUMBER, .file_only = true},
        {.name = "price", .unit = currency, .kind = CLI_COLUMN_NUMBER},
        {.name = "lifetime_price",
         .heading = "lifetime price",
         .unit = currency,
         .kind = CLI_COLUMN_NUMBER,
         .file_only = !whole},
        {.name = "N", .heading = size, .kind = CLI_COLUMN_COUNT, .digits = 5},
        {.name = "N_low", .kind = CLI_COLUMN_COUNT, .digits = 4, .optional = true},
        {.name = "N_high", .kind = CLI_COLUMN_COUNT, .digits = 4, .optional = true},
        {.name = "T", .unit = "s", .kind = CLI_COLUMN_NUMBER, .compared = 1},
        {.name = "T_low", .unit = "s", .kind = CLI_COLUMN_NUMBER, .optional = true, .compared = 1},
        {.name = "T_high", .unit = "s", .kind = CLI_COLUMN_NUMBER, .optional = true, .compared = 1},
        {.name = "E", .kind = CLI_COLUMN_NUMBER},
        {.name = "power", .unit = "W", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "energy", .unit = "J", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "cost", .unit = currency, .kind = CLI_COLUMN_NUMBER, .optional = true}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
    if (!is_front) {
        cli_report_column(report, &(cli_column){.name = "mixes", .kind = CLI_COLUMN_COUNT});
        cli_report_column(report, &(cli_column){.name = "status", .kind = CLI_COLUMN_TEXT});
        cli_report_column(
            report, &(cli_column){.name = "note", .kind = CLI_COLUMN_TEXT, .file_only = true});
    }
}

static void add_mix(const cli_offers_view *v, size_t offer, const isocast_mix *mix,
                    const char *system, double low, double high, cli_report *report) {
    bool of_N = asks_for_N(v);
    cli_report_text(report, v->offers->offers[offer].name);
    cli_report_text(report, system);
    const double numbers[] = {mix->bill.nodes,
                              mix->p,
                              mix->C,
                              mix->bill.price,
                              mix->bill.lifetime_price,
                              mix->N,
                              of_N ? low : NAN,
                              of_N ? high : NAN,
                              mix->T,
                              of_N ? NAN : low,
                              of_N ? NAN : high,
                              mix->E,
                              mix->bill.power,
                              mix->energy,
                              mix->cost};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        cli_report_number(report, numbers[i]);
    }
}

static isocast_mix no_mix(void) {
    return (isocast_mix){
        .bill = {.nodes = NAN, .price = NAN, .power = NAN, .rate = NAN, .lifetime_price = NAN},
        .p = NAN,
        .C = NAN,
        .N = NAN,
        .T = NAN,
        .E = NAN,
        .cost = NAN,
        .energy = NAN};
}

static void add_offer(const cli_offers_view *v, size_t offer, cli_report *report) {
    const isocast_offer_search *search = &v->offers->searches[offer];
    const isocast_offer_answer *answer = &v->offers->answers[offer];
    const isocast_mix *best = isocast_offers_best(v->offers, offer);
    const isocast_mix none = no_mix();
    isocast_buffer lack = {0};
    cli_offers_append_lack(v, offer, &lack);
    add_mix(v, offer, best != NULL ? best : &none, best != NULL ? answer->system->name : NULL,
            answer->low, answer->high, report);
    cli_report_number(report, (double)search->mixes.count);
    cli_report_text(report, best == NULL ? "none" : offer == v->offers->best ? "best" : "ok");
    cli_report_text(report, best == NULL ? lack.text : answer->prediction->rows[0].note);
    isocast_buffer_free(&lack);
}

static void add_footnote(void *report, const char *sentence) {
    if (sentence == NULL) {
        cli_report_fail(report);
    } else {
        cli_report_footnote(report, "%s", sentence);
    }
}

static void add_notes(const cli_offers_view *v, cli_report *report) {
    for (size_t i = 0; i < v->offers->count && v->offers->best < v->offers->count; i++) {
        const isocast_prediction *prediction = v->offers->answers[i].prediction;
        if (prediction != NULL && prediction->rows[0].note != NULL) {
            cli_report_footnote(report, "%s: %s", v->offers->offers[i].name,
                                prediction->rows[0].note);
        } else if (prediction == NULL) {
            isocast_buffer lack = {0};
            cli_offers_append_lack(v, i, &lack);
            cli_report_footnote(report, "%s does not serve: %s.", v->offers->offers[i].name,
                                lack.text != NULL ? lack.text : "");
            isocast_buffer_free(&lack);
        }
    }
}

static cli_report *report_best(const cli_offers_view *v) {
    cli_report *report = cli_report_create();
    isocast_buffer answer = {0};
    cli_offers_append_answer(v, &answer);
    cli_report_title(report, "%s", answer.text != NULL ? answer.text : "");
    isocast_buffer_free(&answer);
    add_columns(v, false, report);
    for (size_t i = 0; i < v->offers->count; i++) {
        add_offer(v, i, report);
    }
    cli_offers_tell(v, add_footnote, report);
    add_notes(v, report);
    return report;
}

static void add_front(const cli_offers_view *v, cli_report *report) {
    const isocast_front *front = &v->offers->front;
    size_t shown[ISOCAST_FRONT_SHOWN];
    size_t count = isocast_front_shown(front, shown);
    for (size_t i = 0; i < count; i++) {
        const isocast_front_point *point = &front->points[shown[i]];
        const isocast_mixes *mixes = &v->offers->searches[point->offer].mixes;
        isocast_system *system = NULL;
        if (isocast_mix_system(&v->offers->offers[point->offer],
                               isocast_mixes_nodes(mixes, point->mix), &system) != ISOCAST_OK) {
            cli_report_fail(report);
            return;
        }
        add_mix(v, point->offer, &mixes->items[point->mix], system->name, point->low, point->high,
                report);
        isocast_system_free(system);
    }
}

static cli_report *report_front(const cli_offers_view *v) {
    cli_report *report = cli_report_create();
    size_t count = v->offers->front.count;
    cli_report_title(report, "Pareto front of price and %s, from the cheapest mix on",
                     asks_for_N(v) ? "size" : "time");
    add_columns(v, true, report);
    add_front(v, report);
    if (count > ISOCAST_FRONT_SHOWN) {
        cli_report_footnote(report, "%d of %zu mixes are shown; JSON has more.",
                            ISOCAST_FRONT_SHOWN, count);
    }
    return report;
}

/* A cell of words that were put together. */
static void add_buffer(isocast_buffer *text, cli_report *report) {
    cli_report_text(report, text->text);
    isocast_buffer_free(text);
    *text = (isocast_buffer){0};
}

static void add_change(const cli_offers_view *v, const isocast_decider *d, cli_report *report) {
    isocast_buffer text = {0};
    bool up = d->to > d->now;
    cli_offers_append_decider(v, d, &text);
    add_buffer(&text, report);
    cli_offers_append_decider_now(v, d, &text);
    add_buffer(&text, report);
    if (!isnan(d->threshold)) {
        isocast_buffer_puts(&text, up ? "above " : "below ");
    } else {
        isocast_buffer_printf(&text, "not found %s to ", up ? "up" : "down");
    }
    cli_offers_append_decider_end(v, d, &text);
    add_buffer(&text, report);
    cli_report_number(report, d->elasticity);
}

static cli_report *report_changes(const cli_offers_view *v) {
    const isocast_offers *o = v->offers;
    cli_report *report = cli_report_create();
    cli_report_title(report, "What makes %s no longer better than %s", o->offers[o->best].name,
                     o->offers[v->decision->rival].name);
    const cli_column columns[] = {
        {.name = "number", .kind = CLI_COLUMN_TEXT},
        {.name = "now", .kind = CLI_COLUMN_TEXT},
        {.name = "threshold", .heading = "the answer changes", .kind = CLI_COLUMN_TEXT},
        {.name = "elasticity", .kind = CLI_COLUMN_NUMBER, .optional = true}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
    bool same_nodes = false;
    for (size_t i = 0; i < v->decision->count; i++) {
        add_change(v, &v->decision->items[i], report);
        same_nodes = same_nodes || !v->decision->items[i].chosen_again;
    }
    if (same_nodes) {
        cli_report_footnote(report, "One number changes at a time. As prices change, the best mix "
                                    "of each offer is chosen again; as others do, both keep their "
                                    "nodes.");
    }
    return report;
}

size_t cli_reports_of_offers(const cli_offers_view *view, cli_report *reports[CLI_OFFERS_REPORTS]) {
    const isocast_offers *o = view->offers;
    size_t count = 0;
    reports[count++] = report_best(view);
    if (o->best < o->count) {
        reports[count++] = report_front(view);
    }
    if (view->decision->rival < o->count) {
        reports[count++] = report_changes(view);
    }
    return count;
}
