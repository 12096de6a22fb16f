/* Which sites have messages between neighbours in a grid of three dimensions, by the partners that
 * records name. Fits nothing. */
#ifndef ISOCAST_DERIVE_CUBES_H
#define ISOCAST_DERIVE_CUBES_H

#include "derived.h"

/* Sets `dimensions` of the sites between two processes that are neighbours in such a grid in all
 * records that can tell, and the axes of those whose messages all go along the same ones. Errors:
 * NO_MEMORY. */
isocast_status isocast_derive_cubes_find(isocast_derived *derived);

#endif
