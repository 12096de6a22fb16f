/* Where the degree of concurrency asks for a larger N than what is held does: the overall
 * isoefficiency function is the larger of both [GGKK 5.4.5]. */
#ifndef ISOCAST_RAISE_H
#define ISOCAST_RAISE_H

#include "solver.h"

typedef enum isocast_raise_outcome {
    ISOCAST_RAISE_NOT_NEEDED, /* the solution stands as it is */
    ISOCAST_RAISE_LATER,      /* N is a later root, or jump, at which all processes can work */
    ISOCAST_RAISE_DONE,       /* N is where all processes can work, and E is not below the target */
    ISOCAST_RAISE_BELOW,      /* where all processes can work, E is below the target */
    ISOCAST_RAISE_NONE        /* all processes can work at no N that was looked at */
} isocast_raise_outcome;

typedef struct isocast_raise {
    isocast_raise_outcome outcome;
    double N;            /* LATER and DONE; else NAN */
    bool is_jump;        /* LATER: E jumps over the target there */
    double N_efficiency; /* DONE: E is the target at this smaller N, or jumps over it; or the least
                            N of the range, where it would be above the target on all of the way */
    bool starts_short;   /* at the least N fewer processes can work */
    bool complete;       /* proved: all processes can work at no smaller N than was found */
    double looked_to;    /* the N at which the search for them ended */
} isocast_raise;

/* The smallest N at which all processes can work and what is held is at least the target; where all
 * can work from the least N on, the smallest such N from the first root or jump of the solution on.
 * `request` is what was solved, of an algorithm that has a concurrency. Errors: NO_MEMORY. */
isocast_status isocast_raise_find(const isocast_solve_request *request,
                                  const isocast_solution *solution, isocast_raise *out);

#endif
