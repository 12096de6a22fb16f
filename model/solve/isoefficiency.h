/* The isoefficiency function of an algorithm on a machine [GGKK 5.4]: W'(p) on the systems of a
 * prediction with its costs, the exact local exponent of growth there, and the order of growth that
 * is proved (model/growth). Computes; renders nothing. */
#ifndef ISOCAST_ISOEFFICIENCY_H
#define ISOCAST_ISOEFFICIENCY_H

#include "model/growth/growth.h"
#include "prediction.h"

/* On one system, at its N'. All times are processor-time: summed over the processes, in s. NAN
 * where the row has no solution. */
typedef struct isocast_isoefficiency_row {
    double ideal;    /* W/C_1, C_1 = C/p */
    double cost;     /* p T */
    double overhead; /* p T - W/C_1: T_o in the sense of [GGKK] */
    double idle;     /* p T_c - W/C_1: idle or excess computation */
    double *terms;   /* [term_count], p T_k */
    /* d ln W'/d ln p where E is held: (d ln T_o/d ln p)/(1 - d ln T_o/d ln W); NAN where it is not,
     * as the concurrency asks for more. */
    double exponent;
} isocast_isoefficiency_row;

struct isocast_isoefficiency {
    const isocast_prediction *prediction;
    isocast_prediction *owned;       /* the same where it was made for this alone; else NULL */
    isocast_growth *growth;          /* of the last system and those like it */
    isocast_isoefficiency_row *rows; /* [row_count], in the prediction's order */
    /* The part that rules the order: a term's index, term_count for the computation (idle), or
     * term_count + 1 for a bound; NO_RULER where that is not known. */
    size_t ruler;
    /* On the systems from this p on the ruling part is the largest of the overhead; NAN where that
     * is not so on those of the largest p. */
    double rules_from_p;
    bool rules_on_all; /* on all of the systems */
};

#define ISOCAST_NO_RULER ((size_t)-1)

/* Of a prediction that holds a speed-efficiency, made of this request; it must outlive the
 * result, and so must its model. Free with isocast_isoefficiency_free(). Errors: ARGUMENT (the
 * speed-efficiency is not held), NO_MEMORY. */
isocast_status isocast_isoefficiency_find(const isocast_prediction *prediction,
                                          const isocast_prediction_request *request,
                                          isocast_isoefficiency **out);

#endif
