/* The answer to a purchase question: the best mix of each offer, the best of all, the front, and
 * at which smaller budget another offer is the best. What would change the answer comes of
 * decision.h. Formats nothing. */
#ifndef ISOCAST_OFFER_CHOICE_H
#define ISOCAST_OFFER_CHOICE_H

#include "front.h"
#include "model/solve/prediction.h"

/* What one offer comes to. */
typedef struct isocast_offer_answer {
    isocast_system *system;             /* the best mix; NULL where no mix is allowed */
    isocast_prediction_request request; /* whose only row is the best mix */
    isocast_prediction *prediction;     /* that row, with its note; NULL likewise */
    double low, high;      /* 90 % interval of T, or of N where the goal is PROBLEM; NAN */
    isocast_mix at_best_N; /* where the goal is PROBLEM: the best mix at the N that the chosen offer
                              holds; its value is T where it holds E or more there, and NAN else */
    isocast_mixes beyond;  /* the best mix with one node more of each class in turn, whatever the
                              budget; without those that the offer has not */
} isocast_offer_answer;

/* Start from {0}. */
typedef struct isocast_offers {
    isocast_offers_request request;
    const isocast_offer *offers; /* [count], borrowed */
    size_t count;
    isocast_offer_search *searches; /* [count] */
    isocast_offer_answer *answers;  /* [count] */
    size_t best;                    /* the offer to buy; `count` where none serves */
    isocast_front front;
    isocast_budget_range *ranges; /* [range_count] */
    size_t range_count;
    isocast_effort effort; /* what is left for more about the answer */
} isocast_offers;

/* Errors: ARGUMENT (no offers, or too many; a request that is not complete: PROBLEM without an
 * efficiency, another goal without an N in the size's range; a budget, deadline or efficiency that
 * is not above 0), NO_MEMORY. Offers need prices, and lifetimes where the goal or the budget asks
 * for them: without them no mix is allowed. Free in either case. */
isocast_status isocast_offers_choose(const isocast_offers_request *request,
                                     const isocast_offer *offers, size_t count,
                                     isocast_offers *out);
void isocast_offers_free(isocast_offers *offers);

/* The best mix of an offer; NULL where none is allowed. */
const isocast_mix *isocast_offers_best(const isocast_offers *offers, size_t offer);

/* The offer whose best mix comes next to the best; `count` where there is none. */
size_t isocast_offers_second(const isocast_offers *offers);

/* Whether the 90 % intervals of what the goal looks at overlap, where both are known. */
bool isocast_offers_overlap(const isocast_offers *offers, size_t a, size_t b);

/* Whether what the algorithm states as uncertain may make another offer better than the best. Where
 * the goal depends on T in proportion, *least gets by which factor it would have to make a run of
 * the best longer than it makes one of the other offer, and *most by which it does at most; else
 * NAN.
 */
bool isocast_offers_may_reverse(const isocast_offers *offers, size_t other, double *least,
                                double *most);

/* Why no mix of an offer serves. */
typedef enum isocast_offer_lack {
    ISOCAST_LACK_NONE,       /* one does */
    ISOCAST_LACK_BUDGET,     /* one node exceeds the budget */
    ISOCAST_LACK_SOLUTION,   /* no mix has a result: see the status of the mixes */
    ISOCAST_LACK_WORK,       /* not all processes can work */
    ISOCAST_LACK_DEADLINE,   /* all take longer than the deadline */
    ISOCAST_LACK_EFFICIENCY, /* E is below the limit */
    ISOCAST_LACK_VALUE       /* what the goal looks at is not known: a price or power is missing */
} isocast_offer_lack;

/* The reason that most mixes of an offer have; *status gets the status that most of the mixes
 * without a solution have. */
isocast_offer_lack isocast_offers_lack(const isocast_offers *offers, size_t offer,
                                       isocast_row_status *status);

#endif
