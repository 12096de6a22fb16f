#include "metric.h"

#include <math.h>
#include <string.h>

#include "quantity.h"

static const isocast_metric_row rows[ISOCAST_METRICS] = {
    [ISOCAST_METRIC_ISOSPEED_E] = {.name = "isospeed-e",
                                   .numerator = ISOCAST_NUMERATOR_WORK,
                                   .size = ISOCAST_SIZE_MARKED_SPEED,
                                   .reading = ISOCAST_READ_WORK,
                                   .held = "speed-efficiency",
                                   .symbol = "E",
                                   .bare = "E",
                                   .formula = "W/(T C)",
                                   .unit = "",
                                   .field = "E",
                                   .psi = "C'W/(C W')"},
    [ISOCAST_METRIC_ISOSPEED] = {.name = "isospeed",
                                 .numerator = ISOCAST_NUMERATOR_WORK,
                                 .size = ISOCAST_SIZE_REFERENCE_FACTOR,
                                 .reading = ISOCAST_READ_WORK,
                                 .held = "average speed",
                                 .symbol = "the average speed",
                                 .bare = "average speed",
                                 .formula = "W/(R_f T)",
                                 .unit = "flop/s",
                                 .field = "average_speed",
                                 .psi = "R_f'W/(R_f W')"},
    [ISOCAST_METRIC_ISOEFFICIENCY] = {.name = "isoefficiency",
                                      .numerator = ISOCAST_NUMERATOR_TIME_ALONE,
                                      .size = ISOCAST_SIZE_REFERENCE_FACTOR,
                                      .reading = ISOCAST_READ_FUNCTION,
                                      .held = "efficiency",
                                      .symbol = "the efficiency",
                                      .bare = "efficiency",
                                      .formula = "T(W,1)/(R_f T)",
                                      .unit = "",
                                      .field = "efficiency",
                                      .psi = NULL},
    [ISOCAST_METRIC_LATENCY] = {.name = "latency",
                                .numerator = ISOCAST_NUMERATOR_TIME_ALONE,
                                .size = ISOCAST_SIZE_REFERENCE_FACTOR,
                                .reading = ISOCAST_READ_LATENCY,
                                .held = "efficiency",
                                .symbol = "the efficiency",
                                .bare = "efficiency",
                                .formula = "T(W,1)/(R_f T)",
                                .unit = "",
                                .field = "efficiency",
                                .psi = "L_e/L_e'"},
    [ISOCAST_METRIC_TIME_SCALE] = {.name = "time-scale",
                                   .numerator = ISOCAST_NUMERATOR_TIME_ALONE,
                                   .size = ISOCAST_SIZE_REFERENCE_FACTOR,
                                   .reading = ISOCAST_READ_TIME,
                                   .held = "efficiency",
                                   .symbol = "the efficiency",
                                   .bare = "efficiency",
                                   .formula = "T(W,1)/(R_f T)",
                                   .unit = "",
                                   .field = "efficiency",
                                   .psi = "T/T'"}};

const isocast_metric_row *isocast_metric_row_of(isocast_metric metric) {
    return &rows[metric];
}

const char *isocast_metric_name(isocast_metric metric) {
    return (unsigned)metric < ISOCAST_METRICS ? rows[metric].name : NULL;
}

bool isocast_metric_find(const char *name, isocast_metric *out) {
    for (unsigned i = 0; i < ISOCAST_METRICS; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            *out = (isocast_metric)i;
            return true;
        }
    }
    return false;
}

void isocast_metric_format(isocast_metric metric, double value, int digits, isocast_buffer *out) {
    if (rows[metric].unit[0] == '\0') {
        isocast_buffer_printf(out, "%.*g", digits, value);
    } else {
        isocast_quantity_format(value, rows[metric].unit, digits, out);
    }
}

double isocast_metric_size_of(isocast_metric metric, const isocast_metric_point *at) {
    return rows[metric].size == ISOCAST_SIZE_MARKED_SPEED ? at->C : at->R_f;
}

double isocast_metric_held(isocast_metric metric, const isocast_metric_point *at) {
    double numerator = rows[metric].numerator == ISOCAST_NUMERATOR_WORK ? at->W : at->T_alone;
    return numerator / (at->T * isocast_metric_size_of(metric, at));
}

double isocast_metric_latency(const isocast_metric_point *at) {
    return at->T - at->T_alone / at->R_f;
}

bool isocast_metric_takes_time_alone(isocast_metric metric) {
    return rows[metric].numerator == ISOCAST_NUMERATOR_TIME_ALONE;
}

double isocast_metric_read(isocast_metric metric, const isocast_metric_point *at) {
    switch (rows[metric].reading) {
    case ISOCAST_READ_WORK:
        return at->W / isocast_metric_size_of(metric, at);
    case ISOCAST_READ_LATENCY:
        return isocast_metric_latency(at);
    case ISOCAST_READ_TIME:
        return at->T;
    case ISOCAST_READ_FUNCTION:
        break;
    }
    return NAN;
}

double isocast_metric_psi(isocast_metric metric, const isocast_metric_point *from,
                          const isocast_metric_point *to) {
    return isocast_metric_read(metric, from) / isocast_metric_read(metric, to);
}
