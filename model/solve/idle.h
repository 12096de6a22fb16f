/* Numbers of a machine that do not matter to a prediction, and by how much each would have to
 * change to matter. Computes; renders nothing. */
#ifndef ISOCAST_IDLE_H
#define ISOCAST_IDLE_H

#include "elasticity.h"

/* To either side a driver is tried at 10, 100 and so on to 10^6 times, or as small a part. */
enum { ISOCAST_IDLE_DECADES = 6 };
/* The relative change of N' (of T at a fixed size) from which on a driver matters. */
#define ISOCAST_IDLE_CHANGE 0.05

/* Fills the factors and `matter` of the parameters and marked speeds among the drivers of a row,
 * as isocast_drivers_find made them. Where a whole power of 10 moves the outcome by 5 %, or leaves
 * it without a solution, bisection goes on between it and the power before it, to 0.02 %: what
 * comes and goes between two powers is missed. Errors: NO_MEMORY. */
isocast_status isocast_idle_find(const isocast_prediction *prediction,
                                 const isocast_prediction_request *request, size_t row,
                                 isocast_drivers *drivers);

#endif
