/* What a fit can come back with. */
#ifndef FIT_STATUS_H
#define FIT_STATUS_H

typedef enum fit_status {
    FIT_OK,
    FIT_NO_SAMPLES,
    FIT_NOTHING_FITS, /* no sum of the terms, with coefficients of 0 or more, follows the times */
    FIT_NO_MEMORY
} fit_status;

#endif
