/* Sums of monomials with coefficients that are numbers, or that stay between two numbers, on a path
 * (path.h): what a formula comes to as p and N grow. Terms that cancel do so before anything is
 * compared. An equation between a formula and its series holds from some p on, with each
 * coefficient a function that stays between its bounds. Immutable; the memory is a series_room's.
 */
#ifndef ISOCAST_SERIES_H
#define ISOCAST_SERIES_H

#include <stdint.h>

#include "model/base/status.h"
#include "path.h"
#include "roots.h"

enum { ISOCAST_SERIES_TERMS = 400 /* of one series */ };

typedef struct isocast_series_term {
    isocast_monomial monomial;
    double low, high; /* the coefficient's bounds; equal: a number. One may be infinite */
    double magnitude; /* of what was added up to it: it is known to rounding of this */
    bool away;        /* it stays away from 0 on each path, also where a bound is 0 */
} isocast_series_term;

/* k x^e of each term over the first one's monomial, as log N goes to x log p, and their sum. */
typedef struct isocast_leading {
    isocast_root_term terms[ISOCAST_SERIES_TERMS];
    size_t count;
    bool exact; /* the terms are numbers, so that their sum depends on x alone */
    double low, high, magnitude;
    bool above, below; /* none is below 0, or above it */
    bool away;         /* one is away from it */
    bool above_low;    /* the sum stays away from its lower bound */
} isocast_leading;

/* Terms that cancel leave no more than this share of what was added up. */
extern const double isocast_leading_balanced;

/* Not between two numbers of different signs, and not near 0 either. */
bool isocast_term_is_away(const isocast_series_term *term);

/* terms: [count], of one order on the path. */
void isocast_leading_gather(const isocast_path *path, const isocast_series_term *const *terms,
                            size_t count, isocast_leading *out);

/* No terms: 0. */
typedef struct isocast_series {
    size_t count;
    const isocast_series_term *terms; /* [count], no two of one monomial */
} isocast_series;

/* Why a series is not known. */
typedef enum isocast_series_problem {
    ISOCAST_SERIES_KNOWN,
    ISOCAST_SERIES_SPLIT,   /* the path is to be split: at `split` */
    ISOCAST_SERIES_RUNNING, /* it depends on the running variable of a sum */
    ISOCAST_SERIES_OUTSIDE, /* no sum of such terms is known: `reason` */
    ISOCAST_SERIES_NO_MEMORY
} isocast_series_problem;

/* Where series are made: the memory of all of them, and the first problem, after which nothing more
 * is computed and every result is 0. Start from {.path = ...}; free the memory at the end. */
typedef struct isocast_series_room {
    isocast_path path;
    isocast_series_problem problem;
    double split;       /* where the path is to be split */
    const char *reason; /* a clause such as "a logarithm is taken of ..." */
    double steps;       /* terms that were looked at: what the room cost */
    bool squares;       /* what was made holds for p that are squares */
    bool cubes;         /* what was made holds for p that are cubes */
    bool divisors;      /* what was made holds for p that x divides in each divisor(p, x) */
    void *chunks;       /* owned */
} isocast_series_room;

void isocast_series_room_free(isocast_series_room *room);
bool isocast_series_failed(const isocast_series_room *room);
/* The first problem counts. */
void isocast_series_fail(isocast_series_room *room, isocast_series_problem problem,
                         const char *reason);
/* Forgets a problem, so that another way can be tried. A split and a lack of memory stay; false
 * then. */
bool isocast_series_recover(isocast_series_room *room);

isocast_series isocast_series_zero(void);
isocast_series isocast_series_number(isocast_series_room *room, double value);
isocast_series isocast_series_between(isocast_series_room *room, double low, double high);
/* Between the two, and away from 0 on each path. */
isocast_series isocast_series_away(isocast_series_room *room, double low, double high);
isocast_series isocast_series_monomial(isocast_series_room *room, const isocast_monomial *m);

/* a + factor b. */
isocast_series isocast_series_add(isocast_series_room *room, isocast_series a, isocast_series b,
                                  double factor);
isocast_series isocast_series_multiply(isocast_series_room *room, isocast_series a,
                                       isocast_series b);
/* Each coefficient between those of a and b: a value that is one of them, or lies between. */
isocast_series isocast_series_hull(isocast_series_room *room, isocast_series a, isocast_series b);
/* With each coefficient at its lower (upper) bound, for values of factors that are not below 0. */
isocast_series isocast_series_bound(isocast_series_room *room, isocast_series a, bool upper);

/* Without the terms that are smaller, on the path, than one whose sign is not known: that one's
 * bounds get wider by a little, which is more than all of them from some p on. */
isocast_series isocast_series_shorten(isocast_series_room *room, isocast_series a);
/* Without u (rest.h): each power of it between its bounds. What is equal no longer cancels. */
isocast_series isocast_series_close(isocast_series_room *room, isocast_series a);

/* Where there is one number for all N and p, *value is it. */
bool isocast_series_is_number(isocast_series a, double *value);
bool isocast_series_has_running(isocast_series a);

/* The terms that grow fastest, of a series without u. */
typedef struct isocast_series_lead {
    int sign; /* 1 or -1; 0: the series is 0, or the sign is not known */
    bool is_zero;
    bool is_balanced;          /* terms of one order cancel at this x, as log N and x log p do */
    isocast_monomial monomial; /* of one of them; the others are of the same order */
    bool above_low;            /* their sum stays away from `low` */
    double low, high;          /* of their sum, over that monomial; equal: one term, a number */
} isocast_series_lead;

/* False where it failed: the path is to be split, or a running variable decides. */
bool isocast_series_find_lead(isocast_series_room *room, isocast_series a,
                              isocast_series_lead *lead);
/* As isocast_series_find_lead. Where the largest terms may vanish, but each is known not to be
 * above (below) 0, and the terms behind them are below (above) it, that is lead->sign too. */
bool isocast_series_find_sign(isocast_series_room *room, isocast_series a,
                              isocast_series_lead *lead);
/* Whether a term is of the order of the lead. */
bool isocast_series_is_leading(isocast_series_room *room, const isocast_series_term *term,
                               const isocast_series_lead *lead);

#endif
