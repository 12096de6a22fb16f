/* What formulas say of processes that they were not fitted to: those that calibrate, or
 * fit-operations, would have found without the timings on the most processes. Simulates nothing. */
#ifndef CAMPAIGN_TWIN_FORMULAS_H
#define CAMPAIGN_TWIN_FORMULAS_H

#include "twin_probe.h"
#include "twin_timings.h"

/* Fits timings on no more than p_most processes. times gets the time of each point of the places
 * (shape [count]), one place after the other, s; NAN where there is no formula. Errors: NO_MEMORY.
 */
isocast_status campaign_twin_formulas_find(const isocast_machine *machine,
                                           const campaign_twin_timings *timings, double p_most,
                                           const campaign_twin_place *places, size_t count,
                                           double *times);

#endif
