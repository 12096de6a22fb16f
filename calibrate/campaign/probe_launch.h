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

/* Processors that a launch may use, and whether so many processes are more than that. */
long campaign_site_processors(const campaign_site *site);
bool campaign_site_is_oversubscribed(const campaign_site *site, double processes);

/* Asks the probe what it can measure; all that is usual is wanted. Errors: PROGRAM, which is
 * reported.
 */
isocast_status campaign_probe_list(const char *probe, const campaign_listener *listener,
                                   campaign_selection *out);

/* Runs the probe, by its command line, to its end and records what it writes; it measures for about
 * some seconds. Errors: PROGRAM and INTERRUPTED, which are reported, and those of the recorder. */
isocast_status campaign_probe_run(const campaign_site *site, const launcher_words *words,
                                  double processes, double seconds, campaign_recorder *recorder);

/* The status of a launch whose run ended with `status`; shows what went wrong. `end` is read for
 * PROGRAM and IO alone. */
isocast_status campaign_probe_end(const campaign_recorder *recorder, isocast_status status,
                                  const launcher_end *end);

#endif
