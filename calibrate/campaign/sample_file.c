#include "sample_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibrate/samples/import.h"
#include "model/base/source_read.h"

enum { PENDING_MAX = 65536 };

static isocast_status fail(const campaign_sample_file *f, const char *path) {
    return campaign_fail(f->listener, ISOCAST_IO, "cannot write %s: %s", path, strerror(errno));
}

/* Tells that the file could not be written, and why. */
static isocast_status tell_failure(const campaign_sample_file *f) {
    errno = f->cause;
    return f->cause != 0 ? fail(f, f->part_path) : ISOCAST_OK;
}

/* The samples of an interrupted calibration are not lost when another one starts. */
static void put_aside(const campaign_sample_file *f) {
    struct stat old;
    char aside[4104];
    snprintf(aside, sizeof aside, "%.4090s.old", f->part_path);
    if (stat(f->part_path, &old) == 0 && S_ISREG(old.st_mode) && old.st_size > 0 &&
        rename(f->part_path, aside) == 0) {
        campaign_tell(f->listener, CAMPAIGN_WARNING,
                      "the samples of an unfinished calibration are now in %s; --resume would have "
                      "gone on with them",
                      aside);
    }
}

/* The line that starts at f->end - length and ends there. */
static isocast_status bad_line(const campaign_sample_file *f, size_t length,
                               isocast_diagnostics *diagnostics) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_read_kind(f->part_path, ISOCAST_INPUT_PLAIN,
                                                     IMPORT_FILE_MAX, diagnostics, &source);
    if (status != ISOCAST_OK) {
        return status;
    }
    size_t end = (size_t)f->end;
    isocast_span span = {end - length, end - 1 > end - length ? end - 1 : end};
    isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, span,
                            "calibrate without --resume to start anew",
                            "this is not a line of a calibration's samples");
    isocast_source_free(source);
    return ISOCAST_INVALID;
}

/* Adds the whole lines of the file to the samples and drops what comes after them. */
static isocast_status take_lines(campaign_sample_file *f, samples *kept,
                                 isocast_diagnostics *diagnostics) {
    FILE *file = NULL;
    char line[SAMPLES_LINE_MAX + 2];
    isocast_status status =
        isocast_input_open(f->part_path, ISOCAST_INPUT_PLAIN, IMPORT_FILE_MAX, diagnostics, &file);
    size_t length = 0;
    for (size_t number = 1;
         status == ISOCAST_OK && (length = isocast_input_line(file, line, SAMPLES_LINE_MAX)) > 0 &&
         line[length - 1] == '\n';
         number++) {
        f->end += (long)length;
        line[length - 1] = '\0';
        samples_line kind;
        status = samples_add_line(kept, line, &kind);
        f->rows += status == ISOCAST_OK && kind == SAMPLES_LINE_ROW;
        bool headless = number == 1 && strcmp(line, SAMPLES_HEADER) != 0;
        if (status == ISOCAST_INVALID || (status == ISOCAST_OK && headless)) {
            status = bad_line(f, length, diagnostics);
        }
    }
    if (status == ISOCAST_OK && isocast_input_is_long(line, length, SAMPLES_LINE_MAX)) {
        f->end += (long)length;
        status = bad_line(f, length, diagnostics);
    }
    if (file != NULL) {
        fclose(file);
    }
    if (status == ISOCAST_OK && ftruncate(f->file, f->end) != 0) {
        status = fail(f, f->part_path);
    }
    return status;
}

static isocast_status lock(const campaign_sample_file *f) {
    if (flock(f->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return campaign_fail(f->listener, ISOCAST_IO, "another calibration is writing %s",
                             f->part_path);
    }
    return ISOCAST_OK;
}

isocast_status campaign_sample_file_open(const char *path, bool resume,
                                         const campaign_listener *listener,
                                         isocast_diagnostics *diagnostics, samples *kept,
                                         campaign_sample_file *out) {
    *out = (campaign_sample_file){.file = -1, .listener = listener};
    snprintf(out->path, sizeof out->path, "%.4080s", path);
    snprintf(out->part_path, sizeof out->part_path, "%.4080s.part", path);
    out->pending = malloc(PENDING_MAX);
    if (out->pending == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    /* A finished calibration may get more launches, or its machine file may be written again. */
    if (resume && access(out->part_path, F_OK) != 0) {
        (void)rename(out->path, out->part_path);
    }
    out->file = open(out->part_path, O_RDWR | O_CLOEXEC);
    if (resume && out->file < 0) {
        return campaign_fail(listener, ISOCAST_ARGUMENT,
                             "there is no unfinished calibration to go on with: %s: %s",
                             out->part_path, strerror(errno));
    }
    isocast_status status = out->file >= 0 ? lock(out) : ISOCAST_OK;
    if (status == ISOCAST_OK && resume) {
        return take_lines(out, kept, diagnostics);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    if (out->file >= 0) {
        close(out->file);
        put_aside(out);
    }
    out->file = open(out->part_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (out->file < 0) {
        return fail(out, out->part_path);
    }
    status = lock(out);
    if (status == ISOCAST_OK &&
        !(campaign_sample_file_add(out, SAMPLES_HEADER) && campaign_sample_file_flush(out))) {
        status = tell_failure(out);
    }
    return status;
}

/* Where the disk is full, only whole lines stay in the file. */
static void cut_back(campaign_sample_file *f, size_t written) {
    while (written > 0 && f->pending[written - 1] != '\n') {
        written--;
    }
    f->end += (long)written;
    if (ftruncate(f->file, f->end) != 0) {
        campaign_tell(f->listener, CAMPAIGN_WARNING, "a part of a line stays at the end of %s",
                      f->part_path);
    }
}

bool campaign_sample_file_flush(campaign_sample_file *f) {
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

bool campaign_sample_file_add(campaign_sample_file *f, const char *line) {
    size_t length = strlen(line);
    if (f->cause == 0 && f->pending_length + length + 1 > PENDING_MAX) {
        campaign_sample_file_flush(f);
    }
    if (f->cause != 0 || length + 1 > PENDING_MAX) {
        return false;
    }
    memcpy(f->pending + f->pending_length, line, length);
    f->pending[f->pending_length + length] = '\n';
    f->pending_length += length + 1;
    f->rows += line[0] != '#' && strcmp(line, SAMPLES_HEADER) != 0;
    return true;
}

isocast_status campaign_sample_file_finish(campaign_sample_file *f) {
    if (!campaign_sample_file_flush(f)) {
        return tell_failure(f);
    }
    if (fsync(f->file) != 0 || rename(f->part_path, f->path) != 0) {
        return fail(f, f->path);
    }
    return ISOCAST_OK;
}

void campaign_sample_file_keep(campaign_sample_file *f) {
    if (f->file < 0) {
        return;
    }
    campaign_sample_file_flush(f);
    (void)tell_failure(f);
    (void)fsync(f->file);
    if (f->rows > 0) {
        campaign_tell(f->listener, CAMPAIGN_WARNING,
                      "what was measured is kept in %s; the same command with --resume goes on "
                      "from there",
                      f->part_path);
    } else {
        unlink(f->part_path);
    }
}

void campaign_sample_file_close(campaign_sample_file *f) {
    if (f->file >= 0) {
        close(f->file);
    }
    free(f->pending);
    f->file = -1;
    f->pending = NULL;
}
