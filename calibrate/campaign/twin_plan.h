/* Which of a machine's timings a twin is fitted to, and which it is tested on: messages between two
 * processes, collectives on up to a few placements, and on the most processes apart. Starts
 * nothing.
 */
#ifndef CAMPAIGN_TWIN_PLAN_H
#define CAMPAIGN_TWIN_PLAN_H

#include "calibrate/fit/fit_network.h"
#include "twin_probe.h"
#include "twin_timings.h"

/* Start from {0}. */
typedef struct campaign_twin_plan {
    fit_message_point *messages; /* [message_count], by m */
    size_t message_count;
    campaign_twin_place *pairs; /* [pair_count], of T_message: on two nodes, on one */
    size_t pair_count;
    campaign_twin_place *fitted; /* [fitted_count], collectives, by p */
    size_t fitted_count;
    campaign_twin_place *held; /* [held_count], those on the most processes */
    size_t held_count;
    size_t left_out; /* timings on nodes that the machine file has not */
    double fitted_p; /* the most processes of what is fitted; 0 where there is nothing */
} campaign_twin_plan;

/* Plans for a machine, whose named systems tell placements that no kxm can. Errors: NO_MEMORY. Free
 * in either case. */
isocast_status campaign_twin_plan_make(const isocast_machine *machine,
                                       const campaign_twin_timings *timings,
                                       campaign_twin_plan *out);
void campaign_twin_plan_free(campaign_twin_plan *plan);

#endif
