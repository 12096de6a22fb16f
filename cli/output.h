/* Where results go: standard output, or a file that appears whole or not at all. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stddef.h>

#include "buffer.h"

/* Writes `length` bytes to `path` through a temporary file beside it, flushed to disk, then
 * renamed; the old file stays as it was on any failure. NULL or "-" is standard output. A failure
 * is printed to stderr with its cause; gives CLI_EXIT_OK or CLI_EXIT_SYSTEM. */
int cli_output_write(const char *path, const char *bytes, size_t length);

/* The same for a finished text, which is freed; one that memory was too short for is told. */
int cli_output_write_text(const char *path, isocast_buffer *text);

#endif
