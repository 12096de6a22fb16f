/* The order of growth of the isoefficiency function, proved: how W must grow with p so that the
 * speed-efficiency stays E, from W/(E C) = T with C in proportion to p. The order is that of all
 * terms together, of each term alone, and of the bounds W = Omega(p) and concurrency >= p [GGKK
 * 5.4]. Computes; renders nothing. */
#ifndef ISOCAST_GROWTH_H
#define ISOCAST_GROWTH_H

#include <isocast/growth.h>

#include "model/base/buffer.h"
#include "question.h"

/* p^p log^log_p p (log log p)^log_log_p. The last is not 0 where terms are in balance alone, as
 * N log N and N log p + p log p are. */
typedef struct isocast_growth_order {
    double p, log_p, log_log_p;
} isocast_growth_order;

typedef enum isocast_growth_truth {
    ISOCAST_GROWTH_NOT_CERTAIN,
    ISOCAST_GROWTH_NO,
    ISOCAST_GROWTH_YES
} isocast_growth_truth;

/* What one term, one bound or all of them come to. Numbers that do not apply are NAN. */
typedef struct isocast_growth_part {
    isocast_growth_verdict verdict;
    isocast_growth_order W, N;     /* where PROVED */
    bool depends_on_E;             /* the exponents change with E */
    isocast_balance_law law;       /* of the exponent of p in N, where E moves it */
    double p_of_W, N_of_W;         /* W grows as p^p_of_W N^N_of_W, up to logarithms */
    isocast_growth_truth at_bound; /* some W of the bound's order holds E */
    /* Some W of the bound's order does not hold E, so that the part asks for that order itself. */
    isocast_growth_truth asks_bound;
    isocast_growth_truth falls_later; /* E is lost again at a larger W, a polynomial of p */
    isocast_growth_order lost;        /* of that W */
    const char *reason; /* a clause: why nothing is proved, or what is not proved; NULL for none */
} isocast_growth_part;

/* Orders of what else goes with them; NAN: not known. */
typedef struct isocast_growth_along {
    isocast_growth_order T, psi, memory; /* over p where E is held: psi from a fixed system, B of a
                                            process */
    /* Where W is fixed: over W, which stands in the place of p, the least T, and the fewest
     * processes that it needs. */
    isocast_growth_order least_T, least_p;
    bool least_by_bound; /* T falls up to the most processes that have work */
} isocast_growth_along;

typedef struct isocast_growth {
    double efficiency; /* E */
    double K;          /* E/(1-E); infinite or negative where E is not below 1 */
    isocast_growth_part whole;
    isocast_growth_along along;
    isocast_growth_part processes;   /* W = Omega(p) */
    isocast_growth_part concurrency; /* UNDECIDED with no reason where the algorithm gives none */
    bool has_concurrency;
    isocast_growth_part idle;   /* computation: p T_c - W/C_1, idle or excess */
    isocast_growth_part *terms; /* [term_count], in the algorithm's order */
    size_t term_count;
    double limit_of_E; /* what E tends to where N grows fast enough with p; NAN: not known */
    isocast_question_premises premises; /* for which p all of this holds */
    bool mixed;                         /* the system has several node classes, whose shares stay */
} isocast_growth;

/* An exponent as the words have it: the simple fraction that it is but for rounding, of which the
 * nearest double is reported, or itself. */
double isocast_growth_exponent(double value);
/* Appends an order such as "Theta(p^(3/2) log^2 p)", with decimals where it is no simple fraction.
 */
void isocast_growth_order_put(const isocast_growth_order *order, isocast_buffer *out);
/* The same over another variable than p. */
void isocast_growth_order_put_in(const isocast_growth_order *order, const char *variable,
                                 isocast_buffer *out);
/* Appends the order of W as K gives it, such as "Theta(p^(2 K) log p)"; nothing where the exponents
 * do not depend on K, or not in a way that is so simple. */
void isocast_growth_law_put(const isocast_growth_part *part, isocast_buffer *out);

/* Whether the part alone asks for what all together do. */
bool isocast_growth_part_rules(const isocast_growth *growth, const isocast_growth_part *part);

/* efficiency: above 0. Errors: NO_MEMORY. */
isocast_status isocast_growth_find(const isocast_costs_request *request, double efficiency,
                                   isocast_growth **out);
void isocast_growth_free(isocast_growth *growth);

#endif
