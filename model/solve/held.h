/* What a metric holds constant, numerator/(size T), evaluated on one system at many points. Solves
 * nothing. */
#ifndef ISOCAST_HELD_H
#define ISOCAST_HELD_H

#include "model.h"
#include "model/base/metric.h"

/* The values of what is held, [points->count], in the metric's unit; NAN where they are not known.
 * All points have one system (systems_stride 0). `T` gets the times in s; NULL where they are not
 * wanted. *sum_error: as in isocast_model_results. Errors: NO_MEMORY. */
isocast_status isocast_held_evaluate(const isocast_model *model, isocast_metric metric,
                                     const isocast_model_points *points, double *held, double *T,
                                     double *sum_error);

#endif
