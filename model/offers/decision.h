/* What would change the answer: for each number that matters, the nearest value at which the offer
 * that is chosen is no longer better than its rival, the best of the other offers. Searches one
 * number at a time; formats nothing. */
#ifndef ISOCAST_DECISION_H
#define ISOCAST_DECISION_H

#include "choice.h"

/* X(name, word): what is varied. */
#define ISOCAST_DECIDER_LIST(X)                                                                    \
    X(PRICE, "price")               /* of a node class of one of both offers */                    \
    X(POWER, "power")               /* likewise */                                                 \
    X(ENERGY_PRICE, "energy-price") /* of both offers, by one factor */                            \
    X(SIZE, "size")                 /* N */                                                        \
    X(EFFICIENCY, "efficiency")     /* that is held */                                             \
    X(MARKED_SPEED, "marked-speed") /* of a node class */                                          \
    X(PARAMETER, "parameter")       /* of a machine file */

typedef enum isocast_decider_kind {
#define ISOCAST_DECIDER_ENUM(name, word) ISOCAST_DECIDER_##name,
    ISOCAST_DECIDER_LIST(ISOCAST_DECIDER_ENUM)
#undef ISOCAST_DECIDER_ENUM
        ISOCAST_DECIDER_KINDS
} isocast_decider_kind;

typedef struct isocast_decider {
    isocast_decider_kind kind;
    size_t offer;     /* whose number it is; the count of offers where it belongs to none alone */
    const char *name; /* of the parameter or node class; NULL for the others */
    char *meaning;    /* of a parameter, in words; NULL where the name is all there is */
    isocast_dimension dimension;
    double now;        /* SI */
    double elasticity; /* of N or T of this offer's best mix to a marked speed or parameter; NAN */
    double threshold;  /* SI, the value at which the rival is as good; NAN: not found */
    /* The threshold with as few digits as people read, where the rival was found to be as good just
     * beyond that, too; NAN: not found. Digits are those in the unit that is read, of which
     * `per_unit` make one in SI. */
    double stated;
    int digits;
    double per_unit;
    double from, to; /* what was searched, SI */
    /* The best mix of either offer was looked for again at each value, among those that were looked
     * at; else both keep their nodes. */
    bool chosen_again;
} isocast_decider;

/* Start from {0}. */
typedef struct isocast_decision {
    size_t rival; /* offer; the count of offers where there is none: nothing is varied then */
    isocast_decider *items; /* [count]; by kind, parameters by the size of their elasticity */
    size_t count, capacity;
} isocast_decision;

/* Varies prices from a quarter to four times, all else from a 16th to 16 times (an efficiency to 4
 * times), in the direction that favours the rival; a size in both. Parameters and marked speeds are
 * taken by elasticity first, a few of each offer. Errors: NO_MEMORY. */
isocast_status isocast_decision_find(isocast_offers *offers, isocast_decision *out);
void isocast_decision_free(isocast_decision *decision);

#endif
