/* A report as the texts that a person reads: for tables and Markdown. One SI prefix and one number
 * of decimals for a whole column, so that digits stand under digits. */
#ifndef CLI_RENDER_GRID_H
#define CLI_RENDER_GRID_H

#include <stddef.h>

#include "report.h"

/* How many columns of a terminal a UTF-8 text takes. */

/* Bytes that are no UTF-8 and control characters count as one column each. */
size_t cli_text_width(const char *text);

/* The same for the first `length` bytes, none of them NUL. */
size_t cli_bytes_width(const char *text, size_t length);

enum { CLI_GRID_UNIT_SIZE = 32 };

typedef struct cli_grid_column {
    const char *heading;           /* borrowed from the report */
    char unit[CLI_GRID_UNIT_SIZE]; /* with its prefix; empty for none */
    size_t width;                  /* of the widest text in it, in columns of a terminal */
    bool is_text;
    size_t column; /* of the report */
} cli_grid_column;

typedef struct cli_grid {
    size_t row_count;
    size_t column_count; /* only the columns that are shown */
    cli_grid_column *columns;
    char **texts; /* [row_count][column_count], row-major */
} cli_grid;

/* False where memory is short; nothing is to be freed then. */
bool cli_grid_create(const cli_report *report, cli_grid *out);
void cli_grid_free(cli_grid *grid);
const char *cli_grid_text(const cli_grid *grid, size_t row, size_t column);

#endif
