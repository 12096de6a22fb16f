/* What rows of a prediction are to each other: psi between them, with its interval; and what a row
 * says for that. Solves nothing. */
#ifndef ISOCAST_PREDICTION_PSI_H
#define ISOCAST_PREDICTION_PSI_H

#include "interval.h"
#include "prediction_result.h"

/* What metrics look at, of a row. */
isocast_metric_point isocast_row_point(const isocast_prediction_row *row);

/* Whether not all processes of a row that count as working can work at its N. */
bool isocast_row_is_beyond_concurrency(const isocast_prediction_row *row);

/* What the intervals of a row on a system follow from; solved: its N follows from the base.
 * `effort` is spent on them. */
isocast_interval_request isocast_prediction_interval(const isocast_prediction *prediction,
                                                     const isocast_prediction_request *request,
                                                     const isocast_system *system,
                                                     isocast_effort *effort, bool solved);

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

/* psi of every row, from the row before and from the base. A row without N breaks the chain.
 * Errors: NO_MEMORY. */
isocast_status isocast_prediction_relate_rows(isocast_prediction *prediction,
                                              const isocast_prediction_request *request,
                                              isocast_effort *effort);

#endif
