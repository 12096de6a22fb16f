/* How fast the outputs of a reach move with ln N over a piece: what is continuous and falls or
 * rises throughout meets 0 once at most. */
#ifndef ISOCAST_REACH_SLOPE_H
#define ISOCAST_REACH_SLOPE_H

#include "reach.h"

/* N d/dN of an output over the current piece, which is no single N; the output was asked for
 * before. Where slopes change at once, those of both sides are in it. Not known where the output
 * may jump in the piece, or has something that has no rule here. */
isocast_band isocast_reach_slope(isocast_reach *r, size_t output);

#endif
