/* Whether offers say what a question needs of them: prices of all node classes, in the currency of
 * the budget and of each other; lifetimes and powers where cost or energy is asked for. */
#ifndef ISOCAST_OFFERS_CHECK_H
#define ISOCAST_OFFERS_CHECK_H

#include "offer.h"

/* `currency`: of the budget; NONE where there is none. It becomes that of the offers. Errors, with
 * a diagnostic for each: INVALID, NO_MEMORY. */
isocast_status isocast_offers_check(const isocast_offers_request *request,
                                    const isocast_offer *offers, size_t count,
                                    isocast_currency *currency, isocast_diagnostics *diagnostics);

#endif
