/* Laws of values that were seen at several runs: the simplest one that leaves no residual, or the
 * nearest one by least squares. What was fitted once is remembered. */
#ifndef ISOCAST_DERIVE_FIT_H
#define ISOCAST_DERIVE_FIT_H

#include "candidates.h"
#include "model/base/status.h"

enum { ISOCAST_FITTER_PARTS = 11 };

/* Laws of some of the runs, of candidates of one kind. */
typedef struct isocast_fitter_part {
    bool *known; /* [run_count]: which runs those are; NULL: there is no such part */
    isocast_candidates candidates;
    double *values;    /* [count][candidates.point_count] */
    isocast_law *laws; /* [count] */
    size_t count, capacity;
} isocast_fitter_part;

/* How much the terms of a law may grow where all sizes are doubled, and how complex they may be. */
typedef struct isocast_growth_bounds {
    const isocast_law_point *from; /* NULL: there are no bounds */
    double least, most;            /* from, to; 0: no bound */
    double cost;                   /* at most; 0: no bound */
} isocast_growth_bounds;

/* Which nearest law is meant. */
typedef struct isocast_question {
    size_t terms; /* at most 1 or 2; 0: 2 where chance does not make the second one */
    isocast_law_kind kind;
    double least; /* errors of values below it are taken relative to it */
    isocast_growth_bounds bounds;
} isocast_question;

typedef struct isocast_fitter isocast_fitter;
struct isocast_fitter {
    const isocast_law_point *points; /* [run_count], the caller's */
    size_t run_count, size_count;
    /* Sizes that stand in exponents of what is sent: work and memory may have them there, too. */
    bool exponents[ISOCAST_DERIVE_SIZES_MAX];
    isocast_fitter_part parts[ISOCAST_FITTER_PARTS]; /* all runs, and the last others */
    size_t part_count;                               /* that were made in all */
};

void isocast_fitter_create(const isocast_law_point *points, size_t run_count, size_t size_count,
                           isocast_fitter *out);
void isocast_fitter_free(isocast_fitter *fitter);

/* In all of these `known` chooses the runs that count (NULL: all); the law is fitted to these
 * alone, and is not known where there are none. values: [run_count]. Errors: NO_MEMORY. */

/* The simplest law that gives every value, with rational coefficients; it needs two runs more than
 * it has coefficients, unless it is constant. Where there is none, the nearest one: of one term,
 * where chance may have made the second one. favoured: see candidates.h. */
isocast_status isocast_fit(isocast_fitter *fitter, const double *values, const bool *known,
                           unsigned favoured, isocast_law *law);

/* The law with coefficients above 0 that has the least mean relative error, where a more complex
 * one has to be better by 5 % for each factor. Values of 0 count only where no guard leaves them
 * out. law->known is false where there are fewer runs than coefficients, or none within bounds. */
isocast_status isocast_fit_nearest(isocast_fitter *fitter, const double *values, const bool *known,
                                   const isocast_question *question, isocast_law *law);

/* Whether the second term of a law, chosen from many, makes it so much nearer than one term is that
 * chance does not do it (F-test). Errors are root mean squares over `count` runs. */
bool isocast_law_is_reported(double alone, double both, size_t count);

#endif
