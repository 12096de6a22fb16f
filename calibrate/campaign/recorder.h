/* Takes the lines of the probe as they come: samples go to memory and to their file, and facts
 * about the launch are kept. Starts nothing, plans nothing. */
#ifndef CAMPAIGN_RECORDER_H
#define CAMPAIGN_RECORDER_H

#include "event.h"
#include "model/base/buffer.h"
#include "sample_file.h"

/* Which launch of how many, for the progress that is told while lines come. */
typedef struct campaign_progress {
    size_t launch;   /* from 0 on */
    size_t launches; /* 0: not known, as in a simulation */
    double started;  /* s of campaign_clock(); 0: nothing is to be told */
    double ends;     /* likewise, when all launches will have ended */
    double shown;    /* likewise, when progress was told last */
} campaign_progress;

enum { CAMPAIGN_OTHER_LINES_MAX = 1024 };

/* The launch that runs, or the last one. */
typedef struct campaign_launch_record {
    double planned;                             /* s that it planned transforms */
    double suite;                               /* s that it measured marked speeds */
    char other_lines[CAMPAIGN_OTHER_LINES_MAX]; /* its lines that are not samples; a launcher may
                                        say there why it ended a program */
    isocast_status failure;                     /* why a line could not be taken; else OK */
} campaign_launch_record;

/* Start from {.listener, .file = {.file = -1}}: the samples then stay in memory, until the file is
 * opened. */
typedef struct campaign_recorder {
    const campaign_listener *listener;
    samples samples;
    campaign_sample_file file;
    double flushed; /* s of campaign_clock() when samples were written last */
    campaign_progress progress;
    campaign_launch_record launch;
    double share_sum; /* of a processor that the processes of each launch had */
    size_t share_count;
} campaign_recorder;

/* Forgets the last launch. */
void campaign_recorder_begin_launch(campaign_recorder *recorder);

/* Takes a line of the probe; context: the recorder. False where it cannot be kept: launch.failure
 * tells why. */
bool campaign_recorder_take_line(const char *line, void *context);

/* Tells progress, where that is due, also while no line comes; context: the recorder. */
void campaign_recorder_tell_progress(void *context);

/* Adds a line to the head of the samples, or the fact "key: value"; an empty value is none. Errors:
 * IO, which campaign_sample_file_keep() tells, NO_MEMORY. */
isocast_status campaign_recorder_add(campaign_recorder *recorder, const char *line);
isocast_status campaign_recorder_note(campaign_recorder *recorder, const char *key,
                                      const char *value);

/* Notes what is to be measured. Errors: those above; ARGUMENT where the samples to go on with were
 * measured for something else, which is appended to `earlier`. */
isocast_status campaign_recorder_note_plan(campaign_recorder *recorder, const char *plan,
                                           isocast_buffer *earlier);

/* Writes the samples that are not written yet. OK where there is no file. Errors: IO, as above. */
isocast_status campaign_recorder_flush(campaign_recorder *recorder);

/* Closes the file and frees the samples. */
void campaign_recorder_free(campaign_recorder *recorder);

#endif
