/* The inequalities whose signs make an order of growth: that a part of the costs, all of them or a
 * bound leave E where it is wanted. Where the largest terms of one cancel,
 * as those of N log N and N log p do at one x, E and the terms behind them decide. */
#ifndef ISOCAST_QUESTION_H
#define ISOCAST_QUESTION_H

#include "cells.h"
#include "costs.h"

/* Which inequality is asked for: its left side less its right one, so that above 0 holds. */
typedef enum isocast_question_kind {
    ISOCAST_QUESTION_WHOLE,       /* W/(E C_1) - p T */
    ISOCAST_QUESTION_ONE_TERM,    /* W (1/E - 1)/C_1 - p T_k */
    ISOCAST_QUESTION_IDLE,        /* W (1/E - 1)/C_1 - (p T_c - W/C_1) */
    ISOCAST_QUESTION_PROCESSES,   /* W - p */
    ISOCAST_QUESTION_CONCURRENCY, /* concurrency - p */
    ISOCAST_QUESTION_FALLING /* terms of T that fall as p grows at one N, less those that rise */
} isocast_question_kind;

/* For which p the answers hold alone, as some formulas say nothing for others. */
typedef struct isocast_question_premises {
    bool squares, cubes; /* p is one, and so is its grid of processes */
    bool divisors;       /* x divides p in each divisor(p, x) */
} isocast_question_premises;

typedef struct isocast_question {
    const isocast_costs_request *request;
    double efficiency;
    isocast_question_kind kind;
    size_t term;
    isocast_question_premises *premises; /* gets what the answers need */
} isocast_question;

/* E/(1-E). */
double isocast_question_K(double efficiency);
/* The inequality on the path of the costs. With an infinite K it is without the terms that have the
 * factor 1/K. */
isocast_series isocast_question_series(isocast_costs *costs, const isocast_question *question,
                                       double K);
/* An isocast_series_maker; the context is an isocast_question. */
isocast_status isocast_question_make(const void *context, const isocast_path *path,
                                     isocast_series_lead *lead, isocast_series_room *reported);
/* The path on which N goes as a place does: where = -1 more slowly than any constant times it, 1
 * faster, 0: between two constants times it. */
isocast_path isocast_question_path(const isocast_place *at, int where);
/* The sign on that path; 0 where it is not known. Errors: NO_MEMORY. */
isocast_status isocast_question_sign(const isocast_question *question, const isocast_place *at,
                                     int where, int *sign);

/* x as (factor K)^power; NAN where it is no such power. */
typedef struct isocast_balance_law {
    double factor, power;
} isocast_balance_law;

/* Where the inequality begins to hold at the x of the cell; *found is false where that is not
 * known. Errors: NO_MEMORY. */
isocast_status isocast_balance_resolve(const isocast_question *question, const isocast_cell *cell,
                                       bool *found, isocast_place *at, isocast_balance_law *law);
/* Whether the place is one where terms cancel at one x, some of which have the factor 1/K: then E
 * moves it. Errors: NO_MEMORY. */
isocast_status isocast_balance_note(const isocast_question *question, const isocast_place *at,
                                    bool *depends, isocast_balance_law *law);

#endif
