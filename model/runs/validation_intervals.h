/* How sure the predicted N and psi of a validation are: their intervals, from the errors of the
 * machine's numbers. Compares nothing. */
#ifndef ISOCAST_VALIDATION_INTERVALS_H
#define ISOCAST_VALIDATION_INTERVALS_H

#include "validation_result.h"

/* Fills N_predicted_low to psi_predicted_high and condition of all systems whose N_predicted is
 * known, at the level ISOCAST_LEVEL, and the own errors of what is measured. They stay NAN where
 * the machine file has no errors, or N_predicted is not the smallest N that is predicted. Errors:
 * NO_MEMORY. */
isocast_status isocast_validation_fill_intervals(isocast_validation *validation);

#endif
