#include "axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/list.h"
#include "model/base/text.h"

typedef struct reading {
    isocast_reader reader;
    isocast_axis axis;
    bool draws;
    bool dimension_known;
    size_t capacity;
} reading;

static const char how_to_write[] =
    "write values as 1ns,2ns or 1ns..8ns*2 or 1ns..5ns+1ns, and a range with a number of values as "
    "1ns..5ns:lin:9 or 1ns..5ns:log:9";

static isocast_span trim(const isocast_source *source, isocast_span span) {
    while (span.begin < span.end && strchr(" \t", source->text[span.begin]) != NULL) {
        span.begin++;
    }
    while (span.end > span.begin && strchr(" \t", source->text[span.end - 1]) != NULL) {
        span.end--;
    }
    return span;
}

/* Where a byte stands first in a span; its end where it does not. */
static size_t find_byte(const isocast_source *source, isocast_span span, char byte) {
    const char *found = memchr(source->text + span.begin, byte, span.end - span.begin);
    return found != NULL ? (size_t)(found - source->text) : span.end;
}

static size_t find_dots(const isocast_source *source, isocast_span span) {
    size_t at = span.begin;
    while (at + 1 < span.end && (source->text[at] != '.' || source->text[at + 1] != '.')) {
        at++;
    }
    return at + 1 < span.end ? at : span.end;
}

static void refuse(reading *r, isocast_span span, const char *hint, const char *message) {
    isocast_reader_refuse(&r->reader, span, hint, "%s", message);
}

/* A number with its unit, of the dimension of the name; NAN with a diagnostic. */
static double read_value(reading *r, isocast_span span) {
    span = trim(r->reader.source, span);
    if (span.begin >= span.end) {
        refuse(r, (isocast_span){span.begin, span.begin + 1}, how_to_write, "a value is missing");
        return NAN;
    }
    isocast_varied *variable = &r->axis.variable;
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    isocast_formula_place place = {.what = variable->name,
                                   .dimension = variable->dimension,
                                   .any_dimension = variable->any_dimension && !r->dimension_known,
                                   .also = variable->is_time_per_flop ? &time : NULL};
    isocast_tree_node node = {.kind = ISOCAST_TREE_SCALAR,
                              .span = span,
                              .text = r->reader.source->text + span.begin,
                              .verbatim = true};
    isocast_dimension dimension = variable->dimension;
    double value = isocast_reader_number(&r->reader, &node, &place, &dimension);
    if (!isnan(value) && variable->any_dimension && !r->dimension_known) {
        variable->dimension = dimension;
        r->dimension_known = true;
    }
    return value;
}

/* Whether the name may have the value; else a diagnostic. */
static bool check_value(reading *r, isocast_span span, double value) {
    const isocast_varied *v = &r->axis.variable;
    span = trim(r->reader.source, span);
    bool low = value < v->least || (v->above && value == v->least);
    if (isnan(value)) {
        return false;
    }
    if (low || value > v->most) {
        isocast_reader_refuse(&r->reader, span, NULL, "%s must be %s %g, this is %g", v->name,
                              !low       ? "at most"
                              : v->above ? "above"
                                         : "at least",
                              low ? v->least : v->most, value);
        return false;
    }
    if (v->whole && value != floor(value)) {
        isocast_reader_refuse(&r->reader, span, NULL, "%s must be a whole number, this is %g",
                              v->name, value);
        return false;
    }
    return true;
}

static double read_checked(reading *r, isocast_span span) {
    double value = read_value(r, span);
    return check_value(r, span, value) ? value : NAN;
}

static bool append(reading *r, isocast_span span, double value) {
    size_t count = (size_t)r->axis.count;
    if (count == ISOCAST_LIST_MAX) {
        refuse(r, span, "give a range with a number of values, such as 1ns..5ns:lin:200000",
               "the list is too long (at most 100000 values)");
        return false;
    }
    if (!isocast_array_grow((void **)&r->axis.values, count, &r->capacity,
                            sizeof *r->axis.values)) {
        isocast_reader_fail(&r->reader);
        return false;
    }
    r->axis.values[count] = value;
    r->axis.count = (double)(count + 1);
    return true;
}

/* Where "+step" or "*factor" begins behind the dots; the end of the span where there is none. The
 * sign of an exponent, and of a number, is no step. */
static size_t find_step(const isocast_source *source, isocast_span span) {
    for (size_t i = span.begin + 1; i < span.end; i++) {
        char before = source->text[i - 1];
        bool exponent = (before == 'e' || before == 'E') && i >= span.begin + 2 &&
                        strchr("0123456789.", source->text[i - 2]) != NULL;
        if (source->text[i] == '*' || (source->text[i] == '+' && !exponent)) {
            return i;
        }
    }
    return span.end;
}

