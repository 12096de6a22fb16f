#include "recorder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibrate/samples/environment.h"

static const double show_every = 0.25; /* s */
static const double flush_every = 0.5; /* s */

void campaign_recorder_begin_launch(campaign_recorder *recorder) {
    recorder->launch = (campaign_launch_record){.failure = ISOCAST_OK};
}

void campaign_recorder_tell_progress(void *context) {
    campaign_recorder *recorder = context;
    campaign_progress *progress = &recorder->progress;
    double now = campaign_clock();
    if (progress->started == 0 || now - progress->shown < show_every) {
        return;
    }
    progress->shown = now;
    size_t launch = progress->launch + 1;
    if (progress->launches == 0) {
        campaign_tell_progress(recorder->listener, launch, 0,
                               "simulating: launch %zu, %.0f s so far", launch,
                               now - progress->started);
    } else {
        campaign_tell_progress(recorder->listener, launch, progress->launches,
                               "measuring: launch %zu of %zu, %.0f s so far, about %.0f s left",
                               launch, progress->launches, now - progress->started,
                               fmax(progress->ends - now, 0));
    }
}

/* Tells the user at once what a line reports, while the measuring goes on. */
static void tell_jump(const campaign_recorder *recorder, const char *line) {
    size_t length;
    const char *jump = environment_value(line, ENVIRONMENT_CLOCK_JUMPED, &length);
    if (jump != NULL) {
        campaign_tell(recorder->listener, CAMPAIGN_WARNING, "the clock (MPI_Wtime) jumped %.*s",
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
    return campaign_sample_file_flush(&recorder->file);
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
    tell_jump(recorder, line);
    note_of_launch(recorder, line);
    campaign_recorder_tell_progress(recorder);
    bool new = kind == SAMPLES_LINE_ROW || kind == SAMPLES_LINE_ENVIRONMENT;
    if (new && recorder->file.file >= 0 &&
        !(campaign_sample_file_add(&recorder->file, line) && flush_in_time(recorder))) {
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
    bool written = recorder->file.file < 0 || campaign_sample_file_flush(&recorder->file);
    return written ? ISOCAST_OK : ISOCAST_IO;
}

void campaign_recorder_free(campaign_recorder *recorder) {
    campaign_sample_file_close(&recorder->file);
    samples_free(&recorder->samples);
}
