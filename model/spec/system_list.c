#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/list.h"
#include "system.h"

/* A place in a text that is read from left to right. */
typedef struct cursor {
    const isocast_source *source;
    size_t at;
    size_t end;
} cursor;

/* "8", or "2x4" with its second number. */
typedef struct amount {
    double numbers[2];
    bool is_set;
} amount;

/* A part of a mix: what stands before its numbers, and the two ends of its range. */
typedef struct part {
    isocast_span span;
    isocast_span prefix; /* "server:", with blanks as written; may be empty */
    amount first;
    amount last;              /* the same as `first` where it is no range */
    isocast_list_range steps; /* step and by_factor alone */
    double count;             /* values of the range; 1 where it is none */
} part;

/* An entry of the list with a range in it. */
typedef struct pattern {
    part *parts; /* [count] */
    size_t count;
    size_t capacity;
    double values; /* systems that it stands for */
} pattern;

typedef struct listing {
    const isocast_machine *machine;
    const char *program; /* whose marked speeds are taken */
    const isocast_source *source;
    isocast_diagnostics *diagnostics;
    isocast_system **systems; /* [count] */
    size_t count;
    size_t capacity;
} listing;

static bool is_digit(const cursor *c, size_t ahead) {
    size_t at = c->at + ahead;
    return at < c->end && c->source->text[at] >= '0' && c->source->text[at] <= '9';
}

static bool is_next(const cursor *c, const char *what) {
    size_t length = strlen(what);
    return c->at + length <= c->end && memcmp(c->source->text + c->at, what, length) == 0;
}

static void skip_digits(cursor *c) {
    while (is_digit(c, 0)) {
        c->at++;
    }
}

/* Digits, which a fraction and an exponent may follow. */
static bool read_number(cursor *c, double *out) {
    char text[64];
    size_t begin = c->at;
    if (!is_digit(c, 0)) {
        return false;
    }
    skip_digits(c);
    if (is_next(c, ".") && is_digit(c, 1)) {
        c->at++;
        skip_digits(c);
    }
    if ((is_next(c, "e") || is_next(c, "E")) && is_digit(c, 1)) {
        c->at++;
        skip_digits(c);
    }
    size_t length = c->at - begin;
    if (length >= sizeof text) {
        return false;
    }
    memcpy(text, c->source->text + begin, length);
    text[length] = '\0';
    *out = strtod(text, NULL);
    return isfinite(*out);
}

static bool read_amount(cursor *c, amount *out) {
    *out = (amount){.is_set = false};
    if (!read_number(c, &out->numbers[0])) {
        return false;
    }
    if (is_next(c, "x") && is_digit(c, 1)) {
        c->at++;
        out->is_set = true;
        return read_number(c, &out->numbers[1]);
    }
    return true;
}

/* "*2", or "+2" where it is no set of its own: "1x2..1x8+2x1" is a mix. */
static bool read_steps(cursor *c, isocast_list_range *steps) {
    *steps = (isocast_list_range){.step = 1};
    if (is_next(c, "*")) {
        c->at++;
        steps->by_factor = true;
        return read_number(c, &steps->step);
    }
    cursor ahead = *c;
    ahead.at++;
    double step;
    if (is_next(c, "+") && read_number(&ahead, &step) &&
        (ahead.at == ahead.end || is_next(&ahead, "+"))) {
        steps->step = step;
        *c = ahead;
    }
    return true;
}

/* Behind "..": the other end, which may leave the processes on a node out, and the steps. */
static bool read_end(cursor *c, part *out) {
    if (!read_amount(c, &out->last)) {
        return false;
    }
    if (out->first.is_set && !out->last.is_set) {
        out->last = (amount){{out->first.numbers[0], out->last.numbers[0]}, true};
    }
    return out->first.is_set == out->last.is_set && read_steps(c, &out->steps);
}

/* Where the numbers of the part begin: behind the name of a class, which has no "+". */
static size_t skip_prefix(const cursor *c) {
    const char *text = c->source->text;
    size_t begin = c->at;
    for (size_t i = c->at; i < c->end && text[i] != '+'; i++) {
        begin = text[i] == ':' ? i + 1 : begin;
    }
    while (begin < c->end && strchr(" \t", text[begin]) != NULL) {
        begin++;
    }
    return begin;
}

