/* Programs that are run on a platform in simulation: the simulator's files in a temporary folder,
 * the command that starts a program on one of its systems, and the memory that simulations of many
 * processes take, beside what there is. */
#ifndef CAMPAIGN_SIMULATION_H
#define CAMPAIGN_SIMULATION_H

#include <stdbool.h>

#include "event.h"
#include "launcher.h"
#include "model/spec/platform.h"
#include "model/spec/system.h"

/* The variable of the environment that says how much memory simulations may take: "20GB". */
#define CAMPAIGN_MEMORY_VARIABLE "ISOCAST_SIMULATION_MEMORY"

/* About how much a simulation of so many processes takes at least, B: what the simulator needs for
 * each, without arrays of programs of the user's own. */
double campaign_simulation_memory(double processes);

/* What simulations may take, B: what the variable says, else what this machine has free, and
 * no more than the limit of the group of programs that this one belongs to; INFINITY where nothing
 * states. Errors: ARGUMENT,
 * which is reported, where the variable is no amount of memory. */
isocast_status campaign_memory_limit(const campaign_listener *listener, double *out);

/* Refuses more processes than there is memory for, reporting how to correct it: ARGUMENT. */
isocast_status campaign_memory_check(double processes, const campaign_listener *listener);

/* Whether there is memory for so many; also where the variable is no amount, which others report.
 */
bool campaign_memory_has_room(double processes);

/* How many simulations of so many processes there is memory for at once: 1 to `most`. */
size_t campaign_memory_at_once(double processes, size_t most);

/* What is free by the text of /proc/meminfo, and no more than the limit of a group of programs (the
 * text of memory.max; NULL: there is no group), B; INFINITY where they do not say. What a group
 * uses is not counted: much of it is files that it has read, which make room. */
double campaign_memory_free(const char *meminfo, const char *limit);

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

/* Refuses a system that is too large for the simulator's files, reporting why: ARGUMENT. */
isocast_status campaign_simulation_check(const isocast_system *system,
                                         const campaign_listener *listener);

/* Notes where messages take latency and bandwidth of the links as the file has them, as it names no
 * factors. */
void campaign_simulation_report_plain(const isocast_platform *platform,
                                      const campaign_listener *listener);

/* Writes the files for a system and makes simulation->launcher the command that starts a program
 * on it. Refuses what there is no memory for
 * (simulation_memory.h). Errors: those above, IO, NO_MEMORY. */
isocast_status campaign_simulation_prepare(campaign_simulation *simulation,
                                           const isocast_system *system,
                                           const campaign_listener *listener);

/* What starts a command (NULL-terminated) on a system: a simulation that is prepared for it, or
 * where that is NULL the launcher. */
launcher_request campaign_simulation_request(const campaign_simulation *simulation,
                                             const char *launcher, const isocast_system *system,
                                             char *const *command);

/* Removes the files. */
void campaign_simulation_free(campaign_simulation *simulation);

#endif
