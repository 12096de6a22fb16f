#include "runs.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/csv.h"

typedef enum known_column {
    COLUMN_SYSTEM,
    COLUMN_N,
    COLUMN_T,
    COLUMN_ALGORITHM,
    COLUMN_MACHINE,
    COLUMN_P,
    COLUMN_C,
    COLUMN_REPETITION,
    COLUMN_OVERSUBSCRIBED,
    KNOWN_COLUMNS
} known_column;

static const char *const column_names[KNOWN_COLUMNS] = {
    "system", "N", "T", "algorithm", "machine", "p", "C", "repetition", "oversubscribed"};

typedef struct reader {
    bool times_required;
    const isocast_source *source;
    isocast_diagnostics *diagnostics;
    const isocast_csv *csv;
    size_t known[KNOWN_COLUMNS]; /* index of the column; SIZE_MAX where there is none */
    size_t *others;              /* [other_count], indices of the other columns */
    isocast_runs *runs;
    isocast_status status;
} reader;

static void refuse(reader *r, isocast_span span, const char *hint, const char *what,
                   const char *text) {
    isocast_diagnostics_add(r->diagnostics, ISOCAST_ERROR, r->source, span, hint, "%s '%s'", what,
                            text);
    r->status = ISOCAST_INVALID;
}

static size_t known_index(const char *name) {
    size_t i = 0;
    while (i < KNOWN_COLUMNS && strcmp(column_names[i], name) != 0) {
        i++;
    }
    return i;
}

/* What the file may be instead, or what its first line has to be. */
static const char *hint_columns(const isocast_csv_field *fields, size_t count, bool times) {
    if (strcmp(fields[0].text, "record") == 0) {
        return "this looks like what 'isocast record' writes, which 'isocast derive' reads; "
               "'isocast measure' writes runs";
    }
    if (fields[0].text[0] == '{' || fields[0].text[0] == '[') {
        return "this looks like JSON; runs are CSV, as 'isocast measure' writes them";
    }
    if (count == 1) {
        return "this is no CSV, as no commas part columns; 'isocast measure' writes runs";
    }
    return times ? "the first line names the columns: system, N and T (in seconds) at least"
                 : "the first line names the columns: system, C (in flop/s) and N at least";
}

static const char meant_hint[] = "if this is the column, write its name so; times are in seconds";

/* A column that may be the one of a name: but for capital letters, or with a unit behind it, as in
 * 'T (ms)'; count: there is none. */
static size_t find_meant(const isocast_csv_field *fields, size_t count, const char *name) {
    size_t length = strlen(name);
    size_t i = 0;
    while (i < count &&
           (strncasecmp(fields[i].text, name, length) != 0 ||
            isalnum((unsigned char)fields[i].text[length]) || fields[i].text[length] == '_')) {
        i++;
    }
    return i;
}

/* Notes which column is which. */
static void read_header(reader *r) {
    const isocast_csv_row *header = &r->csv->rows[0];
    const isocast_csv_field *fields = r->csv->fields + header->first;
    r->others = calloc(header->count + 1, sizeof *r->others);
    r->runs->other_names = calloc(header->count + 1, sizeof(char *));
    if (r->others == NULL || r->runs->other_names == NULL) {
        r->status = ISOCAST_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < KNOWN_COLUMNS; i++) {
        r->known[i] = SIZE_MAX;
    }
    for (size_t i = 0; i < header->count && r->status != ISOCAST_NO_MEMORY; i++) {
        size_t index = known_index(fields[i].text);
        if (index < KNOWN_COLUMNS && r->known[index] != SIZE_MAX) {
            refuse(r, isocast_csv_span(&fields[i]), "keep one of the two", "a second column",
                   fields[i].text);
        } else if (index < KNOWN_COLUMNS) {
            r->known[index] = i;
        } else {
            char *name = strdup(fields[i].text);
            r->status = name == NULL ? ISOCAST_NO_MEMORY : r->status;
            r->runs->other_names[r->runs->other_count] = name;
            r->others[r->runs->other_count++] = i;
        }
    }
    size_t required = r->times_required ? COLUMN_T + 1 : COLUMN_N + 1;
    for (size_t i = 0; i < required && r->status == ISOCAST_OK; i++) {
        if (r->known[i] == SIZE_MAX) {
            size_t meant = find_meant(fields, header->count, column_names[i]);
            bool is_meant = meant < header->count;
            refuse(r,
                   is_meant ? isocast_csv_span(&fields[meant])
                            : isocast_source_line(r->source, isocast_csv_span(&fields[0]).begin),
                   is_meant ? meant_hint : hint_columns(fields, header->count, r->times_required),
                   "there is no column", column_names[i]);
        }
    }
    r->runs->has_times = r->known[COLUMN_T] != SIZE_MAX;
}

