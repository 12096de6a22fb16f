/* T of the program of an algorithm file on systems of a platform: executed by the simulator, or
 * with messages counted on links (calibrate/quick), or taken from the cache. Decides nothing of
 * what is executed. */
#ifndef CAMPAIGN_PROGRAM_TIMES_H
#define CAMPAIGN_PROGRAM_TIMES_H

#include "platform_launches.h"
#include "steps_run.h"

/* All must outlive it. */
typedef struct campaign_program_request {
    const campaign_steps *steps;       /* the program, with what was set of its algorithm */
    const char *simulated;             /* isocast-schedule for the simulator, */
    const char *quick;                 /* and the one that counts messages without it */
    const campaign_launches *launches; /* platform, cache and listener */
} campaign_program_request;

typedef struct campaign_program {
    campaign_program_request request;
    const double *other_sizes;    /* [size_count - 1] of the algorithm, before anything is asked */
    campaign_steps steps;         /* of an algorithm that has further sizes set */
    isocast_algorithm *algorithm; /* NULL: not yet loaded */
    isocast_diagnostics diagnostics; /* of the steps */
    isocast_buffer reported;         /* by the listener of launches */
    campaign_listener listener;
    campaign_simulation simulations[2]; /* that simulates, and that counts */
    char sha256[2][SHA256_DIGEST_STRING_LENGTH];
    size_t launches, cached; /* executions that were started, and results of the cache */
} campaign_program;

/* Starts from {0}, and must not move then. Free with campaign_program_free(). Errors: IO where a
 * program cannot be read, which is reported. */
isocast_status campaign_program_begin(const campaign_program_request *request,
                                      campaign_program *out);
void campaign_program_free(campaign_program *program);

/* Goes through all steps, as far as that and executing them take no more than some seconds. What is
 * wrong is a reason (below) and not reported. Errors: those of campaign_steps_rehearse(). */
isocast_status campaign_program_rehearse(campaign_program *program, const isocast_system *system,
                                         double N, double seconds, isocast_rehearsal *out);

/* About how long executing takes, s; INFINITY where the simulator does not take so many processes.
 */
double campaign_program_cost(const isocast_rehearsal *rehearsal, const isocast_system *system,
                             bool counted);

/* T, s; it stays as it is where the cache does not have it and there is no time. Errors: those of
 * campaign_kernel_launch(), with a reason in place of what is reported. */
isocast_status campaign_program_time(campaign_program *program, const isocast_system *system,
                                     double N, bool counted, double seconds, double *T);

/* Whether it is a failure of the program or of what it was asked, and none of this process. */
bool campaign_program_failed(isocast_status status);

/* Why the last call failed, one line; forgets it. out: [size]. */
void campaign_program_take_reason(campaign_program *program, char *out, size_t size);

#endif
