#include "diagnostic.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "text.h"

static bool is_continuation(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Copies text for display, on one line: a tab is one space, and what must not reach a terminal is
 * '?', a character for a character, so that a caret stands under its column whatever the line
 * holds. */
static char *copy_visible(const char *bytes, size_t length) {
    isocast_buffer copy = {0};
    isocast_text_clean(bytes, length, "\t", &copy);
    for (size_t i = 0; i < copy.length; i++) {
        copy.text[i] = copy.text[i] == '\t' ? ' ' : copy.text[i];
    }
    return isocast_buffer_take(&copy);
}

/* The part of a line that is shown: all of it, or a window that holds the place. */
static isocast_span window_of(const isocast_source *source, isocast_span line, size_t begin) {
    if (line.end - line.begin <= ISOCAST_DIAGNOSTIC_LINE) {
        return line;
    }
    isocast_span window = line;
    if (begin - line.begin > ISOCAST_DIAGNOSTIC_LINE / 2) {
        window.begin = begin - ISOCAST_DIAGNOSTIC_LINE / 2;
    }
    if (window.begin + ISOCAST_DIAGNOSTIC_LINE < line.end) {
        window.end = window.begin + ISOCAST_DIAGNOSTIC_LINE;
    }
    while (window.begin < begin && is_continuation(source->text[window.begin])) {
        window.begin++;
    }
    while (window.end < line.end && is_continuation(source->text[window.end])) {
        window.end++;
    }
    return window;
}

/* Characters, not bytes, so that the caret stands right after text that is not ASCII. */
static size_t count_characters(const char *bytes, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; count++) {
        size_t character = isocast_text_character(bytes + i, length - i);
        i += character > 0 ? character : 1;
    }
    return count;
}

static void place(isocast_diagnostic *item, const isocast_source *source, isocast_span span) {
    size_t begin = span.begin < source->length ? span.begin : source->length;
    isocast_source_locate(source, begin, &item->line, &item->column);
    isocast_span line = isocast_source_line(source, begin);
    begin = begin > line.end ? line.end : begin;
    isocast_span window = window_of(source, line, begin);
    item->source_line = copy_visible(source->text + window.begin, window.end - window.begin);
    item->caret_column = count_characters(source->text + window.begin, begin - window.begin) + 1;
    size_t end = span.end < window.end ? span.end : window.end;
    item->caret_length = end > begin ? count_characters(source->text + begin, end - begin) : 1;
    if (item->caret_length == 0) {
        item->caret_length = 1;
    }
}

/* A message may name what a file holds. */
static char *format_message(const char *format, va_list arguments) {
    char *message = NULL;
    if (vasprintf(&message, format, arguments) < 0) {
        return NULL;
    }
    char *visible = copy_visible(message, strlen(message));
    free(message);
    return visible;
}

static void item_free(isocast_diagnostic *item) {
    free(item->file);
    free(item->source_line);
    free(item->message);
    free(item->hint);
}

bool isocast_diagnostics_full(const isocast_diagnostics *list) {
    return list->count == ISOCAST_DIAGNOSTIC_MOST;
}

/* Counts the problem and makes room for it; NULL where it is not kept. */
static isocast_diagnostic *append(isocast_diagnostics *list, isocast_severity severity) {
    if (list->failed) {
        return NULL;
    }
    if (severity == ISOCAST_ERROR) {
        list->errors++;
    } else {
        list->warnings++;
    }
    if (list->count == ISOCAST_DIAGNOSTIC_MOST) {
        return NULL;
    }
    isocast_diagnostic *items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (items == NULL) {
        list->failed = true;
        return NULL;
    }
    list->items = items;
    isocast_diagnostic *item = &items[list->count++];
    *item = (isocast_diagnostic){.severity = severity};
    return item;
}

static void finish(isocast_diagnostics *list, isocast_diagnostic *item, const char *file,
                   const char *hint, const char *format, va_list arguments) {
    item->file = strdup(file);
    item->message = format_message(format, arguments);
    item->hint = hint != NULL ? copy_visible(hint, strlen(hint)) : NULL;
    bool placed = item->line == 0 || item->source_line != NULL;
    if (item->file == NULL || item->message == NULL || !placed ||
        (hint != NULL && item->hint == NULL)) {
        item_free(item);
        list->count--;
        list->failed = true;
    }
}

