#include "csv.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "source_read.h"
#include "text.h"

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* Where the closing quote of a quoted field stands; the end of the source where there is none. */
static size_t closing_quote(const isocast_source *source, size_t begin) {
    size_t at = begin + 1;
    while (at < source->length && (source->text[at] != '"' || source->text[at + 1] == '"')) {
        at += source->text[at] == '"' ? 2 : 1;
    }
    return at;
}

/* The text of a quoted field, doubled quotes made single. *end is after the closing quote. */
static char *read_quoted(const isocast_source *source, size_t begin, size_t *end) {
    size_t close = closing_quote(source, begin);
    char *text = malloc(close - begin + 1);
    if (text == NULL) {
        return NULL;
    }
    size_t kept = 0;
    for (size_t at = begin + 1; at < close; at++) {
        text[kept++] = source->text[at];
        at += source->text[at] == '"' ? 1 : 0;
    }
    text[kept] = '\0';
    *end = close < source->length ? close + 1 : close;
    return text;
}

/* Whether a text is = + - @, a tab or a carriage return and more, behind any apostrophes. */
static bool is_run_by_spreadsheets(const char *text) {
    text += strspn(text, "'");
    return text[0] != '\0' && strchr("=+-@\t\r", text[0]) != NULL && text[1] != '\0';
}

static void take_guard_off(char *text) {
    if (text[0] == '\'' && is_run_by_spreadsheets(text)) {
        memmove(text, text + 1, strlen(text));
    }
}

/* Reads one field from *at, which moves to the comma or newline after it. */
static bool read_field(const isocast_source *source, size_t *at, isocast_csv_field *out) {
    while (*at < source->length && is_blank(source->text[*at])) {
        (*at)++;
    }
    size_t begin = *at;
    size_t end = begin;
    if (source->text[begin] == '"') {
        out->text = read_quoted(source, begin, &end);
        *at = end;
        out->span = (isocast_span){begin + 1, end > begin + 1 ? end - 1 : end};
        while (*at < source->length && strchr(",\n", source->text[*at]) == NULL) {
            (*at)++;
        }
        return out->text != NULL;
    }
    while (*at < source->length && source->text[*at] != ',' && source->text[*at] != '\n') {
        (*at)++;
    }
    end = *at;
    while (end > begin && is_blank(source->text[end - 1])) {
        end--;
    }
    out->span = (isocast_span){begin, end};
    out->text = strndup(source->text + begin, end - begin);
    return out->text != NULL;
}

static bool read_row(const isocast_source *source, size_t *at, isocast_csv *csv) {
    isocast_csv_row row = {csv->field_count, 0};
    bool more = true;
    while (more) {
        if (!isocast_array_grow((void **)&csv->fields, csv->field_count, &csv->field_capacity,
                                sizeof *csv->fields) ||
            !read_field(source, at, &csv->fields[csv->field_count])) {
            return false;
        }
        take_guard_off(csv->fields[csv->field_count].text);
        csv->field_count++;
        row.count++;
        more = *at < source->length && source->text[*at] == ',';
        (*at)++;
    }
    if (!isocast_array_grow((void **)&csv->rows, csv->row_count, &csv->row_capacity,
                            sizeof *csv->rows)) {
        return false;
    }
    csv->rows[csv->row_count++] = row;
    return true;
}

/* Whether nothing stands in the line at `at`; *next is where the next one starts. */
static bool line_is_skipped(const isocast_source *source, size_t at, size_t *next) {
    size_t end = at;
    bool empty = true;
    while (end < source->length && source->text[end] != '\n') {
        empty = empty && is_blank(source->text[end]);
        end++;
    }
    *next = end + 1;
    return empty || source->text[at] == '#';
}

isocast_status isocast_csv_parse(const isocast_source *source, isocast_csv *out) {
    isocast_csv csv = {0};
    size_t at = strncmp(source->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < source->length) {
        size_t next;
        if (line_is_skipped(source, at, &next)) {
            at = next;
        } else if (!read_row(source, &at, &csv)) {
            isocast_csv_free(&csv);
            return ISOCAST_NO_MEMORY;
        }
    }
    *out = csv;
    return ISOCAST_OK;
}

static void refuse_control(const isocast_csv_field *field, size_t at, unsigned code,
                           const isocast_source *source, isocast_diagnostics *diagnostics) {
    isocast_span span = field->span;
    /* The place itself, unless quotes or a guard came off before it. */
    if (span.begin + at < span.end && source->text[span.begin + at] == field->text[at]) {
        span = (isocast_span){span.begin + at, span.begin + at + 1};
    }
    if (code == '\t') {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, span,
                                "put commas between fields", "this field holds a tab");
    } else if (code == '\n') {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, span,
                                "add the missing \", or remove the one before it",
                                "this field begins with a quote and goes on into the next line");
    } else {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, span,
                                "remove it: a name is one line of plain characters",
                                "this field holds the control character U+%04X", code);
    }
}

