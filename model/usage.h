/* Which operations of a machine an algorithm's formulas lead to, through definitions and through
 * each other. Evaluates nothing: an operation in a branch that is never taken is used, too. */
#ifndef ISOCAST_USAGE_H
#define ISOCAST_USAGE_H

#include "names.h"

/* Sets used[i], shape [machine->operation_count], for every operation that the work, the compute
 * time or an overhead term calls, directly or not. The formulas have passed their check. Errors:
 * NO_MEMORY. */
isocast_status isocast_usage_find(const isocast_name_table *names,
                                  const isocast_algorithm *algorithm,
                                  const isocast_machine *machine, bool *used);

#endif
