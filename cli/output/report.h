/* Results as plain tables of cells. A report owns copies of all its texts. It knows no format
 * (render.h) and no command. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/base/buffer.h"
#include "model/base/field.h"
#include "model/base/quantity.h"

/* Those of model/base/field.h that rows of cells may have. */
typedef enum cli_column_kind {
    CLI_COLUMN_TEXT = ISOCAST_FIELD_TEXT,
    CLI_COLUMN_NUMBER = ISOCAST_FIELD_NUMBER,
    CLI_COLUMN_SHARE = ISOCAST_FIELD_SHARE,
    CLI_COLUMN_COUNT = ISOCAST_FIELD_COUNT
} cli_column_kind;

typedef struct cli_column {
    const char *name;    /* in files: "N_low"; also in tables unless there is a heading */
    const char *heading; /* in tables and Markdown; NULL: the name */
    const char *unit;    /* SI unit of the values, "s", "flop/s"; NULL for none */
    cli_column_kind kind;
    int digits;          /* significant digits of the smallest value in a table; 0: four */
    bool optional;       /* left out of tables where no row has a value */
    bool file_only;      /* in CSV and JSON, not in tables and Markdown */
    const char *meaning; /* what it is, for those who read it the first time; NULL: not said */
    int compared; /* columns with the same number above 0 are read against each other: a table
                     gives them one prefix and one number of decimals */
} cli_column;

typedef struct cli_report cli_report;

/* NULL where memory is short; so may be `report` in every call below, which then does nothing. An
 * append that fails is remembered and reported by cli_reports_write. */
cli_report *cli_report_create(void);
void cli_report_free(cli_report *report);

/* A line over the table, a footnote under it: tables and Markdown only. */
void cli_report_title(cli_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The title with its values in a list. */
void cli_report_title_of(cli_report *report, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
void cli_note(cli_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A footnote where `holds`; only then are the values of its text looked at. */
#define CLI_NOTE_IF(holds, report, ...) ((holds) ? cli_note(report, __VA_ARGS__) : (void)0)

/* Appends to a text that is put together, likewise. */
#define CLI_PUT_IF(holds, out, ...) ((holds) ? isocast_buffer_printf(out, __VA_ARGS__) : (void)0)

/* A title and a footnote of a text that was put together, which is freed; one that has failed fails
 * the report. */
void cli_report_title_take(cli_report *report, isocast_buffer *text);
void cli_note_take(cli_report *report, isocast_buffer *text);

/* Columns come first; then cells are appended row by row, from left to right. */
void cli_report_column(cli_report *report, const cli_column *column);

/* What headings of columns that are there call `word` is called `name` from here on, also in
 * "word_low". Names in files stay as they are. */
void cli_report_call(cli_report *report, const char *word, const char *name);

void cli_report_text(cli_report *report, const char *text); /* NULL: missing */
void cli_report_number(cli_report *report, double value);   /* SI; not finite: missing */

/* What it is to say has no memory. */
void cli_report_fail(cli_report *report);

/* For the renderers: what a report holds. */
typedef struct cli_cell {
    char *text;   /* NULL in a column of numbers, or where missing */
    double value; /* SI; NAN in a column of texts, or where missing */
} cli_cell;

typedef struct cli_report_lines {
    char **items; /* [count] */
    size_t count, capacity;
} cli_report_lines;

struct cli_report {
    cli_report_lines titles;
    cli_report_lines footnotes;
    cli_column *columns; /* [column_count], texts owned */
    size_t column_count, column_capacity;
    cli_cell *cells; /* [cell_count], row by row */
    size_t cell_count, cell_capacity;
    bool failed; /* an allocation failed */
};

size_t cli_report_rows(const cli_report *report);
const cli_cell *cli_report_cell(const cli_report *report, size_t row, size_t column);

/* Several reports with the same columns as one table. */

/* What distinguishes the reports. */
typedef struct cli_join {
    const cli_column *column; /* a first column that says which report a row is of; NULL: none */
    /* What stands in it, of report k. */
    double (*value)(const void *context, size_t k);
    const void *context;
    /* "E = 0.3", before a footnote that is not one of all: what is before the value, its unit and
     * significant digits. */
    const char *name, *sign, *unit;
    int digits;
} cli_join;

/* The rows of the reports (shape [count], count above 0), one report after the other, with a title
 * in place of all but the first; frees them. NULL where memory is short. */
cli_report *cli_report_join(cli_report **reports, size_t count, const cli_join *join,
                            const char *title, ...) __attribute__((format(printf, 4, 5)));

/* A share as a text in per cent, for cells and sentences: the number without its unit, such as
 * "12.5" or, with sign, "+12.5". It has so many decimals, or three digits; three digits also where
 * more than five would stand before the decimals. */
enum { CLI_THREE_DIGITS = -1 };
isocast_amount cli_per_cent(double share, int decimals, bool with_sign);

#endif
