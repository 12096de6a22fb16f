/* The roots that a row's own N moves to with each draw of the machine's numbers, for all draws
 * together: what is held is computed for many draws at one N (drawn_times.h), and between two N it
 * is taken as a straight line over ln N where it is one. Knows no intervals. */
#ifndef ISOCAST_DRAW_ROOTS_H
#define ISOCAST_DRAW_ROOTS_H

#include "drawn_times.h"

typedef struct isocast_draw_roots_request {
    isocast_drawn_times *times;
    const isocast_system *system;
    const double *other_sizes; /* as in isocast_model_points */
    double low, high;          /* of N */
    double size;               /* what W/T is divided by, as the metric has it */
    size_t number_count;       /* numbers in a row of errors */
    size_t draws;
    const double *errors;   /* [draws][number_count] */
    const double *targets;  /* [draws], ln of what is to be held */
    const double *starts;   /* [draws], ln N near the roots */
    double centre;          /* ln N of the row */
    double slope;           /* d ln held/d ln N there */
    double reach;           /* of ln N, to first order */
    double tolerance;       /* of ln N */
    isocast_effort *effort; /* takes what it costs */
} isocast_draw_roots_request;

/* ln N and ln W at the root of each draw, [draws] each; NAN for a draw whose root is not found near
 * the row's, or where what is held jumps over the target. Errors: NO_MEMORY. */
isocast_status isocast_draw_roots_find(const isocast_draw_roots_request *request, double *ln_N,
                                       double *ln_W);

/* What it is expected to take of an effort, in steps. */
double isocast_draw_roots_steps(const isocast_drawn_times *times, size_t draws);

#endif
