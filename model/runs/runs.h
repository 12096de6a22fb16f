/* Measured runs as RUNS.csv gives them: one row per repetition, columns by name. Files come from
 * this project's kernels or from programs it has never seen. */
#ifndef ISOCAST_RUNS_H
#define ISOCAST_RUNS_H

#include <isocast/runs.h>

#include "model/yaml/tree.h"

/* Columns that are known by name; the first three must be there, T only where times are due. */
typedef struct isocast_run {
    char *system;
    double N;
    double T;        /* s; NAN where the file is a list without times */
    char *algorithm; /* NULL where there is no such column, like the next one */
    char *machine;
    double p; /* NAN where there is no such column, like the next two */
    double C; /* flop/s */
    double repetition;
    bool oversubscribed; /* more processes than processors */
    double *others;      /* [other_count], NAN where a cell is empty or no number */
    struct {
        isocast_span system, N, T, p, C, algorithm; /* where there is such a column */
    } places;                                       /* of the cells in the file's source */
} isocast_run;

typedef struct isocast_runs {
    isocast_source *source;
    isocast_run *rows; /* [count] */
    size_t count;
    bool has_times;     /* there is a column T */
    char **other_names; /* [other_count], columns that are not known by name, in file order */
    size_t other_count;
    char *header;        /* the first line as it stands, without its end */
    size_t header_begin; /* where it stands in the source */
    bool complete;       /* the last line has its end */
} isocast_runs;

/* Reads a file (RFC 4180, with or without CR). Errors, each with diagnostics: IO, INVALID,
 * NO_MEMORY. */
isocast_status isocast_runs_load(const char *path, isocast_diagnostics *diagnostics,
                                 isocast_runs **out);
/* The same where the column T may be missing. */
isocast_status isocast_runs_load_list(const char *path, isocast_diagnostics *diagnostics,
                                      isocast_runs **out);
/* The same from a source, which the runs take over in every case. */
isocast_status isocast_runs_read(isocast_source *source, isocast_diagnostics *diagnostics,
                                 isocast_runs **out);
/* A list from a source, which the runs take over in every case. */
isocast_status isocast_runs_read_list(isocast_source *source, isocast_diagnostics *diagnostics,
                                      isocast_runs **out);

#endif
