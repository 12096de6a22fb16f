/* A growing text. Owns its memory; does no input or output. An allocation that fails sets
 * `failed` and the rest of the appends do nothing, so a caller checks once, at the end. */
#ifndef ISOCAST_BUFFER_H
#define ISOCAST_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/* Start from {0}. `text` is NUL-terminated once anything was appended, else NULL. */
typedef struct isocast_buffer {
    char *text;
    size_t length;   /* bytes, without the NUL */
    size_t capacity; /* bytes allocated */
    bool failed;
} isocast_buffer;

void isocast_buffer_append(isocast_buffer *buffer, const char *bytes, size_t length);
void isocast_buffer_puts(isocast_buffer *buffer, const char *text);
void isocast_buffer_printf(isocast_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Hands the text to the caller (free with free()) and empties the buffer; an empty buffer gives
 * an empty string. NULL where an append had failed. */
char *isocast_buffer_take(isocast_buffer *buffer);
void isocast_buffer_free(isocast_buffer *buffer);

#endif
