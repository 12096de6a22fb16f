/* How far a twin is from the timings that it is fitted to, as residuals whose squares are summed:
 * collectives that were simulated, messages between two processes, and how far the numbers that are
 * searched for are from what messages alone tell. Simulates nothing. */
#ifndef CAMPAIGN_TWIN_MISFIT_H
#define CAMPAIGN_TWIN_MISFIT_H

#include "twin_plan.h"

/* What is searched for: logarithms of capacity, latency, and what a node carries, or memory. */
enum { CAMPAIGN_TWIN_PARAMETERS = 3 };

/* How many residuals a plan has, at most. */
size_t campaign_twin_residual_count(const campaign_twin_plan *plan);

/* Residuals of the plan's simulated times, of the messages of a network, and of parameters (shape
 * [CAMPAIGN_TWIN_PARAMETERS]); out: shape [campaign_twin_residual_count()], 0 where there is none.
 * Each operation on each placement counts alike, however many sizes it has. Gives the sum of their
 * squares; INFINITY where nothing was simulated. */
double campaign_twin_residuals(const campaign_twin_plan *plan, const fit_network *scaled,
                               const double *parameters, double *out);

/* The mean square of ln T of what messages between two processes leave of their timings: a twin is
 * not nearer to collectives but by chance. */
double campaign_twin_noise(const campaign_twin_plan *plan, const fit_network *network);

#endif
