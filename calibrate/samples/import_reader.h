/* What the readers of the formats share: the line at hand, numbers and words in it, where rows go,
 * how problems are reported. For import*.c alone. */
#ifndef IMPORT_READER_H
#define IMPORT_READER_H

#include <stdbool.h>

#include "model/base/diagnostic.h"
#include "model/base/known_operation.h"
#include "observations.h"

/* A part of the line at hand. */
typedef struct import_field {
    const char *begin;
    const char *end;
} import_field;

enum {
    IMPORT_FIELDS_MAX = 64,
    IMPORT_PROBLEMS_MAX = 20,
    IMPORT_NAME_MAX = 128,
    IMPORT_LINE_MAX = 64 * 1024
};

typedef struct import_reader import_reader;

/* Takes the line at hand. Problems are noted in the reader. */
typedef void (*import_take)(import_reader *reader);

/* Columns of a CSV: their places in a row, -1 where the file has none. */
typedef struct import_columns {
    int operation, algorithm, per_node, system, nodes, p, m, launch, seconds, lower, upper, count;
    double scale; /* s a unit of the times */
    int most;     /* number of columns */
    bool kernels; /* the probe's samples, which have time per flop too */
} import_columns;

struct import_reader {
    const char *name; /* of the file, as problems show it */
    observations *out;
    isocast_diagnostics *diagnostics;
    const char *line; /* at hand, without its newline; not NUL-terminated there */
    const char *line_end;
    size_t line_number; /* from one */
    size_t problems;
    size_t rows; /* taken */
    bool no_memory;
    import_take take; /* of the format; NULL until it is known */
    import_field fields[IMPORT_FIELDS_MAX];
    size_t field_count;

    const char *system; /* the rows of which are read, and its name left out of operations'; NULL:
                           all, with their systems' names */
    double processes;   /* that the rows at hand ran on; 0 where not known */
    unsigned file;      /* how many files came before */
    unsigned run;       /* within the file */

    /* The operation and the launch of the rows at hand. */
    uint32_t operation, launch;
    bool has_operation; /* false: rows are passed over */
    char operation_key[IMPORT_NAME_MAX + 64], launch_key[IMPORT_NAME_MAX];
    bool has_launch;

    /* How rows are made of columns; by the format what it needs. */
    import_columns columns;
    int size_column, time_column;
    size_t heading_columns; /* a row has as many, where the heading shows; 0: it does not */
    bool sized;
    double bytes_each; /* B of one element, where rows count elements */
};

/* Splits the line at hand at blanks. */
void import_split(import_reader *reader);
bool import_starts(const import_reader *reader, const char *prefix);
/* The first place of a text in the line at hand; NULL where it is not there. */
const char *import_find(const import_reader *reader, const char *text);
bool import_is(import_field field, const char *text);

/* A plain decimal number that fills the field; false where it is none. */
bool import_number(import_field field, double *out);

/* Whether a number could start here: a digit, a point or a sign. */
bool import_numeric(import_field field);

/* Notes a problem at a field of the line at hand. */
void import_problem(import_reader *reader, import_field field, const char *hint, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

/* Refuses the file where there are more of something than is read. */
void import_limit(import_reader *reader, size_t count, size_t most, const char *what);

/* Names the operation of the rows to come: T_ and the words with everything but letters, digits
 * and _ made _; in small letters where `small`. */
void import_operation(import_reader *reader, const char *words, size_t length, bool small);
/* The same in small letters, where a benchmark has names of its own for some operations: `names_of`
 * gives its column of the table, of ISOCAST_OPERATION_NAMES_MAX names. */
void import_known_operation(import_reader *reader, const char *words, size_t length,
                            const char *const *(*names_of)(const isocast_known_operation *known));
/* The same for the name of a function of MPI, without MPI_, which Intel's benchmarks have, too. */
void import_mpi_operation(import_reader *reader, const char *words, size_t length);
/* A text states the launch of the rows to come, besides the file. */
void import_launch(import_reader *reader, const char *text, size_t length);
/* The same for the next run within the file. */
void import_next_run(import_reader *reader);

/* The size (a field without a beginning: 0 B) and the time of a row, in B and s; false where they
 * are none, which is reported. */
bool import_values(import_reader *reader, import_field m, double bytes_each, import_field time,
                   double unit, double *bytes, double *seconds);
/* Whether p is a number that processes can have. */
bool import_processes(double p);
/* Adds a row that ran on reader->processes. */
void import_row(import_reader *reader, import_field m, double bytes_each, import_field time,
                double unit);
/* The same from the columns of the heading, with the time in us; a row that has fewer is reported.
 */
void import_row_in_us(import_reader *reader);

/* The formats: whether the line at hand starts one, which then has set reader->take. */
bool import_csv_starts(import_reader *reader);
bool import_osu_starts(import_reader *reader);
bool import_imb_starts(import_reader *reader);
bool import_skampi_starts(import_reader *reader);
bool import_reprompi_starts(import_reader *reader);
bool import_nccl_starts(import_reader *reader);

#endif
