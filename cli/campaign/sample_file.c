#include "sample_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options/exit.h"

enum { PENDING_MOST = 65536 };

static int fail(const char *path) {
    fprintf(stderr, "isocast calibrate: cannot write %s: %s\n", path, strerror(errno));
    return CLI_EXIT_SYSTEM;
}

/* An older interrupted calibration is not lost by starting another. */
static void put_aside(const cli_sample_file *f) {
    struct stat old;
    char aside[4104];
    snprintf(aside, sizeof aside, "%.4090s.old", f->part_path);
    if (stat(f->part_path, &old) == 0 && S_ISREG(old.st_mode) && old.st_size > 0 &&
        rename(f->part_path, aside) == 0) {
        fprintf(stderr,
                "isocast calibrate: the samples of an unfinished calibration are now in %s; "
                "--resume would have gone on with them\n",
                aside);
    }
}

static int bad_line(const cli_sample_file *f, size_t number) {
    fprintf(stderr,
            "%s:%zu:1: error: this is no line of a calibration's samples; calibrate without "
            "--resume to start anew\n",
            f->part_path, number);
    return CLI_EXIT_INVALID;
}

/* Adds the whole lines of the file to the samples and drops what comes after them. */
static int take_lines(cli_sample_file *f, samples *kept) {
    FILE *file = fopen(f->part_path, "r");
    char *line = NULL;
    size_t capacity = 0;
    int status = file != NULL ? CLI_EXIT_OK : fail(f->part_path);
    ssize_t length;
    for (size_t number = 1;
         status == CLI_EXIT_OK && (length = getline(&line, &capacity, file)) > 0 &&
         line[length - 1] == '\n';
         number++) {
        f->end += length;
        line[length - 1] = '\0';
        samples_line kind = samples_add_line(kept, line);
        f->rows += kind == SAMPLES_LINE_ROW;
        if (kind == SAMPLES_LINE_BAD || (number == 1 && strcmp(line, SAMPLES_HEADER) != 0)) {
            status = bad_line(f, number);
        } else if (kind == SAMPLES_LINE_NO_MEMORY) {
            fputs("isocast calibrate: out of memory\n", stderr);
            status = CLI_EXIT_SYSTEM;
        }
    }
    free(line);
    if (file != NULL) {
        fclose(file);
    }
    if (status == CLI_EXIT_OK && ftruncate(f->file, f->end) != 0) {
        status = fail(f->part_path);
    }
    return status;
}

static int lock(const cli_sample_file *f) {
    if (flock(f->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        fprintf(stderr, "isocast calibrate: another calibration is writing %s\n", f->part_path);
        return CLI_EXIT_SYSTEM;
    }
    return CLI_EXIT_OK;
}

int cli_sample_file_open(const char *path, bool resume, samples *kept, cli_sample_file *out) {
    *out = (cli_sample_file){.file = -1};
    snprintf(out->path, sizeof out->path, "%.4080s", path);
    snprintf(out->part_path, sizeof out->part_path, "%.4080s.part", path);
    out->pending = malloc(PENDING_MOST);
    if (out->pending == NULL) {
        return fail(out->part_path);
    }
    /* One that was finished gets more launches, or its machine file written again. */
    if (resume && access(out->part_path, F_OK) != 0) {
        (void)rename(out->path, out->part_path);
    }
    out->file = open(out->part_path, O_RDWR | O_CLOEXEC);
    if (resume && out->file < 0) {
        fprintf(stderr,
                "isocast calibrate: there is no unfinished calibration to go on with: %s: %s\n",
                out->part_path, strerror(errno));
        return CLI_EXIT_USAGE;
    }
    int status = out->file >= 0 ? lock(out) : CLI_EXIT_OK;
    if (status == CLI_EXIT_OK && resume) {
        return take_lines(out, kept);
    }
    if (status != CLI_EXIT_OK) {
        return status;
    }
    if (out->file >= 0) {
        close(out->file);
        put_aside(out);
    }
    out->file = open(out->part_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (out->file < 0) {
        return fail(out->part_path);
    }
    status = lock(out);
    if (status == CLI_EXIT_OK &&
        !(cli_sample_file_add(out, SAMPLES_HEADER) && cli_sample_file_flush(out))) {
        cli_sample_file_tell(out);
        status = CLI_EXIT_SYSTEM;
    }
    return status;
}

/* Of what a full disk let through, only whole lines stay. */
static void cut_back(cli_sample_file *f, size_t written) {
    while (written > 0 && f->pending[written - 1] != '\n') {
        written--;
    }
    f->end += (long)written;
    if (ftruncate(f->file, f->end) != 0) {
        fprintf(stderr, "isocast calibrate: a part of a line stays at the end of %s\n",
                f->part_path);
    }
}

bool cli_sample_file_flush(cli_sample_file *f) {
    size_t written = 0;
    while (f->cause == 0 && written < f->pending_length) {
        ssize_t now = pwrite(f->file, f->pending + written, f->pending_length - written,
                             (off_t)(f->end + (long)written));
        if (now < 0 && errno != EINTR) {
            f->cause = errno;
        }
        written += now > 0 ? (size_t)now : 0;
    }
    if (f->cause != 0) {
        cut_back(f, written);
    } else {
        f->end += (long)written;
    }
    f->pending_length = 0;
    return f->cause == 0;
}

bool cli_sample_file_add(cli_sample_file *f, const char *line) {
    size_t length = strlen(line);
    if (f->cause == 0 && f->pending_length + length + 1 > PENDING_MOST) {
        cli_sample_file_flush(f);
    }
    if (f->cause != 0 || length + 1 > PENDING_MOST) {
        return false;
    }
    memcpy(f->pending + f->pending_length, line, length);
    f->pending[f->pending_length + length] = '\n';
    f->pending_length += length + 1;
    f->rows += line[0] != '#' && strcmp(line, SAMPLES_HEADER) != 0;
    return true;
}

void cli_sample_file_tell(const cli_sample_file *f) {
    if (f->cause != 0) {
        errno = f->cause;
        fail(f->part_path);
    }
}

int cli_sample_file_finish(cli_sample_file *f) {
    bool written = cli_sample_file_flush(f);
    if (!written) {
        cli_sample_file_tell(f);
        return CLI_EXIT_SYSTEM;
    }
    if (fsync(f->file) != 0 || rename(f->part_path, f->path) != 0) {
        return fail(f->path);
    }
    return CLI_EXIT_OK;
}

void cli_sample_file_keep(cli_sample_file *f) {
    if (f->file < 0) {
        return;
    }
    cli_sample_file_flush(f);
    cli_sample_file_tell(f);
    (void)fsync(f->file);
    if (f->rows > 0) {
        fprintf(stderr,
                "isocast calibrate: what was measured is kept in %s; the same command with "
                "--resume goes on from there\n",
                f->part_path);
    } else {
        unlink(f->part_path);
    }
}

void cli_sample_file_close(cli_sample_file *f) {
    if (f->file >= 0) {
        close(f->file);
    }
    free(f->pending);
    f->file = -1;
    f->pending = NULL;
}
