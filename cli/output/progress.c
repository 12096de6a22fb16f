#include "progress.h"

#include <errno.h>
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
    PLAIN_MAX = 128    /* bytes written at once without memory */
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

/* Where memory is short, what is no plain text is shown as '?', so that the message that says so
 * comes through. */
static bool write_plain(const char *bytes, size_t length) {
    char plain[PLAIN_MAX];
    for (size_t at = 0; at < length;) {
        size_t count = 0;
        for (; count < PLAIN_MAX && at < length; at++) {
            bool is_plain = (bytes[at] >= ' ' && bytes[at] <= '~') || bytes[at] == '\n';
            plain[count++] = (char)(is_plain ? bytes[at] : '?');
        }
        if (!cli_write_all(STDERR_FILENO, plain, count)) {
            return false;
        }
    }
    return true;
}

/* What the stream calls; gives how many bytes were taken, 0 for a failure. */
static ssize_t write_cleaned(void *cookie, const char *bytes, size_t length) {
    (void)cookie;
    cli_exit_told();
    isocast_buffer raw = {0};
    isocast_buffer clean = {0};
    isocast_buffer_append(&raw, held.bytes, held.count);
    isocast_buffer_append(&raw, bytes, length);
    held.count = raw.failed ? 0 : unfinished(raw.text, raw.length);
    if (!raw.failed) {
        memcpy(held.bytes, raw.text + raw.length - held.count, held.count);
        isocast_text_clean(raw.text, raw.length - held.count, "\n\t", &clean);
    }
    bool written = raw.failed || clean.failed
                       ? write_plain(bytes, length)
                       : cli_write_all(STDERR_FILENO, clean.text, clean.length);
    isocast_buffer_free(&raw);
    isocast_buffer_free(&clean);
    return written ? (ssize_t)length : 0;
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
