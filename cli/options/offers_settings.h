/* --set for several offers: which of them a text means, "NAME=VALUE" or "OFFER.NAME=VALUE". */
#ifndef CLI_OFFERS_SETTINGS_H
#define CLI_OFFERS_SETTINGS_H

#include "offers_load.h"

/* Applies settings to offers that are loaded and not bound. A name alone that stands for a number
 * of a node class, or an amount, in more than one offer is refused; a parameter of several machines
 * changes all of them, which is stated unless `quiet`. Reports on stderr; gives an exit status. */
int cli_offers_set(const cli_usage *usage, const cli_settings *settings, bool quiet,
                   cli_offers *offers);

#endif
