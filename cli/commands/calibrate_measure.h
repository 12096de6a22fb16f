/* What isocast calibrate measures by a plan: samples to a file, their fit to a machine file, and
 * the time per flop of the user's program. */
#ifndef CLI_CALIBRATE_MEASURE_H
#define CLI_CALIBRATE_MEASURE_H

#include "calibrate_plan.h"

/* Measures what was planned and writes the machine file. Gives an exit status; tells on stderr.
 * Whatever ends it, the samples are kept. */
int cli_calibration_measure(cli_calibration *c);

/* Tells where the budget was not kept. */
void cli_calibration_tell_budget(const cli_calibration *c);

/* Adds the time per flop of the user's program to the machine file: that of --machine, or the one
 * that was just written, which stays where the program fails. Does nothing where no program is
 * asked for. Gives an exit status; tells on stderr. */
int cli_calibration_add_kernel(cli_calibration *c);

#endif
