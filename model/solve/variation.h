/* The outcome of a row of a prediction, N' or T at a fixed size, where numbers of its machine are
 * others: what elasticities and the factors at which a number matters are made of. */
#ifndef ISOCAST_VARIATION_H
#define ISOCAST_VARIATION_H

#include "concurrency.h"
#include "prediction.h"

/* The machine as it is varied, and the row that is watched. Start from {0} with an account; it
 * must stay where it is. */
typedef struct isocast_variation {
    const isocast_prediction *prediction;
    const isocast_prediction_request *request;
    const isocast_system *system; /* the part that works, where not all processes do */
    const isocast_prediction_row *row;
    double *parameters;      /* [parameter_count], in SI units, one draw; may be written */
    double *speed_factors;   /* [class_count], of the marked speeds; may be written */
    size_t left;             /* drivers that are still to be looked at */
    isocast_effort effort;   /* for the one that is */
    isocast_effort *account; /* for all of them */
    bool has_none;           /* the last outcome: it is proved that no N holds the target */
    isocast_one_class part;
} isocast_variation;

/* Starts at the machine as it is. The arguments must outlive the variation. Errors: NO_MEMORY. In
 * any case isocast_variation_clear. */
isocast_status isocast_variation_start(isocast_variation *q, const isocast_prediction *prediction,
                                       const isocast_prediction_request *request, size_t row);
void isocast_variation_clear(isocast_variation *q);

/* T, s, and what is held of a system at N with the varied parameters; NAN where a sum is not known.
 * Errors: NO_MEMORY. */
isocast_status isocast_variation_evaluate(isocast_variation *q, const isocast_system *system,
                                          double N, double *T, double *held);
/* N' (T, s, at a fixed size) with the varied machine; NAN where there is none. Errors: NO_MEMORY.
 */
isocast_status isocast_variation_outcome(isocast_variation *q, double *outcome);

#endif
