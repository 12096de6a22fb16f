#include "metric_option.h"

#include <math.h>

#include "exit.h"
#include "word_option.h"

int cli_metric_read(const cli_usage *usage, const char *name, isocast_metric *out) {
    if (name == NULL) {
        *out = ISOCAST_METRIC_ISOSPEED_E;
        return CLI_EXIT_OK;
    }
    if (isocast_metric_find(name, out)) {
        return CLI_EXIT_OK;
    }
    const char *names[ISOCAST_METRICS];
    for (int i = 0; i < ISOCAST_METRICS; i++) {
        names[i] = isocast_metric_row_of((isocast_metric)i)->name;
    }
    return cli_word_refuse(usage, "--metric", name, names, ISOCAST_METRICS);
}

int cli_metric_needs_psi(const cli_usage *usage, isocast_metric metric) {
    const isocast_metric_row *row = isocast_metric_row_of(metric);
    return row->psi != NULL ? CLI_EXIT_OK
                            : cli_usage_error(usage,
                                              "%s has no psi: its result is the function W, the "
                                              "work that holds the %s on each system",
                                              row->name, row->held);
}

int cli_metric_target(const cli_usage *usage, isocast_metric metric, double efficiency,
                      double speed, double *target) {
    const isocast_metric_row *row = isocast_metric_row_of(metric);
    bool is_speed = row->unit[0] != '\0';
    if (is_speed && !isnan(efficiency)) {
        return cli_usage_error(usage,
                               "%s holds the %s %s in %s: give --speed SPEED, such as --speed "
                               "20Mflop/s, not --efficiency",
                               row->name, row->held, row->formula, row->unit);
    }
    if (!is_speed && !isnan(speed)) {
        return cli_usage_error(usage,
                               "--speed goes with --metric isospeed; %s holds the %s %s: give "
                               "--efficiency E",
                               row->name, row->held, row->formula);
    }
    *target = is_speed ? speed : efficiency;
    return CLI_EXIT_OK;
}