void isocast_diagnostics_add(isocast_diagnostics *list, isocast_severity severity,
                             const isocast_source *source, isocast_span span, const char *hint,
                             const char *format, ...) {
    isocast_diagnostic *item = append(list, severity);
    if (item == NULL) {
        return;
    }
    place(item, source, span);
    va_list arguments;
    va_start(arguments, format);
    finish(list, item, source->name, hint, format, arguments);
    va_end(arguments);
}

void isocast_diagnostics_add_file(isocast_diagnostics *list, isocast_severity severity,
                                  const char *file, const char *hint, const char *format, ...) {
    isocast_diagnostic *item = append(list, severity);
    if (item == NULL) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    finish(list, item, file, hint, format, arguments);
    va_end(arguments);
}

void isocast_diagnostics_fail(isocast_diagnostics *list) {
    list->failed = true;
}

void isocast_diagnostics_rely(isocast_diagnostics *list, const isocast_buffer *text) {
    list->failed = list->failed || text->failed;
}

static isocast_status status_of_errno(int cause) {
    switch (cause) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case ENAMETOOLONG:
    case ELOOP:
    case EACCES:
    case EPERM:
    case EBADF: /* standard input that was closed */
        return ISOCAST_INVALID;
    case ENOMEM:
        return ISOCAST_NO_MEMORY;
    default:
        return ISOCAST_IO;
    }
}

isocast_status isocast_diagnostics_add_failure(isocast_diagnostics *list, const char *file,
                                               const char *done, int cause) {
    isocast_status status = status_of_errno(cause);
    if (status != ISOCAST_NO_MEMORY) {
        isocast_diagnostics_add_file(list, ISOCAST_ERROR, file, NULL, "cannot be %s: %s", done,
                                     strerror(cause));
    }
    return status;
}

static void render_item(const isocast_diagnostic *item, isocast_buffer *out) {
    isocast_text_clean(item->file, strlen(item->file), "", out);
    if (item->line > 0) {
        isocast_buffer_printf(out, ":%zu:%zu", item->line, item->column);
    }
    isocast_buffer_printf(out, ": %s: %s\n", item->severity == ISOCAST_ERROR ? "error" : "warning",
                          item->message);
    if (item->line > 0) {
        isocast_buffer_printf(out, "    %s\n    %*s^", item->source_line,
                              (int)item->caret_column - 1, "");
        for (size_t i = 1; i < item->caret_length; i++) {
            isocast_buffer_puts(out, "~");
        }
        isocast_buffer_puts(out, "\n");
    }
    if (item->hint != NULL) {
        isocast_buffer_printf(out, "    hint: %s\n", item->hint);
    }
}

void isocast_diagnostics_render(const isocast_diagnostics *list, isocast_buffer *out) {
    for (size_t i = 0; i < list->count; i++) {
        render_item(&list->items[i], out);
    }
    size_t found = list->errors + list->warnings;
    if (found > list->count && !list->failed) {
        isocast_buffer_printf(out, "and %zu more like these\n", found - list->count);
    }
}

void isocast_diagnostics_free(isocast_diagnostics *list) {
    for (size_t i = 0; i < list->count; i++) {
        item_free(&list->items[i]);
    }
    free(list->items);
    *list = (isocast_diagnostics){0};
}

enum { NAME_LENGTH_MOST = 64 };

static size_t smallest(size_t a, size_t b, size_t c) {
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Edits (insert, delete, replace) between two names of at most NAME_LENGTH_MOST bytes. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t row[NAME_LENGTH_MOST + 1];
    for (size_t j = 0; j <= b_length; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t above = row[j];
            row[j] = smallest(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[b_length];
}

const char *isocast_nearest_name(const char *name, const char *const *names, size_t count) {
    size_t length = strlen(name);
    const char *nearest = NULL;
    size_t least = NAME_LENGTH_MOST;
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(name, names[i]) == 0) {
            return names[i];
        }
    }
    if (length > NAME_LENGTH_MOST) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(names[i]);
        if (other > NAME_LENGTH_MOST) {
            continue;
        }
        size_t distance = edit_distance(name, length, names[i], other);
        size_t longer = length > other ? length : other;
        size_t allowed = longer / 3 > 0 ? longer / 3 : 1;
        /* A name of one letter is not a slip of another one. */
        if (distance <= allowed && distance < longer && distance < least) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
