/* Steps of a derived program: what follows what, in which loops, by whom, and with which formulas.
 */
#ifndef ISOCAST_DERIVE_STEPS_H
#define ISOCAST_DERIVE_STEPS_H

#include "step.h"

/* Makes derived->program: the steps of all that the records say. Errors: NO_MEMORY. */
isocast_status isocast_derive_steps_make(isocast_derived *derived);

/* Takes a step of the program out, and notes that among its doubts. *left_out: whether it is one of
 * messages or calls, which can be left out. Errors: NO_MEMORY. */
isocast_status isocast_derive_step_leave_out(isocast_derived *derived, const derive_step *step,
                                             bool *left_out);

#endif
