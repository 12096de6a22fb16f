/* Operations that an algorithm file calls, and names of them that are probably misspelt. */
#ifndef ISOCAST_UNKNOWN_OPERATIONS_H
#define ISOCAST_UNKNOWN_OPERATIONS_H

#include "algorithm.h"
#include "machine.h"

/* Warns of each call of an operation that isocast does not know by its name, and that neither the
 * algorithm file nor one of the machines (shape [count]; entries may be NULL) gives a time for; and
 * of each time that the file gives an operation which no formula of it calls. */
void isocast_algorithm_warn_operations(const isocast_algorithm *algorithm,
                                       const isocast_machine *const *machines, size_t count,
                                       isocast_diagnostics *diagnostics);

/* Whether a formula of the algorithm calls the operation. */
bool isocast_algorithm_calls(const isocast_algorithm *algorithm, const char *name);

/* Whether its formula for the operation is needed, where only some of those for operations are
 * used, shape [operation_count]: no other one calls it, or one that is used, or another formula
 * does. */
bool isocast_algorithm_needs(const isocast_algorithm *algorithm, const char *name,
                             const bool *used);

#endif
