/* The sizes that give an efficiency by each route, and psi between them. Private to validation. */
#ifndef ISOCAST_VALIDATION_SIZES_H
#define ISOCAST_VALIDATION_SIZES_H

#include "validation_result.h"

/* Chooses the efficiency where it is NAN, then fills N, psi and their errors of every system; the
 * points are filled. Errors: NO_MEMORY. */
isocast_status isocast_validation_compare_sizes(isocast_validation *validation, double efficiency);

#endif
