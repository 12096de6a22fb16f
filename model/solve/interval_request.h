/* What an interval is asked of: a row of a prediction with what it was found from. */
#ifndef ISOCAST_INTERVAL_REQUEST_H
#define ISOCAST_INTERVAL_REQUEST_H

#include "drawn_times.h"
#include "point_times.h"
#include "prediction_result.h"

typedef struct isocast_interval_request {
    const isocast_model *model;
    isocast_metric metric;
    isocast_uncertainty *uncertainty;
    const isocast_system *system; /* of the row */
    const isocast_system *base;   /* at whose value is held; NULL where the target is a number */
    const isocast_prediction_row *base_row; /* likewise; has its moves */
    const double *other_sizes;              /* [size_count - 1], or NULL */
    isocast_effort *effort;                 /* takes what it costs */
    isocast_point_times *times;             /* W and T at single N; NULL: by the program */
    isocast_drawn_times *drawn;             /* W and T of all draws at one N; NULL: by themselves */
} isocast_interval_request;

#endif