/* A part up to the "+" behind it, or the end. */
static bool read_part(cursor *c, part *out) {
    size_t begin = c->at;
    c->at = skip_prefix(c);
    *out = (part){.prefix = {begin, c->at}, .count = 1};
    if (!read_amount(c, &out->first)) {
        return false;
    }
    out->last = out->first;
    if (is_next(c, "..")) {
        c->at += 2;
        if (!read_end(c, out)) {
            return false;
        }
    }
    out->span = (isocast_span){begin, c->at};
    while (c->at < c->end && strchr(" \t", c->source->text[c->at]) != NULL) {
        c->at++;
    }
    return c->at == c->end || is_next(c, "+");
}

static isocast_list_range range_of(const part *p, size_t number) {
    isocast_list_range range = p->steps;
    range.from = p->first.numbers[number];
    range.to = p->last.numbers[number];
    return range;
}

/* Numbers of a set that differ between both ends step together. */
static isocast_status count_values(const listing *l, part *p) {
    size_t counted = 0;
    for (size_t i = 0; i < 2; i++) {
        isocast_list_range range = range_of(p, i);
        if (range.from == range.to) {
            continue;
        }
        double count = isocast_list_range_count(&range);
        if (count == 0) {
            return isocast_diagnostics_refuse(
                l->diagnostics, l->source, p->span,
                "a range rises: the step must be above 0, a factor above 1",
                "this range never reaches its end");
        }
        if (counted++ > 0 && count != p->count) {
            isocast_diagnostics_add(l->diagnostics, ISOCAST_ERROR, l->source, p->span,
                                    "k and m of kxm step together; give one of them a range, or "
                                    "write the sets one by one",
                                    "the processes on a node have %.10g values in this range, the "
                                    "nodes %.10g",
                                    p->count, count);
            return ISOCAST_INVALID;
        }
        p->count = count;
    }
    return ISOCAST_OK;
}

/* The values of the whole: those of its ranges, which must be equally many. */
static isocast_status join_values(const listing *l, const part *p, pattern *out) {
    if (p->count == 1) {
        return ISOCAST_OK;
    }
    if (out->values > 1 && p->count != out->values) {
        isocast_diagnostics_add(l->diagnostics, ISOCAST_ERROR, l->source, p->span,
                                "ranges of a mix step together: give them equally many values, or "
                                "write the mixes one by one",
                                "this range has %.10g values, the one before it %.10g", p->count,
                                out->values);
        return ISOCAST_INVALID;
    }
    out->values = p->count;
    return ISOCAST_OK;
}

static isocast_status read_pattern(const listing *l, isocast_span span, pattern *out) {
    cursor c = {l->source, span.begin, span.end};
    isocast_status status = ISOCAST_OK;
    out->values = 1;
    while (status == ISOCAST_OK) {
        part p;
        size_t begin = c.at;
        if (!read_part(&c, &p)) {
            size_t plus = begin;
            while (plus < span.end && l->source->text[plus] != '+') {
                plus++;
            }
            return isocast_diagnostics_refuse(
                l->diagnostics, l->source, (isocast_span){begin, plus},
                "write a range as 2..64*2, 100..500+100, 1..8 or 2x4..2x16*2, behind "
                "class: where the machine has several",
                "this is not a range");
        }
        status = count_values(l, &p);
        status = status == ISOCAST_OK ? join_values(l, &p, out) : status;
        if (!ISOCAST_ARRAY_ADD(out->parts, out->count, out->capacity, p)) {
            return ISOCAST_NO_MEMORY;
        }
        if (c.at == span.end) {
            break;
        }
        c.at++;
    }
    return status;
}

/* The k-th system of a pattern as if it stood there. */
static void write_system(const listing *l, const pattern *from, double k, isocast_buffer *out) {
    for (size_t i = 0; i < from->count; i++) {
        const part *p = &from->parts[i];
        isocast_buffer_puts(out, i > 0 ? "+" : "");
        isocast_buffer_append(out, l->source->text + p->prefix.begin,
                              p->prefix.end - p->prefix.begin);
        for (size_t n = 0; n < (p->first.is_set ? 2 : 1); n++) {
            isocast_list_range range = range_of(p, n);
            double number = range.from == range.to ? range.from : isocast_list_range_at(&range, k);
            isocast_buffer_printf(out, "%s%.15g", n > 0 ? "x" : "", number);
        }
    }
}

