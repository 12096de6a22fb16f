/* N', psi', T and E of an algorithm on a list of systems: what `isocast predict` reports. Owns the
 * rows; formats nothing. */
#ifndef ISOCAST_PREDICTION_H
#define ISOCAST_PREDICTION_H

#include "prediction_result.h"

typedef struct isocast_prediction_request {
    const isocast_system *base; /* NULL: none */
    double N;                   /* at the base, or for every row; NAN: none */
    const double *other_sizes;  /* [size_count - 1], or NULL */
    double efficiency; /* target, in the unit of what the metric holds; NAN: from the base, or none
                          (fixed N) */
    const isocast_system *const *systems; /* [system_count] */
    size_t system_count;
    /* Takes what the rows cost, and leaves a part for more about them; NULL: as much as a question
     * of so many rows may. A row for which nothing is left is told as not certain or not known. */
    isocast_effort *effort;
    isocast_metric metric; /* what is held; 0: speed-efficiency */
    bool numbers_only;     /* without intervals and notes */
    double level;          /* of intervals, above 0 and below 1; 0: ISOCAST_LEVEL */
    bool by_reference;     /* roots by the reference path alone (isocast_solve_metric) */
} isocast_prediction_request;

/* The probability with which intervals hold what they are of, where nothing else is asked for. */
#define ISOCAST_LEVEL 0.9

/* base and N: hold what the metric holds at its value on the base. efficiency: hold this value. N
 * alone: evaluate each system at N. Errors: ARGUMENT (no such combination; N outside the size's
 * range; efficiency not above 0; no level between 0 and 1), DOMAIN (no finite T at the base),
 * NO_MEMORY. */
isocast_status isocast_predict(const isocast_model *model,
                               const isocast_prediction_request *request, isocast_prediction **out);

/* psi of the prediction's metric from a row to another; NAN where one of the two has none, or does
 * not hold what is held, as not all of its processes work. */
double isocast_prediction_psi(const isocast_prediction *prediction,
                              const isocast_prediction_row *from, const isocast_prediction_row *to);

/* A row of a prediction, or its base, with its system. */
typedef struct isocast_prediction_place {
    isocast_prediction_row *row;
    const isocast_system *system;
} isocast_prediction_place;

/* The interval of that psi, at the prediction's level; NAN where nothing is known of errors, or the
 * effort is spent. The prediction was made of the request; its rows may get draws (interval.h).
 * Errors: NO_MEMORY. */
isocast_status isocast_prediction_psi_interval(isocast_prediction *prediction,
                                               const isocast_prediction_request *request,
                                               isocast_prediction_place from,
                                               isocast_prediction_place to, isocast_effort *effort,
                                               double *low, double *high);

#endif