/* A number that must be there and above 0. */
static double read_positive(reader *r, const isocast_csv_field *fields, known_column column) {
    double value = NAN;
    if (!isocast_csv_positive(&fields[r->known[column]], column_names[column], r->source,
                              r->diagnostics, &value)) {
        r->status = ISOCAST_INVALID;
    }
    return value;
}

/* An optional number; NAN where the column or the cell is missing. */
static double read_optional(reader *r, const isocast_csv_field *fields, known_column column) {
    if (r->known[column] == SIZE_MAX || fields[r->known[column]].text[0] == '\0') {
        return NAN;
    }
    if (column == COLUMN_REPETITION) {
        double value = NAN;
        isocast_csv_number(&fields[r->known[column]], &value);
        return value;
    }
    return read_positive(r, fields, column);
}

static char *read_text(reader *r, const isocast_csv_field *fields, known_column column) {
    if (r->known[column] == SIZE_MAX) {
        return NULL;
    }
    char *text = strdup(fields[r->known[column]].text);
    r->status = text == NULL ? ISOCAST_NO_MEMORY : r->status;
    return text;
}

/* A name that must be there: an empty one could stand for nothing in tables and on command lines.
 */
static char *read_system(reader *r, const isocast_csv_field *fields) {
    const isocast_csv_field *field = &fields[r->known[COLUMN_SYSTEM]];
    if (field->text[0] == '\0') {
        isocast_diagnostics_add(r->diagnostics, ISOCAST_ERROR, r->source, isocast_csv_span(field),
                                "write the name of the system, or leave the row out",
                                "this row has no system");
        r->status = ISOCAST_INVALID;
    }
    return read_text(r, fields, COLUMN_SYSTEM);
}

/* The span of a cell; empty where there is no such column. */
static isocast_span place_of(const reader *r, const isocast_csv_field *fields,
                             known_column column) {
    return r->known[column] == SIZE_MAX ? (isocast_span){0, 0}
                                        : isocast_csv_span(&fields[r->known[column]]);
}

static void read_row(reader *r, const isocast_csv_row *row) {
    const isocast_csv_field *fields = r->csv->fields + row->first;
    size_t expected = r->csv->rows[0].count;
    if (row->count != expected) {
        isocast_diagnostics_add(r->diagnostics, ISOCAST_ERROR, r->source,
                                isocast_source_line(r->source, isocast_csv_span(&fields[0]).begin),
                                "write decimal numbers with a point, and a text with a comma in "
                                "it in quotes",
                                "this row has %zu cells, the first line names %zu columns",
                                row->count, expected);
        r->status = ISOCAST_INVALID;
        return;
    }
    isocast_run *run = &r->runs->rows[r->runs->count++];
    run->system = read_system(r, fields);
    run->algorithm = read_text(r, fields, COLUMN_ALGORITHM);
    run->machine = read_text(r, fields, COLUMN_MACHINE);
    run->N = read_positive(r, fields, COLUMN_N);
    run->T = r->runs->has_times ? read_positive(r, fields, COLUMN_T) : NAN;
    run->p = read_optional(r, fields, COLUMN_P);
    run->C = read_optional(r, fields, COLUMN_C);
    run->repetition = read_optional(r, fields, COLUMN_REPETITION);
    run->places.system = place_of(r, fields, COLUMN_SYSTEM);
    run->places.N = place_of(r, fields, COLUMN_N);
    run->places.T = place_of(r, fields, COLUMN_T);
    run->places.algorithm = place_of(r, fields, COLUMN_ALGORITHM);
    run->places.p = place_of(r, fields, COLUMN_P);
    run->places.C = place_of(r, fields, COLUMN_C);
    size_t label = r->known[COLUMN_OVERSUBSCRIBED];
    run->oversubscribed = label != SIZE_MAX && strcmp(fields[label].text, "1") == 0;
    run->others = malloc((r->runs->other_count + 1) * sizeof *run->others);
    r->status = run->others == NULL ? ISOCAST_NO_MEMORY : r->status;
    for (size_t i = 0; run->others != NULL && i < r->runs->other_count; i++) {
        run->others[i] = NAN;
        isocast_csv_number(&fields[r->others[i]], &run->others[i]);
    }
}

