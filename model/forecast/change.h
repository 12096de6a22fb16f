/* Change points: where T of a series goes another way than the runs on fewer processes say, as when
 * data fit a cache, a second node is used, or a library takes another algorithm. */
#ifndef ISOCAST_CHANGE_H
#define ISOCAST_CHANGE_H

#include <stdbool.h>

#include "curve_fit.h"

typedef struct isocast_change {
    bool found;
    double p_before, p; /* the last point of the old way, and the first of the new one; NAN */
    double factor;      /* T there over what the points before it say; NAN */
} isocast_change;

/* points: shape [count], rising p. Three points before it and two from it on are needed, and six in
 * all: a sum of three terms follows any fewer. There is a change where two sums, one before it and
 * one from it on, are much nearer to the points than one sum is to all, and where the sum before it
 * would have forecast the next two points wrongly, and to the same side. */
isocast_change isocast_change_find(const isocast_point *points, size_t count);

#endif
