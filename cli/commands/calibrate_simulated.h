/* The part of isocast calibrate that finds the time per flop of the user's own program on a
 * platform: by simulated runs, less the overhead as it is predicted for the platform. */
#ifndef CLI_CALIBRATE_SIMULATED_H
#define CLI_CALIBRATE_SIMULATED_H

#include "calibrate_plan.h"

/* Plans, learns what the algorithm calls on the systems at the sizes, runs the program, and writes
 * the platform file with the time per flop under `compute`; the runs go beside it. Gives an exit
 * status; tells on stderr. */
int cli_calibration_add_simulated(cli_calibration *c);

#endif
