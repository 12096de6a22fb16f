/* How far each forecaster is to be believed at a message size: by its errors in forecasts of what
 * was left out, at that size and at sizes near it. Makes no forecast. */
#ifndef FIT_TRUST_H
#define FIT_TRUST_H

#include "fit_forecasters.h"

/* How all forecasters did at one point that they were not reported. */
typedef struct fit_trial {
    double m;                        /* B */
    double squares[FIT_FORECASTERS]; /* of ln(forecast/measured); NAN where it made none */
} fit_trial;

/* Start from {0}. */
typedef struct fit_trust {
    fit_trial *trials; /* [count] */
    size_t count, room;
} fit_trust;

/* False where memory is short. */
bool fit_trust_add(fit_trust *trust, const fit_trial *trial);
void fit_trust_free(fit_trust *trust);

/* The weight of each forecaster at a size (shape [FIT_FORECASTERS], all above 0). Without a trial
 * all weigh the same. */
void fit_trust_weigh(const fit_trust *trust, double m, double *weights);

#endif
