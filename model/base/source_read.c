#include "source_read.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "text.h"

/* Reads up to `most` bytes and one more, which shows that there was too much. */
static isocast_status read_bytes(FILE *file, size_t most, isocast_buffer *text) {
    char block[64 * 1024];
    while (text->length <= most) {
        size_t got = fread(block, 1, sizeof block, file);
        isocast_buffer_append(text, block, got);
        if (text->failed) {
            return ISOCAST_NO_MEMORY;
        }
        if (got < sizeof block) {
            return ferror(file) ? ISOCAST_IO : ISOCAST_OK;
        }
    }
    return ISOCAST_OK;
}

static bool is_text(const char *name, const char *text, size_t length,
                    isocast_diagnostics *diagnostics) {
    for (size_t i = 0; i < length;) {
        if ((signed char)text[i] > 0) { /* most texts are plain, and may be long */
            i++;
            continue;
        }
        size_t bytes = isocast_text_character(text + i, length - i);
        if (bytes == 0 || text[i] == '\0') {
            isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, name,
                                         "write it as text in UTF-8",
                                         "is not a text file: byte %zu is %s", i + 1,
                                         bytes == 0 ? "not UTF-8" : "a NUL byte");
            return false;
        }
        i += bytes;
    }
    return true;
}

static isocast_status check(const char *name, const char *text, size_t length, size_t most,
                            isocast_diagnostics *diagnostics) {
    if (length > most) {
        isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, name, NULL,
                                     "is too large: at most %zu bytes are read", most);
        return ISOCAST_INVALID;
    }
    if (length == 0) {
        isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, name, NULL, "is empty");
        return ISOCAST_INVALID;
    }
    return is_text(name, text, length, diagnostics) ? ISOCAST_OK : ISOCAST_INVALID;
}

isocast_status isocast_source_take(const char *name, const char *text, size_t length,
                                   isocast_diagnostics *diagnostics, isocast_source **out) {
    isocast_status status = check(name, text, length, ISOCAST_FILE_MAX, diagnostics);
    return status == ISOCAST_OK ? isocast_source_create(name, text, length, out) : status;
}

static isocast_status read_open_file(const char *name, FILE *file, size_t most,
                                     isocast_diagnostics *diagnostics, isocast_source **out) {
    isocast_buffer text = {0};
    isocast_status status = read_bytes(file, most, &text);
    if (status == ISOCAST_IO) {
        status = isocast_diagnostics_add_failure(diagnostics, name, "read", errno);
    } else if (status == ISOCAST_OK) {
        status = check(name, text.text, text.length, most, diagnostics);
    }
    if (status == ISOCAST_OK) {
        size_t length = text.length;
        return isocast_source_own(name, isocast_buffer_take(&text), length, out);
    }
    isocast_buffer_free(&text);
    return status;
}

isocast_status isocast_source_read_kind(const char *path, isocast_input_kind kind, size_t most,
                                        isocast_diagnostics *diagnostics, isocast_source **out) {
    if (strcmp(path, "-") == 0 && kind == ISOCAST_INPUT_ANY) {
        return read_open_file("<stdin>", stdin, most, diagnostics, out);
    }
    FILE *file = NULL;
    isocast_status status = isocast_input_open(path, kind, most, diagnostics, &file);
    if (status == ISOCAST_OK) {
        status = read_open_file(path, file, most, diagnostics, out);
        fclose(file);
    }
    return status;
}

isocast_status isocast_source_read(const char *path, isocast_diagnostics *diagnostics,
                                   isocast_source **out) {
    return isocast_source_read_kind(path, ISOCAST_INPUT_ANY, ISOCAST_FILE_MAX, diagnostics, out);
}
