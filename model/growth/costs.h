/* Work and processor-time of an algorithm on a machine as series: W, p T_c and p times each
 * overhead term, on a path. The systems of a path are like one that is given: its mix of node
 * classes and its processes on a node stay while p grows. Or the system itself stays. */
#ifndef ISOCAST_COSTS_H
#define ISOCAST_COSTS_H

#include "expand.h"
#include "model/spec/binding.h"
#include "model/spec/system.h"

typedef struct isocast_costs_request {
    const isocast_algorithm *algorithm;
    const isocast_machine *machine;
    const isocast_binding *names;
    const isocast_system *system;
    const double *other_sizes; /* [size_count - 1], or NULL */
} isocast_costs_request;

typedef struct isocast_costs {
    const isocast_costs_request *request;
    isocast_series_room room; /* room.problem says whether what was asked for is known */
    isocast_expansion expansion;
    isocast_series *columns; /* owned */
    isocast_series *classes; /* owned */
} isocast_costs;

/* Errors: NO_MEMORY. Free it in either case. */
isocast_status isocast_costs_create(const isocast_costs_request *request, const isocast_path *path,
                                    isocast_costs *out);
void isocast_costs_free(isocast_costs *costs);

isocast_series isocast_costs_processes(isocast_costs *costs);
isocast_series isocast_costs_work(isocast_costs *costs);    /* flop */
isocast_series isocast_costs_memory(isocast_costs *costs);  /* B of a process; it is given */
isocast_series isocast_costs_compute(isocast_costs *costs); /* s, summed over the processes */
isocast_series
isocast_costs_concurrency(isocast_costs *costs); /* processes; the algorithm has it */
isocast_series isocast_costs_term(isocast_costs *costs, size_t term); /* s, over the processes */
isocast_series isocast_costs_time(isocast_costs *costs); /* s, of all parts, over the processes */
/* The marked speed of a process on average, flop/s. */
double isocast_costs_speed(const isocast_costs *costs);

#endif
