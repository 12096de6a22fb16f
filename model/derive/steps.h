/* Steps of a derived program: what follows what, in which loops, by whom, and with which formulas.
 */
#ifndef ISOCAST_DERIVE_STEPS_H
#define ISOCAST_DERIVE_STEPS_H

#include "step.h"

/* Makes the steps of all that the records say. speed: marked speed of their processors, flop/s.
 * *known: whether there is a program. To be freed in every case. Errors: NO_MEMORY. */
isocast_status isocast_derive_steps_make(const isocast_derived *derived, double speed,
                                         derive_program *out, bool *known);

#endif
