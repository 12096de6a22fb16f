/* The sizes that give an efficiency by each route, and psi between them. Private to validation. */
#ifndef ISOCAST_VALIDATION_SIZES_H
#define ISOCAST_VALIDATION_SIZES_H

#include "validation_result.h"

/* Chooses the efficiency where it is NAN, then fills N, psi and their errors of every system; the
 * points are filled. Errors: NO_MEMORY. */
isocast_status isocast_validation_compare_sizes(isocast_validation *validation, double efficiency);

/* By what the logarithm of what psi is read off moves where the N measured on a system is off by
 * `error`, relative; NAN where that is not known. Errors: NO_MEMORY. */
isocast_status isocast_validation_psi_shift(const isocast_validation *validation,
                                            const isocast_validation_system *system, double error,
                                            double *shift);

#endif
