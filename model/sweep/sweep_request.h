/* What a sweep is asked. */
#ifndef ISOCAST_SWEEP_REQUEST_H
#define ISOCAST_SWEEP_REQUEST_H

#include "design.h"
#include "model/base/metric.h"
#include "model/solve/model.h"

/* A model of its own for some values of what varies, such as those of a platform. */
typedef struct isocast_sweep_variant {
    const double *values;       /* [axis_count]; NAN for what does not distinguish it from others */
    const isocast_model *model; /* like the request's, with the same parameters */
    const isocast_system *const *systems; /* [system_count] */
} isocast_sweep_variant;

typedef struct isocast_sweep_request {
    const isocast_model *model; /* with the variables of the design open */
    const isocast_design *design;
    isocast_metric metric;
    isocast_system_measure measure;       /* of the systems */
    const isocast_system *const *systems; /* [system_count], at least one */
    size_t system_count;
    const double *targets;     /* [target_count], above 0; NULL: N is given */
    const double *N;           /* [target_count], in the size's range; read where targets is NULL */
    size_t target_count;       /* at least one */
    const double *other_sizes; /* [size_count - 1]; NAN for what varies; NULL for one size */
    /* Each point of the design is one of them; the first has the request's model and systems. */
    const isocast_sweep_variant *variants; /* [variant_count]; NULL: there is one model */
    size_t variant_count;
    double stride; /* every so many-th point of the design alone, a whole number; 0: all of them */
} isocast_sweep_request;

#endif
