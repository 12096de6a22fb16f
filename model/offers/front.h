/* The Pareto front of mixes: those for which no other one is both cheaper and better. Evaluates
 * nothing. */
#ifndef ISOCAST_FRONT_H
#define ISOCAST_FRONT_H

#include "search.h"

typedef struct isocast_front_point {
    size_t offer;     /* index of the search */
    size_t mix;       /* index among its mixes */
    double low, high; /* 90 % interval of T, or of N where N is asked for; NAN where not known */
} isocast_front_point;

/* Start from {0}. */
typedef struct isocast_front {
    isocast_front_point *points; /* [count], rising by what is spent */
    size_t count;
} isocast_front;

/* The front of what is spent against T, or against N where the goal looks for N, over all searches
 * (shape [count]). Each point is strictly better than all that are not dearer, so that of two that
 * tie in one of both only the better one stays. Errors: NO_MEMORY. */
isocast_status isocast_front_find(const isocast_offers_request *request,
                                  const isocast_offer_search *searches, size_t count,
                                  isocast_front *out);
void isocast_front_free(isocast_front *front);

/* The points that stand for a front where not all can be shown: their indices, spread evenly, with
 * both ends. Gives how many. */
enum { ISOCAST_FRONT_SHOWN = 20 };
size_t isocast_front_shown(const isocast_front *front, size_t shown[ISOCAST_FRONT_SHOWN]);

/* A range of budgets, and the offer whose best mix serves the goal best there. */
typedef struct isocast_budget_range {
    double from, to; /* currency; `to` of the last is the budget */
    size_t offer;
} isocast_budget_range;

/* Which offer is best at which smaller budget, rising, by the mixes that were looked at. Below the
 * first range none is. Free *out with free(). Errors: NO_MEMORY. */
isocast_status isocast_budget_ranges(const isocast_offers_request *request,
                                     const isocast_offer_search *searches, size_t count,
                                     isocast_budget_range **out, size_t *range_count);

#endif
