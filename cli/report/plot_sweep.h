/* A sweep as a picture: response curves where one name varies, heat maps with contours over the
 * first two where several do. Rows that fall together are averaged, so that a file of millions of
 * rows becomes a picture. */
#ifndef CLI_PLOT_SWEEP_H
#define CLI_PLOT_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "model/base/buffer.h"
#include "plot_table.h"

/* Reads a file of isocast sweep row by row, in CSV or JSON lines, however long it is. Draws
 * nothing.
 */

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

/* Reads a file that sweep_rows_recognise() knows. Gives an exit status. */
int plot_sweep_read(const char *path, plot_data *data);

#endif
