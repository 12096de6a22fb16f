/* The mixes of one offer that are looked at, and the best of them: all inside the budget where they
 * are few enough, so that the best is proved; else a ladder of them and the neighbours of the best,
 * with a bound on what may have been missed. */
#ifndef ISOCAST_OFFER_SEARCH_H
#define ISOCAST_OFFER_SEARCH_H

#include "outcome.h"

/* Start from {0}. */
typedef struct isocast_offer_search {
    isocast_mixes mixes; /* that were looked at */
    bool all;            /* every mix inside the budget was */
    size_t unknown;      /* of them have no result, as their sums or solutions are not known */
    size_t best;         /* index; `mixes.count` where no mix is allowed */
    /* Where not all were looked at: no mix inside the budget is better than the best by more than
     * this part of its value, provided that none has a speed-efficiency above `highest_E`. NAN
     * where there is no such bound. */
    double gap;
    double highest_E;   /* 1, of the mixes that were looked at */
    double least_spent; /* that a mix costs, of one node of the cheapest class; currency */
} isocast_offer_search;

/* Looks at up to `most` mixes; fewer where one takes much computing, of which `effort` is all there
 * is. Errors: NO_MEMORY. Free in either case. */
isocast_status isocast_offer_look(const isocast_offers_request *request, const isocast_offer *offer,
                                  size_t most, isocast_effort *effort, isocast_offer_search *out);
void isocast_offer_search_free(isocast_offer_search *search);

/* The best of the mixes; their count where none is allowed. */
size_t isocast_mixes_best(const isocast_mixes *mixes);

#endif
