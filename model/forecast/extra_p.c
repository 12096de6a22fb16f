#include "extra_p.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

enum { PARAMETERS_MAX = 8 };

/* A piece of the source. */
typedef struct piece {
    isocast_span span;
} piece;

typedef struct reader {
    const isocast_source *source;
    isocast_diagnostics *diagnostics;
    isocast_csv csv;
    isocast_span names[PARAMETERS_MAX]; /* [count], of the parameters */
    size_t count;
    isocast_span region, metric; /* of the values that follow; empty: none was named */
    piece *points;               /* [point_count][count], of the text format */
    size_t point_count, point_capacity;
    size_t next_point; /* of the next line DATA */
    isocast_status status;
} reader;

static void refuse(reader *r, isocast_span span, const char *hint, const char *message) {
    r->status = isocast_diagnostics_refuse(r->diagnostics, r->source, span, hint, message);
}

static bool span_is(const reader *r, isocast_span span, const char *text) {
    return span.end - span.begin == strlen(text) &&
           strncmp(r->source->text + span.begin, text, span.end - span.begin) == 0;
}

/* Adds a field; text: NULL for that of the span. */
static void add_field(reader *r, isocast_span span, const char *text) {
    isocast_csv *csv = &r->csv;
    if (r->status != ISOCAST_OK) {
        return;
    }
    char *copy =
        text != NULL ? strdup(text) : strndup(r->source->text + span.begin, span.end - span.begin);
    if (copy == NULL || !isocast_array_grow((void **)&csv->fields, csv->field_count,
                                            &csv->field_capacity, sizeof *csv->fields)) {
        free(copy);
        r->status = ISOCAST_NO_MEMORY;
        return;
    }
    csv->fields[csv->field_count++] = (isocast_csv_field){span, copy};
}

/* Makes a row of the fields from `first` on. */
static void end_row(reader *r, size_t first) {
    isocast_csv *csv = &r->csv;
    if (r->status == ISOCAST_OK && !isocast_array_grow((void **)&csv->rows, csv->row_count,
                                                       &csv->row_capacity, sizeof *csv->rows)) {
        r->status = ISOCAST_NO_MEMORY;
    }
    if (r->status == ISOCAST_OK) {
        csv->rows[csv->row_count++] = (isocast_csv_row){first, csv->field_count - first};
    }
}

/* Names the columns, once the parameters are known. */
static void add_header(reader *r, isocast_span place) {
    bool has_p = false;
    bool has_N = false;
    for (size_t i = 0; i < r->count; i++) {
        has_p = has_p || span_is(r, r->names[i], "p");
        has_N = has_N || span_is(r, r->names[i], "N");
    }
    add_field(r, place, "region");
    add_field(r, place, "metric");
    for (size_t i = 0; i < r->count; i++) {
        bool is_other = !span_is(r, r->names[i], "p") && !span_is(r, r->names[i], "N");
        const char *known = is_other && !has_p ? "p" : is_other && !has_N ? "N" : NULL;
        has_p = has_p || (known != NULL && known[0] == 'p');
        has_N = has_N || (known != NULL && known[0] == 'N');
        add_field(r, r->names[i], known);
    }
    add_field(r, place, "T");
    end_row(r, 0);
}

static void add_value(reader *r, const piece *point, isocast_span value) {
    size_t first = r->csv.field_count;
    if (r->csv.row_count == 0) {
        add_header(r, isocast_source_line(r->source, value.begin));
        first = r->csv.field_count;
    }
    add_field(r, r->region, NULL);
    add_field(r, r->metric, NULL);
    for (size_t i = 0; i < r->count; i++) {
        add_field(r, point[i].span, NULL);
    }
    add_field(r, value, NULL);
    end_row(r, first);
}

static isocast_span trim(const reader *r, isocast_span span, const char *blanks) {
    const char *text = r->source->text;
    while (span.begin < span.end && strchr(blanks, text[span.begin]) != NULL) {
        span.begin++;
    }
    while (span.begin < span.end && strchr(blanks, text[span.end - 1]) != NULL) {
        span.end--;
    }
    return span;
}

