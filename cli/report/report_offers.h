/* The answer to a purchase question as sentences, tables and JSON. */
#ifndef CLI_REPORT_OFFERS_H
#define CLI_REPORT_OFFERS_H

#include "cli/options/offers_load.h"
#include "cli/output/report.h"
#include "model/base/quantity.h"
#include "model/offers/acceptance.h"
#include "model/offers/decision.h"
#include "subject.h"

/* What is reported. */
typedef struct cli_offers_view {
    cli_subject subject;
    const cli_offers *given;
    const isocast_offers *offers;
    const isocast_decision *decision;
    const isocast_acceptances *acceptances;
    isocast_currency currency;
    struct cli_offers_scratch *scratch; /* of what is being written; NULL outside of it */
} cli_offers_view;

/* As tables with sentences, or as "isocast.offers/1" of docs/result-schema.json. Gives an exit
 * status. */
int cli_offers_write(const cli_offers_view *view, const cli_common *common);

/* The words of goals, as --goal takes them; ending in NULL. */
extern const char *const cli_offers_goals[ISOCAST_OFFER_PROCESSES + 2];

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
 * the change that is nearest. `report` is called for each; NULL: there was no memory for it. */
typedef void cli_sentence_taker(void *to, const char *sentence);
void cli_offers_report(const cli_offers_view *view, cli_sentence_taker *report, void *to);

/* Why an offer does not serve, as a sentence without its point; nothing where it does. */
void cli_offers_append_lack(const cli_offers_view *view, size_t offer, isocast_buffer *out);

#endif
