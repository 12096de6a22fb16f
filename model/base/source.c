#include "source.h"

#include <stdlib.h>
#include <string.h>

isocast_status isocast_source_create(const char *name, const char *text, size_t length,
                                     isocast_source **out) {
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return isocast_source_own(name, copy, length, out);
}

isocast_status isocast_source_own(const char *name, char *text, size_t length,
                                  isocast_source **out) {
    isocast_source *source = calloc(1, sizeof *source);
    if (source == NULL) {
        free(text);
        return ISOCAST_NO_MEMORY;
    }
    *source = (isocast_source){.name = strdup(name), .text = text, .length = length};
    if (source->name == NULL || source->text == NULL) {
        isocast_source_free(source);
        return ISOCAST_NO_MEMORY;
    }
    *out = source;
    return ISOCAST_OK;
}

void isocast_source_free(isocast_source *source) {
    if (source != NULL) {
        free(source->name);
        free(source->text);
        free(source);
    }
}

isocast_span isocast_source_line(const isocast_source *source, size_t offset) {
    isocast_span line = {offset < source->length ? offset : source->length, 0};
    line.end = line.begin;
    while (line.begin > 0 && source->text[line.begin - 1] != '\n') {
        line.begin--;
    }
    while (line.end < source->length && source->text[line.end] != '\n') {
        line.end++;
    }
    if (line.end > line.begin && source->text[line.end - 1] == '\r') {
        line.end--;
    }
    return line;
}

size_t isocast_source_next_line(const isocast_source *source, size_t offset) {
    if (offset >= source->length) {
        return source->length;
    }
    const char *end = memchr(source->text + offset, '\n', source->length - offset);
    return end != NULL ? (size_t)(end - source->text) + 1 : source->length;
}

void isocast_source_locate(const isocast_source *source, size_t offset, size_t *line,
                           size_t *column) {
    if (offset > source->length) {
        offset = source->length;
    }
    size_t line_number = 1;
    for (size_t i = 0; i < offset; i++) {
        line_number += source->text[i] == '\n';
    }
    *line = line_number;
    *column = offset - isocast_source_line(source, offset).begin + 1;
}