/* The next word of a line, which moves behind it; empty at its end. Brackets are words. */
static isocast_span next_word(const reader *r, isocast_span *line) {
    const char *text = r->source->text;
    *line = trim(r, *line, " \t\r");
    isocast_span word = {line->begin, line->begin};
    while (word.end < line->end && strchr(" \t\r()", text[word.end]) == NULL) {
        word.end++;
    }
    word.end += word.end == word.begin && word.end < line->end ? 1 : 0;
    line->begin = word.end;
    return word;
}

static bool is_empty(isocast_span span) {
    return span.begin == span.end;
}

/* POINTS ( 1 10 ) ( 2 10 ) ..., or without brackets where there is one parameter. */
static void read_points(reader *r, isocast_span line) {
    isocast_span whole = line;
    size_t values = 0;
    for (isocast_span word = next_word(r, &line); !is_empty(word) && r->status == ISOCAST_OK;
         word = next_word(r, &line)) {
        if (span_is(r, word, "(") || span_is(r, word, ")")) {
            continue;
        }
        if (!isocast_array_grow((void **)&r->points, r->point_count * r->count + values,
                                &r->point_capacity, sizeof *r->points)) {
            r->status = ISOCAST_NO_MEMORY;
            return;
        }
        r->points[r->point_count * r->count + values++].span = word;
        r->point_count += values == r->count ? 1 : 0;
        values = values == r->count ? 0 : values;
    }
    if (values > 0) {
        refuse(r, whole, "a point has a value of each PARAMETER: ( 64 1000 )",
               "the last point has too few values");
    }
}

/* DATA and the values at the next point. */
static void read_data(reader *r, isocast_span keyword, isocast_span line) {
    if (r->next_point >= r->point_count) {
        refuse(r, keyword, "a line DATA has the values at one of the POINTS, in their order",
               "there is no point for these values");
        return;
    }
    const piece *point = &r->points[r->next_point++ * r->count];
    for (isocast_span word = next_word(r, &line); !is_empty(word) && r->status == ISOCAST_OK;
         word = next_word(r, &line)) {
        add_value(r, point, word);
    }
}

static void read_text_line(reader *r, isocast_span line) {
    isocast_span keyword = next_word(r, &line);
    isocast_span rest = trim(r, line, " \t\r");
    if (is_empty(keyword) || r->source->text[keyword.begin] == '#') {
        return;
    }
    if (span_is(r, keyword, "PARAMETER") && !is_empty(rest) && r->count < PARAMETERS_MAX &&
        r->point_count == 0) {
        r->names[r->count++] = rest;
    } else if (span_is(r, keyword, "POINTS") && r->count > 0) {
        read_points(r, rest);
    } else if (span_is(r, keyword, "REGION") || span_is(r, keyword, "METRIC")) {
        *(span_is(r, keyword, "REGION") ? &r->region : &r->metric) = rest;
        r->next_point = 0;
    } else if (span_is(r, keyword, "DATA")) {
        read_data(r, keyword, rest);
    } else {
        refuse(r, keyword,
               "Extra-P's lines are PARAMETER (up to 8), POINTS, REGION, METRIC and DATA",
               "this is no such line here");
    }
}

/* JSON Lines: an object of plain values, and one of them, params, of numbers. */

/* A string or number at *at, which moves behind it and what blanks follow. */
static isocast_span next_token(const reader *r, size_t *at, size_t end) {
    const char *text = r->source->text;
    isocast_span token = {*at, *at};
    if (*at < end && text[*at] == '"') {
        token.begin = token.end = *at + 1;
        while (token.end < end && text[token.end] != '"' && text[token.end] != '\\') {
            token.end++;
        }
        *at = token.end + 1;
    } else {
        while (token.end < end && strchr(",:{} \t\r", text[token.end]) == NULL) {
            token.end++;
        }
        *at = token.end;
    }
    while (*at < end && strchr(" \t\r", text[*at]) != NULL) {
        (*at)++;
    }
    return token;
}

/* Whether a byte is next, which it moves over, with what blanks follow. */
static bool take(const reader *r, size_t *at, size_t end, char byte) {
    bool is_there = *at < end && r->source->text[*at] == byte;
    *at += is_there ? 1 : 0;
    while (is_there && *at < end && strchr(" \t\r", r->source->text[*at]) != NULL) {
        (*at)++;
    }
    return is_there;
}

