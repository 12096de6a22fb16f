/* How far the errors of a machine's parameters move what a mix comes to. */
#ifndef ISOCAST_SPREAD_H
#define ISOCAST_SPREAD_H

#include "outcome.h"

/* The 90 % interval of T at the given N, or of N where the goal is PROBLEM, from the standard errors
 * (and the covariance, where given) of the machine file: first order, T exp(-+1.645 s) with s^2 =
 * g' S g and g = d ln T/d theta by central differences. NAN where the file gives no errors, or the
 * effort is spent. Errors: NO_MEMORY. */
isocast_status isocast_mix_spread(const isocast_offers_request *request,
                                  const isocast_offer *offer, const isocast_mix *mix,
                                  const double *nodes, isocast_effort *effort, double *low,
                                  double *high);

#endif
