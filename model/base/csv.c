#include "csv.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
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

/* Makes doubled quotes single, up to the closing one. */
static void undouble(char *text, size_t length) {
    size_t kept = 0;
    for (size_t at = 0; at < length; at++) {
        text[kept++] = text[at];
        at += text[at] == '"' ? 1 : 0;
    }
    text[kept] = '\0';
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

static isocast_csv_field field_at(size_t begin, size_t end, char *text) {
    return (isocast_csv_field){(uint32_t)begin, (uint32_t)end, text};
}

/* Reads one field from *at, which moves to the comma or newline after it. */
static isocast_csv_field read_field(const isocast_source *source, size_t *at, isocast_csv *csv) {
    while (*at < source->length && is_blank(source->text[*at])) {
        (*at)++;
    }
    size_t begin = *at;
    bool quoted = source->text[begin] == '"';
    size_t close = quoted ? closing_quote(source, begin) : begin;
    const char *text = source->text;
    size_t stop = close;
    while (stop < source->length && text[stop] != ',' && text[stop] != '\n') {
        stop++;
    }
    *at = stop;
    if (quoted) {
        undouble(csv->text + begin + 1, close - begin - 1);
        return field_at(begin + 1, close, csv->text + begin + 1);
    }
    size_t end = *at;
    while (end > begin && is_blank(source->text[end - 1])) {
        end--;
    }
    csv->text[end] = '\0';
    return field_at(begin, end, csv->text + begin);
}

static bool add_field(isocast_csv *csv, isocast_csv_field field) {
    return ISOCAST_ARRAY_ADD(csv->fields, csv->field_count, csv->field_capacity, field);
}

isocast_status isocast_csv_begin(const isocast_source *source, isocast_csv *out) {
    *out = (isocast_csv){.text = malloc(source->length + 1)};
    if (out->text == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    memcpy(out->text, source->text, source->length + 1);
    return ISOCAST_OK;
}

isocast_status isocast_csv_add(isocast_csv *csv, isocast_span span, const char *text) {
    char *own = csv->text + span.begin;
    if (text != NULL) {
        own = strdup(text);
        if (own == NULL || !isocast_array_grow((void **)&csv->made, csv->made_count,
                                               &csv->made_capacity, sizeof *csv->made)) {
            free(own);
            return ISOCAST_NO_MEMORY;
        }
        csv->made[csv->made_count++] = own;
    } else {
        csv->text[span.end] = '\0';
    }
    return add_field(csv, field_at(span.begin, span.end, own)) ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

isocast_status isocast_csv_end_row(isocast_csv *csv, size_t first) {
    return ISOCAST_ARRAY_ADD(csv->rows, csv->row_count, csv->row_capacity,
                             (isocast_csv_row){first, csv->field_count - first})
               ? ISOCAST_OK
               : ISOCAST_NO_MEMORY;
}

static bool read_row(const isocast_source *source, size_t *at, isocast_csv *csv) {
    size_t first = csv->field_count;
    bool more = true;
    while (more) {
        isocast_csv_field field = read_field(source, at, csv);
        take_guard_off(field.text);
        if (!add_field(csv, field)) {
            return false;
        }
        more = *at < source->length && source->text[*at] == ',';
        (*at)++;
    }
    return isocast_csv_end_row(csv, first) == ISOCAST_OK;
}

/* Whether nothing stands in the line at `at`; *next is where the next one starts then. */
static bool line_is_skipped(const isocast_source *source, size_t at, size_t *next) {
    size_t end = at;
    bool is_comment = source->text[at] == '#';
    while (end < source->length &&
           (is_comment ? source->text[end] != '\n' : is_blank(source->text[end]))) {
        end++;
    }
    *next = end + 1;
    return end >= source->length || source->text[end] == '\n';
}

isocast_status isocast_csv_parse(const isocast_source *source, isocast_csv *out) {
    isocast_csv csv;
    isocast_status status = isocast_csv_begin(source, &csv);
    size_t at = strncmp(source->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (status == ISOCAST_OK && at < source->length) {
        size_t next;
        if (line_is_skipped(source, at, &next)) {
            at = next;
        } else if (!read_row(source, &at, &csv)) {
            status = ISOCAST_NO_MEMORY;
        }
    }
    if (status != ISOCAST_OK) {
        isocast_csv_free(&csv);
        return status;
    }
    *out = csv;
    return ISOCAST_OK;
}

static void refuse_control(const isocast_csv_field *field, size_t at, unsigned code,
                           const isocast_source *source, isocast_diagnostics *diagnostics) {
    isocast_span span = isocast_csv_span(field);
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
    bool plain = true;
    for (size_t i = 0; i < source->length && plain; i++) {
        char byte = source->text[i];
        plain = (byte >= ' ' && byte <= '~' && byte != '"') || byte == '\n';
    }
    for (size_t i = 0; !plain && i < csv->field_count; i++) {
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
    for (size_t i = 0; i < csv->made_count; i++) {
        free(csv->made[i]);
    }
    free(csv->made);
    free(csv->text);
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
    size_t begin = isocast_csv_span(header).begin;
    while (begin < isocast_csv_span(header).end && source->text[begin] != ';') {
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

/* The number of a text of at most 15 digits, with a point or without: digits and the power of ten
 * are exact, so that their quotient is what strtod gives, which is slower. False for others. */
static bool read_plain(const char *text, double *out) {
    static const double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    int64_t digits = 0;
    size_t count = 0;
    size_t behind = 0;
    bool point = false;
    for (; *text != '\0' && count < 16; text++) {
        if (*text == '.' && !point) {
            point = true;
        } else if (*text >= '0' && *text <= '9') {
            digits = 10 * digits + (*text - '0');
            behind += point ? 1 : 0;
            count++;
        } else {
            return false;
        }
    }
    if (count == 0 || count > 15) {
        return false;
    }
    *out = (double)digits / powers[behind];
    return true;
}

bool isocast_csv_number(const isocast_csv_field *field, double *out) {
    if (read_plain(field->text, out)) {
        return true;
    }
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
    static const char correct[] = "correct the number, or leave the row out";
    double value = NAN;
    *out = NAN;
    if (!isocast_csv_number(field, &value)) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, isocast_csv_span(field),
                                isocast_csv_number_hint(field->text),
                                "%s must be a number, this is '%s'", column, field->text);
    } else if (value <= 0) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, isocast_csv_span(field),
                                correct, "%s must be above 0, this is %s", column, field->text);
    } else if (value < least || value > most) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, isocast_csv_span(field),
                                correct, "%s must be from %g to %g, this is %s", column, least,
                                most, field->text);
    } else {
        *out = value;
    }
    return !isnan(*out);
}
