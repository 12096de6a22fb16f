/* Programs that are run on a platform in simulation: the simulator's files in a temporary folder,
 * and the command that starts a program on one of its systems. */
#ifndef CAMPAIGN_SIMULATION_H
#define CAMPAIGN_SIMULATION_H

#include "event.h"
#include "model/spec/platform.h"
#include "model/spec/system.h"

/* Start from {.platform}; own_speed or quick may be set, too. */
typedef struct campaign_simulation {
    const isocast_platform *platform;
    char folder[64]; /* temporary; empty where there is none. It is smpirun's TMPDIR too, as smpirun
                      * looks for libraries there, and others may write to /tmp. */
    char *launcher;  /* of the system prepared last */
    /* What programs compute takes the time that it takes here, at this speed in flop/s, and so
     * other times on faster or slower nodes; 0: none, and arrays are folded into one. */
    double own_speed;
    /* Messages are counted on links in place of the simulator (calibrate/quick): the file of the
     * network is the first argument of the program, which needs no launcher. */
    bool quick;
    char network[128];
} campaign_simulation;

/* Refuses a system that is too large for the simulator's files, telling why: ARGUMENT. */
isocast_status campaign_simulation_check(const isocast_system *system,
                                         const campaign_listener *listener);

/* Notes where messages take latency and bandwidth of the links as the file has them, as it names no
 * factors. */
void campaign_simulation_tell_plain(const isocast_platform *platform,
                                    const campaign_listener *listener);

/* Writes the files for a system and makes simulation->launcher the command that starts a program
 * on it; `in_group` as for simgrid_write_hosts. Refuses what there is no memory for
 * (simulation_memory.h). Errors: those above, IO, NO_MEMORY. */
isocast_status campaign_simulation_prepare(campaign_simulation *simulation,
                                           const isocast_system *system, double in_group,
                                           const campaign_listener *listener);

/* Removes the files. */
void campaign_simulation_free(campaign_simulation *simulation);

#endif
