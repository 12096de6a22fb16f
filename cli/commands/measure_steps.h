/* The program of an algorithm file as what measure and run start. */
#ifndef CLI_MEASURE_STEPS_H
#define CLI_MEASURE_STEPS_H

#include "calibrate/campaign/kernel_run.h"
#include "cli/options/load.h"

/* Whether a text names an algorithm file, or an installed algorithm. */
bool cli_steps_named(const char *text);

/* Loads an algorithm, which out->algorithm_path and out->algorithm get, and has *steps run its
 * program; steps->algorithm stays NULL where it has none. Takes what the algorithm knows out of the
 * settings, and that of its first size, which *size gets; NULL there: that is given otherwise.
 * Gives an exit status; tells on stderr. */
int cli_steps_load(const cli_usage *usage, const char *name, cli_list *settings, const char **size,
                   bool quiet, cli_loaded *out, campaign_steps *steps);

/* What rows and marked speeds go by. */
campaign_kernel cli_steps_kernel(const isocast_algorithm *algorithm);

#endif
