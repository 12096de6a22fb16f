/* The one way to open a file that is read, and its lines. A name may come from a stranger's file,
 * and behind it may stand a folder, a pipe that nobody writes to, or a device without an end.
 * Knows nothing of what files mean. */
#ifndef ISOCAST_INPUT_H
#define ISOCAST_INPUT_H

#include <stdio.h>

#include "diagnostic.h"

typedef enum isocast_input_kind {
    ISOCAST_INPUT_ANY,  /* also a pipe or a device: the user named it, and it is read once */
    ISOCAST_INPUT_PLAIN /* a plain file alone: another file names it, or it is read twice */
} isocast_input_kind;

/* Opens a file of at most so many bytes. Who reads what is no plain file counts its bytes. Errors,
 * each with a diagnostic unless the list is NULL: INVALID (not there, forbidden, a folder, another
 * kind of file, too large), IO (the system cannot open it), NO_MEMORY. */
isocast_status isocast_input_open(const char *path, isocast_input_kind kind, size_t most,
                                  isocast_diagnostics *diagnostics, FILE **out);

/* A plain file of any size, for a look at it; NULL where there is none. */
FILE *isocast_input_look(const char *path);

/* The next line with its break, NUL-terminated, and its length; 0 at the end of the file, or where
 * it cannot be read (see ferror). `text` has room for most + 2 bytes. Of a line that is longer than
 * `most`, only the first most + 1 bytes are read; isocast_input_is_long() speaks of it. */
size_t isocast_input_line(FILE *file, char *text, size_t most);
bool isocast_input_is_long(const char *text, size_t length, size_t most);

#endif