isocast_status isocast_csv_refuse_controls(const isocast_csv *csv, const isocast_source *source,
                                           isocast_diagnostics *diagnostics) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < csv->field_count; i++) {
        const isocast_csv_field *field = &csv->fields[i];
        size_t length = strlen(field->text);
        unsigned code = 0;
        size_t at = isocast_text_find_control(field->text, length, &code);
        if (at < length) {
            refuse_control(field, at, code, source, diagnostics);
            status = ISOCAST_INVALID;
        }
    }
    return status;
}

void isocast_csv_write(const char *text, isocast_buffer *out) {
    bool quoted = strpbrk(text, ",\"\r\n") != NULL || is_blank(text[0]) || text[0] == '#' ||
                  (text[0] != '\0' && is_blank(text[strlen(text) - 1]));
    isocast_buffer_puts(out, quoted ? "\"" : "");
    isocast_buffer_puts(out, is_run_by_spreadsheets(text) ? "'" : "");
    for (const char *c = text; *c != '\0'; c++) {
        isocast_buffer_puts(out, quoted && *c == '"' ? "\"" : "");
        isocast_buffer_append(out, c, 1);
    }
    isocast_buffer_puts(out, quoted ? "\"" : "");
}

void isocast_csv_free(isocast_csv *csv) {
    for (size_t i = 0; i < csv->field_count; i++) {
        free(csv->fields[i].text);
    }
    free(csv->fields);
    free(csv->rows);
    *csv = (isocast_csv){0};
}

/* A spreadsheet of some languages parts columns by semicolons, and writes 3,5. */
static isocast_status refuse_semicolons(const isocast_csv *csv, const isocast_source *source,
                                        isocast_diagnostics *diagnostics) {
    if (csv->row_count == 0 || csv->rows[0].count != 1) {
        return ISOCAST_OK;
    }
    const isocast_csv_field *header = &csv->fields[csv->rows[0].first];
    if (strchr(header->text, ';') == NULL) {
        return ISOCAST_OK;
    }
    size_t begin = header->span.begin;
    while (begin < header->span.end && source->text[begin] != ';') {
        begin++;
    }
    isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, (isocast_span){begin, begin + 1},
                            "put commas between fields, and write numbers with a point, as in 3.5",
                            "the fields are parted by semicolons");
    return ISOCAST_INVALID;
}

isocast_status isocast_csv_read(const isocast_source *source, isocast_diagnostics *diagnostics,
                                isocast_csv *out) {
    isocast_csv csv = {0};
    isocast_status status = isocast_csv_parse(source, &csv);
    if (status == ISOCAST_OK) {
        status = isocast_csv_refuse_controls(&csv, source, diagnostics);
    }
    if (status == ISOCAST_OK) {
        status = refuse_semicolons(&csv, source, diagnostics);
    }
    if (status != ISOCAST_OK) {
        isocast_csv_free(&csv);
        return status;
    }
    *out = csv;
    return ISOCAST_OK;
}

isocast_status isocast_csv_load(const char *path, isocast_diagnostics *diagnostics,
                                isocast_source **source, isocast_csv *out) {
    isocast_source *text = NULL;
    isocast_csv csv = {0};
    isocast_status status = isocast_source_read(path, diagnostics, &text);
    if (status == ISOCAST_OK) {
        status = isocast_csv_read(text, diagnostics, &csv);
    }
    if (status != ISOCAST_OK) {
        isocast_source_free(text);
        return status;
    }
    *source = text;
    *out = csv;
    return ISOCAST_OK;
}

const char *isocast_csv_number_hint(const char *text) {
    char *end = NULL;
    strtod(text, &end);
    end += strspn(end, " ");
    return text[0] == '\0'             ? "write the number, or leave the row out"
           : strchr(text, ',') != NULL ? "write the number without commas, as in 3.5 or 1000"
           : end != text && isalpha((unsigned char)*end)
               ? "write the number without a unit; times are in seconds, as in 0.04 for 40 ms"
               : "write a number such as 0.31";
}

const char *isocast_csv_text(const isocast_csv *csv, size_t row, size_t column) {
    const isocast_csv_row *own = &csv->rows[row];
    return column < own->count ? csv->fields[own->first + column].text : "";
}

bool isocast_csv_number(const isocast_csv_field *field, double *out) {
    char *end = NULL;
    double value = strtod(field->text, &end);
    if (end == field->text || *end != '\0' || !isfinite(value)) {
        return false;
    }
    *out = value;
    return true;
}

bool isocast_csv_positive(const isocast_csv_field *field, const char *column,
                          const isocast_source *source, isocast_diagnostics *diagnostics,
                          double *out) {
    static const double least = 1e-50;
    static const double most = 1e50;
    static const char mend[] = "mend the number, or leave the row out";
    double value = NAN;
    *out = NAN;
    if (!isocast_csv_number(field, &value)) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, field->span,
                                isocast_csv_number_hint(field->text),
                                "%s must be a number, this is '%s'", column, field->text);
    } else if (value <= 0) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, field->span, mend,
                                "%s must be above 0, this is %s", column, field->text);
    } else if (value < least || value > most) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, field->span, mend,
                                "%s must be from %g to %g, this is %s", column, least, most,
                                field->text);
    } else {
        *out = value;
    }
    return !isnan(*out);
}
