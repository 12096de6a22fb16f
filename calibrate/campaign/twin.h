/* A twin of a machine: a platform that behaves in simulation as the machine was measured. Messages
 * between two processes are fitted in closed form (fit_network.h); what only shows where many send
 * at once is searched for, by simulating the probe at the processes that were measured. The timings
 * on the most processes are left out, and then predicted, by the twin and by formulas. */
#ifndef CAMPAIGN_TWIN_H
#define CAMPAIGN_TWIN_H

#include "twin_result.h"

/* Errors: ARGUMENT, which is reported, where no messages between two processes were measured; IO,
 * INTERRUPTED, PROGRAM, which are reported, NO_MEMORY. Free in either case. */
isocast_status campaign_twin_make(const campaign_twin_request *request, campaign_twin *out);
void campaign_twin_free(campaign_twin *twin);

/* Whether the twin was nearer to the timings on the most processes than the formulas were. */
bool campaign_twin_is_better(const campaign_twin_row *row);

#endif
