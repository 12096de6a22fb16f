#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibrate/samples/environment.h"
#include "calibrate/samples/import.h"
#include "claim.h"
#include "model/base/source_read.h"

enum { PENDING_MAX = 65536 };

static isocast_status fail(const campaign_sample_file *f, const char *path) {
    return campaign_fail(f->listener, ISOCAST_IO, "cannot write %s: %s", path, strerror(errno));
}

/* Reports that the file could not be written, and why. */
static isocast_status report_failure(const campaign_sample_file *f) {
    errno = f->cause;
    return f->cause != 0 ? fail(f, f->part_path) : ISOCAST_OK;
}

/* What a file that is gone on with is called now. */
static const char *name_of(const campaign_sample_file *f) {
    return f->finished ? f->path : f->part_path;
}

/* Gives the file of an earlier calibration a name that nothing has. */
static bool rename_aside(const campaign_sample_file *f, char *aside, size_t room) {
    enum { ASIDE_MOST = 1000 };
    for (int number = 1; number < ASIDE_MOST; number++) {
        char ending[16] = "";
        if (number > 1) {
            snprintf(ending, sizeof ending, "-%d", number);
        }
        snprintf(aside, room, "%.4080s.old%s", f->part_path, ending);
        if (renameat2(AT_FDCWD, f->part_path, AT_FDCWD, aside, RENAME_NOREPLACE) == 0) {
            return true;
        }
        bool unknown = errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
        if (errno != EEXIST && !(unknown && access(aside, F_OK) == 0)) {
            return unknown && rename(f->part_path, aside) == 0;
        }
    }
    return false;
}

/* The samples of an interrupted calibration are not lost when another one starts. */
static isocast_status put_aside(const campaign_sample_file *f) {
    struct stat old;
    char aside[4200];
    if (lstat(f->part_path, &old) != 0 || !S_ISREG(old.st_mode)) {
        return ISOCAST_OK;
    }
    if (old.st_size == 0) {
        return unlink(f->part_path) == 0 ? ISOCAST_OK : fail(f, f->part_path);
    }
    if (!rename_aside(f, aside, sizeof aside)) {
        return fail(f, f->part_path);
    }
    campaign_report(f->listener, CAMPAIGN_WARNING,
                    "the samples of an unfinished calibration are now in %s; --resume would have "
                    "gone on with them",
                    aside);
    return ISOCAST_OK;
}

/* The line that starts at f->end - length and ends there. */
static isocast_status bad_line(const campaign_sample_file *f, size_t length,
                               isocast_diagnostics *diagnostics) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_read_kind(name_of(f), ISOCAST_INPUT_PLAIN,
                                                     IMPORT_FILE_MAX, diagnostics, &source);
    if (status != ISOCAST_OK) {
        return status;
    }
    size_t end = (size_t)f->end;
    isocast_span span = {end - length, end - 1 > end - length ? end - 1 : end};
    isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, span,
                            "calibrate without --resume to start again",
                            "this is not a line of a calibration's samples");
    isocast_source_free(source);
    return ISOCAST_INVALID;
}

/* Adds the whole lines of the file to the samples. What comes after them is dropped later. */
static isocast_status take_lines(campaign_sample_file *f, samples *kept,
                                 isocast_diagnostics *diagnostics) {
    FILE *file = NULL;
    char line[SAMPLES_LINE_MAX + 2];
    isocast_status status =
        isocast_input_open(name_of(f), ISOCAST_INPUT_PLAIN, IMPORT_FILE_MAX, diagnostics, &file);
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
    return status;
}

static isocast_status claim(campaign_sample_file *f) {
    isocast_status status = campaign_claim_take_for(f->listener, f->path);
    f->claimed = status == ISOCAST_OK;
    return status;
}

/* Where the disk is full, only whole lines stay in the file. */
static void cut_back(campaign_sample_file *f, size_t written) {
    while (written > 0 && f->pending[written - 1] != '\n') {
        written--;
    }
    f->end += (long)written;
    if (ftruncate(f->file, f->end) != 0) {
        campaign_report(f->listener, CAMPAIGN_WARNING, "a part of a line stays at the end of %s",
                        f->part_path);
    }
}

