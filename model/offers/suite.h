/* A suite of applications that offers are judged by: how much each counts, on how many nodes it
 * runs, and what a reference machine needs for it. SSI, the Scalable System Improvement, is the
 * weighted geometric mean over applications of capability * utilization * speedup, the utilization
 * being (n_ref/n)(N/N_ref) of n nodes of a job and N of the machine (APEX, NERSC, LANL and SNL,
 * "Scalable System Improvement"). SSP, the Sustained System Performance, is N times the weighted
 * geometric mean of the rates of a node, W/(T n) (Kramer, Shalf and Strohmaier 2005, section 3);
 * where nodes come in phases, N is the mean over the lifetime of those that are there. */
#ifndef ISOCAST_SUITE_H
#define ISOCAST_SUITE_H

#include "delivery.h"
#include "offer.h"

enum { ISOCAST_SUITE_MAX = 32 };

typedef struct isocast_suite_application {
    char *name;
    char *algorithm; /* as the file names it */
    char **sizes;    /* [size_count], "N=20000" */
    size_t size_count;
    double weight;          /* above 0 */
    double nodes;           /* of a job; NAN: all nodes of the offer */
    double capability;      /* how much more is computed than on the reference machine */
    double reference_time;  /* s; NAN: there is none, or its rate is known */
    double reference_rate;  /* flop/s of all nodes of the job; NAN likewise */
    double reference_nodes; /* of a job there */
} isocast_suite_application;

/* Start from {0}. */
typedef struct isocast_suite {
    isocast_suite_application applications[ISOCAST_SUITE_MAX]; /* [count] */
    size_t count;
    double reference_nodes; /* of the whole reference machine; NAN: there is none */
} isocast_suite;
void isocast_suite_free(isocast_suite *suite);
bool isocast_suite_has_reference(const isocast_suite *suite);

/* An application on an offer. NAN marks what is not known. */
typedef struct isocast_suite_run {
    double nodes, p, N, W; /* of a job */
    double T, T_low, T_high, E;
    double energy;  /* J, of a job: nodes times what one draws, without what the whole needs besides
                     */
    double speedup; /* over the reference machine; NAN: there is none */
    double factor;  /* capability * utilization * speedup */
    double rate;    /* flop/s of a node */
    isocast_row_status status;
    bool is_too_large; /* the job takes more nodes than there are */
} isocast_suite_run;

/* A number and its 90 % interval. */
typedef struct isocast_suite_measure {
    double value, low, high;
} isocast_suite_measure;

typedef struct isocast_suite_offer {
    size_t class_index; /* the node class that is bought, of the offer's the one of most merit */
    double nodes;
    isocast_bill bill;
    double spent;
    isocast_suite_run runs[ISOCAST_SUITE_MAX];        /* [applications] */
    isocast_delivered phases[ISOCAST_DELIVERIES_MAX]; /* [phase_count], at least one */
    size_t phase_count;
    isocast_suite_measure ssi;
    isocast_suite_measure ssp;           /* flop/s, over the lifetime */
    double ssp_of_node;                  /* flop/s: the geometric mean */
    double ssp_per_price;                /* flop/s for a unit of currency */
    double work_cost;                    /* currency/flop over the lifetime */
    double work_energy;                  /* J/flop, of the whole machine */
    double throughput;                   /* mixes of jobs a second, weights being their numbers */
    double merit, merit_low, merit_high; /* what the ranking looks at; NAN: the offer does not serve
                                          */
} isocast_suite_offer;

/* What is asked. */
typedef struct isocast_suite_request {
    const isocast_suite *suite;
    /* [suite->count], each [count]: the offers, with models of that application. */
    const isocast_offer *const *offers;
    const double *N; /* [suite->count], of the first sizes */
    /* [count], with lifetimes and phases that begin within them; NULL: all is there at once. */
    const isocast_deliveries *deliveries;
    size_t count;  /* of offers, each of one node class */
    double budget; /* INFINITY: none; then all nodes of each offer are bought, and the ranking is
                      by merit over price */
    bool whole_life;
} isocast_suite_request;

/* At which value of a number the second offer is as good as the best; NAN: at none. */
typedef struct isocast_suite_change {
    size_t application; /* whose weight it is; the count of applications: no weight */
    double now, threshold;
} isocast_suite_change;

/* Start from {0}. */
typedef struct isocast_suite_verdict {
    isocast_suite_request request;
    isocast_suite_offer *offers; /* [count] */
    size_t best, second;         /* the count of offers: none */
    bool is_certain;             /* the intervals of the two do not overlap */
    size_t decisive;             /* the application that says most for the best; the count: none */
    isocast_suite_change
        weights[ISOCAST_SUITE_MAX]; /* [applications], 0 where there is no second */
    /* The price of a node of the best offer, and the price of energy, at which the second one is as
     * good: by the ranking, and by the cost of work. */
    isocast_suite_change node_price, energy_price;
} isocast_suite_verdict;

/* Errors: ARGUMENT (no offers; a budget not above 0), NO_MEMORY. Free
 * in either case. */
isocast_status isocast_suite_judge(const isocast_suite_request *request,
                                   isocast_suite_verdict *out);
void isocast_suite_verdict_free(isocast_suite_verdict *verdict);

#endif
