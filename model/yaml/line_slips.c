#include "line_slips.h"

#include <ctype.h>
#include <string.h>

/* A line without its blanks at both ends and its comment. */
typedef struct line {
    const char *text; /* its first byte in the source */
    size_t begin;     /* of the words, in the source */
    size_t end;
    size_t indent;
} line;

static line line_at(const isocast_source *source, size_t at) {
    size_t begin = at;
    while (begin > 0 && source->text[begin - 1] != '\n') {
        begin--;
    }
    size_t end = begin;
    while (end < source->length && source->text[end] != '\n' &&
           !(source->text[end] == '#' && (end == begin || source->text[end - 1] == ' '))) {
        end++;
    }
    line l = {.text = source->text + begin, .begin = begin};
    while (l.begin < end && source->text[l.begin] == ' ') {
        l.begin++;
    }
    while (end > l.begin && isspace((unsigned char)source->text[end - 1])) {
        end--;
    }
    l.end = end;
    l.indent = l.begin - begin;
    return l;
}

/* The line before that has words. False where there is none. */
static bool line_before(const isocast_source *source, line *l) {
    size_t begin = (size_t)(l->text - source->text);
    while (begin > 0) {
        *l = line_at(source, begin - 1);
        if (l->begin < l->end) {
            return true;
        }
        begin = (size_t)(l->text - source->text);
    }
    return false;
}

/* Where the first word of a line ends, which would be its key. */
static size_t key_end(const isocast_source *source, const line *l) {
    size_t end = l->begin;
    while (end < l->end && (isalnum((unsigned char)source->text[end]) ||
                            strchr("_-.'", source->text[end]) != NULL)) {
        end++;
    }
    return end;
}

/* Whether a ':' of the line ends a key: a blank follows, or nothing. */
static bool has_key(const isocast_source *source, const line *l) {
    for (size_t i = l->begin; i < l->end; i++) {
        if (source->text[i] == ':' && (i + 1 == l->end || source->text[i + 1] == ' ')) {
            return true;
        }
    }
    return false;
}

/* "work:N", "work= N", "work N", "work {N: 1}". An item of a list has no key before its blank. */
static bool find_missing_colon(const isocast_source *source, const line *l,
                               isocast_line_slip *out) {
    size_t end = key_end(source, l);
    bool item = source->text[l->begin] == '-';
    if (end == l->begin || item) {
        return false;
    }
    char next = end < l->end ? source->text[end] : '\0';
    bool glued = next == ':' && end + 1 < l->end && source->text[end + 1] != ' ';
    for (size_t i = end; i < l->end && next == ' '; i++) {
        next = source->text[i];
    }
    if (has_key(source, l) && !glued && strchr("={[\"", next) == NULL) {
        return false;
    }
    *out = (isocast_line_slip){.span = {l->begin, end},
                               .message = "this key is not followed by ':' and a blank",
                               .hint = next == '='   ? "write ':' for '=': key: value"
                                       : next == ':' ? "a blank stands behind the ':': key: value"
                                                     : "write key: value"};
    return true;
}

static bool find_bracket(const isocast_source *source, const line *l, size_t at,
                         isocast_line_slip *out) {
    size_t opened = 0;
    size_t closed = 0;
    size_t last = l->begin;
    size_t first_closed = l->end;
    for (size_t i = l->begin; i < l->end; i++) {
        opened += source->text[i] == '{' || source->text[i] == '[';
        if (source->text[i] == '}' || source->text[i] == ']') {
            closed++;
            last = i;
            first_closed = i < first_closed ? i : first_closed;
        }
    }
    if (closed > opened) {
        *out = (isocast_line_slip){.span = {last, last + 1},
                                   .message = "this closes a bracket that is not opened here",
                                   .hint = "remove it, or open the bracket before it"};
    } else if (opened > 0 && first_closed < at && at < l->end) {
        *out = (isocast_line_slip){.span = {at, l->end},
                                   .message = "something stands behind the closed bracket",
                                   .hint = "put text that begins with [ or { in quotes"};
    }
    return closed > opened || (opened > 0 && first_closed < at && at < l->end);
}

bool isocast_line_slip_find(const isocast_source *source, size_t at, isocast_line_slip *out) {
    line own = line_at(source, at < source->length ? at : source->length);
    line above = own;
    bool has_above = line_before(source, &above);
    if (has_above && find_missing_colon(source, &above, out)) {
        return true;
    }
    if (own.begin == own.end || find_missing_colon(source, &own, out) ||
        find_bracket(source, &own, at, out)) {
        return own.begin < own.end;
    }
    /* The ':' where the parser stopped is the line's first one. */
    size_t end = key_end(source, &own);
    if (has_above && own.indent > above.indent && at == end) {
        *out = (isocast_line_slip){
            .span = {own.begin, end},
            .message = "this line is indented more than the one above, which has a value already",
            .hint = "indent the keys of one mapping alike"};
        return true;
    }
    return false;
}
