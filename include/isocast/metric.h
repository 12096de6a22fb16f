/* The metrics of scalability that isocast knows. Each holds one quantity constant as the system
 * grows, and reads the scalability off what that needs. docs/how-to/scalability.md has the
 * definitions and their sources. */
#ifndef ISOCAST_PUBLIC_METRIC_H
#define ISOCAST_PUBLIC_METRIC_H

#include <isocast/export.h>

ISOCAST_BEGIN_C

/* C is the marked speed of a system in flop/s. R_f is its performance reference factor: p where
 * the machine file knows nothing else. T(W,1) is the time of the computation on process 0 alone. */
typedef enum isocast_metric {
    ISOCAST_METRIC_ISOSPEED_E,    /* holds W/(T C); psi = C'W/(C W') [CSW] */
    ISOCAST_METRIC_ISOSPEED,      /* holds W/(R_f T); psi = R_f'W/(R_f W') [Sun, Rover; He] */
    ISOCAST_METRIC_ISOEFFICIENCY, /* holds T(W,1)/(R_f T); the function W(p) [Kumar; He] */
    ISOCAST_METRIC_LATENCY,       /* holds the same; psi = L_e/L_e' [Zhang, Yan, He] */
    ISOCAST_METRIC_TIME_SCALE     /* holds the same; psi = T/T' [He] */
} isocast_metric;

/* "isospeed-e", "isospeed", "isoefficiency", "latency", "time-scale"; NULL for another value. Not
 * to be freed. */
ISOCAST_PUBLIC const char *isocast_metric_name(isocast_metric metric);

ISOCAST_END_C

#endif
