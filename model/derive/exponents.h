/* Exponents of the law of computing, no larger than the records show, and what they leave open.
 * Fits no other laws (computing.h). */
#ifndef ISOCAST_DERIVE_EXPONENTS_H
#define ISOCAST_DERIVE_EXPONENTS_H

#include "derived.h"
#include "fitter.h"

/* Runs whose computing is fitted. */
typedef struct derive_computing_runs {
    const double *values; /* [record_count], s */
    const bool *counts;   /* [record_count] */
    isocast_law_kind kind;
    double least; /* s: errors of shorter computing are relative to it */
} derive_computing_runs;

/* The work of the largest recorded sizes over that of the smallest ones; 0: there is none. */
double isocast_derive_growth_seen(const isocast_derived *derived);

/* Gives derived->work the least growth that the noise of the runs, and the memory of a process,
 * allow, but that of the first power, and notes how the nearest law grows. Errors: NO_MEMORY. */
isocast_status isocast_derive_exponents_bound(isocast_derived *derived,
                                              const derive_computing_runs *runs,
                                              derive_fitter *fitter);

/* Sets derived->work_most: the law that grows most of those which the runs do not tell from
 * derived->work. Not known where there is none whose growth matters. Errors: NO_MEMORY. */
isocast_status isocast_derive_exponents_doubt(isocast_derived *derived,
                                              const derive_computing_runs *runs,
                                              derive_fitter *fitter);

/* Appends that law under `uncertain`, in flops of a processor with that speed. Puts head first
 * where there is one, and returns what the head of further lines is. */
const char *isocast_put_uncertain_growth(const isocast_derived *derived, double speed,
                                         const char *head, const char *const *names,
                                         isocast_buffer *out);

#endif
