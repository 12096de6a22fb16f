/* The signs of a series over all paths in rising N: the paths are cut into cells in each of which
 * it has one sign from some p on. Knows no algorithms. */
#ifndef ISOCAST_CELLS_H
#define ISOCAST_CELLS_H

#include "series.h"

enum { ISOCAST_CELLS_MAX = 600 };

/* A set of paths, or one. */
typedef struct isocast_cell {
    isocast_path path;
    int sign;           /* 1, -1; 0: not known, or the series is 0 */
    bool is_zero;       /* the series is 0 on all of its paths */
    bool is_balanced;   /* at this x the leading terms cancel (isocast_series_lead) */
    const char *reason; /* why the sign is not known; NULL where it is */
} isocast_cell;

/* Start from {0}. */
typedef struct isocast_cells {
    isocast_cell *items; /* [count], in rising N */
    size_t count, capacity;
} isocast_cells;

/* Makes the series on a path and finds its leading terms. `reported` gets the problem of its room,
 * with `split` and `reason`. Errors: NO_MEMORY. */
typedef isocast_status (*isocast_series_maker)(const void *context, const isocast_path *path,
                                               isocast_series_lead *lead,
                                               isocast_series_room *reported);

/* N = p^x log^y p (log log p)^w, up to constants. */
typedef struct isocast_place {
    double x, y, w;
} isocast_place;

/* How closely signs are looked at. */
typedef enum isocast_cells_care {
    ISOCAST_CELLS_PLAIN, /* ln N as it is: what cancels at an x is one cell that is balanced */
    ISOCAST_CELLS_CLOSE  /* where that shows no sign, also as x ln p and a rest (path.h) */
} isocast_cells_care;

/* Cells for all N from the place on: beyond any constant times it. `from` NULL: for all N that are
 * at least a power of p. Errors: NO_MEMORY. */
isocast_status isocast_cells_find(isocast_series_maker make, const void *context,
                                  const isocast_place *from, isocast_cells_care care,
                                  isocast_cells *out);
void isocast_cells_free(isocast_cells *cells);

/* 1 where N of a is larger by more than any constant, -1 where it is smaller. */
int isocast_place_compare(const isocast_place *a, const isocast_place *b);

#endif
