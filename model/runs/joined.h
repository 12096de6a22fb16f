/* T on more processes by an algorithm on a machine whose open numbers were fitted to runs. Formats
 * nothing. */
#ifndef ISOCAST_JOINED_H
#define ISOCAST_JOINED_H

#include "joint_fit.h"
#include "model/solve/prediction.h"

typedef enum isocast_joined_status {
    ISOCAST_JOINED_OK,
    ISOCAST_JOINED_OPEN, /* T depends on a number of which the runs say nothing: there is none */
    ISOCAST_JOINED_NONE  /* the formulas have no T there */
} isocast_joined_status;
/* Ending in NULL. */
extern const char *const isocast_joined_status_words[];

typedef struct isocast_joined_row {
    const char *system;
    double p, N;
    const double *other_sizes; /* [size_count - 1]; NULL: the algorithm has one size */
    double T, T_low, T_high;   /* s, with the 90 % band of a run: errors of the numbers, and the
                                  scatter of the runs about the fit */
    double E;                  /* speed-efficiency */
    double cost;               /* s, p T */
    isocast_joined_status status;
    const char *open; /* where it is OPEN: the number */
} isocast_joined_row;

typedef struct isocast_joined {
    isocast_run_sizes sizes;  /* of the runs */
    isocast_joined_row *rows; /* [count]: by further sizes, N, then system */
    size_t count;
} isocast_joined;

enum { ISOCAST_JOINED_ROWS_MAX = 20000 };

/* At each system, with each further sizes that the runs have, at each N (count 0: those of the
 * runs). `model` is of the algorithm that was fitted; it, the systems, the runs and the fit must
 * outlive the result. Errors: ARGUMENT (too many rows), as isocast_run_sizes_collect(). */
isocast_status isocast_joined_make(const isocast_model *model, const isocast_runs *runs,
                                   const char *rows, const isocast_joint_fit *fit,
                                   isocast_system *const *systems, size_t system_count,
                                   const double *N, size_t N_count,
                                   isocast_diagnostics *diagnostics, isocast_joined **out);
void isocast_joined_free(isocast_joined *joined);

#endif
