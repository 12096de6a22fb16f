/* The program of an algorithm file as predictions for a platform execute it. */
#ifndef CLI_PLATFORM_PROGRAM_H
#define CLI_PLATFORM_PROGRAM_H

#include "calibrate/campaign/platform_learning.h"
#include "calibrate/campaign/steps_run.h"
#include "cli/options/load.h"

typedef struct cli_platform_program {
    campaign_steps steps; /* its algorithm is NULL where none is executed */
    isocast_buffer why;   /* it is not; empty: the algorithm has no program */
} cli_platform_program;

/* Of an algorithm and a platform that are loaded, with all settings; they must outlive it. */
void cli_platform_program_find(const cli_loaded *loaded, cli_platform_program *out);
/* Has a subject execute it; it must outlive the subject. */
void cli_platform_program_take(const cli_platform_program *program, campaign_subject *subject);
void cli_platform_program_free(cli_platform_program *program);

#endif
