/* The points of a sweep: the values of all names that vary. What has values of its own makes a
 * grid, the first name slowest; what is drawn has so many draws at each point of the grid. Any
 * point is computed by its number alone, so that a sweep can be cut anywhere. Solves nothing. */
#ifndef ISOCAST_SWEEP_DESIGN_H
#define ISOCAST_SWEEP_DESIGN_H

#include <stdint.h>

#include "axis.h"

typedef enum isocast_design_kind {
    ISOCAST_DESIGN_GRID,   /* nothing is drawn */
    ISOCAST_DESIGN_RANDOM, /* independent draws */
    ISOCAST_DESIGN_LATIN,  /* a Latin hypercube: each name has one draw in each of as many equal
                              parts of its range as there are draws */
    ISOCAST_DESIGN_SOBOL   /* Sobol's sequence [GSL], shifted by the seed */
} isocast_design_kind;

typedef struct isocast_design {
    isocast_axis *axes; /* [axis_count] */
    size_t axis_count;
    isocast_design_kind kind;
    double draws;  /* at each point of the grid; 1 for a GRID */
    double points; /* in all, a whole number */
    uint64_t seed;
} isocast_design;

/* The most points, and names that Sobol's sequence draws. */
#define ISOCAST_DESIGN_POINTS_MAX 1e10
enum { ISOCAST_DESIGN_SOBOL_AXES = 40, ISOCAST_DESIGN_SOBOL_DRAWS = 1 << 29 };

/* "random", "latin" or "sobol", with ":COUNT" behind it; NULL: a grid. Errors, with a diagnostic:
 * INVALID, NO_MEMORY. */
isocast_status isocast_design_read(const char *label, const char *text,
                                   isocast_diagnostics *diagnostics, isocast_design *out);

/* Takes the axes, which stay as they are, and counts the points. Errors: INVALID with a diagnostic
 * (nothing is drawn, or too much; too many points). */
isocast_status isocast_design_finish(isocast_design *design, const char *label,
                                     isocast_diagnostics *diagnostics);

/* Reads points in any order; quickest if they rise. Not for several threads at once. */
typedef struct isocast_design_cursor isocast_design_cursor;
/* Errors: NO_MEMORY. The design must outlive it. */
isocast_status isocast_design_cursor_create(const isocast_design *design,
                                            isocast_design_cursor **out);
void isocast_design_cursor_free(isocast_design_cursor *cursor);
/* The values of all axes (shape [axis_count]) at a point, from 0 on. */
void isocast_design_point(isocast_design_cursor *cursor, double point, double *values);

#endif
