/* The order of growth of the isoefficiency function, proved: how W must grow with p so that the
 * speed-efficiency stays E, from W/(E C) = T with C in proportion to p. The order is that of all
 * terms together, of each term alone, and of the bounds W = Omega(p) and concurrency >= p [GGKK
 * 5.4]. Computes; renders nothing. */
#ifndef ISOCAST_GROWTH_H
#define ISOCAST_GROWTH_H

#include <isocast/growth.h>

#include "cells.h"
#include "costs.h"
#include "model/base/buffer.h"

/* p^p log^log_p p (log log p)^log_log_p. The last is not 0 where terms are in balance alone, as
 * N log N and N log p + p log p are. */
typedef struct isocast_growth_order {
    double p, log_p, log_log_p;
} isocast_growth_order;

/* What one term, one bound or all of them come to. Numbers that do not apply are NAN. */
typedef struct isocast_growth_part {
    isocast_growth_verdict verdict;
    isocast_growth_order W, N; /* where PROVED */
    bool depends_on_E;         /* the exponents change with E */
    /* The exponent of p in N is (factor K)^power, K = E/(1-E); NAN where it is no such power. */
    double factor, power;
    double p_of_W, N_of_W; /* W grows as p^p_of_W N^N_of_W, up to logarithms */
    bool falls_later; /* PROVED: E is lost again at an N that grows with p, of the order `lost` */
    isocast_growth_order lost; /* of W */
    const char *reason; /* a clause: why nothing is proved, or what is not proved; NULL for none */
} isocast_growth_part;

typedef struct isocast_growth {
    double efficiency; /* E */
    double K;          /* E/(1-E); infinite or negative where E is not below 1 */
    isocast_growth_part whole;
    isocast_growth_part processes;   /* W = Omega(p) */
    isocast_growth_part concurrency; /* UNDECIDED with no reason where the algorithm gives none */
    bool has_concurrency;
    isocast_growth_part idle;   /* computation: p T_c - W/C_1, idle or excess */
    isocast_growth_part *terms; /* [term_count], in the algorithm's order */
    size_t term_count;
    double limit_of_E; /* what E tends to where N grows fast enough with p; NAN: not known */
    bool squares;      /* all of this holds for p that are squares, whose process grid is square */
    bool cubes;        /* likewise for grids of three dimensions */
    bool mixed;        /* the system has several node classes, whose shares stay */
} isocast_growth;

/* A word for each verdict: "proved", "free", "unreachable", "unscalable", "finite-range",
 * "undecided". */
const char *isocast_growth_verdict_word(isocast_growth_verdict verdict);
/* An exponent as the words have it: the simple fraction that it is but for rounding, of which the
 * nearest double is told, or itself. */
double isocast_growth_exponent(double value);
/* Appends an order such as "Theta(p^(3/2) log^2 p)", with decimals where it is no simple fraction.
 */
void isocast_growth_order_put(const isocast_growth_order *order, isocast_buffer *out);
/* Appends the order of W as K gives it, such as "Theta(p^(2 K) log p)"; nothing where the exponents
 * do not hang on K, or not in a way that is so simple. */
void isocast_growth_law_put(const isocast_growth_part *part, isocast_buffer *out);

/* efficiency: above 0. Errors: NO_MEMORY. */
isocast_status isocast_growth_find(const isocast_costs_request *request, double efficiency,
                                   isocast_growth **out);
void isocast_growth_free(isocast_growth *growth);

#endif
