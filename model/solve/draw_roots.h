/* The roots that a row's own N moves to with each draw of the machine's numbers, for all draws
 * together: what is held is computed for many draws at one N (drawn_times.h), and between two N it
 * is taken as a parabola over ln N where it is one. Knows no intervals. */
#ifndef ISOCAST_DRAW_ROOTS_H
#define ISOCAST_DRAW_ROOTS_H

#include "drawn_times.h"

/* Roots are looked for up to so many reaches from the row's N. */
enum { ISOCAST_DRAW_ROOTS_FAR = 6 };

typedef struct isocast_draw_roots_request {
    isocast_drawn_times *times;
    const isocast_system *system;
    const double *other_sizes; /* as in isocast_model_points */
    double low, high;          /* of N */
    double size;               /* what W/T is divided by, as the metric has it */
    size_t draws;
    const double *errors;   /* [number of the machine][draws], SI */
    const double *targets;  /* [draws], ln of what is to be held */
    const double *starts;   /* [draws], ln N near the roots */
    double centre;          /* ln N of the row */
    double slope;           /* d ln held/d ln N there */
    double reach;           /* of ln N, to first order */
    double tolerance;       /* of ln N */
    isocast_effort *effort; /* takes what it costs */
} isocast_draw_roots_request;

typedef struct isocast_draw_roots isocast_draw_roots;

/* Begins with the draws of a request, which must outlive it, and so must the two [draws] that get
 * ln N and ln W at the root of each: NAN for one that has none yet. Errors: NO_MEMORY. */
isocast_status isocast_draw_roots_create(const isocast_draw_roots_request *request, double *ln_N,
                                         double *ln_W, isocast_draw_roots **out);
/* NULL is allowed. */
void isocast_draw_roots_free(isocast_draw_roots *roots);

/* Goes on until `enough` further draws are known to have no root near the row's, or to jump over
 * their target there, or until there is no other draw left. *without gets those, which are valid
 * until the next call; *done says that there is no other left. Errors: NO_MEMORY. */
isocast_status isocast_draw_roots_go_on(isocast_draw_roots *roots, size_t enough,
                                        const size_t **without, size_t *count, bool *done);

/* What it is expected to take of an effort, in steps. */
double isocast_draw_roots_steps(const isocast_drawn_times *times, size_t draws);

#endif
