#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode) {
    return S_ISDIR(mode)    ? "a folder"
           : S_ISFIFO(mode) ? "a pipe"
           : S_ISSOCK(mode) ? "a socket"
                            : "a device";
}

static isocast_status check(const char *path, isocast_input_kind kind, size_t most, int file,
                            isocast_diagnostics *diagnostics) {
    struct stat about;
    if (fstat(file, &about) != 0) {
        return diagnostics != NULL
                   ? isocast_diagnostics_add_failure(diagnostics, path, "opened", errno)
                   : ISOCAST_IO;
    }
    bool plain = S_ISREG(about.st_mode);
    if (S_ISDIR(about.st_mode) || (!plain && kind == ISOCAST_INPUT_PLAIN)) {
        if (diagnostics != NULL) {
            isocast_diagnostics_add_file(
                diagnostics, ISOCAST_ERROR, path,
                S_ISDIR(about.st_mode) ? NULL : "write what it gives to a file, and name that",
                "is %s, not a file", kind_of(about.st_mode));
        }
        return ISOCAST_INVALID;
    }
    if (plain && (uintmax_t)about.st_size > most) {
        if (diagnostics != NULL) {
            isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, path, NULL,
                                         "is too large: it has %jd bytes, at most %zu are read",
                                         (intmax_t)about.st_size, most);
        }
        return ISOCAST_INVALID;
    }
    return ISOCAST_OK;
}

isocast_status isocast_input_open(const char *path, isocast_input_kind kind, size_t most,
                                  isocast_diagnostics *diagnostics, FILE **out) {
    /* Opening a pipe without O_NONBLOCK waits for who writes to it, and a device may wait, too. */
    int waits = kind == ISOCAST_INPUT_PLAIN ? O_NONBLOCK : 0;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | waits);
    isocast_status status =
        file >= 0             ? check(path, kind, most, file, diagnostics)
        : diagnostics != NULL ? isocast_diagnostics_add_failure(diagnostics, path, "opened", errno)
                              : ISOCAST_IO;
    FILE *opened = status == ISOCAST_OK ? fdopen(file, "rb") : NULL;
    if (file >= 0 && opened == NULL) {
        int cause = errno;
        close(file);
        return status != ISOCAST_OK ? status
               : diagnostics == NULL
                   ? ISOCAST_IO
                   : isocast_diagnostics_add_failure(diagnostics, path, "opened", cause);
    }
    if (status == ISOCAST_OK) {
        *out = opened;
    }
    return status;
}

FILE *isocast_input_look(const char *path) {
    FILE *file = NULL;
    (void)isocast_input_open(path, ISOCAST_INPUT_PLAIN, SIZE_MAX, NULL, &file);
    return file;
}

size_t isocast_input_line(FILE *file, char *text, size_t most) {
    size_t length = 0;
    int byte = 0;
    while (length <= most && byte != '\n' && (byte = getc_unlocked(file)) != EOF) {
        text[length++] = (char)byte;
    }
    text[length] = '\0';
    return length;
}

bool isocast_input_is_long(const char *text, size_t length, size_t most) {
    return length > most && text[length - 1] != '\n';
}
