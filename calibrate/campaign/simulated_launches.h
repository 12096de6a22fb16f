/* The measuring of a calibration in simulation: launches of the probe on systems of a platform, and
 * on the same number of processes put elsewhere, where that matters. */
#ifndef CAMPAIGN_SIMULATED_LAUNCHES_H
#define CAMPAIGN_SIMULATED_LAUNCHES_H

#include "model/base/diagnostic.h"
#include "probe_launch.h"
#include "selection.h"
#include "simulation.h"

/* Runs one launch of the probe, the program that is built for the simulator, on each of the systems
 * (shape [count], at least one), as simulated times are the same in every launch. It measures what
 * is selected; NULL: all that is usual. All together take `budget` s; infinite: as long as they
 * need. Errors as in campaign_probe_run() and campaign_simulation_prepare(); PROGRAM, which is
 * reported, where the budget is used up: the recorder has what came until then. */
isocast_status campaign_calibrate_simulated(const char *probe, const campaign_selection *selection,
                                            double budget, campaign_simulation *simulation,
                                            isocast_system *const *systems, size_t count,
                                            campaign_recorder *recorder,
                                            isocast_diagnostics *diagnostics);

#endif
