/* The iso-efficiency condition W/(T C) = E on one system, as a function of N: at points, and over
 * pieces of the range of N. Private to the solver. */
#ifndef ISOCAST_CONDITION_H
#define ISOCAST_CONDITION_H

#include "model.h"
#include "model/formula/enclosure.h"

typedef struct isocast_condition isocast_condition;

/* At one N. */
typedef struct isocast_balance {
    double E;         /* speed-efficiency; NAN where W or T has no value, or T is not above 0 */
    double residual;  /* E/target - 1, without cancellation; NAN likewise */
    double value;     /* of the sign of W/(E C) - T and at most 1; NAN where these have no value */
    double noise;     /* what rounding makes of `value` */
    double sum_error; /* relative, of all sums together with what is evaluated beside this */
} isocast_balance;

/* `effort`, which must outlive it, takes what the condition's values and proofs cost. Errors:
 * NO_MEMORY. */
isocast_status isocast_condition_create(const isocast_model *model, const isocast_system *system,
                                        const double *other_sizes, const double *parameters,
                                        double target, isocast_effort *effort,
                                        isocast_condition **out);
void isocast_condition_free(isocast_condition *c);

/* Shapes: [count]. Errors: NO_MEMORY. */
isocast_status isocast_condition_evaluate(isocast_condition *c, size_t count, const double *N,
                                          isocast_balance *out);

/* The balance W/(E C) - T, s, over low <= N <= high; ranges and switches are those of the
 * enclosure. *known is false where it has too many terms. Errors: NO_MEMORY. */
isocast_status isocast_condition_enclose(isocast_condition *c, double low, double high,
                                         isocast_form *balance, bool *known);
isocast_enclosure *isocast_condition_enclosure(isocast_condition *c);
/* True where the condition has sums, whose evaluation is dear. */
bool isocast_condition_has_sums(const isocast_condition *c);

#endif
