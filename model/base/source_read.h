/* Input files as sources: text in UTF-8 of bounded size. Knows nothing of what they mean. */
#ifndef ISOCAST_SOURCE_READ_H
#define ISOCAST_SOURCE_READ_H

#include "input.h"

enum { ISOCAST_FILE_MAX = 4 * 1024 * 1024 /* bytes of an input file */ };

/* Reads a file whole, up to ISOCAST_FILE_MAX bytes; the size is looked at before anything is read.
 * Errors, each with a diagnostic but the last: INVALID (not there, forbidden, not a regular file or
 * pipe, too large, empty, a NUL byte, not UTF-8), IO (the system cannot open or read it),
 * NO_MEMORY.
 * "-" is standard input. */
isocast_status isocast_source_read(const char *path, isocast_diagnostics *diagnostics,
                                   isocast_source **out);

/* The same of a kind of file, up to another size in bytes. Of plain files "-" is a name. */
isocast_status isocast_source_read_kind(const char *path, isocast_input_kind kind, size_t most,
                                        isocast_diagnostics *diagnostics, isocast_source **out);

/* The same for text in memory, which is copied; `name` is what diagnostics call it. Errors: INVALID
 * (too large, empty, a NUL byte, not UTF-8), NO_MEMORY. */
isocast_status isocast_source_take(const char *name, const char *text, size_t length,
                                   isocast_diagnostics *diagnostics, isocast_source **out);

#endif
