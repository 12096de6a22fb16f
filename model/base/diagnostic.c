#include "diagnostic.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near_file.h"
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
    return list->count == ISOCAST_DIAGNOSTIC_MAX ||
           list->errors + list->warnings >= ISOCAST_DIAGNOSTIC_HINTED;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* What a message has in common with others of its kind: names in quotes and numbers are left out.
 * Writes over `text`. */
static void make_pattern(char *text) {
    char *out = text;
    for (const char *c = text; *c != '\0';) {
        const char *end = *c == '\'' ? strchr(c + 1, '\'') : NULL;
        bool number = is_digit(*c);
        *out++ = number ? '0' : *c;
        if (end != NULL) {
            c = end + 1;
        } else if (number) {
            c += strspn(c, "0123456789.");
        } else {
            c++;
        }
    }
    *out = '\0';
}

/* The index of the kind with this pattern, which is taken over; kind_count where there is no room
 * for another kind, or no memory, which the list is reported. */
static size_t find_kind(isocast_diagnostics *list, isocast_severity severity, const char *file,
                        char *pattern) {
    size_t k = 0;
    while (k < list->kind_count &&
           (list->kinds[k].severity != severity || strcmp(list->kinds[k].file, file) != 0 ||
            strcmp(list->kinds[k].pattern, pattern) != 0)) {
        k++;
    }
    if (k < list->kind_count || list->kind_count == ISOCAST_DIAGNOSTIC_MAX) {
        free(pattern);
        return k;
    }
    isocast_diagnostic_kind *kinds = realloc(list->kinds, (k + 1) * sizeof *kinds);
    list->kinds = kinds != NULL ? kinds : list->kinds;
    char *name = kinds != NULL ? strdup(file) : NULL;
    if (name == NULL) {
        free(pattern);
        list->failed = true;
        return k;
    }
    kinds[k] = (isocast_diagnostic_kind){.file = name, .pattern = pattern, .severity = severity};
    list->kind_count++;
    return k;
}

/* Counts a problem, and says whether it is one of those to keep. Sets the item's kind. */
static bool count_in(isocast_diagnostics *list, const char *file, isocast_diagnostic *item) {
    char *pattern = strdup(item->message);
    if (pattern == NULL) {
        list->failed = true;
        return false;
    }
    make_pattern(pattern);
    size_t k = find_kind(list, item->severity, file, pattern);
    if (k == list->kind_count) {
        return false;
    }
    isocast_diagnostic_kind *kind = &list->kinds[k];
    item->kind = k;
    return ++kind->found <= ISOCAST_DIAGNOSTIC_ALIKE && list->count < ISOCAST_DIAGNOSTIC_MAX;
}

/* Takes over an item that is whole. */
static void keep(isocast_diagnostics *list, isocast_diagnostic *item) {
    isocast_diagnostic *items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (items == NULL) {
        item_free(item);
        list->failed = true;
        return;
    }
    list->items = items;
    items[list->count++] = *item;
}

/* `source` may be NULL: a problem of the file as a whole. */
static void add(isocast_diagnostics *list, isocast_severity severity, const char *file,
                const isocast_source *source, isocast_span span, const char *hint,
                const char *format, va_list arguments) {
    if (list->failed) {
        return;
    }
    isocast_diagnostic item = {.severity = severity, .message = format_message(format, arguments)};
    if (severity == ISOCAST_ERROR) {
        list->errors++;
    } else {
        list->warnings++;
    }
    if (item.message == NULL) {
        list->failed = true;
        return;
    }
    if (!count_in(list, file, &item)) {
        item_free(&item);
        return;
    }
    if (source != NULL) {
        place(&item, source, span);
    }
    item.file = strdup(file);
    item.hint = hint != NULL ? copy_visible(hint, strlen(hint)) : NULL;
    if (item.file == NULL || (source != NULL && item.source_line == NULL) ||
        (hint != NULL && item.hint == NULL)) {
        item_free(&item);
        list->failed = true;
        return;
    }
    keep(list, &item);
}

void isocast_diagnostics_add(isocast_diagnostics *list, isocast_severity severity,
                             const isocast_source *source, isocast_span span, const char *hint,
                             const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(list, severity, source->name, source, span, hint, format, arguments);
    va_end(arguments);
}

isocast_status isocast_diagnostics_refuse(isocast_diagnostics *list, const isocast_source *source,
                                          isocast_span span, const char *hint,
                                          const char *message) {
    isocast_diagnostics_add(list, ISOCAST_ERROR, source, span, hint, "%s", message);
    return ISOCAST_INVALID;
}

void isocast_diagnostics_add_file(isocast_diagnostics *list, isocast_severity severity,
                                  const char *file, const char *hint, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(list, severity, file, NULL, (isocast_span){0}, hint, format, arguments);
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
        isocast_buffer hint = {0};
        if (cause == ENOENT) {
            isocast_near_file_append(file, &hint);
        }
        isocast_diagnostics_add_file(list, ISOCAST_ERROR, file, hint.text, "cannot be %s: %s", done,
                                     strerror(cause));
        isocast_buffer_free(&hint);
    }
    errno = cause;
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

/* How many of a kind are shown in full, at most. */
static size_t shown_most(const isocast_diagnostic_kind *kind) {
    return kind->found > ISOCAST_DIAGNOSTIC_ALIKE ? ISOCAST_DIAGNOSTIC_EXAMPLES : kind->found;
}

static void render_rest(const isocast_diagnostic_kind *kind, const isocast_diagnostic *example,
                        size_t shown, isocast_buffer *out) {
    isocast_buffer_printf(out, "%s: %zu more %ss like \"%s\"\n", kind->file, kind->found - shown,
                          kind->severity == ISOCAST_ERROR ? "error" : "warning", example->message);
}

void isocast_diagnostics_render(const isocast_diagnostics *list, isocast_buffer *out) {
    size_t shown[ISOCAST_DIAGNOSTIC_MAX] = {0};
    const isocast_diagnostic *examples[ISOCAST_DIAGNOSTIC_MAX] = {NULL};
    size_t reported = 0;
    for (size_t i = 0; i < list->count; i++) {
        const isocast_diagnostic *item = &list->items[i];
        examples[item->kind] = item;
        if (shown[item->kind] < shown_most(&list->kinds[item->kind])) {
            render_item(item, out);
            shown[item->kind]++;
        }
    }
    for (size_t k = 0; k < list->kind_count; k++) {
        reported += examples[k] != NULL ? list->kinds[k].found : 0;
        if (examples[k] != NULL && list->kinds[k].found > shown[k] && !list->failed) {
            render_rest(&list->kinds[k], examples[k], shown[k], out);
        }
    }
    size_t found = list->errors + list->warnings;
    if (found > reported && !list->failed) {
        isocast_buffer_printf(out, "%zu more problems are not shown\n", found - reported);
    }
}

void isocast_diagnostics_clear(isocast_diagnostics *list) {
    for (size_t i = 0; i < list->count; i++) {
        item_free(&list->items[i]);
    }
    for (size_t k = 0; k < list->kind_count; k++) {
        free(list->kinds[k].file);
        free(list->kinds[k].pattern);
    }
    free(list->items);
    free(list->kinds);
    *list = (isocast_diagnostics){0};
}