/* Makes a file that is gone on with one that grows. */
static void begin_again(campaign_sample_file *f) {
    if (ftruncate(f->file, f->end) != 0 || (f->finished && rename(f->path, f->part_path) != 0)) {
        f->cause = errno;
        return;
    }
    f->as_found = f->finished = false;
}

static bool flush(campaign_sample_file *f) {
    size_t written = 0;
    if (f->as_found && f->pending_length > 0) {
        begin_again(f);
        if (f->cause != 0) {
            return false;
        }
    }
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

/* Adds a line, which is in the file after the next flush. False where it cannot be written: the
 * file then ends with the last whole line that fitted. */
static bool add(campaign_sample_file *f, const char *line) {
    size_t length = strlen(line);
    if (f->cause == 0 && f->pending_length + length + 1 > PENDING_MAX) {
        flush(f);
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

/* A finished calibration may get more launches, or its machine file may be written again. */
static isocast_status open_again(campaign_sample_file *f, isocast_diagnostics *diagnostics,
                                 samples *kept) {
    struct stat old;
    f->finished =
        access(f->part_path, F_OK) != 0 && stat(f->path, &old) == 0 && S_ISREG(old.st_mode);
    f->as_found = true;
    f->file = open(name_of(f), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (f->file < 0) {
        f->finished = false;
        return campaign_fail(f->listener, ISOCAST_ARGUMENT,
                             "there is no unfinished calibration to go on with: %s: %s",
                             f->part_path, strerror(errno));
    }
    return take_lines(f, kept, diagnostics);
}

static isocast_status open_new(campaign_sample_file *f) {
    isocast_status status = put_aside(f);
    if (status != ISOCAST_OK) {
        return status;
    }
    f->file = open(f->part_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (f->file < 0) {
        return fail(f, f->part_path);
    }
    return add(f, SAMPLES_HEADER) && flush(f) ? ISOCAST_OK : report_failure(f);
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
    isocast_status status = claim(out);
    if (status != ISOCAST_OK) {
        return status;
    }
    return resume ? open_again(out, diagnostics, kept) : open_new(out);
}

isocast_status campaign_sample_file_finish(campaign_sample_file *f) {
    if (!flush(f)) {
        return report_failure(f);
    }
    if (f->as_found) {
        begin_again(f);
    }
    if (f->cause != 0) {
        return report_failure(f);
    }
    bool named = fsync(f->file) == 0 && (f->finished || rename(f->part_path, f->path) == 0);
    return named ? ISOCAST_OK : fail(f, f->path);
}

void campaign_sample_file_keep(campaign_sample_file *f) {
    if (f->file < 0) {
        return;
    }
    flush(f);
    (void)report_failure(f);
    (void)fsync(f->file);
    if (f->rows > 0) {
        campaign_report(f->listener, CAMPAIGN_WARNING,
                        "what was measured is kept in %s; the same command with --resume goes on "
                        "from there",
                        name_of(f));
    } else if (!f->as_found) {
        unlink(f->part_path);
    }
}

void campaign_sample_file_close(campaign_sample_file *f) {
    if (f->file >= 0) {
        close(f->file);
    }
    if (f->claimed) {
        campaign_claim_release(f->path);
    }
    free(f->pending);
    f->file = -1;
    f->claimed = false;
    f->pending = NULL;
}

static const double show_every = 0.25; /* s */
static const double flush_every = 0.5; /* s */

void campaign_recorder_begin_launch(campaign_recorder *recorder) {
    recorder->launch = (campaign_launch_record){.failure = ISOCAST_OK};
}

void campaign_recorder_report_progress(void *context) {
    campaign_recorder *recorder = context;
    campaign_progress *progress = &recorder->progress;
    double now = campaign_clock();
    if (progress->started == 0 || now - progress->shown < show_every) {
        return;
    }
    progress->shown = now;
    size_t launch = progress->launch + 1;
    if (progress->launches == 0) {
        campaign_report_progress(recorder->listener, launch, 0,
                                 "simulating: launch %zu, %.0f s so far", launch,
                                 now - progress->started);
    } else {
        campaign_report_progress(recorder->listener, launch, progress->launches,
                                 "measuring: launch %zu of %zu, %.0f s so far, about %.0f s left",
                                 launch, progress->launches, now - progress->started,
                                 fmax(progress->ends - now, 0));
    }
}

/* Reports the user at once what a line reports, while the measuring goes on. */
static void report_jump(const campaign_recorder *recorder, const char *line) {
    size_t length;
    const char *jump = environment_value(line, ENVIRONMENT_CLOCK_JUMPED, &length);
    if (jump != NULL) {
        campaign_report(recorder->listener, CAMPAIGN_WARNING, "the clock (MPI_Wtime) jumped %.*s",
                        (int)length, jump);
    }
}

static void note_of_launch(campaign_recorder *recorder, const char *line) {
    double share;
    if (environment_read_share(line, &share)) {
        recorder->share_sum += share;
        recorder->share_count++;
    }
    double seconds;
    if (environment_read_planned(line, &seconds)) {
        recorder->launch.planned = seconds;
    }
    if (environment_read_suite(line, &seconds)) {
        recorder->launch.suite = seconds;
    }
}

static void note_other_line(campaign_launch_record *launch, const char *line) {
    size_t used = strlen(launch->other_lines);
    snprintf(launch->other_lines + used, sizeof launch->other_lines - used, "%s\n", line);
}

/* Samples are written soon after they were measured, in case this process is killed. */
static bool flush_in_time(campaign_recorder *recorder) {
    double now = campaign_clock();
    if (now - recorder->flushed < flush_every) {
        return true;
    }
    recorder->flushed = now;
    return flush(&recorder->file);
}

bool campaign_recorder_take_line(const char *line, void *context) {
    campaign_recorder *recorder = context;
    samples_line kind;
    isocast_status status = samples_add_line(&recorder->samples, line, &kind);
    if (status == ISOCAST_INVALID) {
        note_other_line(&recorder->launch, line);
        return true;
    }
    if (status != ISOCAST_OK) {
        recorder->launch.failure = status;
        return false;
    }
    report_jump(recorder, line);
    note_of_launch(recorder, line);
    campaign_recorder_report_progress(recorder);
    bool new = kind == SAMPLES_LINE_ROW || kind == SAMPLES_LINE_ENVIRONMENT;
    if (new && recorder->file.file >= 0 &&
        !(add(&recorder->file, line) && flush_in_time(recorder))) {
        recorder->launch.failure = ISOCAST_IO;
        return false;
    }
    return true;
}

isocast_status campaign_recorder_add(campaign_recorder *recorder, const char *line) {
    return campaign_recorder_take_line(line, recorder) ? ISOCAST_OK : recorder->launch.failure;
}

isocast_status campaign_recorder_note(campaign_recorder *recorder, const char *key,
                                      const char *value) {
    char line[ENVIRONMENT_LINE_MAX];
    environment_write(key, value, line);
    return value[0] != '\0' ? campaign_recorder_add(recorder, line) : ISOCAST_OK;
}

isocast_status campaign_recorder_note_plan(campaign_recorder *recorder, const char *plan,
                                           isocast_buffer *earlier) {
    char line[ENVIRONMENT_LINE_MAX];
    environment_write(ENVIRONMENT_PLAN, plan, line);
    size_t length = 0;
    size_t new_length = 0;
    const char *new = environment_value(line, ENVIRONMENT_PLAN, &new_length);
    const char *before = environment_find(recorder->samples.environment, ENVIRONMENT_PLAN, &length);
    if (before != NULL && (length != new_length || memcmp(before, new, length) != 0)) {
        isocast_buffer_append(earlier, before, length);
        return ISOCAST_ARGUMENT;
    }
    return campaign_recorder_add(recorder, line);
}

isocast_status campaign_recorder_flush(campaign_recorder *recorder) {
    bool written = recorder->file.file < 0 || flush(&recorder->file);
    return written ? ISOCAST_OK : ISOCAST_IO;
}

void campaign_recorder_free(campaign_recorder *recorder) {
    campaign_sample_file_close(&recorder->file);
    samples_free(&recorder->samples);
}
