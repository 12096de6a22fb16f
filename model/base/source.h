/* The text of one input file and places in it. Owns the bytes; knows nothing of what they mean. */
#ifndef ISOCAST_SOURCE_H
#define ISOCAST_SOURCE_H

#include <stddef.h>

#include "status.h"

/* A half-open range of byte offsets into a source. */
typedef struct isocast_span {
    size_t begin;
    size_t end;
} isocast_span;

typedef struct isocast_source {
    char *name;    /* as diagnostics print it: the path, or a label such as "--to" */
    char *text;    /* NUL-terminated, and without a NUL before the end */
    size_t length; /* bytes, without the NUL */
} isocast_source;

/* Copies name and text into a new source. Errors: NO_MEMORY. */
isocast_status isocast_source_create(const char *name, const char *text, size_t length,
                                     isocast_source **out);
/* The same without a copy: takes over the text, which a NUL follows, also where it fails. NULL is
 * no memory. */
isocast_status isocast_source_own(const char *name, char *text, size_t length,
                                  isocast_source **out);
void isocast_source_free(isocast_source *source);

/* Line and column of a byte offset, both counted from one; a column is a byte of the line.
 * An offset past the end is taken as the end. */
void isocast_source_locate(const isocast_source *source, size_t offset, size_t *line,
                           size_t *column);

/* The bytes of the line that holds the offset, without its newline. */
isocast_span isocast_source_line(const isocast_source *source, size_t offset);

/* Where the line after that begins, behind "\n" or "\r\n"; at most the length of the text. */
size_t isocast_source_next_line(const isocast_source *source, size_t offset);

#endif
