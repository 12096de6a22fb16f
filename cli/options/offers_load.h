/* What `isocast offers` compares: an algorithm on the machines of several offers, each loaded,
 * priced and bound. Searches nothing. */
#ifndef CLI_OFFERS_LOAD_H
#define CLI_OFFERS_LOAD_H

#include "load.h"
#include "model/offers/offer.h"

/* Offers as they are loaded, and --set for several of them: which one a text means, "NAME=VALUE" or
 * "OFFER.NAME=VALUE". */

/* Start from {0}. */
typedef struct cli_offers {
    isocast_offer items[ISOCAST_OFFERS_MAX]; /* [count] */
    cli_loaded loaded[ISOCAST_OFFERS_MAX];   /* what they borrow */
    char *names[ISOCAST_OFFERS_MAX];
    size_t count;
} cli_offers;

/* Loads the algorithm and the offers: machine files, or files of offers that name machine files
 * beside them or installed ones. Settings: above. Reports on stderr what
 * is wrong; gives an exit status. Free in either case. */
int cli_offers_load(const cli_usage *usage, const char *algorithm, const char *const *names,
                    size_t count, const cli_settings *settings, bool quiet, cli_offers *out);
void cli_offers_free(cli_offers *offers);

#endif
