/* N', psi', T and E of an algorithm on a list of systems: what `isocast predict` reports. Owns the
 * rows; formats nothing. */
#ifndef ISOCAST_PREDICTION_H
#define ISOCAST_PREDICTION_H

#include "prediction_result.h"

/* base and N: hold what the metric holds at its value on the base. efficiency: hold this value. N
 * alone: evaluate each system at N. Errors: ARGUMENT (no such combination; N outside the size's
 * range; efficiency not above 0; no level between 0 and 1), DOMAIN (no finite T at the base),
 * NO_MEMORY. */
isocast_status isocast_predict(const isocast_model *model,
                               const isocast_prediction_request *request, isocast_prediction **out);

#endif
