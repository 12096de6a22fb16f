/* Laws of values that were seen at several runs: exact ones, and the best of others by least
 * squares. */
#ifndef ISOCAST_DERIVE_FIT_H
#define ISOCAST_DERIVE_FIT_H

#include "candidates.h"

/* The simplest law that gives every value, with rational coefficients of denominators up to 12. It
 * needs at least two runs more than it has coefficients, unless it is constant. values:
 * [candidates->point_count]. law->known is false where no such law is found. Errors: NO_MEMORY. */
isocast_status isocast_law_fit_exact(const isocast_candidates *candidates, const double *values,
                                     isocast_law *law);

/* What the terms of a law may be. */
typedef enum isocast_law_kind {
    ISOCAST_LAW_ANY,
    ISOCAST_LAW_SIZES,   /* smooth functions of sizes alone */
    ISOCAST_LAW_SHARES,  /* whole powers of sizes and their shares, by themselves or over p */
    ISOCAST_LAW_BUSIEST, /* smooth functions of sizes, or their shares, on the process with most */
    ISOCAST_LAW_GROWING  /* smooth functions of sizes that all processes have, or more with p */
} isocast_law_kind;

/* The law of up to `terms` terms (1 or 2) with coefficients above 0 that has the least mean
 * relative error, where a more complex one has to be better by 5 % for each factor. Values of 0
 * count only where no guard leaves them out. law->known is false where there are fewer runs than
 * coefficients. kind: what terms may be. least: errors of
 * values below it are taken relative to it. Errors: NO_MEMORY. */
isocast_status isocast_law_fit_nearest(const isocast_candidates *candidates, const double *values,
                                       size_t terms, isocast_law_kind kind, double least,
                                       isocast_law *law);

/* A product of whole powers of sizes, of values that are times: how long a unit of it takes may
 * grow up to three times with the memory of a process, but not fall. values, memory (B), known
 * (runs that count): [candidates->point_count]. mean_error is what that growth does not explain;
 * growth gets the last time per unit over the first one. law->known is false where there is none.
 * Errors: NO_MEMORY. */
isocast_status isocast_law_fit_over_memory(const isocast_candidates *candidates,
                                           const double *values, const double *memory,
                                           const bool *known, isocast_law *law, double *growth);

/* Whether the second term of a law, chosen from many, makes it so much nearer than one term is that
 * chance does not do it (F-test). Errors are root mean squares over `count` runs. */
bool isocast_law_is_told(double alone, double both, size_t count);

/* The nearest law of one term, or of two where chance does not make the second one. Errors:
 * NO_MEMORY. */
isocast_status isocast_law_fit_told(const isocast_candidates *candidates, const double *values,
                                    isocast_law_kind kind, isocast_law *law);

/* The exact one, else the nearest one: of one term, where chance may have made the second one. */
isocast_status isocast_law_fit(const isocast_candidates *candidates, const double *values,
                               isocast_law *law);

/* Takes the errors of a law at all runs anew. */
void isocast_law_measure(const isocast_candidates *candidates, const double *values,
                         isocast_law *law);

#endif
