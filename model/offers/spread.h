/* How far the errors of a machine's parameters move what a mix comes to. */
#ifndef ISOCAST_SPREAD_H
#define ISOCAST_SPREAD_H

#include "outcome.h"

/* The interval of T at the mix's N, or of N where the goal is PROBLEM, as predict gives it. NAN
 * where the machine file gives no errors, or the effort is spent. Errors: NO_MEMORY. */
isocast_status isocast_mix_spread(const isocast_offers_request *request,
                                  const isocast_offer *offer, const isocast_mix *mix,
                                  const double *nodes, isocast_effort *effort, double *low,
                                  double *high);

#endif
