/* What a reader must know beside a row's numbers, in plain words: why there is no solution, which
 * bound is broken, what lies outside the measured range. */
#ifndef ISOCAST_REMARKS_H
#define ISOCAST_REMARKS_H

#include "prediction_result.h"

/* `other_sizes` like in isocast_model_points. Sets row->note, or leaves it NULL where there is
 * nothing to say. Errors: NO_MEMORY. */
isocast_status isocast_row_remark(const isocast_prediction *prediction,
                                  const isocast_system *system, const double *other_sizes,
                                  isocast_prediction_row *row);

#endif
