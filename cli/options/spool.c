#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/source_read.h"

static const char standard_input[] = "-";
static const char standard_input_label[] = "<stdin>"; /* as isocast_source_read calls it */

/* Copies until the end, a failure, or more than a specification may have. */
static bool copy_bytes(int from, int to) {
    char block[65536];
    size_t copied = 0;
    while (copied <= ISOCAST_FILE_MOST) {
        ssize_t got = read(from, block, sizeof block);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got == 0;
        }
        size_t kept = (size_t)got;
        if (kept > ISOCAST_FILE_MOST + 1 - copied) {
            kept = ISOCAST_FILE_MOST + 1 - copied;
        }
        for (size_t done = 0; done < kept;) {
            ssize_t put = write(to, block + done, kept - done);
            if (put < 0 && errno != EINTR) {
                return false;
            }
            done += put > 0 ? (size_t)put : 0;
        }
        copied += kept;
    }
    return true;
}

static bool needs_copy(const char *name) {
    struct stat file;
    return strcmp(name, standard_input) == 0 || (stat(name, &file) == 0 && S_ISFIFO(file.st_mode));
}

cli_spool cli_spool_open(const char *name) {
    bool is_input = strcmp(name, standard_input) == 0;
    cli_spool spool = {.name = name, .label = is_input ? standard_input_label : name, .copy = -1};
    if (!needs_copy(name)) {
        return spool;
    }
    int from = is_input ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    spool.copy = memfd_create("isocast", MFD_CLOEXEC);
    if (from >= 0 && spool.copy >= 0 && copy_bytes(from, spool.copy)) {
        (void)snprintf(spool.path, sizeof spool.path, "/proc/self/fd/%d", spool.copy);
    } else {
        spool.cause = errno;
    }
    if (!is_input && from >= 0) {
        close(from);
    }
    return spool;
}

void cli_spool_close(cli_spool *spool) {
    if (spool->copy >= 0) {
        close(spool->copy);
    }
}

const char *cli_spool_path(const cli_spool *spool) {
    return spool->path[0] != '\0' ? spool->path : spool->name;
}

void cli_spool_rename(const cli_spool *spool, isocast_diagnostics *diagnostics) {
    for (size_t i = 0; spool->path[0] != '\0' && i < diagnostics->count; i++) {
        if (strcmp(diagnostics->items[i].file, spool->path) == 0) {
            char *name = strdup(spool->label);
            if (name != NULL) {
                free(diagnostics->items[i].file);
                diagnostics->items[i].file = name;
            }
        }
    }
}
