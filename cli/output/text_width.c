#include "text_width.h"

#include <locale.h>
#include <pthread.h>
#include <string.h>
#include <wchar.h>

/* Reading the locale takes as long as a table of hundreds of rows, so it is read once, and stays.
 */
static locale_t utf8;
static pthread_once_t utf8_is_read = PTHREAD_ONCE_INIT;

static void read_utf8(void) {
    utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

/* The process stays in the C locale, where numbers have a point and wcwidth() knows ASCII only; the
 * widths come from a locale that is used here alone. Without it every character counts as one. */
size_t cli_bytes_width(const char *text, size_t length) {
    size_t width = 0;
    while (width < length && text[width] >= ' ' && text[width] <= '~') {
        width++; /* nearly all text; the locale is asked about the rest */
    }
    text += width;
    length -= width;
    if (length == 0) {
        return width;
    }
    mbstate_t state = {0};
    pthread_once(&utf8_is_read, read_utf8);
    locale_t before = utf8 != (locale_t)0 ? uselocale(utf8) : (locale_t)0;
    while (length > 0) {
        wchar_t character;
        size_t bytes = mbrtowc(&character, text, length, &state);
        int columns = 1;
        if (bytes == (size_t)-1 || bytes == (size_t)-2) {
            bytes = 1;
            memset(&state, 0, sizeof state);
        } else {
            columns = wcwidth(character);
        }
        width += columns < 0 ? 1 : (size_t)columns;
        text += bytes;
        length -= bytes;
    }
    if (utf8 != (locale_t)0) {
        uselocale(before);
    }
    return width;
}

size_t cli_text_width(const char *text) {
    return cli_bytes_width(text, strlen(text));
}
