/* What a prediction is asked for. */
#ifndef ISOCAST_PREDICTION_REQUEST_H
#define ISOCAST_PREDICTION_REQUEST_H

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

#endif
