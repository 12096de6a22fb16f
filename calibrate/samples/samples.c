#include "samples.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

/* No sample reaches these limits. Beyond them, sums of squares would overflow. */
static const double processes_most = 1e9;
static const double bytes_most = 1e18;
static const double seconds_most = 1e9;

static bool has_environment(const samples *s, const char *line) {
    size_t length = strlen(line);
    for (const char *at = s->environment; at != NULL && *at != '\0';) {
        size_t here = strcspn(at, "\n");
        if (here == length && memcmp(at, line, length) == 0) {
            return true;
        }
        at += here + (at[here] == '\n');
    }
    return false;
}

static isocast_status add_environment(samples *s, const char *line, samples_line *kind) {
    if (has_environment(s, line)) {
        *kind = SAMPLES_LINE_REPEATED;
        return ISOCAST_OK;
    }
    size_t old = s->environment != NULL ? strlen(s->environment) : 0;
    size_t length = strlen(line);
    if (old + length > SAMPLES_ENVIRONMENT_MAX) {
        return ISOCAST_INVALID;
    }
    char *text = realloc(s->environment, old + length + 2);
    if (text == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    snprintf(text + old, length + 2, "%s\n", line);
    s->environment = text;
    *kind = SAMPLES_LINE_ENVIRONMENT;
    return environment_facts_take(&s->facts, line) ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

/* Names become names in formulas. */
static bool is_name(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        bool digit = isdigit((unsigned char)text[i]) != 0;
        if (!digit && !isalpha((unsigned char)text[i]) && text[i] != '_') {
            return false;
        }
        if (digit && i == 0) {
            return false;
        }
    }
    return length > 0 && length < SAMPLES_NAME_MAX;
}

/* The index of an operation, which is added where it is new; SAMPLES_OPERATIONS_MAX where the text
 * is no name, or one name too many. */
static unsigned operation_index(samples *s, const char *text, size_t length) {
    if (!is_name(text, length)) {
        return SAMPLES_OPERATIONS_MAX;
    }
    char name[SAMPLES_NAME_MAX] = {0};
    memcpy(name, text, length);
    for (size_t i = 0; i < s->operation_count; i++) {
        if (strcmp(s->operations[i], name) == 0) {
            return (unsigned)i;
        }
    }
    if (s->operation_count == SAMPLES_OPERATIONS_MAX) {
        return SAMPLES_OPERATIONS_MAX;
    }
    memcpy(s->operations[s->operation_count], name, strlen(name) + 1);
    return (unsigned)s->operation_count++;
}

/* Reads the number up to the next comma; false where there is none. */
static bool read_field(const char **text, double *out) {
    char *end = NULL;
    *out = strtod(*text, &end);
    bool complete = end != *text && (*end == ',' || *end == '\0') && isfinite(*out);
    *text = *end == ',' ? end + 1 : end;
    return complete;
}

/* Reads the columns that show where the processes are. */
static bool read_placement(const char **text, sample *row) {
    return read_field(text, &row->nodes) && read_field(text, &row->p_node) && row->nodes >= 1 &&
           row->p_node >= 1 && row->nodes <= row->p && row->p_node <= row->p;
}

static bool parse_row(samples *s, const char *line, sample *row) {
    double launch;
    double index;
    double oversubscribed;
    const char *text = line;
    if (!read_field(&text, &launch) || launch < 0 || launch > 1e6) {
        return false;
    }
    const char *operation = text;
    size_t operation_length = strcspn(text, ",");
    text += operation_length + (text[operation_length] == ',');
    row->launch = (unsigned)launch;
    bool complete = read_field(&text, &row->p) && row->p >= 1 && row->p <= processes_most &&
                    row->p == floor(row->p) && read_field(&text, &row->m) && row->m >= 0 &&
                    row->m <= bytes_most && read_field(&text, &index) &&
                    read_field(&text, &row->seconds) && row->seconds >= 0 &&
                    row->seconds <= seconds_most;
    size_t stop_length = strcspn(text, ",");
    text += stop_length + (text[stop_length] == ',');
    complete = complete && stop_length > 0 && read_field(&text, &oversubscribed) &&
               read_placement(&text, row);
    if (!complete || *text != '\0' || text[-1] == ',') {
        return false;
    }
    row->operation = operation_index(s, operation, operation_length);
    return row->operation < SAMPLES_OPERATIONS_MAX;
}

isocast_status samples_add_line(samples *s, const char *line, samples_line *kind) {
    if (line[0] == '#') {
        return add_environment(s, line, kind);
    }
    if (line[0] == '\0' || strncmp(line, "launch,", strlen("launch,")) == 0) {
        *kind = SAMPLES_LINE_HEADER;
        return ISOCAST_OK;
    }
    sample row;
    if (!parse_row(s, line, &row)) {
        return ISOCAST_INVALID;
    }
    *kind = SAMPLES_LINE_ROW;
    return ISOCAST_ARRAY_ADD(s->rows, s->count, s->capacity, row) ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

void samples_free(samples *s) {
    free(s->rows);
    free(s->environment);
    environment_facts_free(&s->facts);
    *s = (samples){0};
}
