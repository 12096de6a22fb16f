#include "import_reader.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/operation_name.h"

/* No timing reaches these limits. Beyond them, sums of squares would overflow. */
static const double processes_most = 1e9;
static const double bytes_most = 1e18;
static const double seconds_most = 1e9;

void import_split(import_reader *reader) {
    reader->field_count = 0;
    const char *at = reader->line;
    while (reader->field_count < IMPORT_FIELDS_MAX) {
        while (at < reader->line_end && (*at == ' ' || *at == '\t')) {
            at++;
        }
        if (at == reader->line_end) {
            return;
        }
        import_field *field = &reader->fields[reader->field_count++];
        field->begin = at;
        while (at < reader->line_end && *at != ' ' && *at != '\t') {
            at++;
        }
        field->end = at;
    }
}

bool import_starts(const import_reader *reader, const char *prefix) {
    size_t length = strlen(prefix);
    return (size_t)(reader->line_end - reader->line) >= length &&
           memcmp(reader->line, prefix, length) == 0;
}

const char *import_find(const import_reader *reader, const char *text) {
    return memmem(reader->line, (size_t)(reader->line_end - reader->line), text, strlen(text));
}

bool import_is(import_field field, const char *text) {
    return strlen(text) == (size_t)(field.end - field.begin) &&
           memcmp(field.begin, text, strlen(text)) == 0;
}

bool import_numeric(import_field field) {
    return field.begin != NULL && field.begin < field.end &&
           strchr("0123456789.+-", *field.begin) != NULL;
}

/* Reads by the C library what is too long or too rare for the quick way. */
static bool number_of_any_kind(import_field field, double *out) {
    char text[64];
    size_t length = (size_t)(field.end - field.begin);
    if (field.begin == NULL || length == 0 || length >= sizeof text || !import_numeric(field) ||
        memchr(field.begin, 'x', length) != NULL || memchr(field.begin, 'X', length) != NULL) {
        return false;
    }
    memcpy(text, field.begin, length);
    text[length] = '\0';
    char *end = NULL;
    *out = strtod(text, &end);
    return *end == '\0' && isfinite(*out);
}

/* Digits with at most one point; how many follow it is taken off *exponent. The place after them;
 * NULL where there are more digits than a double holds exactly. */
