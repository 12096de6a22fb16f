/* The program of an algorithm file, run in the place of a kernel: rehearsed first, so that one that
 * would wait forever or run for hours is refused before it starts. */
#ifndef CAMPAIGN_STEPS_RUN_H
#define CAMPAIGN_STEPS_RUN_H

#include "event.h"
#include "model/schedule/rehearsal.h"
#include "model/spec/algorithm.h"
#include "model/spec/machine.h"
#include "model/spec/setting.h"
#include "model/spec/system.h"
#include "own_program.h"

/* What a flop of the loop takes at least that stands for work where no machine is known, s. */
#define CAMPAIGN_STEPS_LOOP 5e-11

/* Start from {0}. */
typedef struct campaign_steps {
    const isocast_algorithm *algorithm; /* with a program, and all settings applied; borrowed */
    char *path;                         /* of the file, as it can pass any launcher */
    launcher_words words;       /* "NAME=VALUE" of each setting, as they can pass any launcher */
    campaign_setting *settings; /* [setting_count], their names and values in SI */
    size_t setting_count, setting_room;
    bool as_the_loop;    /* work takes the time of a loop of as many flop, and not the machine's */
    double actions_most; /* of all processes; 0: ISOCAST_REHEARSAL_MOST */
    double limit;        /* s that a process may compute in a real run; 0 or less: an hour */
    isocast_diagnostics *diagnostics;
} campaign_steps;

/* Sets the path: that of a regular file, whole. False, with the reason in *why, where launchers
 * would take some of it for their own. */
bool campaign_steps_locate(const char *path, campaign_steps *out, isocast_buffer *why);

/* Adds what was set of the algorithm. False where memory is short. */
bool campaign_steps_set(campaign_steps *steps, const isocast_setting *set);

void campaign_steps_free(campaign_steps *steps);

/* The machine's time per flop for the work of an algorithm on a system, s; the mean of the marked
 * speeds where the machine has no better one. Errors: NO_MEMORY. */
isocast_status campaign_steps_time_per_flop(const isocast_algorithm *algorithm,
                                            const isocast_machine *machine,
                                            const isocast_system *system, double N, double *out);

/* What computing of a simulated run takes over what its flops take at the marked speeds: above 1
 * where the traffic of the algorithm takes longer on the memory of the nodes, and what the time per
 * flop of the kernel makes of it where the platform has one. Errors: NO_MEMORY. */
isocast_status campaign_steps_stretch(const isocast_algorithm *algorithm,
                                      const isocast_machine *machine, const isocast_system *system,
                                      double N, double *out);

/* Rehearses a run. *longest gets the time in s after which it has gone wrong, by what is sent and
 * computed. Errors: INVALID with diagnostics; ARGUMENT, reported, where it would compute for longer
 * than the limit; NO_MEMORY. time_per_flop: of a real run; 0: it is simulated. */
isocast_status campaign_steps_rehearse(const campaign_steps *steps,
                                       const campaign_listener *listener,
                                       const isocast_system *system, double N, double time_per_flop,
                                       isocast_rehearsal *out, double *longest);

#endif
