/* The runs that a transfer reads, put in order: by size, then nodes, then processors, with the
 * median T of each. Owns indices and medians, borrows the runs. */
#ifndef ISOCAST_TRANSFER_POINTS_H
#define ISOCAST_TRANSFER_POINTS_H

#include "model/spec/algorithm.h"
#include "runs.h"

/* Runs of the same sizes on as many nodes and processors. */
typedef struct isocast_transfer_point {
    const isocast_run *run; /* one of them */
    size_t sizes_group;     /* the same for points of the same sizes */
    double nodes;
    double p;       /* processes */
    double threads; /* of a process */
    double T;       /* s, the median */
    size_t runs;
} isocast_transfer_point;

typedef struct isocast_transfer_points {
    isocast_transfer_point *items; /* [count] */
    size_t count;
    double *sizes; /* [sizes_groups][size_count], the algorithm's first size, or N, before others */
    size_t sizes_groups, size_count;
} isocast_transfer_points;

/* Reads the runs of a machine of one node class. Columns that count beside N, T and p: `nodes` and
 * `threads` of a process (one without such a column), and the sizes of `algorithm`, which may be
 * NULL. name: the rows that count, by the column algorithm; NULL: as in isocast_validate. Of
 * several machines in the column of that name those of `machine` count. Errors: INVALID with
 * diagnostics (no row, rows of several algorithms or of other machines, no p, more processes than
 * there are processors), NO_MEMORY. */
isocast_status isocast_transfer_points_read(const isocast_runs *runs,
                                            const isocast_machine *machine,
                                            const isocast_algorithm *algorithm, const char *name,
                                            isocast_diagnostics *diagnostics,
                                            isocast_transfer_points *out);
void isocast_transfer_points_free(isocast_transfer_points *points);

#endif
