#include "list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "text.h"

typedef struct splitter {
    const isocast_source *source;
    isocast_diagnostics *diagnostics;
    bool expands; /* ranges, and states numbers */
    isocast_list_item *items;
    size_t count;
    size_t capacity;
    isocast_status status;
} splitter;

static void refuse(splitter *s, isocast_span span, const char *hint, const char *message) {
    isocast_diagnostics_add(s->diagnostics, ISOCAST_ERROR, s->source, span, hint, "%s", message);
    s->status = ISOCAST_INVALID;
}

static bool append(splitter *s, isocast_list_item item) {
    if (s->count == ISOCAST_LIST_MAX) {
        refuse(s, item.span, NULL, "the list is too long (at most 100000 entries)");
        return false;
    }
    bool added = ISOCAST_ARRAY_ADD(s->items, s->count, s->capacity, item);
    s->status = added ? s->status : ISOCAST_NO_MEMORY;
    return added;
}

/* A plain decimal number that fills the span; not what strtod takes besides (hexadecimal, inf). */
static bool read_number(const isocast_source *source, isocast_span span, double *out) {
    char text[64];
    size_t length = span.end - span.begin;
    if (length == 0 || length >= sizeof text) {
        return false;
    }
    memcpy(text, source->text + span.begin, length);
    text[length] = '\0';
    if (strspn(text, "0123456789.eE+-") != length) {
        return false;
    }
    char *end = NULL;
    double value = strtod(text, &end);
    if (end != text + length || !isfinite(value)) {
        return false;
    }
    *out = value;
    return true;
}

static isocast_span trim(const isocast_source *source, isocast_span span) {
    while (span.begin < span.end && strchr(" \t", source->text[span.begin]) != NULL) {
        span.begin++;
    }
    while (span.end > span.begin && strchr(" \t", source->text[span.end - 1]) != NULL) {
        span.end--;
    }
    return span;
}

static const char *find(const isocast_source *source, isocast_span span, const char *what) {
    const char *found = strstr(source->text + span.begin, what);
    return found != NULL && found + strlen(what) <= source->text + span.end ? found : NULL;
}

double isocast_list_range_count(const isocast_list_range *range) {
    if (range->to < range->from ||
        (range->by_factor ? range->step <= 1 || range->from <= 0 : range->step <= 0)) {
        return 0;
    }
    /* Counted, not added up, so that rounding does not lose the last one. */
    double last = range->by_factor ? log(range->to / range->from) / log(range->step)
                                   : (range->to - range->from) / range->step;
    return floor(last + 1e-9) + 1;
}

double isocast_list_range_at(const isocast_list_range *range, double k) {
    if (!range->by_factor) {
        return range->from + range->step * k;
    }
    double number = range->from * pow(range->step, k);
    return fabs(number - round(number)) < 1e-9 * number ? round(number) : number;
}

/* "from..to", "from..to+step", "from..to*factor". */
static void split_range(splitter *s, isocast_span span, size_t dots) {
    const char *text = s->source->text;
    size_t sign = dots + 2;
    while (sign < span.end && text[sign] != '*' && !(text[sign] == '+' && sign > dots + 2)) {
        sign++;
    }
    isocast_list_range range = {.step = 1};
    bool readable = read_number(s->source, (isocast_span){span.begin, dots}, &range.from) &&
                    read_number(s->source, (isocast_span){dots + 2, sign}, &range.to) &&
                    (sign == span.end ||
                     read_number(s->source, (isocast_span){sign + 1, span.end}, &range.step));
    if (!readable) {
        refuse(s, span, "write a range as 2..64*2, 100..500+100 or 1..8", "this is not a range");
        return;
    }
    range.by_factor = sign < span.end && text[sign] == '*';
    double count = isocast_list_range_count(&range);
    if (count == 0) {
        refuse(s, span, "a range rises: the step must be above 0, a factor above 1",
               "this range never reaches its end");
        return;
    }
    for (double k = 0; k < count; k++) {
        if (!append(s, (isocast_list_item){span, true, isocast_list_range_at(&range, k)})) {
            return;
        }
    }
}

static void split_item(splitter *s, isocast_span span) {
    span = trim(s->source, span);
    if (span.begin == span.end) {
        refuse(s, (isocast_span){span.begin, span.begin + 1}, "remove the comma, or fill the gap",
               "an entry of the list is empty");
        return;
    }
    const char *dots = s->expands ? find(s->source, span, "..") : NULL;
    if (dots != NULL) {
        split_range(s, span, (size_t)(dots - s->source->text));
        return;
    }
    isocast_list_item item = {span, false, 0};
    item.is_number = s->expands && read_number(s->source, span, &item.number);
    append(s, item);
}

/* As isocast_text_find_control(); tabs may stand beside entries. */
static size_t find_control(const isocast_source *source, unsigned *code) {
    size_t i = 0;
    while (i < source->length) {
        i += isocast_text_find_control(source->text + i, source->length - i, code);
        if (i < source->length && *code != '\t') {
            break;
        }
        i += i < source->length;
    }
    return i;
}

static isocast_status split(const isocast_source *source, bool expands,
                            isocast_diagnostics *diagnostics, isocast_list_item **out,
                            size_t *count) {
    splitter s = {
        .source = source, .diagnostics = diagnostics, .expands = expands, .status = ISOCAST_OK};
    size_t begin = 0;
    unsigned code = 0;
    size_t control = find_control(source, &code);
    if (control < source->length) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source,
                                (isocast_span){control, control + 1}, "part entries by commas",
                                "the list holds the control character U+%04X", code);
        return ISOCAST_INVALID;
    }
    for (size_t i = 0; i <= source->length && s.status != ISOCAST_NO_MEMORY; i++) {
        if (i == source->length || source->text[i] == ',') {
            split_item(&s, (isocast_span){begin, i});
            begin = i + 1;
        }
    }
    if (s.status != ISOCAST_OK) {
        free(s.items);
        return s.status;
    }
    *out = s.items;
    *count = s.count;
    return ISOCAST_OK;
}

isocast_status isocast_list_split(const isocast_source *source, isocast_diagnostics *diagnostics,
                                  isocast_list_item **out, size_t *count) {
    return split(source, true, diagnostics, out, count);
}

isocast_status isocast_list_entries(const isocast_source *source, isocast_diagnostics *diagnostics,
                                    isocast_list_item **out, size_t *count) {
    return split(source, false, diagnostics, out, count);
}
