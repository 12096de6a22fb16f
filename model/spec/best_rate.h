/* How fast a machine's kernel runs by the machine file's time per flop: at some working sets and
 * counts of processes, and at best. Knows no algorithm. */
#ifndef ISOCAST_BEST_RATE_H
#define ISOCAST_BEST_RATE_H

#include "machine.h"

/* Whether an entry of the machine's `compute` depends on p or m, by its formula. */
bool isocast_kernel_depends(const isocast_operation *kernel, const char *name);

/* The time per flop, s, of an entry of the machine's `compute` on p[k] processes of one node with
 * m[k] B each; shapes [count]. NAN outside the formula's domain. Errors: NO_MEMORY. */
isocast_status isocast_kernel_time_at(const isocast_machine *machine,
                                      const isocast_operation *kernel, size_t count,
                                      const double *p, const double *m, double *time);

/* The best rate of an entry: at all working sets and counts of processes of its tables and at both
 * ends of what was measured; for another formula also at numbers in between. Errors: DOMAIN (the
 * time depends on m or p, and the file has neither tables over it nor the range measured; or the
 * time is nowhere above 0), NO_MEMORY. */
isocast_status isocast_best_rate_find(const isocast_machine *machine,
                                      const isocast_operation *kernel, isocast_best_rate *out);

/* The largest working set in B of the entry's tables and of what was measured, NAN where the file
 * states none. Errors: NO_MEMORY. */
isocast_status isocast_kernel_largest(const isocast_operation *kernel, double *m);

#endif
