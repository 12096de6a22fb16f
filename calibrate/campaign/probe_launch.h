/* Launches of the probe, the program that measures: where they run, what each is given to do, and
 * how it ended. Plans nothing. */
#ifndef CAMPAIGN_PROBE_LAUNCH_H
#define CAMPAIGN_PROBE_LAUNCH_H

#include "launcher.h"
#include "node.h"
#include "recorder.h"
#include "selection.h"
#include "simulation.h"

/* What programs are started with, and on. */
typedef struct campaign_site {
    const char *probe;    /* the program */
    const char *launcher; /* command line; NULL: the default */
    long processors;      /* of all nodes that the launcher has; 0: those of this node */
    node_description node;
} campaign_site;

/* One launch. The texts are lists as the probe's options take them. */
typedef struct campaign_launch {
    long number; /* which no other launch of the samples has */
    double processes;
    double seconds;       /* for measuring */
    double planning;      /* s that planning transforms may take before that */
    long seed;            /* of the order of measuring */
    const char *sizes;    /* of messages, B */
    const char *problems; /* of kernels */
    const char *planned;  /* of kernels that plan transforms */
    const char *weights;  /* what is measured; NULL: the usual */
    const char *plans;    /* file for what is found out of transforms; NULL: none */
    const char *suite;    /* whose marked speeds are measured; NULL: none */
    double suite_seconds; /* that they may take before measuring */
    double suite_first;   /* s that the first of them may take, where that is more */
} campaign_launch;

/* Processors that a launch may use, and whether so many processes are more than that. */
long campaign_site_processors(const campaign_site *site);
bool campaign_site_is_oversubscribed(const campaign_site *site, double processes);

/* Asks the probe what it can measure; all that is usual is wanted. Errors: PROGRAM, which is
 * reported.
 */
isocast_status campaign_probe_list(const char *probe, const campaign_listener *listener,
                                   campaign_selection *out);

/* Runs a launch to its end and records what it writes. Errors: PROGRAM and INTERRUPTED, which are
 * reported, and those of the recorder. */
isocast_status campaign_probe_run(const campaign_site *site, const campaign_launch *launch,
                                  campaign_recorder *recorder);

/* What the launcher is asked for: the probe, by its command line (NULL-terminated), on the system
 * that the simulation was prepared for last, as many processes as that has. The recorder takes what
 * it writes. All must outlive the run. */
launcher_request campaign_probe_simulated(const campaign_simulation *simulation, double processes,
                                          const char *const *command, campaign_recorder *recorder);

/* The status of a launch whose run ended with `status`; shows what went wrong. `end` is read for
 * PROGRAM and IO alone. */
isocast_status campaign_probe_end(const campaign_recorder *recorder, isocast_status status,
                                  const launcher_end *end);

#endif
