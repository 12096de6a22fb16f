/* Why a speed-efficiency E = W/(T C) is above 1: what the machine file says of the speed of the
 * algorithm's kernel on the data of a process, beside its marked speed. Writes no sentence. */
#ifndef ISOCAST_ABOVE_ONE_H
#define ISOCAST_ABOVE_ONE_H

#include "model.h"

/* NAN marks what is not known. */
typedef struct isocast_above_one {
    double marked;      /* flop/s, the mean of the marked speeds of all processes */
    bool marked_differ; /* not all processes have that one */
    /* flop/s of a process by the machine file's time per flop; NAN: it has none for the kernel, or
     * this is no more than the marked speed, so that E has another reason. */
    double rate;
    double m; /* B, the working set of a process, which has that rate; NAN: any has it */
    /* The largest data that the file knows of, B, and the rate on them; NAN: they are not larger,
     * or not slower. */
    double larger_m, larger_rate;
} isocast_above_one;

/* At N on a system. The size parameters are those of isocast_model_points. Errors: NO_MEMORY. */
isocast_status isocast_above_one_find(const isocast_model *model, const isocast_system *system,
                                      double N, const double *other_sizes, isocast_above_one *out);

#endif
