/* R_f of processor sets, measured: the reference program runs on each set, and the times become the
 * section `reference` of a machine file. */
#ifndef CAMPAIGN_REFERENCE_H
#define CAMPAIGN_REFERENCE_H

#include "model/spec/system.h"
#include "probe_launch.h"
#include "simulation.h"

/* Flop to a byte, where nobody says. */
#define CAMPAIGN_REFERENCE_RATIO 100

typedef struct campaign_reference_request {
    const campaign_site *site;
    campaign_simulation *simulation; /* NULL: real runs */
    const campaign_listener *listener;
    isocast_system *const *sets; /* [count]; with one process on each class that process 0 is on */
    size_t count;
    double ratio;  /* flop that a process does for each byte that it sends */
    long launches; /* of each set, in turn; of a simulation there is one */
} campaign_reference_request;

/* Runs all and appends the section; a standard error follows each time of which there are several.
 * Errors, which are reported: PROGRAM, INTERRUPTED, IO, and NO_MEMORY, which is not. */
isocast_status campaign_reference_measure(const campaign_reference_request *request,
                                          isocast_buffer *out);

#endif
