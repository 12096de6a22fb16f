/* Timings of the machine that a platform file describes: what they take over what is predicted of
 * their systems corrects the same operations on more nodes that are as full. Reads and simulates
 * nothing. */
#ifndef CAMPAIGN_PLATFORM_TIMINGS_H
#define CAMPAIGN_PLATFORM_TIMINGS_H

#include "platform_curves.h"
#include "twin_plan.h"

/* Nodes of the largest system within another one, and as full, that has timings of an operation; 0:
 * there is none. One node shows others nothing of the network. */
double campaign_timings_nodes(const campaign_twin_timings *timings, size_t operation,
                              const isocast_system *system);

/* Corrects the curves of all places by those of the places that have timings. Errors: NO_MEMORY. */
isocast_status campaign_timings_correct(const campaign_twin_timings *timings,
                                        campaign_places *places);

/* Reports what was corrected on a place. */
void campaign_timings_report(const campaign_place *at, const campaign_listener *listener);

#endif
