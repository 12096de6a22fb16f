/* What a sum's term does that a few of its values do not show: steps of floor(), ceil() and round()
 * that come again and again, and places where a comparison switches. Where their arguments are
 * linear in the running variable all of them are known. Private to the evaluator (sum.c). */
#ifndef ISOCAST_SUM_PLAN_H
#define ISOCAST_SUM_PLAN_H

#include "block.h"

enum {
    ISOCAST_SUM_STEPS_MAX = 1024, /* single steps that a range is cut at */
    ISOCAST_SUM_CUTS_MAX = ISOCAST_SUM_STEPS_MAX + 64,
    ISOCAST_SUM_PERIOD_MAX = 4096
};

typedef struct isocast_sum_plan {
    /* Terms whose numbers differ by a multiple of this lie on pieces without steps. */
    double period;
    bool is_hidden; /* there are steps that neither the period nor the cuts account for */
    /* Between two cuts the term is a polynomial of the running variable, of this degree at most;
     * below 0 where that is not known. */
    int degree;
    size_t cut_count;
    double
        cuts[ISOCAST_SUM_CUTS_MAX]; /* rising: from term number ceil(cut) on it is another piece */
} isocast_sum_plan;

/* Plans the sum of `count` terms. `registers` are those of the block at the first term. Errors:
 * NO_MEMORY. */
isocast_status isocast_sum_plan_make(const isocast_program *program, const isocast_block *block,
                                     const double *registers, double count, isocast_sum_plan *plan);

#endif
