/* The answer to a purchase question as sentences, tables and JSON. */
#ifndef CLI_REPORT_OFFERS_H
#define CLI_REPORT_OFFERS_H

#include <jansson.h>

#include "cli/output/report.h"
#include "model/offers/decision.h"

/* What is told. */
typedef struct cli_offers_view {
    const isocast_offers *offers;
    const isocast_decision *decision;
    isocast_currency currency;
} cli_offers_view;

/* The best mix of each offer, and the front. The first report's title answers the question. */
enum { CLI_OFFERS_REPORTS = 2 };
void cli_reports_of_offers(const cli_offers_view *view, cli_report *reports[CLI_OFFERS_REPORTS]);

/* "isocast.offers/1" of docs/result-schema.json. Takes `provenance` over. NULL where memory is
 * short. */
json_t *cli_json_offers(const cli_offers_view *view, json_t *provenance);

/* The word of a goal, as --goal takes it. */
const char *cli_offers_goal_word(isocast_offer_goal goal);

/* Front points that are shown: their indices, spread evenly; gives how many. */
enum { CLI_FRONT_SHOWN = 20 };
size_t cli_offers_front_shown(const isocast_front *front, size_t shown[CLI_FRONT_SHOWN]);

/* The sentence that answers the question. */
void cli_offers_append_answer(const cli_offers_view *view, isocast_buffer *out);

/* Further sentences, each a line: the next offer, how sure that is, one node more, what would
 * change the answer. `tell` is called for each. */
void cli_offers_tell(const cli_offers_view *view, void (*tell)(void *to, const char *sentence),
                     void *to);

/* Why an offer does not serve, as a sentence without its point; nothing where it does. */
void cli_offers_append_lack(const cli_offers_view *view, size_t offer, isocast_buffer *out);

#endif
