/* Acceptance numbers: what a few nodes of an offer must show so that T on all of them is at most
 * what was promised, with a probability. ln T on few nodes and on all of them are taken as normal;
 * the errors of the machine's numbers are common to both, and the spread of runs is not. With
 * variances v and w of the two, and the covariance c that the gradients of ln T give, ln T on all
 * nodes has the mean ln T_all + c/v (ln T_shown - ln T_few) and the variance w - c^2/v where
 * T_shown was seen on the few (conditional normal distribution). Formats nothing. */
#ifndef ISOCAST_ACCEPTANCE_H
#define ISOCAST_ACCEPTANCE_H

#include "offer.h"

/* The probability with which the promise holds where a vendor shows the number. */
#define ISOCAST_ACCEPTANCE_LEVEL 0.9

/* X(name, word): whether there is such a number. */
#define ISOCAST_ACCEPTANCE_LIST(X)                                                                 \
    X(OK, "ok")                                                                                    \
    X(NO_TIME, "no-prediction") /* there is no T on the few nodes, or on all of them */            \
    X(NO_ERRORS, "no-errors")   /* nothing is known of the errors behind T */                      \
    X(APART, "apart")           /* T on the few says hardly anything of T on all of them */

typedef enum isocast_acceptance_status {
#define ISOCAST_ACCEPTANCE_ENUM(name, word) ISOCAST_ACCEPTANCE_##name,
    ISOCAST_ACCEPTANCE_LIST(ISOCAST_ACCEPTANCE_ENUM)
#undef ISOCAST_ACCEPTANCE_ENUM
} isocast_acceptance_status;

typedef struct isocast_acceptance {
    const char *offer;       /* its name, borrowed */
    const char *application; /* of a suite, borrowed; NULL: there is none */
    double nodes, p;         /* that show it, and processes there */
    double N;                /* first size; where it can, it gives the few nodes the E of all */
    double T, E;             /* predicted there; s */
    double T_most, E_least;  /* to be shown; NAN where no number follows */
    double passes;           /* probability that nodes which are as predicted show it; NAN */
    double all_nodes, all_N; /* what is promised, and at which size */
    double promised;         /* s */
    double correlation;      /* of ln T on few and on all nodes; NAN */
    isocast_acceptance_status status;
} isocast_acceptance;

/* Start from {0}. */
typedef struct isocast_acceptances {
    isocast_acceptance *items; /* [count] */
    size_t count, capacity;
} isocast_acceptances;

typedef struct isocast_acceptance_question {
    const isocast_offer *offer;
    const char *application;   /* NULL: none */
    const double *nodes;       /* [class_count], all */
    double N;                  /* on all */
    const double *other_sizes; /* [size_count - 1], or NULL */
    double promised;           /* s; NAN: the upper end of the 90 % interval of T */
    double few; /* nodes, of each class its share; nothing is added where these are all */
} isocast_acceptance_question;

/* Appends the numbers of one question. Errors: NO_MEMORY. */
isocast_status isocast_acceptances_add(isocast_acceptances *list,
                                       const isocast_acceptance_question *question);
void isocast_acceptances_free(isocast_acceptances *list);

#endif