static const char *read_digits(const char *at, const char *end, uint64_t *digits, int *exponent) {
    enum { DIGITS_MAX = 15 };
    int count = 0;
    int after = 0;
    bool point = false;
    for (; at < end && count <= DIGITS_MAX; at++) {
        if (*at >= '0' && *at <= '9') {
            *digits = 10 * *digits + (uint64_t)(*at - '0');
            count += *digits > 0;
            after += point;
        } else if (*at == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    *exponent -= after;
    return count <= DIGITS_MAX ? at : NULL;
}

/* Reads an exponent such as "e-06"; false where there is none, or a large one. */
static bool read_exponent(const char *at, const char *end, int *exponent) {
    bool negative = at + 1 < end && at[1] == '-';
    at += 1 + (at + 1 < end && (at[1] == '-' || at[1] == '+'));
    int value = 0;
    if (at == end || end - at > 2) {
        return false;
    }
    for (; at < end; at++) {
        if (*at < '0' || *at > '9') {
            return false;
        }
        value = 10 * value + (*at - '0');
    }
    *exponent += negative ? -value : value;
    return true;
}

bool import_number(import_field field, double *out) {
    /* Powers of ten that a double holds exactly: up to 15 digits times or over one of them is the
     * nearest double, so the quick way reads what strtod() does. */
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { TENS = sizeof tens / sizeof tens[0] };
    uint64_t digits = 0;
    int exponent = 0;
    const char *at = read_digits(field.begin, field.end, &digits, &exponent);
    bool quick = at != NULL && at > field.begin && field.begin[0] != '.' &&
                 (at == field.end ||
                  ((*at == 'e' || *at == 'E') && read_exponent(at, field.end, &exponent)));
    if (!quick || exponent <= -TENS || exponent >= TENS) {
        return number_of_any_kind(field, out);
    }
    *out = exponent < 0 ? (double)digits / tens[-exponent] : (double)digits * tens[exponent];
    return true;
}

/* A source in which the present line has its place in the file; only this place and the text are
 * shown. */
static isocast_source *source_of_line(const import_reader *reader) {
    size_t before = reader->line_number - 1;
    size_t length = (size_t)(reader->line_end - reader->line);
    char *text = malloc(before + length + 1);
    isocast_source *source = NULL;
    if (text != NULL) {
        memset(text, '\n', before);
        for (size_t i = 0; i < length; i++) {
            text[before + i] = (char)(reader->line[i] == '\0' ? ' ' : reader->line[i]);
        }
        text[before + length] = '\0';
        if (isocast_source_create(reader->name, text, before + length, &source) != ISOCAST_OK) {
            source = NULL;
        }
    }
    free(text);
    return source;
}

void import_problem(import_reader *reader, import_field field, const char *hint, const char *format,
                    ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    reader->problems++;
    isocast_source *source = source_of_line(reader);
    if (source == NULL) {
        reader->no_memory = true;
        return;
    }
    size_t before = reader->line_number - 1;
    isocast_span span = {before + (size_t)(field.begin - reader->line),
                         before + (size_t)(field.end - reader->line)};
    isocast_diagnostics_add(reader->diagnostics, ISOCAST_ERROR, source, span, hint, "%s", message);
    isocast_source_free(source);
}

void import_limit(import_reader *reader, size_t count, size_t most, const char *what) {
    if (count > most) {
        import_problem(reader, (import_field){reader->line, reader->line_end},
                       "give the timings in parts", "there are more than %zu %s", most, what);
        /* Every row from here on would say the same. */
        reader->problems += IMPORT_PROBLEMS_MAX;
    }
}

void import_operation(import_reader *reader, const char *words, size_t length, bool small) {
    char name[IMPORT_NAME_MAX];
    size_t used = 0;
    if (!isocast_operation_starts(words, length)) {
        used = strlen(ISOCAST_OPERATION_PREFIX);
        memcpy(name, ISOCAST_OPERATION_PREFIX, used);
    }
    for (size_t i = 0; i < length && used < sizeof name - 1; i++) {
        unsigned char byte = (unsigned char)words[i];
        bool plain = byte < 0x80 && (isalnum(byte) || byte == '_');
        name[used++] = (char)(!plain ? '_' : small ? tolower(byte) : byte);
    }
    size_t index = isocast_text_index_number(&reader->out->operations, name, used);
    reader->has_operation = index != (size_t)-1;
    reader->no_memory = reader->no_memory || !reader->has_operation;
    reader->operation = (uint32_t)index;
    import_limit(reader, reader->out->operations.count, IMPORT_OPERATIONS_MAX, "operations");
}

void import_known_operation(import_reader *reader, const char *words, size_t length,
                            const char *const *(*names_of)(const isocast_known_operation *known)) {
    import_field field = {words, words + length};
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        const isocast_known_operation *known = &isocast_known_operations[i];
        const char *const *names = names_of(known);
        for (size_t k = 0; k < ISOCAST_OPERATION_NAMES_MAX && names[k] != NULL; k++) {
            if (import_is(field, names[k])) {
                import_operation(reader, known->name, strlen(known->name), false);
                return;
            }
        }
    }
    import_operation(reader, words, length, true);
}

static const char *const *names_of_mpi(const isocast_known_operation *known) {
    return known->imb;
}

void import_mpi_operation(import_reader *reader, const char *words, size_t length) {
    import_known_operation(reader, words, length, names_of_mpi);
}

void import_launch(import_reader *reader, const char *text, size_t length) {
    char name[IMPORT_NAME_MAX + 16];
    int used = snprintf(name, sizeof name, "%u:%.*s", reader->file,
                        (int)(length < IMPORT_NAME_MAX ? length : IMPORT_NAME_MAX), text);
    size_t index = isocast_text_index_number(&reader->out->launches, name, (size_t)used);
    reader->has_launch = index != (size_t)-1;
    reader->no_memory = reader->no_memory || !reader->has_launch;
    reader->launch = (uint32_t)index;
    import_limit(reader, reader->out->launches.count, IMPORT_LAUNCHES_MAX, "launches");
}

void import_next_run(import_reader *reader) {
    char text[16];
    int length = snprintf(text, sizeof text, "%u", reader->run++);
    import_launch(reader, text, (size_t)length);
}

bool import_values(import_reader *reader, import_field m, double bytes_each, import_field time,
                   double unit, double *bytes, double *seconds) {
    *bytes = 0;
    if (m.begin != NULL &&
        (!import_number(m, bytes) || *bytes < 0 || *bytes * bytes_each > bytes_most)) {
        import_problem(reader, m, "write a plain number of bytes, 0 or more",
                       "'%.*s' is not a message size", (int)(m.end - m.begin), m.begin);
        return false;
    }
    if (!import_number(time, seconds) || *seconds < 0 || *seconds * unit > seconds_most) {
        import_problem(reader, time, "write a plain number, 0 or more", "'%.*s' is not a time",
                       (int)(time.end - time.begin), time.begin);
        return false;
    }
    *bytes *= bytes_each;
    *seconds *= unit;
    return true;
}

bool import_processes(double p) {
    return p >= 1 && p <= processes_most && p == floor(p);
}

void import_row(import_reader *reader, import_field m, double bytes_each, import_field time,
                double unit) {
    double bytes = 0;
    double seconds = 0;
    if (!import_values(reader, m, bytes_each, time, unit, &bytes, &seconds)) {
        return;
    }
    if (!import_processes(reader->processes)) {
        import_problem(reader, (import_field){reader->line, reader->line_end},
                       "give --processes N, or put a line '# processes: N' before it",
                       "how many processes took part is not in the file");
        /* Every other row would say the same. */
        reader->problems += IMPORT_PROBLEMS_MAX;
        return;
    }
    if (!reader->has_launch) {
        import_launch(reader, "", 0);
    }
    reader->rows++;
    reader->no_memory =
        reader->no_memory || !observations_add(reader->out, reader->operation, reader->launch,
                                               reader->processes, bytes, seconds);
    import_limit(reader, reader->out->count, IMPORT_PLACES_MAX,
                 "places of operation, launch, p and m");
}

void import_row_in_us(import_reader *reader) {
    if (reader->field_count <= (size_t)reader->time_column ||
        reader->field_count < reader->heading_columns) {
        import_problem(reader, (import_field){reader->line, reader->line_end},
                       "the heading above has more columns", "this row is cut off");
        return;
    }
    import_field none = {NULL, NULL};
    import_row(reader, reader->size_column >= 0 ? reader->fields[reader->size_column] : none, 1,
               reader->fields[reader->time_column], 1e-6);
}
