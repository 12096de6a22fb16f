/* The samples of a calibration, fitted, as the text of a machine file. Measures nothing. */
#ifndef CAMPAIGN_MACHINE_RESULT_H
#define CAMPAIGN_MACHINE_RESULT_H

#include "calibrate/fit/fit.h"
#include "calibrate/fit/fit_states.h"
#include "calibrate/fit/machine_file.h"
#include "model/spec/machine.h"
#include "model/spec/platform.h"
#include "node.h"
#include "recorder.h"

/* What the file says that the samples do not say. */
typedef struct campaign_machine_facts {
    const char *name;    /* of the machine */
    const char *date;    /* ISO 8601, UTC */
    const char *version; /* of isocast */
    const char *command; /* the command line */
    node_description node;
    const isocast_platform *platform; /* that it was simulated on; NULL: real */
    size_t system_count;              /* of the platform that were simulated */
    long seed;
    bool oversubscribed;
    double others; /* share of the processors that other programs used; NAN where not known */
} campaign_machine_facts;

/* Start from {0}. */
typedef struct campaign_machine {
    fit fit;
    fit_states states; /* of messages, from launch to launch */
    double t_c;        /* s/flop at the default marked speed of the first class, or at the benchmark
                          where there was no time for the suite; NAN in a simulation */
    double m_benchmark;          /* B, the working set of the benchmark; likewise */
    machine_file_class *classes; /* [class_count]; none where one node has no time for the suite */
    size_t class_count;
    char *left_out; /* kernels that there was no time to measure the marked speed for; NULL: none */
} campaign_machine;

/* Fits the samples; those of messages that were taken in a slow state of a real machine
 * (fit_states.h) do not count. Errors, given to the recorder's listener: PROGRAM where there are no
 * samples, or none of the benchmark; NO_MEMORY, which is not reported. */
isocast_status campaign_machine_fit(campaign_recorder *recorder, bool simulated,
                                    campaign_machine *out);

/* Appends the machine file. The samples' file must be finished. */
void campaign_machine_write(const campaign_machine *machine, const campaign_machine_facts *facts,
                            const campaign_recorder *recorder, isocast_buffer *out);

/* The machine of a file and a fit, as who loads the file gets it; *out stays where they make none.
 * Errors: NO_MEMORY. */
isocast_status campaign_machine_of(const machine_file *file, const fit *f, isocast_machine **out);

/* Reports the marked speed, and how steady the machine was. */
void campaign_machine_report(const campaign_machine *machine, const campaign_machine_facts *facts,
                             const campaign_recorder *recorder);

void campaign_machine_free(campaign_machine *machine);

#endif
