#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "refused.h"

static bool reserve(isocast_buffer *buffer, size_t extra) {
    if (buffer->failed) {
        return false;
    }
    size_t needed = buffer->length + extra + 1;
    if (needed <= buffer->capacity) {
        return true;
    }
    size_t capacity = buffer->capacity == 0 ? 64 : buffer->capacity;
    while (capacity < needed) {
        capacity *= 2;
    }
    char *text = realloc(buffer->text, capacity);
    if (text == NULL) {
        isocast_refused_note();
        buffer->failed = true;
        return false;
    }
    buffer->text = text;
    buffer->capacity = capacity;
    return true;
}

void isocast_buffer_append(isocast_buffer *buffer, const char *bytes, size_t length) {
    if (!reserve(buffer, length)) {
        return;
    }
    memcpy(buffer->text + buffer->length, bytes, length);
    buffer->length += length;
    buffer->text[buffer->length] = '\0';
}

void isocast_buffer_puts(isocast_buffer *buffer, const char *text) {
    isocast_buffer_append(buffer, text, strlen(text));
}

void isocast_buffer_printf(isocast_buffer *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        isocast_refused_note();
        buffer->failed = true;
    } else if (reserve(buffer, (size_t)length)) {
        vsnprintf(buffer->text + buffer->length, (size_t)length + 1, format, again);
        buffer->length += (size_t)length;
    }
    va_end(again);
}

char *isocast_buffer_take(isocast_buffer *buffer) {
    if (!reserve(buffer, 0)) {
        isocast_buffer_free(buffer);
        return NULL;
    }
    buffer->text[buffer->length] = '\0';
    char *text = buffer->text;
    *buffer = (isocast_buffer){0};
    return text;
}

void isocast_buffer_free(isocast_buffer *buffer) {
    free(buffer->text);
    *buffer = (isocast_buffer){0};
}
