/* T(p, m) in ranges of m, or of the m/p bytes of a block, each a non-negative combination of a few
 * terms. */
#ifndef FIT_REGIMES_H
#define FIT_REGIMES_H

#include <stdbool.h>
#include <stddef.h>

/* Terms that a time may be made of; L = ceil(log2 p) steps of a tree, n nodes, k processes on the
 * node of process 0. */
typedef enum fit_term {
    FIT_TERM_CONSTANT,          /* 1 */
    FIT_TERM_STEPS,             /* L */
    FIT_TERM_PROCESSES,         /* p - 1 */
    FIT_TERM_BYTES,             /* m */
    FIT_TERM_STEP_BYTES,        /* m L */
    FIT_TERM_PROCESS_BYTES,     /* m (p - 1) */
    FIT_TERM_DEPTH,             /* D, what a message passes in a binomial tree: floor(log2 p) */
    FIT_TERM_DEPTH_BYTES,       /* m D */
    FIT_TERM_VOLUME_BYTES,      /* m V(p), see binomial.h */
    FIT_TERM_SPREAD,            /* 1 where each process has a node, else 0 */
    FIT_TERM_SPREAD_BYTES,      /* m likewise */
    FIT_TERM_NODE_DEPTH,        /* floor(log2 n) */
    FIT_TERM_NODE_DEPTH_BYTES,  /* m floor(log2 n) */
    FIT_TERM_NODE_VOLUME_BYTES, /* m V(n) */
    FIT_TERM_REMOTE,            /* p - k, processes on other nodes */
    FIT_TERM_REMOTE_BYTES,      /* m (p - k) */
    FIT_TERM_CROSSING_BYTES,    /* m/p k (p - k), blocks that leave a node */
    FIT_TERM_MESSAGES,          /* (p - 1) messages of m/p bytes; as long as these take */
    FIT_TERMS
} fit_term;

enum { FIT_REGIMES_MOST = 12, FIT_COUNTS_MOST = 32 };

/* One (p, m) with its measured time. */
typedef struct fit_point {
    double p;
    double m;       /* B */
    double size;    /* B, what the ranges go by: m, or m/p */
    double nodes;   /* that the processes are on */
    double p_node;  /* processes on the node of process 0 */
    double seconds; /* interquartile mean of the launches' medians */
    double weight;  /* of its relative error, in the sum of their squares */
    double known;   /* s, part of it that is known already; the terms make up the rest */
    double message; /* s, of a message of m/p bytes; NAN where not known */
} fit_point;

/* What terms miss at counts of processes that were measured. Straight lines in between. */
typedef struct fit_correction {
    double count_measured[FIT_COUNTS_MOST]; /* [counts], rising */
    double ratio[FIT_COUNTS_MOST];          /* [counts]; 1 at twice the largest count and beyond */
    size_t counts;                          /* 0: nothing worth telling */
} fit_correction;

typedef struct fit_regime {
    double size_from; /* holds from this size on; 0 for the first */
    bool used[FIT_TERMS];
    double coefficient[FIT_TERMS]; /* s or s/B; 0 where not used */
    double covariance[FIT_TERMS][FIT_TERMS];
    /* The terms are multiplied with these: [0] where each process has a node, [1] where some
     * share one. */
    fit_correction corrections[2];
} fit_regime;

typedef struct fit_regimes {
    fit_regime regimes[FIT_REGIMES_MOST];
    size_t count;
    double score; /* corrected Akaike criterion; smaller is better */
} fit_regimes;

double fit_term_value(fit_term term, const fit_point *at);

/* Fits the points (shape [count], sorted by size) with terms among `allowed`, by weighted least
 * squares of the relative error over every subset whose coefficients come out non-negative;
 * switches lie between sizes measured. The score decides on terms and switches. False where nothing
 * fits or memory is short. */
bool fit_regimes_choose(const fit_point *points, size_t count, const bool allowed[FIT_TERMS],
                        fit_regimes *out);

/* Learns what the chosen terms miss at each count of processes from the points (shape [count],
 * sorted by size). */
void fit_regimes_correct(fit_regimes *f, const fit_point *points, size_t count);

/* The range that a point is in, and what its terms make there without corrections, s. */
size_t fit_regime_at(const fit_regimes *f, const fit_point *at);
double fit_regime_terms(const fit_regime *regime, const fit_point *at);

double fit_regimes_time(const fit_regimes *f, const fit_point *at);

#endif
