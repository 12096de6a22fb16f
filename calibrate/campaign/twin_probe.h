/* The probe, run in simulation at points that were measured on a machine: the same operations, on
 * as many processes at the same places. Decides nothing of what is simulated, fits nothing. */
#ifndef CAMPAIGN_TWIN_PROBE_H
#define CAMPAIGN_TWIN_PROBE_H

#include "model/spec/platform.h"
#include "platform_launches.h"

enum { CAMPAIGN_TWIN_SYSTEM_MAX = 64 };

/* An operation at a size. */
typedef struct campaign_twin_point {
    size_t operation; /* among the known ones; T_message is T_send and T_recv together */
    double m;         /* B */
    double measured;  /* s */
    double simulated; /* s; NAN where it was not simulated */
} campaign_twin_point;

/* Points on one placement of processes, which one launch simulates. */
typedef struct campaign_twin_place {
    char system[CAMPAIGN_TWIN_SYSTEM_MAX]; /* of the platform: "4x16" */
    double p, nodes, p_node;
    campaign_twin_point *points; /* [count] */
    size_t count;
} campaign_twin_place;

/* Start from the first four. */
typedef struct campaign_twin_probe {
    const char *probe;   /* the program that is built for the simulator */
    const char *version; /* of isocast */
    const campaign_point_cache *cache;
    const campaign_listener *listener;
    double ends;             /* s of campaign_clock(), when all simulations must have ended */
    size_t count;            /* launches that were started */
    size_t cached;           /* that were not, as the cache had their times */
    campaign_launches about; /* by which programs times come about */
} campaign_twin_probe;

/* Errors: those of campaign_launches_begin(). */
isocast_status campaign_twin_probe_begin(campaign_twin_probe *probe);

/* Simulates the points of the places (shape [count]), several launches at once. `tells`: whether
 * the listener hears why one fails. Errors: PROGRAM where one fails, or the time is over;
 * INTERRUPTED; INVALID where the platform has no such system; IO, NO_MEMORY. */
isocast_status campaign_twin_simulate(campaign_twin_probe *probe, const isocast_platform *platform,
                                      campaign_twin_place *places, size_t count, bool tells);

#endif
