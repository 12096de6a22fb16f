#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exit.h"

static int fail(const char *path, int cause) {
    fprintf(stderr, "isocast: cannot write '%s': %s\n", path, strerror(cause));
    return CLI_EXIT_SYSTEM;
}

static bool write_all(int file, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t written = write(file, bytes, length);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return false;
        }
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

/* Past stdio's buffer, so that a failure is told here, once, with its cause. */
static int write_standard_output(const char *bytes, size_t length) {
    if (fflush(stdout) == 0 && write_all(STDOUT_FILENO, bytes, length)) {
        return CLI_EXIT_OK;
    }
    /* A reader that has seen enough, such as head, is no failure to tell about. */
    if (errno != EPIPE) {
        fprintf(stderr, "isocast: cannot write standard output: %s\n", strerror(errno));
    }
    return CLI_EXIT_SYSTEM;
}

/* Devices and pipes cannot be replaced by a renamed file. */
static int write_special(const char *path, const char *bytes, size_t length) {
    int file = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (file < 0) {
        return fail(path, errno);
    }
    bool written = write_all(file, bytes, length);
    int cause = errno;
    if (close(file) != 0 && written) {
        written = false;
        cause = errno;
    }
    return written ? CLI_EXIT_OK : fail(path, cause);
}

static mode_t new_file_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Makes the rename itself durable; a file system that cannot sync a directory is let be. */
static void sync_directory(const char *directory) {
    int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        (void)fsync(file);
        close(file);
    }
}

static bool fill_temporary(int file, mode_t mode, const char *bytes, size_t length) {
    bool filled = write_all(file, bytes, length) && fchmod(file, mode) == 0 && fsync(file) == 0;
    int cause = errno;
    if (close(file) != 0 && filled) {
        return false;
    }
    errno = cause;
    return filled;
}

/* `target` is the real file, `path` what the user called it. */
static int replace_file(const char *path, const char *target, mode_t mode, const char *bytes,
                        size_t length) {
    char copy[PATH_MAX];
    char temporary[PATH_MAX + 32];
    (void)snprintf(copy, sizeof copy, "%s", target);
    const char *directory = dirname(copy);
    (void)snprintf(temporary, sizeof temporary, "%s/.isocast-XXXXXX", directory);
    int file = mkostemp(temporary, O_CLOEXEC);
    if (file < 0) {
        return fail(path, errno);
    }
    if (!fill_temporary(file, mode, bytes, length) || rename(temporary, target) != 0) {
        int cause = errno;
        unlink(temporary);
        return fail(path, cause);
    }
    sync_directory(directory);
    return CLI_EXIT_OK;
}

int cli_output_write(const char *path, const char *bytes, size_t length) {
    if (path == NULL || strcmp(path, "-") == 0) {
        return write_standard_output(bytes, length);
    }
    struct stat old;
    if (stat(path, &old) != 0) {
        if (errno != ENOENT || strlen(path) >= PATH_MAX) {
            return fail(path, errno);
        }
        return replace_file(path, path, new_file_mode(), bytes, length);
    }
    if (S_ISDIR(old.st_mode)) {
        return fail(path, EISDIR);
    }
    if (!S_ISREG(old.st_mode)) {
        return write_special(path, bytes, length);
    }
    /* A rename would also replace a file that its owner made read-only, or a link to it. */
    char target[PATH_MAX];
    if (access(path, W_OK) != 0 || realpath(path, target) == NULL) {
        return fail(path, errno);
    }
    return replace_file(path, target, old.st_mode & 07777, bytes, length);
}

int cli_output_write_text(const char *path, isocast_buffer *text) {
    int status = CLI_EXIT_SYSTEM;
    if (text->failed) {
        fputs("isocast: out of memory\n", stderr);
    } else {
        status = cli_output_write(path, text->text, text->length);
    }
    isocast_buffer_free(text);
    return status;
}
