#include "csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool grow(void **items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) {
        return true;
    }
    size_t wanted = *capacity == 0 ? 64 : 2 * *capacity;
    void *grown = realloc(*items, wanted * size);
    if (grown == NULL) {
        return false;
    }
    *items = grown;
    *capacity = wanted;
    return true;
}

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* The text of a quoted field, doubled quotes made single. *end is after the closing quote. */
static char *read_quoted(const isocast_source *source, size_t begin, size_t *end) {
    size_t close = begin + 1;
    while (close < source->length &&
           (source->text[close] != '"' || source->text[close + 1] == '"')) {
        close += source->text[close] == '"' ? 2 : 1;
    }
    char *text = malloc(close - begin);
    if (text == NULL) {
        return NULL;
    }
    size_t kept = 0;
    for (size_t at = begin + 1; at < close; at++) {
        at += source->text[at] == '"' ? 1 : 0;
        text[kept++] = source->text[at];
    }
    text[kept] = '\0';
    *end = close < source->length ? close + 1 : close;
    return text;
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
        if (!grow((void **)&csv->fields, csv->field_count, &csv->field_capacity,
                  sizeof *csv->fields) ||
            !read_field(source, at, &csv->fields[csv->field_count])) {
            return false;
        }
        csv->field_count++;
        row.count++;
        more = *at < source->length && source->text[*at] == ',';
        (*at)++;
    }
    if (!grow((void **)&csv->rows, csv->row_count, &csv->row_capacity, sizeof *csv->rows)) {
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

void isocast_csv_free(isocast_csv *csv) {
    for (size_t i = 0; i < csv->field_count; i++) {
        free(csv->fields[i].text);
    }
    free(csv->fields);
    free(csv->rows);
    *csv = (isocast_csv){0};
}
