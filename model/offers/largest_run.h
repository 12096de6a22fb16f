/* The largest N that a system can run: in its memory, within a deadline, and with a
 * speed-efficiency that is not below a limit. Unlike the N of the iso-efficiency condition, which
 * is where E comes to the limit, it is the largest of all N with at least that E. */
#ifndef ISOCAST_LARGEST_RUN_H
#define ISOCAST_LARGEST_RUN_H

#include "offer.h"

/* Looks on systems of `model`, whose parameters may be other ones than the machine's. *N is the
 * smallest size allowed where even that is too large, so that it is seen what is exceeded. `effort`
 * takes what it costs. Errors: NO_MEMORY. */
isocast_status isocast_largest_run_find(const isocast_offers_request *request,
                                        const isocast_model *model, const isocast_system *system,
                                        isocast_effort *effort, double *N,
                                        isocast_run_limit *limit);

#endif
