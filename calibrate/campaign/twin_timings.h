/* The timings that a machine file was fitted to, with where their processes were: what a twin of
 * the machine is fitted to. Reads the file that the machine file names; simulates nothing. */
#ifndef CAMPAIGN_TWIN_TIMINGS_H
#define CAMPAIGN_TWIN_TIMINGS_H

#include "calibrate/samples/observations.h"
#include "calibrate/samples/samples.h"
#include "event.h"
#include "model/base/diagnostic.h"
#include "model/base/known_operation.h"
#include "model/spec/machine.h"

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
    double eager_limit; /* B, as the time in MPI_Send tells; NAN where it does not */
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

#endif
