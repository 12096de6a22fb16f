/* Reads a file of isocast sweep row by row, in CSV or JSON lines, however long it is. Draws
 * nothing.
 */
#ifndef CLI_SWEEP_ROWS_H
#define CLI_SWEEP_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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
    bool failed;                       /* memory was short */
} sweep_rows;

/* Whether a file is one of these; it is not read as such where it cannot be opened. */
bool sweep_rows_recognise(const char *path);

/* Opens a file and reads its head. Tells on stderr what is wrong; gives an exit status. Close it in
 * either case. */
int sweep_rows_open(const char *path, sweep_rows *out);
void sweep_rows_close(sweep_rows *rows);

/* Reads the next row; false at the end, also at a row that was torn. */
bool sweep_rows_next(sweep_rows *rows);

/* What ended the rows: tells on stderr what is wrong, and gives an exit status. */
int sweep_rows_judge(const sweep_rows *rows, const char *path);

/* The index of a column; rows->count where there is none. */
size_t sweep_rows_column(const sweep_rows *rows, const char *name);

#endif