static isocast_status add(listing *l, const isocast_source *source, isocast_span span,
                          isocast_span entry) {
    if (l->count == ISOCAST_LIST_MAX) {
        return isocast_diagnostics_refuse(l->diagnostics, l->source, entry, NULL,
                                          "the list is too long (at most 100000 entries)");
    }
    if (!isocast_array_grow((void **)&l->systems, l->count, &l->capacity, sizeof *l->systems)) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = isocast_system_parse(l->machine, l->program, source, span,
                                                 l->diagnostics, &l->systems[l->count]);
    l->count += status == ISOCAST_OK;
    return status;
}

/* Up to the first system that is none: the others have the same fault. */
static isocast_status add_pattern(listing *l, const pattern *from, isocast_span entry) {
    isocast_status status = ISOCAST_OK;
    for (double k = 0; k < from->values && status == ISOCAST_OK; k++) {
        isocast_buffer text = {0};
        write_system(l, from, k, &text);
        isocast_source *source = NULL;
        status = text.failed
                     ? ISOCAST_NO_MEMORY
                     : isocast_source_create(l->source->name, text.text, text.length, &source);
        isocast_buffer_free(&text);
        if (status == ISOCAST_OK) {
            status = add(l, source, (isocast_span){0, source->length}, entry);
        }
        isocast_source_free(source);
    }
    return status;
}

static bool is_named(const listing *l, isocast_span span) {
    for (size_t i = 0; i < l->machine->system_count; i++) {
        const char *name = l->machine->systems[i].name;
        if (strlen(name) == span.end - span.begin &&
            memcmp(name, l->source->text + span.begin, span.end - span.begin) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_range(const listing *l, isocast_span span) {
    for (size_t i = span.begin; i + 1 < span.end; i++) {
        if (l->source->text[i] == '.' && l->source->text[i + 1] == '.') {
            return true;
        }
    }
    return false;
}

static isocast_status add_entry(listing *l, isocast_span span) {
    if (is_named(l, span) || !has_range(l, span)) {
        return add(l, l->source, span, span);
    }
    pattern from = {0};
    isocast_status status = read_pattern(l, span, &from);
    if (status == ISOCAST_OK) {
        status = add_pattern(l, &from, span);
    }
    free(from.parts);
    return status;
}

isocast_status isocast_systems_parse(const isocast_machine *machine, const char *program,
                                     const char *label, const char *text,
                                     isocast_diagnostics *diagnostics, isocast_system ***out,
                                     size_t *count) {
    isocast_source *source = NULL;
    isocast_list_item *entries = NULL;
    size_t entry_count = 0;
    isocast_status status = isocast_source_create(label, text, strlen(text), &source);
    if (status == ISOCAST_OK) {
        status = isocast_list_entries(source, diagnostics, &entries, &entry_count);
    }
    listing l = {
        .machine = machine, .program = program, .source = source, .diagnostics = diagnostics};
    bool readable = status == ISOCAST_OK;
    for (size_t i = 0; readable && status != ISOCAST_NO_MEMORY && i < entry_count; i++) {
        isocast_status one = add_entry(&l, entries[i].span);
        status = one != ISOCAST_OK ? one : status;
    }
    isocast_source_free(source);
    free(entries);
    if (status != ISOCAST_OK) {
        isocast_systems_free(l.systems, l.count);
        return status;
    }
    *out = l.systems;
    *count = l.count;
    return ISOCAST_OK;
}

isocast_status isocast_system_named(const isocast_machine *machine, const char *program,
                                    const char *label, const char *text,
                                    isocast_diagnostics *diagnostics, isocast_system **out) {
    isocast_diagnostics unheard = {0};
    isocast_system **systems = NULL;
    size_t count = 0;
    isocast_status status =
        isocast_systems_parse(machine, program, label, text,
                              diagnostics != NULL ? diagnostics : &unheard, &systems, &count);
    if (status == ISOCAST_OK) {
        *out = systems[0];
        systems[0] = NULL;
    }
    isocast_systems_free(systems, count);
    isocast_diagnostics_clear(&unheard);
    return status;
}
