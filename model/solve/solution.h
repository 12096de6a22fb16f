/* What solving the iso-efficiency condition on one system comes to. */
#ifndef ISOCAST_SOLUTION_H
#define ISOCAST_SOLUTION_H

#include "model.h"

enum { ISOCAST_ROOTS_MAX = 16 };

typedef struct isocast_solution {
    isocast_row_status status;       /* OK, SEVERAL, UNREACHABLE or NOT_CONVERGED */
    double N;                        /* smallest root; NAN where there is none */
    size_t root_count;               /* roots found, at most ISOCAST_ROOTS_MAX kept */
    double roots[ISOCAST_ROOTS_MAX]; /* rising */
    /* From the root to here E is the target, but for rounding, at every N that was looked at; the
     * root itself where it is one N alone. */
    double root_to[ISOCAST_ROOTS_MAX];
    bool more_roots; /* there are more than were kept */
    /* All roots up to here, and no others, are known: proved by enclosures of the condition. N_end,
     * or the last root kept where there are more, where `complete`; below that, roots beyond may
     * have been missed. NAN where nothing was searched. */
    double complete_to;
    bool complete;
    double N_end;     /* the search ends here: the size's max, or the last N at which W and T are
                         numbers that are known */
    double best_E;    /* largest E found over the range, where all processes can work; NAN where
                         none was found, or where there are roots */
    double best_N;    /* where */
    double least_E;   /* smallest E found over the range; NAN likewise */
    double least_N;   /* where */
    bool best_at_end; /* E still rises at N_end, as far as was seen */
    bool every_N;     /* OK: E is the target at every N, so N is the smallest allowed */
    double jump_N;    /* smallest N at which E jumps over the target instead of meeting it, or NAN;
                         with NOT_CONVERGED it is all there is, and N is the same; a jump of 1 %
                         or less of the target is a root too */
    bool gave_up;     /* the effort was spent before the search was through */
    double sum_error; /* relative, of the sums at the root; above ISOCAST_SUM_ERROR_MAX the status
                         is NOT_CONVERGED */
} isocast_solution;

/* A sum that is not known to this relative error makes its row NOT_CONVERGED. */
#define ISOCAST_SUM_ERROR_MAX 1e-9

#endif
