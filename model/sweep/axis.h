/* One name that a sweep varies, and its values: "t_c=1ns..5ns:log:25". Reads what the name may be
 * given, counts and computes values; knows nothing of the other names. */
#ifndef ISOCAST_SWEEP_AXIS_H
#define ISOCAST_SWEEP_AXIS_H

#include "model/spec/varied.h"

typedef enum isocast_axis_scale {
    ISOCAST_AXIS_LIST,   /* `values` */
    ISOCAST_AXIS_LINEAR, /* from `from` to `to`, both among them */
    ISOCAST_AXIS_LOG     /* likewise, by equal factors */
} isocast_axis_scale;

typedef struct isocast_axis {
    isocast_varied variable;
    isocast_axis_scale scale;
    bool drawn;      /* a range without a number of values, which a random design draws from */
    double count;    /* values, a whole number; 1 where drawn */
    double from, to; /* SI; not of a LIST */
    double *values;  /* [count], SI, of a LIST */
} isocast_axis;

/* The most values of one axis. */
#define ISOCAST_AXIS_COUNT_MAX 1e10

/* Reads "NAME=VALUES". VALUES is a list of values and of stepped ranges (a,b,c; a..b+step;
 * a..b*factor), one range with a number of values (a..b:lin:N, a..b:log:N), or one that is to be
 * drawn from (a..b, a..b:lin, a..b:log), where `draws`. `label` names the text in diagnostics
 * ("--vary"). Neither the algorithm nor the machine is changed; `platform` as in
 * isocast_varied_find(). Errors, with diagnostics: INVALID, NO_MEMORY. */
isocast_status isocast_axis_read(const char *label, const char *text, bool draws,
                                 const isocast_algorithm *algorithm, const isocast_machine *machine,
                                 const isocast_platform *platform, isocast_diagnostics *diagnostics,
                                 isocast_axis *out);
void isocast_axis_free(isocast_axis *axis);

/* The k-th value, from 0 on, SI. What counts things is rounded. */
double isocast_axis_at(const isocast_axis *axis, double k);

/* The value of a drawn axis at a number from 0 to below 1: the quantile of the uniform, or the
 * log-uniform, distribution. What counts things has each whole number of the range. */
double isocast_axis_draw(const isocast_axis *axis, double u);

#endif
