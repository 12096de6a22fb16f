/* Operations that an algorithm calls by a name which isocast does not know. */
#ifndef ISOCAST_UNKNOWN_OPERATIONS_H
#define ISOCAST_UNKNOWN_OPERATIONS_H

#include "algorithm.h"

/* Warns of each call of an operation that neither the algorithm file gives a time for nor isocast
 * knows by its name. A machine file may still have it, so this is for algorithms that are looked at
 * without one. */
void isocast_algorithm_warn_operations(const isocast_algorithm *algorithm,
                                       isocast_diagnostics *diagnostics);

#endif