/* A plain number above 1. */
static double read_factor(reading *r, isocast_span span) {
    isocast_varied named = r->axis.variable;
    bool known = r->dimension_known;
    r->axis.variable.dimension = isocast_dimension_count;
    r->axis.variable.is_time_per_flop = false;
    r->dimension_known = true;
    double factor = read_value(r, span);
    r->axis.variable = named;
    r->dimension_known = known;
    return factor;
}

/* "from..to+step" and "from..to*factor": as many values as the step leads to. */
static void read_steps(reading *r, isocast_span span, size_t dots, size_t step) {
    const isocast_source *source = r->reader.source;
    isocast_span behind = {step + 1, span.end};
    isocast_list_range range = {.by_factor = source->text[step] == '*'};
    range.from = read_checked(r, (isocast_span){span.begin, dots});
    range.to = read_value(r, (isocast_span){dots + 2, step});
    range.step = range.by_factor ? read_factor(r, behind) : read_value(r, behind);
    if (isnan(range.from) || isnan(range.to) || isnan(range.step)) {
        return;
    }
    double count = isocast_list_range_count(&range);
    if (count == 0) {
        refuse(r, span, "a range rises: the step must be above 0, a factor above 1",
               "this range never reaches its end");
        return;
    }
    if (!(count <= ISOCAST_LIST_MAX)) {
        isocast_reader_refuse(&r->reader, span, "take a larger step",
                              "the range has %.6g values (at most 100000)", count);
        return;
    }
    for (double k = 0; k < count; k++) {
        double value = isocast_list_range_at(&range, k);
        if (!check_value(r, span, value) || !append(r, span, value)) {
            return;
        }
    }
}

static bool spells(const isocast_source *source, isocast_span span, const char *word) {
    span = trim(source, span);
    return strlen(word) == span.end - span.begin &&
           memcmp(source->text + span.begin, word, span.end - span.begin) == 0;
}

/* A whole number of values, at least 2. */
static bool read_count(reading *r, isocast_span span) {
    double count = read_factor(r, span);
    if (isnan(count)) {
        return false;
    }
    if (count < 2 || count != floor(count)) {
        refuse(r, trim(r->reader.source, span), NULL,
               "a range has a whole number of values, at least 2");
        return false;
    }
    if (count > ISOCAST_AXIS_COUNT_MAX) {
        isocast_reader_refuse(&r->reader, trim(r->reader.source, span), NULL,
                              "%.6g values are too many (at most %g)", count,
                              ISOCAST_AXIS_COUNT_MAX);
        return false;
    }
    r->axis.count = count;
    return true;
}

/* ":lin:9", ":log:9", ":lin", ":log" or nothing, behind the ends of a range. */
static bool read_scale(reading *r, isocast_span range, isocast_span span) {
    const isocast_source *source = r->reader.source;
    r->axis.scale = ISOCAST_AXIS_LINEAR;
    r->axis.drawn = true;
    r->axis.count = 1;
    if (span.begin < span.end) {
        isocast_span rest = {span.begin + 1, span.end};
        size_t colon = find_byte(source, rest, ':');
        isocast_span word = {rest.begin, colon};
        bool log = spells(source, word, "log");
        if (!log && !spells(source, word, "lin")) {
            refuse(r, trim(source, word), how_to_write, "the scale is lin or log");
            return false;
        }
        r->axis.scale = log ? ISOCAST_AXIS_LOG : ISOCAST_AXIS_LINEAR;
        r->axis.drawn = colon == span.end;
        if (!r->axis.drawn && !read_count(r, (isocast_span){colon + 1, span.end})) {
            return false;
        }
    }
    if (r->axis.drawn && !r->draws) {
        refuse(r, range,
               "write how many, such as 1ns..5ns:log:9, or have them drawn with --design "
               "random:1000",
               "this range does not say how many values it has");
        return false;
    }
    return true;
}

/* "from..to:log:25". */
static void read_range(reading *r, isocast_span span, size_t dots, size_t colon) {
    isocast_span first = {span.begin, dots};
    isocast_span last = {dots + 2, colon};
    r->axis.from = read_checked(r, first);
    r->axis.to = read_checked(r, last);
    if (isnan(r->axis.from) || isnan(r->axis.to) ||
        !read_scale(r, span, (isocast_span){colon, span.end})) {
        return;
    }
    if (!(r->axis.to > r->axis.from)) {
        refuse(r, (isocast_span){span.begin, colon},
               "write the smaller end first, and a unit at both ends",
               "this range never reaches its end");
    } else if (r->axis.scale == ISOCAST_AXIS_LOG && r->axis.from <= 0) {
        refuse(r, trim(r->reader.source, first), "take lin, or begin above 0",
               "a range with equal factors begins above 0");
    }
}

