/* The one table of the metrics: what each holds constant and what its psi is read off. Pure data
 * and words; the solver, the runs and the reports go by it. */
#ifndef ISOCAST_METRIC_H
#define ISOCAST_METRIC_H

#include <isocast/metric.h>
#include <stdbool.h>

#include "buffer.h"

enum { ISOCAST_METRICS = ISOCAST_METRIC_TIME_SCALE + 1 };

/* What is held is numerator/(size T). */
typedef enum isocast_metric_numerator {
    ISOCAST_NUMERATOR_WORK,      /* W, flop */
    ISOCAST_NUMERATOR_TIME_ALONE /* T(W,1), s */
} isocast_metric_numerator;

typedef enum isocast_metric_size {
    ISOCAST_SIZE_MARKED_SPEED,    /* C, flop/s */
    ISOCAST_SIZE_REFERENCE_FACTOR /* R_f */
} isocast_metric_size;

/* What psi from a system to another is read off. */
typedef enum isocast_metric_reading {
    ISOCAST_READ_WORK,     /* size' W/(size W') */
    ISOCAST_READ_LATENCY,  /* L_e/L_e', L_e = T - T(W,1)/R_f */
    ISOCAST_READ_TIME,     /* T/T' */
    ISOCAST_READ_FUNCTION, /* none: the result is the function W */
} isocast_metric_reading;

typedef struct isocast_metric_row {
    const char *name; /* "isospeed-e" */
    isocast_metric_numerator numerator;
    isocast_metric_size size;
    isocast_metric_reading reading;
    const char *held;    /* in words: "speed-efficiency" */
    const char *symbol;  /* that a sentence can use for it: "E", "the average speed" */
    const char *bare;    /* the same behind an article or an adjective: "E", "average speed" */
    const char *formula; /* "W/(T C)" */
    const char *unit;    /* of what is held; "" for a ratio */
    const char *field;   /* its column in files and tables: "E" */
    const char *psi;     /* formula of psi; NULL where there is none */
} isocast_metric_row;

/* The row of a metric. */
const isocast_metric_row *isocast_metric_row_of(isocast_metric metric);

/* The metric of a name; false for a name that is none. */
bool isocast_metric_find(const char *name, isocast_metric *out);

/* Appends a value of what is held, with its unit. */
void isocast_metric_format(isocast_metric metric, double value, int digits, isocast_buffer *out);

/* What psi is read off, on one system at the N that holds what is held. */
typedef struct isocast_metric_point {
    double C;       /* flop/s */
    double R_f;     /* performance reference factor */
    double W;       /* flop */
    double T;       /* s */
    double T_alone; /* s, T(W,1) */
} isocast_metric_point;

/* Whether what is held is of T(W,1), the time of one process. */
bool isocast_metric_takes_time_alone(isocast_metric metric);
/* C or R_f of the point, as the metric has it. */
double isocast_metric_size_of(isocast_metric metric, const isocast_metric_point *at);
/* numerator/(size T). */
double isocast_metric_held(isocast_metric metric, const isocast_metric_point *at);
/* L_e = T - T(W,1)/R_f, the average overhead latency [ZYH, with R_f as in HE], s. */
double isocast_metric_latency(const isocast_metric_point *at);
/* What psi is read off: its value at one point over that at another is psi. W over the size (flop/s
 * or 1), T (s) or the latency (s); NAN for a metric without psi. */
double isocast_metric_read(isocast_metric metric, const isocast_metric_point *at);
/* psi between two points; NAN where the metric has none, or a value is not known. */
double isocast_metric_psi(isocast_metric metric, const isocast_metric_point *from,
                          const isocast_metric_point *to);

#endif
