/* Marked speeds by hand for all node classes of a machine: one speed, or the best rate of a kernel.
 * Changes a machine that was loaded, before it is bound. Which one a program has states
 * marked_speed.h. */
#ifndef ISOCAST_MARKED_SPEED_CHOICE_H
#define ISOCAST_MARKED_SPEED_CHOICE_H

#include "best_rate.h"

/* Gives all classes one marked speed, flop/s, which must be above 0. */
void isocast_marked_speed_give(isocast_machine *machine, double speed);

/* Gives the slowest class the best rate of a kernel, as its time per flop is that of the slowest
 * process; the others get as much more as the file's marked speeds of that kernel say. The entry
 * is in the machine's `compute`. Errors as of isocast_best_rate_find(). */
isocast_status isocast_marked_speed_take_peak(isocast_machine *machine,
                                              const isocast_operation *kernel);

#endif
