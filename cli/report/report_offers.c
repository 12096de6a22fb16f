#include "report_offers.h"

#include <math.h>

static bool asks_for_N(const cli_offers_view *v) {
    return v->offers->request.goal == ISOCAST_OFFER_PROBLEM;
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
    cli_offers_fill(report, &cli_offers_rows, v, cli_offers_row_item);
    cli_offers_tell(v, add_footnote, report);
    add_notes(v, report);
    return report;
}

static cli_report *report_front(const cli_offers_view *v) {
    cli_report *report = cli_report_create();
    size_t count = v->offers->front.count;
    cli_report_title(report, "Pareto front of price and %s, from the cheapest mix on",
                     asks_for_N(v) ? "size" : "time");
    cli_offers_fill(report, &cli_offers_mixes, v, cli_offers_front_item);
    if (count > ISOCAST_FRONT_SHOWN) {
        cli_report_footnote(report, "%d of %zu mixes are shown; JSON has more.",
                            ISOCAST_FRONT_SHOWN, count);
    }
    return report;
}

static cli_report *report_changes(const cli_offers_view *v) {
    const isocast_offers *o = v->offers;
    cli_report *report = cli_report_create();
    cli_report_title(report, "What makes %s no longer better than %s", o->offers[o->best].name,
                     o->offers[v->decision->rival].name);
    cli_offers_fill(report, &cli_offers_changes, v, cli_offers_change_item);
    bool same_nodes = false;
    for (size_t i = 0; i < v->decision->count; i++) {
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
