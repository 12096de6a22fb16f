/* Which columns of runs are an algorithm's size parameters, and which rows are about it: those that
 * have the numbers that it defines. Borrows the runs and the algorithm. */
#ifndef ISOCAST_RUN_COLUMNS_H
#define ISOCAST_RUN_COLUMNS_H

#include "model/spec/algorithm.h"
#include "runs.h"

/* Start from {0}. */
typedef struct isocast_run_columns {
    const isocast_runs *runs;
    const isocast_algorithm *algorithm;
    size_t *of_size; /* [algorithm->size_count]: index among the other columns; other_count: N */
} isocast_run_columns;

/* A size is the column of its name; the first one is the column N where there is none of its name.
 * Errors: INVALID with a diagnostic (no column for a size), NO_MEMORY. */
isocast_status isocast_run_columns_find(const isocast_runs *runs,
                                        const isocast_algorithm *algorithm,
                                        isocast_diagnostics *diagnostics, isocast_run_columns *out);
void isocast_run_columns_free(isocast_run_columns *columns);

/* The value of a size in a row; NAN where the cell is no number. */
double isocast_run_columns_size(const isocast_run_columns *columns, const isocast_run *run,
                                size_t size);

/* Whether a row has the numbers that the algorithm defines, in its file or by --set, where there
 * are columns of these names. Where it has not, *name and the next two speak of the first. */
bool isocast_run_columns_agree(const isocast_run_columns *columns, const isocast_run *run,
                               const char **name, double *defined, double *found);

#endif
