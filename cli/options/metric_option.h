/* The option --metric, and the target that goes with a metric. */
#ifndef CLI_METRIC_OPTION_H
#define CLI_METRIC_OPTION_H

#include "model/base/metric.h"
#include "options.h"

#define CLI_METRIC_HELP                                                                            \
    "what is held constant: isospeed-e (E = W/(T C)), isospeed (the average speed W/(R_f T)), or " \
    "isoefficiency, latency or time-scale (the efficiency T(W,1)/(R_f T)) (default: isospeed-e)"

#define CLI_SPEED_HELP                                                                             \
    "with --metric isospeed: hold this average speed W/(R_f T), such as 20Mflop/s; a plain "       \
    "number "                                                                                      \
    "is in flop/s"

/* The metric of a name; NULL: isospeed-e. Tells an unknown one on stderr; gives an exit status. */
int cli_metric_read(const cli_usage *usage, const char *name, isocast_metric *out);

/* A usage error where the metric has no psi. */
int cli_metric_needs_psi(const cli_usage *usage, isocast_metric metric);

/* The value to hold from --efficiency and --speed, each NAN where it was not given: isospeed holds
 * a speed, the others a ratio. *target is NAN where neither was given. Gives an exit status. */
int cli_metric_target(const cli_usage *usage, isocast_metric metric, double efficiency,
                      double speed, double *target);

#endif
