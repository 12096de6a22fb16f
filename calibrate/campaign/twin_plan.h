/* The timings that a machine file was fitted to, with where their processes were, and which of them
 * a twin is fitted to, and tested on: messages between two processes, collectives on up to a few
 * placements, and on the most processes apart. Reads the files that the machine file names; starts
 * nothing. */
#ifndef CAMPAIGN_TWIN_PLAN_H
#define CAMPAIGN_TWIN_PLAN_H

#include "calibrate/fit/fit_network.h"
#include "calibrate/samples/observations.h"
#include "calibrate/samples/samples.h"
#include "event.h"
#include "model/base/diagnostic.h"
#include "model/base/known_operation.h"
#include "model/spec/machine.h"
#include "platform_launches.h"

/* One operation on one placement at one size. */
typedef struct campaign_twin_timing {
    size_t operation; /* among the known ones; messages between two processes are T_message */
    double p;
    double nodes;
    double p_node; /* processes on the node of process 0 */
    double m;      /* B */
    double seconds;
} campaign_twin_timing;

/* Start from {0}. */
typedef struct campaign_twin_timings {
    campaign_twin_timing *items; /* [count], by p, nodes, p_node, operation, m; each once */
    size_t count, room;
    double sigma;       /* typical sd of ln T of a point; 0 where not known */
    double eager_limit; /* B, as the time in MPI_Send shows; NAN where it does not */
    double left_out;    /* timings of known operations whose placement is not known */
    /* The same, for formulas: one of the two, as only one of them was measured with. */
    observations observations; /* of another benchmark */
    samples samples;           /* of a calibration */
} campaign_twin_timings;

/* Reads what the machine file, which was loaded from the path, was fitted to. Errors: INVALID, with
 * a diagnostic, where it names no timings or they cannot be read; IO, NO_MEMORY. Free in either
 * case. */
isocast_status campaign_twin_timings_load(const isocast_machine *machine, const char *machine_path,
                                          isocast_diagnostics *diagnostics,
                                          campaign_twin_timings *out);
/* The same of the timings in a file that `calibrate` or a benchmark wrote. */
isocast_status campaign_twin_timings_read(const char *path, isocast_diagnostics *diagnostics,
                                          campaign_twin_timings *out);
void campaign_twin_timings_free(campaign_twin_timings *timings);

enum { CAMPAIGN_TWIN_SYSTEM_MAX = 64 };

/* An operation at a size on a placement of processes. */
typedef struct campaign_twin_point {
    char system[CAMPAIGN_TWIN_SYSTEM_MAX]; /* of the platform: "4x16" */
    size_t place;                          /* points of one placement share it */
    double p, nodes, p_node;
    size_t operation; /* among the known ones; T_message is T_send and T_recv together */
    double m;         /* B */
    double measured;  /* s */
    double simulated; /* s; NAN where it was not simulated */
    double
        formula; /* s, of formulas that were fitted to fewer processes; NAN where there is none */
} campaign_twin_point;

/* Start from {0}. */
typedef struct campaign_twin_plan {
    fit_message_point *messages; /* [message_count], by m */
    size_t message_count;
    campaign_twin_point *points; /* [count], which are: */
    size_t count;
    campaign_twin_point *pairs; /* [pair_count], of T_message: on two nodes, on one */
    size_t pair_count;
    campaign_twin_point *fitted; /* [fitted_count], collectives, by p and placement */
    size_t fitted_count;
    campaign_twin_point *held; /* [held_count], those on the most processes */
    size_t held_count;
    size_t left_out; /* timings on nodes that the machine file has not */
    double fitted_p; /* the most processes of what is fitted; 0 where there is nothing */
} campaign_twin_plan;

/* Plans for a machine, whose named systems state placements that no kxm can. Errors: NO_MEMORY.
 * Free in either case. */
isocast_status campaign_twin_plan_make(const isocast_machine *machine,
                                       const campaign_twin_timings *timings,
                                       campaign_twin_plan *out);
void campaign_twin_plan_free(campaign_twin_plan *plan);

#endif
