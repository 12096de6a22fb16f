/* What can be bought, and what is asked of it: offers, each a machine with prices, and the question
 * which nodes of which offer serve a goal best inside a budget. Types alone; nothing is computed
 * here. All amounts of one question are in one currency. */
#ifndef ISOCAST_OFFER_H
#define ISOCAST_OFFER_H

#include "model/solve/batch.h"
#include "model/spec/bill.h"

enum {
    ISOCAST_OFFERS_MAX = 16,        /* of one question */
    ISOCAST_OFFER_CLASSES_MAX = 16, /* node classes of one offer */
    ISOCAST_OFFER_MIXES_MAX = 60000 /* mixes of all offers together that are looked at */
};

/* An offer. Borrows all it holds. */
typedef struct isocast_offer {
    const char *name;
    const isocast_model *model;
    /* Prices, powers, and as the count of a node class how many can be bought at most: the model's
     * machine, or a copy of it in which these differ. */
    const isocast_machine *priced;
} isocast_offer;

typedef enum isocast_offer_goal {
    ISOCAST_OFFER_PROBLEM,  /* the largest N that holds the efficiency */
    ISOCAST_OFFER_RUN,      /* the largest N in memory, within the deadline and with E of at least
                               the efficiency, as far as these are limits */
    ISOCAST_OFFER_TIME,     /* the least T at N */
    ISOCAST_OFFER_COST,     /* the least cost of a run at N */
    ISOCAST_OFFER_ENERGY,   /* the least energy of a run at N */
    ISOCAST_OFFER_PROCESSES /* the most processes that keep E at least at the efficiency; without
                               one, the processes of least price times T: a node beyond them adds
                               more to the price than it takes from T */
} isocast_offer_goal;

/* What keeps N from being larger, where the goal is RUN. */
typedef enum isocast_run_limit {
    ISOCAST_RUN_BY_SIZE, /* the algorithm allows no larger one */
    ISOCAST_RUN_BY_MEMORY,
    ISOCAST_RUN_BY_DEADLINE,
    ISOCAST_RUN_BY_EFFICIENCY
} isocast_run_limit;

typedef struct isocast_offers_request {
    isocast_offer_goal goal;
    double N;                  /* for all goals but PROBLEM and RUN */
    const double *other_sizes; /* [size_count - 1], or NULL */
    double efficiency;         /* PROBLEM: it is held; else E is at least this. NAN: no limit */
    double deadline;           /* s, T is at most this; NAN: no limit */
    double budget;             /* in the currency of the offers; INFINITY: none */
    bool whole_life;   /* the budget is for price, running cost and energy of the lifetime; else for
                          the price alone */
    size_t threads;    /* like in isocast_batch_request */
    size_t mixes_most; /* that are looked at; 0: ISOCAST_OFFER_MIXES_MAX */
} isocast_offers_request;

/* So many nodes of each class, all of whose processors work, and what becomes of them. */
typedef struct isocast_mix {
    isocast_bill bill;
    double spent; /* what counts against the budget; currency */
    double p;     /* processes */
    double C;     /* flop/s */
    double N, W, T, E;
    double cost;   /* of a run, currency; NAN where not known */
    double energy; /* of a run, W s; NAN likewise */
    double value;  /* what the goal looks at; the less the better. NAN: not allowed */
    isocast_row_status status;
    bool idle;               /* at this N not all processes can work */
    isocast_run_limit limit; /* where the goal is RUN */
} isocast_mix;

/* Mixes of one offer. Start from {0}. */
typedef struct isocast_mixes {
    size_t class_count;
    isocast_mix *items; /* [count] */
    double *nodes;      /* [count][class_count] */
    size_t count, capacity;
} isocast_mixes;

#endif
