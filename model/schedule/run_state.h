/* A run as its parts see it. Private to model/schedule. */
#ifndef ISOCAST_SCHEDULE_RUN_STATE_H
#define ISOCAST_SCHEDULE_RUN_STATE_H

#include "model/formula/program.h"
#include "run.h"

/* Formulas in their scopes. */
typedef struct isocast_schedule_names {
    const isocast_schedule *schedule;
    isocast_symbol *symbols; /* [local_count], each alone in its scope */
    isocast_scope *scopes;   /* [local_count] */
    isocast_scope outside;
    isocast_program **programs; /* [formula_count] */
    /* [formula_count]: as written, where nothing is taken in the unit of its place. */
    isocast_dimension *dimensions;
    bool *uses; /* [formula_count * local_count]: which of the program's names it needs */
} isocast_schedule_names;

/* Gives all local names columns from `first_column` on, checks every formula and, where `compile`,
 * compiles it. Errors: INVALID, NO_MEMORY. The names are to be freed in every case. */
isocast_status isocast_schedule_names_bind(const isocast_schedule *schedule,
                                           const isocast_scope *scope, size_t first_column,
                                           bool compile, isocast_diagnostics *diagnostics,
                                           isocast_schedule_names *out);
void isocast_schedule_names_free(isocast_schedule_names *names);

/* Who has which items of a share, where they depend on marked speeds. */
typedef struct isocast_dealt {
    size_t items;
    int parts;      /* processes, or places along the axis */
    int *owner;     /* [items], in turns by unlike speeds; NULL: by a formula */
    double *counts; /* [parts] */
    double *firsts; /* [parts]; of blocks */
} isocast_dealt;

struct isocast_schedule_run {
    isocast_schedule_request request;
    isocast_schedule_names names;
    int *extents;         /* [axis_count] */
    int *strides;         /* [axis_count]: ranks from one place to the next */
    isocast_dealt *dealt; /* [share_count] */
    bool is_over;         /* the effort was spent on grids and shares */
};

/* The place of a process along an axis. */
int isocast_schedule_run_coordinate(const isocast_schedule_run *run, size_t axis, int rank);

/* The value of a formula whose names have the values of `columns`. Sets *is_over where the effort
 * is spent: the value is none then. */
isocast_status isocast_schedule_run_evaluate(const isocast_schedule_run *run, size_t formula,
                                             const isocast_column *columns, double *value,
                                             bool *is_over);

#endif
