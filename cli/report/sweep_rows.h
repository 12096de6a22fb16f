/* Reads a file of isocast sweep row by row, in CSV or JSON lines, however long it is. Draws
 * nothing.
 */
#ifndef CLI_SWEEP_ROWS_H
#define CLI_SWEEP_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "model/base/buffer.h"

enum { SWEEP_COLUMNS_MAX = 200, SWEEP_LINE_MAX = 1024 * 1024 /* bytes */ };

typedef struct sweep_rows {
    FILE *file;
    bool json;
    char *line; /* owned */
    size_t line_number;
    bool too_long;  /* the last line: it is not read */
    char *question; /* owned; NULL where the head has none */
    size_t count;   /* columns */
    char *names[SWEEP_COLUMNS_MAX];
    char *units[SWEEP_COLUMNS_MAX];    /* "1" for a count; NULL where it has none */
    double numbers[SWEEP_COLUMNS_MAX]; /* of the row that was read; NAN where it is no number */
    char texts[SWEEP_COLUMNS_MAX][64]; /* the same as it stands, cut */
    double number;                     /* of the row */
    isocast_buffer head;               /* the beginning of the file, up to the names of columns */
    long start;                        /* where the first row begins */
    int cause;                         /* errno of a read that failed; 0: none did */
} sweep_rows;

/* Whether a file that begins so is one of these. */
bool sweep_rows_recognise(const isocast_buffer *start);

/* Opens a file and reads its head. Tells on stderr what is wrong; gives an exit status. Close it in
 * either case. */
int sweep_rows_open(const char *path, sweep_rows *out);
void sweep_rows_close(sweep_rows *rows);

/* Reads the next row; false at the end, at a row that was torn, and where sweep_rows_end() has
 * something to tell. */
bool sweep_rows_next(sweep_rows *rows);

/* After the last row: tells on stderr what kept the file from being read to its end, and goes back
 * to the first row. Gives an exit status. */
int sweep_rows_end(const char *path, sweep_rows *rows);

/* Tells on stderr that a file has no such column (NULL: none of a name that varies), at the place
 * of the columns' names. Gives an exit status. */
int sweep_rows_lack(const char *path, const sweep_rows *rows, const char *name);

/* Likewise, that no row has a number in a column. */
int sweep_rows_no_number(const char *path, const sweep_rows *rows, size_t column);

/* The index of a column; rows->count where there is none. */
size_t sweep_rows_column(const sweep_rows *rows, const char *name);

#endif
