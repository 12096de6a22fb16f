#include "samples.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool add_environment(samples *s, const char *line) {
    size_t old = s->environment != NULL ? strlen(s->environment) : 0;
    if (s->environment != NULL && strstr(s->environment, line) != NULL) {
        return true;
    }
    size_t size = old + strlen(line) + 2;
    char *text = realloc(s->environment, size);
    if (text == NULL) {
        return false;
    }
    snprintf(text + old, size - old, "%s\n", line);
    s->environment = text;
    return true;
}

static unsigned operation_index(samples *s, const char *name, size_t length) {
    for (size_t i = 0; i < s->operation_count; i++) {
        if (strlen(s->operations[i]) == length && memcmp(s->operations[i], name, length) == 0) {
            return (unsigned)i;
        }
    }
    if (s->operation_count == SAMPLES_OPERATIONS_MOST || length == 0 ||
        length >= SAMPLES_NAME_MOST) {
        return SAMPLES_OPERATIONS_MOST;
    }
    memcpy(s->operations[s->operation_count], name, length);
    return (unsigned)s->operation_count++;
}

/* The number up to the next comma; false where it is none. */
static bool read_field(const char **text, double *out) {
    char *end = NULL;
    *out = strtod(*text, &end);
    bool complete = end != *text && (*end == ',' || *end == '\0') && isfinite(*out);
    *text = *end == ',' ? end + 1 : end;
    return complete;
}

static bool parse_row(samples *s, const char *line, sample *row) {
    double launch;
    double index;
    const char *text = line;
    if (!read_field(&text, &launch) || launch < 0 || launch > 1e6) {
        return false;
    }
    size_t length = strcspn(text, ",");
    row->operation = operation_index(s, text, length);
    text += length + (text[length] == ',');
    row->launch = (unsigned)launch;
    return row->operation < SAMPLES_OPERATIONS_MOST && read_field(&text, &row->p) && row->p >= 1 &&
           read_field(&text, &row->m) && row->m >= 0 && read_field(&text, &index) &&
           read_field(&text, &row->seconds) && row->seconds >= 0;
}

samples_line samples_add_line(samples *s, const char *line) {
    if (line[0] == '#') {
        return add_environment(s, line) ? SAMPLES_LINE_ENVIRONMENT : SAMPLES_LINE_NO_MEMORY;
    }
    if (line[0] == '\0' || strcmp(line, SAMPLES_HEADER) == 0) {
        return SAMPLES_LINE_HEADER;
    }
    sample row;
    if (!parse_row(s, line, &row)) {
        return SAMPLES_LINE_BAD;
    }
    if (s->count == s->capacity) {
        size_t capacity = s->capacity == 0 ? 1024 : 2 * s->capacity;
        sample *rows = realloc(s->rows, capacity * sizeof *rows);
        if (rows == NULL) {
            return SAMPLES_LINE_NO_MEMORY;
        }
        s->rows = rows;
        s->capacity = capacity;
    }
    s->rows[s->count++] = row;
    return SAMPLES_LINE_ROW;
}

bool samples_read(samples *s, const char *path, size_t *line) {
    *line = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    char *text = NULL;
    size_t capacity = 0;
    bool good = true;
    size_t number = 0;
    while (good && getline(&text, &capacity, file) >= 0) {
        number++;
        text[strcspn(text, "\r\n")] = '\0';
        samples_line kind = samples_add_line(s, text);
        good = kind != SAMPLES_LINE_BAD && kind != SAMPLES_LINE_NO_MEMORY;
        *line = good ? 0 : number;
    }
    good = good && !ferror(file);
    free(text);
    fclose(file);
    return good;
}

void samples_free(samples *s) {
    free(s->rows);
    free(s->environment);
    *s = (samples){0};
}
