#include "fold.h"

#include <stdbool.h>
#include <string.h>

enum { LINE_MOST = 120 /* bytes that a person reads at once */ };

/* Where a line is broken: behind its last blank that comes before one of the words, or behind one,
 * within what a line has; 0: nowhere. from: of the line's own text. */
static size_t last_break(const char *line, size_t from, size_t length, size_t most,
                         const char *before, const char *behind) {
    for (size_t i = length < most ? length : most; i > from; i--) {
        bool blank = line[i] == ' ' && i + 2 < length;
        if (blank && ((line[i + 2] == ' ' && strchr(before, line[i + 1]) != NULL) ||
                      strchr(behind, line[i - 1]) != NULL)) {
            return i + 1;
        }
    }
    return 0;
}

static bool holds(const char *line, size_t length, const char *word) {
    const char *at = strstr(line, word);
    return at != NULL && (size_t)(at - line) < length;
}

static size_t find_break(const char *line, size_t from, size_t length, size_t most, bool comment) {
    static const char *const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789.,;:()%*/^`'-+=";
    if (length <= most || (!comment && (holds(line, length, "\"") || holds(line, length, " #")))) {
        return 0;
    }
    size_t at = comment ? last_break(line, from, length, most, "", letters)
                        : last_break(line, from, length, most, "+", "");
    return at == 0 && !comment ? last_break(line, from, length, most, "*", ",") : at;
}

void isocast_fold(const isocast_buffer *text, isocast_buffer *out) {
    for (const char *line = text->text; line != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        size_t indent = strspn(line, " ");
        bool comment = line[indent] == '#';
        size_t key = comment ? 0 : strcspn(line, ":");
        size_t from = comment ? indent + 2 : key < length ? key + 2 : length;
        size_t at;
        size_t most = LINE_MOST;
        size_t next = comment ? indent + 2 : indent + 4;
        while ((at = find_break(line, from, length, most, comment)) > from) {
            isocast_buffer_append(out, line, at - 1);
            isocast_buffer_printf(out, "\n%*s", (int)(comment ? indent : indent + 4), "");
            isocast_buffer_puts(out, comment ? "# " : "");
            line += at;
            length -= at;
            from = 0;
            most = LINE_MOST - next;
        }
        isocast_buffer_append(out, line, length);
        isocast_buffer_puts(out, line[length] == '\n' ? "\n" : "");
        line += length + (line[length] == '\n');
    }
    out->failed = out->failed || text->failed;
}