static void read_item(reading *r, isocast_span span, bool alone) {
    const isocast_source *source = r->reader.source;
    span = trim(source, span);
    size_t dots = find_dots(source, span);
    if (dots == span.end) {
        double value = read_checked(r, span);
        if (!isnan(value)) {
            append(r, span, value);
        }
        return;
    }
    isocast_span behind = {dots + 2, span.end};
    size_t colon = find_byte(source, behind, ':');
    size_t step = find_step(source, (isocast_span){behind.begin, colon});
    if (step < colon && colon == span.end) {
        read_steps(r, span, dots, step);
    } else if (!alone) {
        refuse(r, span, "give it alone, or with a step: 1ns..8ns*2",
               "a list has no range without a step");
    } else {
        read_range(r, span, dots, colon);
    }
}

static void read_values(reading *r, isocast_span span) {
    const isocast_source *source = r->reader.source;
    bool alone = find_byte(source, span, ',') == span.end;
    size_t begin = span.begin;
    while (begin <= span.end && r->reader.status != ISOCAST_NO_MEMORY) {
        size_t comma = find_byte(source, (isocast_span){begin, span.end}, ',');
        read_item(r, (isocast_span){begin, comma}, alone);
        begin = comma + 1;
    }
}

/* Parts NAME from VALUES and reads both. */
static void read_axis(reading *r, const isocast_algorithm *algorithm,
                      const isocast_machine *machine, const isocast_platform *platform) {
    const isocast_source *source = r->reader.source;
    unsigned code = 0;
    size_t control = isocast_text_find_control(source->text, source->length, &code);
    if (control < source->length) {
        isocast_reader_refuse(&r->reader, (isocast_span){control, control + 1}, NULL,
                              "this holds the control character U+%04X", code);
        return;
    }
    size_t equals = strcspn(source->text, "=");
    isocast_span name = trim(source, (isocast_span){0, equals});
    if (name.begin == name.end || equals + 1 >= source->length) {
        refuse(r, (isocast_span){0, source->length},
               "write a name and its values, such as t_c=1ns..5ns:log:9",
               "this does not vary anything");
    } else if (isocast_varied_find(&r->reader, name, algorithm, machine, platform,
                                   &r->axis.variable)) {
        read_values(r, (isocast_span){equals + 1, source->length});
    }
}

isocast_status isocast_axis_read(const char *label, const char *text, bool draws,
                                 const isocast_algorithm *algorithm, const isocast_machine *machine,
                                 const isocast_platform *platform, isocast_diagnostics *diagnostics,
                                 isocast_axis *out) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_create(label, text, strlen(text), &source);
    if (status != ISOCAST_OK) {
        return status;
    }
    reading r = {.reader = {source, diagnostics, ISOCAST_OK}, .draws = draws};
    read_axis(&r, algorithm, machine, platform);
    isocast_source_free(source);
    if (r.reader.status != ISOCAST_OK) {
        isocast_axis_free(&r.axis);
        return r.reader.status;
    }
    *out = r.axis;
    return ISOCAST_OK;
}

void isocast_axis_free(isocast_axis *axis) {
    free(axis->variable.name);
    free(axis->values);
    *axis = (isocast_axis){0};
}

static double between(const isocast_axis *axis, double share) {
    return axis->scale == ISOCAST_AXIS_LOG ? axis->from * pow(axis->to / axis->from, share)
                                           : axis->from + (axis->to - axis->from) * share;
}

double isocast_axis_at(const isocast_axis *axis, double k) {
    if (axis->scale == ISOCAST_AXIS_LIST) {
        return axis->values[(size_t)k];
    }
    /* The ends as they were given, whatever rounding makes of them. */
    double value = k == 0                 ? axis->from
                   : k == axis->count - 1 ? axis->to
                                          : between(axis, k / (axis->count - 1));
    return axis->variable.whole ? round(value) : value;
}

double isocast_axis_draw(const isocast_axis *axis, double u) {
    if (!axis->variable.whole) {
        return fmin(fmax(between(axis, u), axis->from), axis->to);
    }
    /* Each whole number has as wide a part of the range, and the last one its own. */
    isocast_axis wider = *axis;
    wider.to = axis->to + 1;
    return fmin(floor(between(&wider, u)), axis->to);
}
