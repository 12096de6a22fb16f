/* T(p, m) in up to six ranges of m, each a non-negative combination of a few terms. */
#ifndef FIT_REGIMES_H
#define FIT_REGIMES_H

#include <stdbool.h>
#include <stddef.h>

/* Terms that a time may be made of; L = ceil(log2 p) steps of a tree. */
typedef enum fit_term {
    FIT_TERM_CONSTANT,      /* 1 */
    FIT_TERM_STEPS,         /* L */
    FIT_TERM_PROCESSES,     /* p - 1 */
    FIT_TERM_BYTES,         /* m */
    FIT_TERM_STEP_BYTES,    /* m L */
    FIT_TERM_PROCESS_BYTES, /* m (p - 1) */
    FIT_TERM_DEPTH,         /* D, what a message passes in a binomial tree: floor(log2 p) */
    FIT_TERM_DEPTH_BYTES,   /* m D */
    /* m D^2: all messages that a process sends at once share its link, so the children of a tree's
     * root wait for all of them, theirs for all of theirs, and so on. */
    FIT_TERM_DEPTH_SQUARE_BYTES,
    FIT_TERM_RING,     /* scatter and ring: (p - 1) messages of m/p, one of m, L - 1 empty */
    FIT_TERM_MESSAGES, /* (p - 1) messages of m/p bytes; as long as these take */
    FIT_TERMS
} fit_term;

enum { FIT_REGIMES_MOST = 6 };

/* One (p, m) with its measured time. */
typedef struct fit_point {
    double p;
    double m;       /* B */
    double seconds; /* interquartile mean of the launches' medians */
    /* s, of a message of m/p, m and 0 bytes; NAN where not known */
    double message, whole_message, empty_message;
} fit_point;

typedef struct fit_regime {
    double m_from; /* holds for m >= m_from; 0 for the first */
    bool used[FIT_TERMS];
    double coefficient[FIT_TERMS]; /* s or s/B; 0 where not used */
    double covariance[FIT_TERMS][FIT_TERMS];
} fit_regime;

typedef struct fit_regimes {
    fit_regime regimes[FIT_REGIMES_MOST];
    size_t count;
    double score; /* corrected Akaike criterion; smaller is better */
} fit_regimes;

double fit_term_value(fit_term term, const fit_point *at);

/* Fits the points (shape [count], sorted by m) with terms among `allowed`, by weighted least
 * squares of the relative error over every subset whose coefficients come out non-negative;
 * switches lie between sizes measured. The score decides on terms and switches. False where nothing
 * fits or memory is short. */
bool fit_regimes_choose(const fit_point *points, size_t count, const bool allowed[FIT_TERMS],
                        fit_regimes *out);

double fit_regimes_time(const fit_regimes *f, const fit_point *at);

#endif
