/* The condition of a metric, numerator(N)/(size T(N)) = target, on one system, as a function of N:
 * at points, and over pieces of the range of N. The metric says what numerator and size are (W and
 * C for isospeed-efficiency). Private to the solver. */
#ifndef ISOCAST_CONDITION_H
#define ISOCAST_CONDITION_H

#include "model.h"
#include "model/base/metric.h"
#include "model/formula/enclosure.h"

typedef struct isocast_condition isocast_condition;

/* At one N. */
typedef struct isocast_balance {
    double E;         /* what is held; NAN where numerator or T has no value, or T is not above 0 */
    double residual;  /* E/target - 1, without cancellation; NAN likewise */
    double value;     /* of the sign of numerator/(E size) - T and at most 1; NAN likewise */
    double noise;     /* what rounding makes of `value` */
    double sum_error; /* relative, of all sums together with what is evaluated beside this */
} isocast_balance;

/* The target is in the unit of what the metric holds. `effort`, which must outlive it, takes what
 * the condition's values and proofs cost. Errors: NO_MEMORY. */
isocast_status isocast_condition_create(const isocast_model *model, isocast_metric metric,
                                        const isocast_system *system, const double *other_sizes,
                                        const double *parameters, double target,
                                        isocast_effort *effort, isocast_condition **out);
void isocast_condition_free(isocast_condition *c);

/* Shapes: [count]. Errors: NO_MEMORY. */
isocast_status isocast_condition_evaluate(isocast_condition *c, size_t count, const double *N,
                                          isocast_balance *out);

/* The balance numerator/(E size) - T, s, over low <= N <= high. *known is false where it has too
 * many terms. Errors: NO_MEMORY. */
isocast_status isocast_condition_enclose(isocast_condition *c, double low, double high,
                                         isocast_form *balance, bool *known);
/* What the factors of that balance can be in the piece, and a place in it at which a formula
 * switches, as in enclosure.h. */
isocast_form_ranges isocast_condition_ranges(const isocast_condition *c);
bool isocast_condition_switch(isocast_condition *c, double switch_at[2]);
/* True where the condition has sums, whose evaluation is dear. */
bool isocast_condition_has_sums(const isocast_condition *c);
/* True where N moves the ends of sums, which numbers do not count beyond some N. */
bool isocast_condition_sums_to_N(const isocast_condition *c);

#endif
