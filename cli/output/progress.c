#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options/exit.h"
#include "cli/options/write_all.h"
#include "model/base/text.h"

enum {
    CHARACTER_MAX = 4, /* bytes of a character in UTF-8 */
    PIECE_MAX = 2048   /* bytes written at once */
};

/* The first bytes of a character whose others were not written yet. */
static struct {
    char bytes[CHARACTER_MAX];
    size_t count;
} held;

/* How many bytes at the end are the start of a character that may go on. */
static size_t unfinished(const char *bytes, size_t length) {
    for (size_t back = 1; back < CHARACTER_MAX && back <= length; back++) {
        unsigned char first = (unsigned char)bytes[length - back];
        size_t due = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
        if (due > 1) {
            return due > back ? back : 0;
        }
        if (first < 0x80) {
            return 0;
        }
    }
    return 0;
}

/* Gives the length of the clean text, which is no longer than the other. */
static size_t clean(const char *raw, size_t length, char *out) {
    size_t count = 0;
    for (size_t from = 0; from < length;) {
        unsigned code = 0;
        size_t good = isocast_text_find_control(raw + from, length - from, &code);
        memcpy(out + count, raw + from, good);
        count += good;
        from += good;
        if (from < length) {
            size_t bytes = isocast_text_character(raw + from, length - from);
            out[count++] = code == '\n' || code == '\t' ? (char)code : '?';
            from += bytes > 0 ? bytes : 1;
        }
    }
    return count;
}

/* What the stream calls; gives how many bytes were taken, 0 for a failure. It takes no memory, so
 * that the message that there is none comes through. */
static ssize_t write_cleaned(void *cookie, const char *bytes, size_t length) {
    (void)cookie;
    cli_exit_reported();
    char raw[PIECE_MAX];
    char cleaned[PIECE_MAX];
    for (size_t taken = 0; taken < length;) {
        size_t count = held.count;
        size_t room = PIECE_MAX - count;
        size_t more = length - taken < room ? length - taken : room;
        memcpy(raw, held.bytes, count);
        memcpy(raw + count, bytes + taken, more);
        taken += more;
        count += more;
        held.count = unfinished(raw, count);
        memcpy(held.bytes, raw + count - held.count, held.count);
        if (!cli_write_all(STDERR_FILENO, cleaned, clean(raw, count - held.count, cleaned))) {
            return 0;
        }
    }
    return (ssize_t)length;
}

bool cli_stderr_clean(void) {
    FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_cleaned});
    if (stream == NULL || setvbuf(stream, NULL, _IONBF, 0) != 0) {
        return false;
    }
    stderr = stream;
    return true;
}

void cli_progress_show(const char *format, ...) {
    va_list arguments;
    char *text = NULL;
    isocast_buffer line = {0};
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) >= 0) {
        isocast_buffer_puts(&line, "\r");
        isocast_text_clean(text, strlen(text), "", &line);
        isocast_buffer_puts(&line, "\033[K");
        free(text);
    }
    va_end(arguments);
    if (!line.failed) {
        (void)cli_write_all(STDERR_FILENO, line.text, line.length);
    }
    isocast_buffer_free(&line);
}

void cli_progress_clear(void) {
    static const char clear[] = "\r\033[K";
    (void)cli_write_all(STDERR_FILENO, clear, sizeof clear - 1);
}
