/* What a calibration is fitted to: operations as lines of a machine file, with the errors of their
 * numbers. */
#ifndef FIT_MODEL_H
#define FIT_MODEL_H

#include "calibrate/samples/samples.h"
#include "fit_speed.h"
#include "model/base/buffer.h"

/* The lines of an operation's body begin with so many blanks. */
enum { FIT_NAME_MAX = 80, FIT_FORM_MAX = 160, FIT_BODY_INDENT = 4 };

/* A time as it was measured. */
typedef struct fit_end {
    double m;       /* B */
    double seconds; /* of a kernel s/flop */
} fit_end;

typedef struct fit_operation {
    char name[FIT_NAME_MAX]; /* "T_bcast"; a kernel's name for time per flop */
    bool is_kernel;
    isocast_buffer body;     /* lines of a machine file that state its time */
    char form[FIT_FORM_MAX]; /* in words */
    bool growth_assumed;     /* in p: too few counts of processes were measured to learn it */
    double p_min, p_max, m_min, m_max;
    size_t points;                /* placements and sizes */
    size_t ranges;                /* of m, or of m/p */
    double mean_error, max_error; /* relative, of the fit at the points */
    double misfit, drift;         /* sd of ln T, fit_misses.h; NAN: not known */
    double sigma_launch;          /* sd of ln(median) between launches; 0 for one launch */
    fit_end ends[2];              /* at the smallest and the largest m on p_max processes */
} fit_operation;

/* Start from {0}. */
typedef struct fit {
    fit_operation *operations; /* [operation_count] */
    size_t operation_count;
    double sigma_launch; /* sd of ln(median) between launches, over all points; 0 for one launch */
    double sigma_within; /* sd of ln(seconds) within a launch, robust */
    size_t launches;
    fit_speed speed;
} fit;

#endif
