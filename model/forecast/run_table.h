/* What the readers of run_files.h share: a table whose columns come up as they are read, and in
 * which a value stays for the rows to come until it is taken back. */
#ifndef ISOCAST_RUN_TABLE_H
#define ISOCAST_RUN_TABLE_H

#include "model/base/csv.h"

enum { ISOCAST_RUN_COLUMNS_MAX = 1000 };

typedef struct isocast_run_column {
    isocast_span name;
    const char *ours;   /* NULL: the name */
    bool is_parameter;  /* the first is p, the next N, where none is called so */
    bool is_set;        /* of the row at hand */
    isocast_span value; /* likewise */
} isocast_run_column;

typedef struct isocast_run_table {
    const isocast_source *source;
    isocast_diagnostics *diagnostics;
    isocast_csv csv;
    isocast_run_column
        *columns; /* [count]; the first is the unit of T, which is none of the table */
    size_t count, capacity;
    struct isocast_run_undo {
        size_t column;
        bool was_set;
        isocast_span value;
    } * undo; /* [undo_count] */
    size_t undo_count, undo_capacity;
    isocast_status status;
} isocast_run_table;

/* Begins a table whose source and diagnostics are given, and the rest 0. */
isocast_status isocast_run_begin(isocast_run_table *table);
/* Frees what is not the result's. */
isocast_status isocast_run_finish(isocast_run_table *table, isocast_csv *out);

/* What we call a name inside of a list (NULL: none); NULL where that is as others do. */
const char *isocast_run_ours(const char *list, const char *name, size_t length);
/* Calls the first of those columns that are parameters p, and the next N, where none is so called;
 * is_parameter: by the columns of the first row. */
void isocast_run_name_parameters(isocast_csv *csv, const bool *is_parameter);

void isocast_run_refuse(isocast_run_table *table, isocast_span span, const char *hint,
                        const char *message);
bool isocast_run_span_is(const isocast_run_table *table, isocast_span span, const char *text);

/* Sets the value of a column for the rows to come; list: what the name stands in, or NULL. */
void isocast_run_set(isocast_run_table *table, const char *list, isocast_span name,
                     isocast_span value, bool is_parameter);
/* The same by our name for it. */
void isocast_run_set_ours(isocast_run_table *table, const char *ours, isocast_span value);
/* Takes back all but the first `count` of what was set. */
void isocast_run_take_back(isocast_run_table *table, size_t count);

/* Adds a row of what is set, which stands at a place. Where T has a unit, it is made seconds; a row
 * whose unit is no time (or energy) is left out. */
void isocast_run_add(isocast_run_table *table, isocast_span place);

/* The readers, by how the source begins at `at`. */
void isocast_run_extra_p(isocast_run_table *table);
void isocast_run_json(isocast_run_table *table, size_t at);
void isocast_run_reframe_log(isocast_run_table *table);

#endif
