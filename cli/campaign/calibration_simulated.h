/* The measuring of a calibration in simulation: launches of the probe on systems of a platform, and
 * on the same number of processes put elsewhere, where that matters. */
#ifndef CLI_CALIBRATION_SIMULATED_H
#define CLI_CALIBRATION_SIMULATED_H

#include "calibration.h"
#include "simulation.h"

/* Runs one launch on each of the systems (shape [count], at least one), as simulated times are the
 * same in every launch. Gives an exit status; what is wrong is told on stderr. */
int cli_calibration_simulate(cli_calibration *m, cli_simulation *simulation,
                             isocast_system *const *systems, size_t count);

#endif