static void read_all(reader *r) {
    if (r->csv->row_count == 0) {
        isocast_diagnostics_add_file(r->diagnostics, ISOCAST_ERROR, r->source->name,
                                     "the first line names the columns: system, N and T at least",
                                     "holds no rows");
        r->status = ISOCAST_INVALID;
        return;
    }
    isocast_span header = isocast_source_line(
        r->source, isocast_csv_span(&r->csv->fields[r->csv->rows[0].first]).begin);
    r->runs->header_begin = header.begin;
    r->runs->header = strndup(r->source->text + header.begin, header.end - header.begin);
    r->runs->complete = r->source->text[r->source->length - 1] == '\n';
    r->runs->rows = calloc(r->csv->row_count, sizeof *r->runs->rows);
    if (r->runs->rows == NULL || r->runs->header == NULL) {
        r->status = ISOCAST_NO_MEMORY;
        return;
    }
    read_header(r);
    bool readable = r->status == ISOCAST_OK;
    for (size_t i = 1; readable && i < r->csv->row_count && r->status != ISOCAST_NO_MEMORY; i++) {
        read_row(r, &r->csv->rows[i]);
    }
}

/* Takes the source over in every case. */
static isocast_status read_source(isocast_source *source, bool times_required,
                                  isocast_diagnostics *diagnostics, isocast_runs **out) {
    isocast_csv csv = {0};
    reader r = {.times_required = times_required,
                .source = source,
                .diagnostics = diagnostics,
                .csv = &csv,
                .runs = calloc(1, sizeof(isocast_runs))};
    r.status = r.runs == NULL ? ISOCAST_NO_MEMORY : isocast_csv_read(source, diagnostics, &csv);
    if (r.status == ISOCAST_OK) {
        read_all(&r);
    }
    isocast_csv_free(&csv);
    free(r.others);
    if (r.status != ISOCAST_OK) {
        isocast_source_free(source);
        isocast_runs_free(r.runs);
        return r.status;
    }
    r.runs->source = source;
    *out = r.runs;
    return ISOCAST_OK;
}

static isocast_status load(const char *path, bool times_required, isocast_diagnostics *diagnostics,
                           isocast_runs **out) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_read(path, diagnostics, &source);
    return status == ISOCAST_OK ? read_source(source, times_required, diagnostics, out) : status;
}

isocast_status isocast_runs_read(isocast_source *source, isocast_diagnostics *diagnostics,
                                 isocast_runs **out) {
    return read_source(source, true, diagnostics, out);
}

isocast_status isocast_runs_read_list(isocast_source *source, isocast_diagnostics *diagnostics,
                                      isocast_runs **out) {
    return read_source(source, false, diagnostics, out);
}

isocast_status isocast_runs_load(const char *path, isocast_diagnostics *diagnostics,
                                 isocast_runs **out) {
    return load(path, true, diagnostics, out);
}

isocast_status isocast_runs_load_list(const char *path, isocast_diagnostics *diagnostics,
                                      isocast_runs **out) {
    return load(path, false, diagnostics, out);
}

void isocast_runs_free(isocast_runs *runs) {
    if (runs == NULL) {
        return;
    }
    for (size_t i = 0; i < runs->count; i++) {
        free(runs->rows[i].system);
        free(runs->rows[i].algorithm);
        free(runs->rows[i].machine);
        free(runs->rows[i].others);
    }
    for (size_t i = 0; i < runs->other_count; i++) {
        free(runs->other_names[i]);
    }
    free(runs->other_names);
    free(runs->rows);
    free(runs->header);
    isocast_source_free(runs->source);
    free(runs);
}
