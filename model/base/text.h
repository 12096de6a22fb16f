/* Characters that a text from elsewhere must not bring to a terminal: control characters (C0, DEL,
 * C1), what ends a line in YAML (U+2028, U+2029), what turns the direction of text (U+202A to
 * U+202E, U+2066 to U+2069), and bytes that are no UTF-8. Knows no file format. */
#ifndef ISOCAST_TEXT_H
#define ISOCAST_TEXT_H

#include "buffer.h"

/* Length in bytes of the UTF-8 character at `bytes`, of which `left` may be looked at (at least
 * one); 0 where there is none (RFC 3629). */
size_t isocast_text_character(const char *bytes, size_t left);

/* The code point of a character that isocast_text_character() found. */
unsigned isocast_text_code(const char *bytes, size_t length);

/* Whether a code point is one of those above. */
bool isocast_text_is_control(unsigned code);

/* Offset of the first such character, or byte that is no UTF-8, in a text of `length` bytes;
 * `length` where there is none. *code gets its code point, or the byte. */
size_t isocast_text_find_control(const char *text, size_t length, unsigned *code);

/* Appends a text with '?' in the place of each such character or byte, except for the characters
 * of `kept` (ASCII, such as "\n"), which stay. */
void isocast_text_clean(const char *text, size_t length, const char *kept, isocast_buffer *out);

/* Whether a text ends with another one, such as a name with ".csv". */
bool isocast_text_ends(const char *text, const char *ending);

#endif
