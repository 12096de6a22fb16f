/* The answer to a purchase question as sentences, tables and JSON. */
#ifndef CLI_REPORT_OFFERS_H
#define CLI_REPORT_OFFERS_H

#include <jansson.h>

#include "cli/options/offers_settings.h"
#include "cli/output/report.h"
#include "model/base/quantity.h"
#include "model/offers/decision.h"
#include "subject.h"

/* What is told. */
typedef struct cli_offers_view {
    cli_subject subject;
    const cli_offers *given;
    const isocast_offers *offers;
    const isocast_decision *decision;
    isocast_currency currency;
    struct cli_offers_scratch *scratch; /* of what is being written; NULL outside of it */
} cli_offers_view;

/* What is said of each: the best mix of an offer, a mix of the front, a number that was varied. */
extern const isocast_table cli_offers_rows, cli_offers_mixes, cli_offers_changes;
isocast_item cli_offers_row_item, cli_offers_front_item, cli_offers_change_item;
/* Adds the columns and rows of one of these. */
void cli_offers_fill(cli_report *report, const isocast_table *table, const cli_offers_view *view,
                     isocast_item *item);

/* The best mix of each offer, the front, and what would change the answer. The first report's title
 * answers the question. */
enum { CLI_OFFERS_REPORTS = 3 };
/* Gives how many there are: without a second offer nothing would change the answer, and without
 * any that serves there is no front. */
size_t cli_reports_of_offers(const cli_offers_view *view, cli_report *reports[CLI_OFFERS_REPORTS]);

/* "isocast.offers/1" of docs/result-schema.json. NULL where memory is short. */
json_t *cli_json_offers(const cli_offers_view *view);

/* The word of a goal, as --goal takes it. */
const char *cli_offers_goal_word(isocast_offer_goal goal);

/* The sentence that answers the question. */
void cli_offers_append_answer(const cli_offers_view *view, isocast_buffer *out);

/* A number that was varied, in words: "the price of a node of alpha". */
void cli_offers_append_decider(const cli_offers_view *view, const isocast_decider *decider,
                               isocast_buffer *out);
/* What it is now, "9 kEUR"; and the threshold, or how far was looked where there is none. */
isocast_amount cli_offers_decider_now(const cli_offers_view *view, const isocast_decider *decider);
isocast_amount cli_offers_decider_end(const cli_offers_view *view, const isocast_decider *decider);
/* What comes of it: "alpha is better than beta unless ...". */
void cli_offers_append_change(const cli_offers_view *view, const isocast_decider *decider,
                              isocast_buffer *out);

/* Further sentences, each a line: the next offer, how sure that is, one node more, smaller budgets,
 * the change that is nearest. `tell` is called for each. */
void cli_offers_tell(const cli_offers_view *view, void (*tell)(void *to, const char *sentence),
                     void *to);

/* Why an offer does not serve, as a sentence without its point; nothing where it does. */
void cli_offers_append_lack(const cli_offers_view *view, size_t offer, isocast_buffer *out);

#endif
