/* How many columns of a terminal a UTF-8 text takes. */
#ifndef CLI_TEXT_WIDTH_H
#define CLI_TEXT_WIDTH_H

#include <stddef.h>

/* Bytes that are no UTF-8 and control characters count as one column each. */
size_t cli_text_width(const char *text);

/* The same for the first `length` bytes, none of them NUL. */
size_t cli_bytes_width(const char *text, size_t length);

#endif