/* The parameters of a value; the first line names them. */
static bool read_params(reader *r, size_t *at, size_t end, piece *point) {
    bool first = r->csv.row_count == 0;
    size_t found = 0;
    bool good = take(r, at, end, '{');
    for (bool more = good; good && more; more = take(r, at, end, ',')) {
        isocast_span name = next_token(r, at, end);
        good = take(r, at, end, ':');
        isocast_span value = next_token(r, at, end);
        size_t i = 0;
        while (i < r->count &&
               (first || r->names[i].end - r->names[i].begin != name.end - name.begin ||
                strncmp(r->source->text + r->names[i].begin, r->source->text + name.begin,
                        name.end - name.begin) != 0)) {
            i++;
        }
        if (first && r->count < PARAMETERS_MAX) {
            r->names[r->count++] = name;
        }
        good = good && i < r->count && !is_empty(value);
        point[good ? i : 0].span = value;
        found++;
    }
    return good && take(r, at, end, '}') && found == r->count;
}

static void read_object(reader *r, isocast_span line) {
    piece point[PARAMETERS_MAX];
    isocast_span value = {0, 0};
    bool has_params = false;
    isocast_span object = trim(r, line, " \t\r");
    size_t at = object.begin;
    if (is_empty(object) || r->source->text[object.begin] == '#') {
        return;
    }
    r->region = r->metric = (isocast_span){object.begin, object.begin};
    bool good = take(r, &at, object.end, '{');
    for (bool more = good; good && more; more = take(r, &at, object.end, ',')) {
        isocast_span key = next_token(r, &at, object.end);
        good = take(r, &at, object.end, ':');
        if (good && span_is(r, key, "params")) {
            good = has_params = read_params(r, &at, object.end, point);
            continue;
        }
        isocast_span text = next_token(r, &at, object.end);
        isocast_span *known = span_is(r, key, "value") ? &value
                              : span_is(r, key, "callpath") || span_is(r, key, "region")
                                  ? &r->region
                              : span_is(r, key, "metric") ? &r->metric
                                                          : &text;
        *known = text;
    }
    good = good && take(r, &at, object.end, '}') && at == object.end;
    if (!good || !has_params || is_empty(value)) {
        refuse(r, object,
               "a line is such as {\"params\": {\"p\": 64}, \"callpath\": \"solve\", \"metric\": "
               "\"time\", \"value\": 1.5}, with the same params in each",
               "this line is none of Extra-P's JSON Lines");
        return;
    }
    add_value(r, point, value);
}

/* The first line with anything but a comment. */
static isocast_span first_line(const isocast_source *source) {
    size_t at = 0;
    isocast_span line = {0, 0};
    while (at < source->length) {
        line = isocast_source_line(source, at);
        size_t begin = line.begin + strspn(source->text + line.begin, " \t\r");
        if (begin < line.end && source->text[begin] != '#') {
            return (isocast_span){begin, line.end};
        }
        at = line.end + 1;
    }
    return (isocast_span){0, 0};
}

static bool is_lines(const isocast_source *source, isocast_span line) {
    return source->text[line.begin] == '{' &&
           strstr(source->text + line.begin, "\"params\"") != NULL;
}

bool isocast_extra_p_recognise(const isocast_source *source) {
    isocast_span line = first_line(source);
    return line.end > line.begin &&
           (is_lines(source, line) ||
            strncmp(source->text + line.begin, "PARAMETER ", strlen("PARAMETER ")) == 0);
}

isocast_status isocast_extra_p_read(const isocast_source *source, isocast_diagnostics *diagnostics,
                                    isocast_csv *out) {
    reader r = {.source = source, .diagnostics = diagnostics};
    bool lines = is_lines(source, first_line(source));
    for (size_t at = 0; at < source->length && r.status != ISOCAST_NO_MEMORY &&
                        !isocast_diagnostics_full(diagnostics);) {
        isocast_span line = isocast_source_line(source, at);
        if (lines) {
            read_object(&r, line);
        } else {
            read_text_line(&r, line);
        }
        at = line.end + 1;
    }
    free(r.points);
    if (r.status == ISOCAST_OK) {
        r.status = isocast_csv_refuse_controls(&r.csv, source, diagnostics);
    }
    if (r.status != ISOCAST_OK) {
        isocast_csv_free(&r.csv);
        return r.status;
    }
    *out = r.csv;
    return ISOCAST_OK;
}
