#include "text.h"

#include <string.h>

size_t isocast_text_character(const char *text, size_t left) {
    const unsigned char *bytes = (const unsigned char *)text;
    if (bytes[0] < 0x80) {
        return 1;
    }
    size_t length = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : 2;
    if (bytes[0] < 0xC2 || bytes[0] > 0xF4 || length > left) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (bytes[0] == 0xE0 && bytes[1] < 0xA0) || (bytes[0] == 0xF0 && bytes[1] < 0x90);
    bool surrogate = bytes[0] == 0xED && bytes[1] > 0x9F;
    bool too_large = bytes[0] == 0xF4 && bytes[1] > 0x8F;
    return overlong || surrogate || too_large ? 0 : length;
}

unsigned isocast_text_code(const char *text, size_t length) {
    const unsigned char *bytes = (const unsigned char *)text;
    static const unsigned first_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    unsigned code = bytes[0] & first_bits[length];
    for (size_t i = 1; i < length; i++) {
        code = code << 6 | (bytes[i] & 0x3Fu);
    }
    return code;
}

bool isocast_text_is_control(unsigned code) {
    return code < 0x20 || (code >= 0x7F && code <= 0x9F) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

size_t isocast_text_find_control(const char *text, size_t length, unsigned *code) {
    for (size_t i = 0; i < length;) {
        size_t bytes = isocast_text_character(text + i, length - i);
        *code = bytes > 0 ? isocast_text_code(text + i, bytes) : (unsigned char)text[i];
        if (bytes == 0 || isocast_text_is_control(*code)) {
            return i;
        }
        i += bytes;
    }
    return length;
}

void isocast_text_clean(const char *text, size_t length, const char *kept, isocast_buffer *out) {
    size_t from = 0;
    while (from < length) {
        unsigned code = 0;
        size_t good = isocast_text_find_control(text + from, length - from, &code);
        isocast_buffer_append(out, text + from, good);
        from += good;
        if (from < length) {
            bool stays = code < 0x80 && code > 0 && strchr(kept, (int)code) != NULL;
            isocast_buffer_append(out, stays ? text + from : "?", 1);
            size_t bytes = isocast_text_character(text + from, length - from);
            from += bytes > 0 ? bytes : 1;
        }
    }
}

bool isocast_text_ends(const char *text, const char *ending) {
    size_t length = strlen(text);
    size_t own = strlen(ending);
    return length >= own && strcmp(text + length - own, ending) == 0;
}
