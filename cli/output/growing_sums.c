#include "growing_sums.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A line of the file is the sum of one block. */
enum { LINE = SHA256_DIGEST_STRING_LENGTH };

static void begin_block(cli_growing_sums *sums, double number) {
    char text[32];
    int length = snprintf(text, sizeof text, "%.0f\n", number);
    SHA256Init(&sums->block);
    SHA256Update(&sums->block, (const uint8_t *)sums->head->text, sums->head->length);
    SHA256Update(&sums->block, (const uint8_t *)text, (size_t)length);
    sums->number = number;
}

void cli_growing_sums_open(const char *path, const isocast_buffer *head, bool anew,
                           cli_growing_sums *out) {
    *out = (cli_growing_sums){.file = -1, .head = head};
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    int length = snprintf(out->path, sizeof out->path, "%.*s.%s.isocast-sums", (int)(name - path),
                          path, name);
    const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    if (length < (int)sizeof out->path) {
        out->file = open(out->path, flags | O_CREAT | O_EXCL, 0666);
        out->made = out->file >= 0;
    }
    if (!out->made && length < (int)sizeof out->path) {
        out->file = open(out->path, flags | (anew ? O_TRUNC : 0));
    }
    begin_block(out, 0);
}

void cli_growing_sums_read(cli_growing_sums *sums, const char *bytes, size_t length) {
    SHA256Update(&sums->block, (const uint8_t *)bytes, length);
}

bool cli_growing_sums_vouch(cli_growing_sums *sums) {
    char due[LINE];
    char there[LINE];
    SHA256End(&sums->block, due);
    due[LINE - 1] = '\n';
    off_t at = (off_t)sums->number * LINE;
    bool same = sums->file >= 0 && pread(sums->file, there, LINE, at) == LINE &&
                memcmp(due, there, LINE) == 0;
    begin_block(sums, sums->number + 1);
    return same;
}

void cli_growing_sums_note(cli_growing_sums *sums, double number, const char *bytes,
                           size_t length) {
    char line[LINE];
    if (sums->file < 0) {
        return;
    }
    begin_block(sums, number);
    cli_growing_sums_read(sums, bytes, length);
    SHA256End(&sums->block, line);
    line[LINE - 1] = '\n';
    if (pwrite(sums->file, line, LINE, (off_t)number * LINE) != LINE) {
        /* Whoever goes on computes this block again. */
        close(sums->file);
        sums->file = -1;
    }
}

void cli_growing_sums_close(cli_growing_sums *sums, bool complete, bool refused) {
    if ((complete || (refused && sums->made)) && sums->path[0] != '\0') {
        if (unlink(sums->path) != 0 && errno != ENOENT) {
            fprintf(stderr, "isocast: cannot remove '%s': %s\n", sums->path, strerror(errno));
        }
    }
    if (sums->file >= 0) {
        close(sums->file);
    }
    *sums = (cli_growing_sums){.file = -1};
}
