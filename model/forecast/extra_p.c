/* The text format of Extra-P 4 (its documentation, "input formats"), and the performance logs of
 * ReFrame: lines of words. */
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "run_table.h"

enum { PARAMETERS_MAX = 8 };

/* A piece of the source. */
typedef struct piece {
    isocast_span span;
} piece;

typedef struct reader {
    isocast_run_table *table;
    const isocast_source *source;
    isocast_span names[PARAMETERS_MAX]; /* [count], of the parameters */
    size_t count;
    isocast_span region, metric; /* of the values that follow; empty: none was named */
    piece *points;               /* [point_count][count] */
    size_t point_count, point_capacity;
    size_t next_point; /* of the next line DATA */
} reader;

static void refuse(reader *r, isocast_span span, const char *hint, const char *message) {
    isocast_run_refuse(r->table, span, hint, message);
}

static bool span_is(const reader *r, isocast_span span, const char *text) {
    return isocast_run_span_is(r->table, span, text);
}

static void add_value(reader *r, const piece *point, isocast_span value) {
    size_t mark = r->table->undo_count;
    isocast_run_set_ours(r->table, "region", r->region);
    isocast_run_set_ours(r->table, "metric", r->metric);
    for (size_t i = 0; i < r->count; i++) {
        isocast_run_set(r->table, NULL, r->names[i], point[i].span, true);
    }
    isocast_run_set_ours(r->table, "T", value);
    isocast_run_add(r->table, value);
    isocast_run_take_back(r->table, mark);
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
    for (isocast_span word = next_word(r, &line); !is_empty(word) && r->table->status == ISOCAST_OK;
         word = next_word(r, &line)) {
        if (span_is(r, word, "(") || span_is(r, word, ")")) {
            continue;
        }
        if (!isocast_array_grow((void **)&r->points, r->point_count * r->count + values,
                                &r->point_capacity, sizeof *r->points)) {
            r->table->status = ISOCAST_NO_MEMORY;
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
    for (isocast_span word = next_word(r, &line); !is_empty(word) && r->table->status == ISOCAST_OK;
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

void isocast_run_extra_p(isocast_run_table *table) {
    reader r = {.table = table, .source = table->source};
    for (size_t at = 0; at < r.source->length && table->status != ISOCAST_NO_MEMORY &&
                        !isocast_diagnostics_full(table->diagnostics);) {
        isocast_span line = isocast_source_line(r.source, at);
        read_text_line(&r, line);
        at = isocast_source_next_line(r.source, at);
    }
    free(r.points);
}

/* The cell of a line at *at, which moves behind the bar. */
static isocast_span next_cell(const isocast_source *source, size_t *at, size_t end) {
    isocast_span cell = {*at, *at};
    while (cell.end < end && source->text[cell.end] != '|' && source->text[cell.end] != '\r') {
        cell.end++;
    }
    *at = cell.end + 1;
    return cell;
}

static bool ends_with(const isocast_source *source, isocast_span span, const char *ending) {
    size_t length = strlen(ending);
    return span.end - span.begin > length &&
           strncmp(source->text + span.end - length, ending, length) == 0;
}

/* A line of a log: what is no figure stands for all of them. NAME_value and NAME_unit are figures.
 */
static void add_figures(isocast_run_table *table, isocast_span header, isocast_span line) {
    static const char *const figure_ends[] = {"_value",       "_unit",        "_ref",
                                              "_lower_thres", "_upper_thres", "_result"};
    const isocast_source *source = table->source;
    size_t mark = table->undo_count;
    for (int pass = 0; pass < 2; pass++) {
        size_t at = header.begin;
        size_t in = line.begin;
        while (at < header.end && in <= line.end) {
            isocast_span name = next_cell(source, &at, header.end);
            isocast_span cell = next_cell(source, &in, line.end);
            bool is_figure = false;
            for (size_t i = 0; i < sizeof figure_ends / sizeof figure_ends[0]; i++) {
                is_figure = is_figure || ends_with(source, name, figure_ends[i]);
            }
            bool is_none = cell.begin == cell.end || isocast_run_span_is(table, cell, "null") ||
                           isocast_run_span_is(table, cell, "None");
            if (pass == 0 && !is_figure && !is_none) {
                isocast_run_set(table, "testcases", name, cell, false);
            } else if (pass == 1 && !is_none && ends_with(source, name, "_value")) {
                size_t own = table->undo_count;
                size_t ahead = in;
                name.end -= strlen("_value");
                isocast_run_set_ours(table, "figure", name);
                isocast_run_set_ours(table, "T", cell);
                isocast_run_set_ours(table, "unit", next_cell(source, &ahead, line.end));
                isocast_run_add(table, cell);
                isocast_run_take_back(table, own);
            }
        }
    }
    isocast_run_take_back(table, mark);
}

void isocast_run_reframe_log(isocast_run_table *table) {
    isocast_span header = {0, 0};
    for (size_t at = 0; at < table->source->length && table->status == ISOCAST_OK;) {
        isocast_span line = isocast_source_line(table->source, at);
        /* A test that changed begins with a new header. */
        bool is_header = strncmp(table->source->text + line.begin, "result|", 7) == 0;
        if (is_header || header.end == 0) {
            header = line;
        } else {
            add_figures(table, header, line);
        }
        at = isocast_source_next_line(table->source, at);
    }
}
