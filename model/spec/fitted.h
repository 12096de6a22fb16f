/* How far the formula of an operation is off by what was found while it was fitted. */
#ifndef ISOCAST_FITTED_H
#define ISOCAST_FITTED_H

/* Relative; NAN where the file does not say. */
typedef struct isocast_fitted {
    double mean_error; /* mean at the points measured */
    /* Standard deviations of the factor that all its times are off by: as far as it was measured,
     * and for each unit of ln(p/p_max) beyond the most processes that it was measured on. */
    double misfit, drift;
} isocast_fitted;

#endif
