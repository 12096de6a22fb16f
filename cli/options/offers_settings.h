/* Offers as they are loaded, and --set for several of them: which one a text means, "NAME=VALUE" or
 * "OFFER.NAME=VALUE". */
#ifndef CLI_OFFERS_SETTINGS_H
#define CLI_OFFERS_SETTINGS_H

#include "load.h"
#include "model/offers/offer.h"

/* Start from {0}. */
typedef struct cli_offers {
    isocast_offer items[ISOCAST_OFFERS_MAX]; /* [count] */
    cli_loaded loaded[ISOCAST_OFFERS_MAX];   /* what they borrow */
    char *names[ISOCAST_OFFERS_MAX];
    size_t count;
} cli_offers;

/* Applies settings to offers that are loaded and not bound. A name alone that stands for a number
 * of a node class, or an amount, in more than one offer is refused; a parameter of several machines
 * changes all of them, which is stated unless `quiet`. Reports on stderr; gives an exit status. */
int cli_offers_set(const cli_usage *usage, const cli_settings *settings, bool quiet,
                   cli_offers *offers);

#endif
