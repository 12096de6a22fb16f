/* What the model predicts of a system at a size that is compared with runs: like predict at this
 * size, with the processes that can work there. */
#ifndef ISOCAST_VALIDATION_TIMES_H
#define ISOCAST_VALIDATION_TIMES_H

#include "validation_result.h"

/* Sets the results, and *held, what the metric holds, which may be NULL. All are NAN where the
 * formulas have no value, a sum is not known, or it is not known which processes can work. `effort`
 * like in isocast_program_points. Errors: NO_MEMORY. */
isocast_status isocast_validation_times(const isocast_validation *validation,
                                        const isocast_validation_system *of, double N,
                                        isocast_effort *effort, isocast_model_results *results,
                                        double *held);

#endif
