/* The search for what only shows where many processes send at once: the choice of algorithms that
 * is nearest to the timings, and three numbers of the network. Each try simulates the probe at the
 * placements that are fitted. */
#ifndef CAMPAIGN_TWIN_SEARCH_H
#define CAMPAIGN_TWIN_SEARCH_H

#include "twin_plan.h"
#include "twin_result.h"

/* A twin on its way. */
typedef struct campaign_twin_search {
    const campaign_twin_request *request; /* which must outlive the search, as the next */
    campaign_twin *twin; /* its network must be known; gets scales and collectives */
    campaign_twin_plan plan;
    campaign_launches launches; /* how the probe is simulated, and until when */
} campaign_twin_search;

/* The network that the twin is now. */
isocast_network campaign_twin_network(const campaign_twin *twin);

/* Simulates points (shape [count]) on the platform that the twin is now, several launches at once.
 * `states`: whether the listener hears why one fails. Errors: PROGRAM where one fails, or the time
 * is over; ARGUMENT, which is reported, where no platform can be made of the machine, or the
 * platform has no such system; INTERRUPTED, IO, NO_MEMORY. */
isocast_status campaign_twin_simulate_now(campaign_twin_search *search, campaign_twin_point *points,
                                          size_t count, bool shows);

/* Finds collectives and scales. What was found stays where time ends it, which the twin then says.
 * Errors as of campaign_twin_simulate_now(); PROGRAM where not even the choice of algorithms could
 * be made; NO_MEMORY. */
isocast_status campaign_twin_search_run(campaign_twin_search *search);

#endif
