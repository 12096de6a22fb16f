/* Fits operations on messages: T_x in p and m, apart for processes on one node and on several, and
 * broadcasts apart by the library's algorithms. */
#ifndef FIT_COLLECTIVE_H
#define FIT_COLLECTIVE_H

#include "fit_builder.h"
#include "fit_chosen.h"

/* Adds the operation that the items (shape [count], sorted) are of. Errors: NO_MEMORY. */
isocast_status fit_collective(fit *f, const fit_request *request, const fit_summary *items,
                              size_t count);

#endif
