/* Comma-separated values as fields that know where they stand (RFC 4180). Knows no column. */
#ifndef ISOCAST_CSV_H
#define ISOCAST_CSV_H

#include <stdint.h>

#include "buffer.h"
#include "diagnostic.h"
#include "source.h"

/* Small, as tables of many runs have millions of them; no file that is read is as large as 4 GiB.
 */
typedef struct isocast_csv_field {
    uint32_t begin, end; /* of its span: isocast_csv_span */
    char *text;          /* belongs to the table; a guard (isocast_csv_write) is taken off */
} isocast_csv_field;

/* Where a field stands, without quotes and surrounding blanks. */
static inline isocast_span isocast_csv_span(const isocast_csv_field *field) {
    return (isocast_span){field->begin, field->end};
}

typedef struct isocast_csv_row {
    size_t first; /* index of its first field */
    size_t count;
} isocast_csv_row;

typedef struct isocast_csv {
    isocast_csv_field *fields; /* [field_count] */
    size_t field_count, field_capacity;
    isocast_csv_row
        *rows; /* [row_count]; lines without any text, and lines starting with #, are left out */
    size_t row_count, row_capacity;
    char *text;  /* the source, cut into the texts of fields */
    char **made; /* [made_count], texts that stand nowhere in it */
    size_t made_count, made_capacity;
} isocast_csv;

/* For readers of other formats: begins a table, adds a field to the row at hand with the text of
 * its span or, where `text` is given, a copy of that, and ends the row, which begins at the field
 * `first`. A span must be followed by a byte that is of no other field. Errors: NO_MEMORY. */
isocast_status isocast_csv_begin(const isocast_source *source, isocast_csv *out);
isocast_status isocast_csv_add(isocast_csv *csv, isocast_span span, const char *text);
isocast_status isocast_csv_end_row(isocast_csv *csv, size_t first);

/* Splits the whole source. Errors: NO_MEMORY. A quote that is never closed runs to the end. */
isocast_status isocast_csv_parse(const isocast_source *source, isocast_csv *out);
void isocast_csv_free(isocast_csv *csv);

/* INVALID, with a diagnostic for each such field, where a field holds control characters (text.h).
 */
isocast_status isocast_csv_refuse_controls(const isocast_csv *csv, const isocast_source *source,
                                           isocast_diagnostics *diagnostics);

/* Splits the whole source and refuses control characters, and semicolons in the place of commas.
 * Errors: NO_MEMORY; INVALID, with diagnostics. */
isocast_status isocast_csv_read(const isocast_source *source, isocast_diagnostics *diagnostics,
                                isocast_csv *out);

/* The same for a file. Errors, each with diagnostics: those of isocast_source_read and
 * isocast_csv_read. Free both. */
isocast_status isocast_csv_load(const char *path, isocast_diagnostics *diagnostics,
                                isocast_source **source, isocast_csv *out);

/* How to correct a field that is to be a number, and is not: a constant text. */
const char *isocast_csv_number_hint(const char *text);

/* The number of a field. False where it is none that is finite. */
bool isocast_csv_number(const isocast_csv_field *field, double *out);

/* The number of a field of a column that holds sizes, times, speeds or numbers of processes: above
 * 0, and from 1e-50 to 1e50, as none beyond was ever measured, and quotients of two of them could
 * have no value. False, with a diagnostic, where it is no such number; *out is NAN then. */
bool isocast_csv_positive(const isocast_csv_field *field, const char *column,
                          const isocast_source *source, isocast_diagnostics *diagnostics,
                          double *out);

/* The text of a field; "" where the row has fewer. */
const char *isocast_csv_text(const isocast_csv *csv, size_t row, size_t column);

/* Appends a text as a field. One that a spreadsheet would run, as it starts with = + - @ and goes
 * on, gets an apostrophe in front, and so does one that starts with apostrophes and would be run
 * without them: reading takes one off. */
void isocast_csv_write(const char *text, isocast_buffer *out);

#endif
