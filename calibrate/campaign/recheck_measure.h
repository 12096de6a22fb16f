/* The measuring of a re-check: a few points of what a machine file has, here and now. */
#ifndef CAMPAIGN_RECHECK_MEASURE_H
#define CAMPAIGN_RECHECK_MEASURE_H

#include "calibration.h"
#include "model/spec/machine.h"

/* Measures within `budget` s, since `started` s of campaign_clock(). Errors: ARGUMENT where the
 * file has no operation that the probe can measure; else as in campaign_calibrate(). */
isocast_status campaign_recheck_measure(const isocast_machine *machine, const campaign_site *site,
                                        double budget, double started, campaign_recorder *recorder);

#endif
