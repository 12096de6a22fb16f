/* The memory that simulations of many processes take, beside what there is. Starts nothing. */
#ifndef CAMPAIGN_SIMULATION_MEMORY_H
#define CAMPAIGN_SIMULATION_MEMORY_H

#include <stdbool.h>

#include "event.h"

/* The variable of the environment that says how much memory simulations may take: "20GB". */
#define CAMPAIGN_MEMORY_VARIABLE "ISOCAST_SIMULATION_MEMORY"

/* About how much a simulation of so many processes takes at least, B: what the simulator needs for
 * each, without arrays of programs of the user's own. */
double campaign_simulation_memory(double processes);

/* What simulations may take, B: what the variable says, else what this machine has free, and
 * no more than the limit of the group of programs that this one belongs to; INFINITY where nothing
 * tells. Errors: ARGUMENT,
 * which is told, where the variable is no amount of memory. */
isocast_status campaign_memory_limit(const campaign_listener *listener, double *out);

/* Refuses more processes than there is memory for, telling how to mend it: ARGUMENT. */
isocast_status campaign_memory_check(double processes, const campaign_listener *listener);

/* Whether there is memory for so many; also where the variable is no amount, which others tell. */
bool campaign_memory_has_room(double processes);

/* How many simulations of so many processes there is memory for at once: 1 to `most`. */
size_t campaign_memory_at_once(double processes, size_t most);

/* What is free by the text of /proc/meminfo, and no more than the limit of a group of programs (the
 * text of memory.max; NULL: there is no group), B; INFINITY where they do not tell. What a group
 * uses is not counted: much of it is files that it has read, which make room. */
double campaign_memory_free(const char *meminfo, const char *limit);

#endif
