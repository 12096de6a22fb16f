/* Times of operations on systems that are too large to be simulated in the time that there is: from
 * a ladder of smaller systems up to the large one. Messages are counted on links (calibrate/quick)
 * as far up as there is time, and simulated as far as that goes. What simulations take over what is
 * counted is then a factor, and how it changed over the last rung is its error; from the last
 * system that was counted on, times grow as they did over the rungs before. Decides nothing of what
 * is wanted. */
#ifndef CAMPAIGN_PLATFORM_LADDER_H
#define CAMPAIGN_PLATFORM_LADDER_H

#include "platform_launches.h"

/* Start from the first three; all must outlive it. */
typedef struct campaign_ladder {
    const campaign_launches *launches; /* of the system itself: probe, cache, listener, budget */
    const char *quick;                 /* the probe that counts */
    const char *kernel;                /* whose marked speeds systems have */
    campaign_places places[2];         /* that messages are counted on, and simulated on */
    campaign_launches engines[2];
} campaign_ladder;

/* Errors: IO where the probe cannot be read, which is reported. */
isocast_status campaign_ladder_begin(campaign_ladder *ladder);
void campaign_ladder_free(campaign_ladder *ladder);

/* These are for all places of `launches`, and end by `until`, s of campaign_clock(). *news: there
 * was something to find. Errors: those of campaign_launches_run() but for the budget; NO_MEMORY. */

/* Finds what is wanted and not known. Curves that the simulation itself reached are as if nothing
 * was asked of the ladder. */
isocast_status campaign_ladder_climb(campaign_ladder *ladder, double until, bool *news);

/* Spends more time on the sizes that matter, for curves that it made, and makes these again. */
isocast_status campaign_ladder_raise(campaign_ladder *ladder, double until, bool *news);

/* Finds what is wanted between the sizes of curves that it made. */
isocast_status campaign_ladder_refine(campaign_ladder *ladder, double until, bool *news);

/* Reports where the times of a place come from that the ladder made. */
void campaign_ladder_report(const campaign_place *place, const campaign_listener *listener);

enum { CAMPAIGN_LADDER_RUNGS = 24 };

/* Names of the systems of a ladder, the largest first, which is the system itself: each has about
 * half as many nodes as the one before, down to a few nodes, and then half as many processes on
 * each. Gives how many; 0 where memory is short, as are names that are NULL. Free each. */
size_t campaign_ladder_systems(const isocast_platform *platform, const isocast_system *system,
                               char *names[CAMPAIGN_LADDER_RUNGS]);

/* A time at `to` processes from times at fewer, rising: by the growth that the last of them had,
 * of a few kinds the one that would have reported the last time best from the others. *error: how
 * far it would have been off, relative, compounded over as many doublings as there are. shapes:
 * [count], 1 or more. */
double campaign_ladder_extend(const double *processes, const double *seconds, size_t count,
                              double to, double *error);

/* Processes of a system, on one of its nodes, and of the smallest system with nodes as full. */
typedef struct campaign_ladder_nodes {
    double full, each, to;
} campaign_ladder_nodes;

/* The same where the systems differ in the processes of a node, and the one asked for has more
 * nodes: with these times grow as exchanges of all with all on a switch do, at most. */
double campaign_ladder_extend_unlike(const isocast_network *network, const double *processes,
                                     const double *seconds, size_t count,
                                     const campaign_ladder_nodes *nodes, double *error);

/* How the time at one size was found. */
typedef struct campaign_ladder_size {
    double error;     /* relative */
    double counted;   /* processes that it was counted on at most, */
    double simulated; /* and simulated on; 0: none */
} campaign_ladder_size;

/* The error of a curve, and how far up it is counted and simulated: by the sizes that matter; where
 * none does yet, by all. sizes: [count], at most CAMPAIGN_GRID_MAX. */
void campaign_ladder_sum_up(const campaign_ladder_size *sizes, size_t count, campaign_curve *out);

#endif
