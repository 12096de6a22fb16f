/* Takes the lines of the probe as they come: samples go to memory and to their file, and facts
 * about the launch are kept. The file is called PATH.part until the calibration is complete.
 * Whatever ends the calibration, the samples stay, and it can be resumed. Starts nothing, plans
 * nothing. */
#ifndef CAMPAIGN_RECORDER_H
#define CAMPAIGN_RECORDER_H

#include "calibrate/samples/samples.h"
#include "event.h"
#include "model/base/buffer.h"
#include "model/base/diagnostic.h"

/* Start from {.file = -1}. */
typedef struct campaign_sample_file {
    char path[4096];      /* its name when it is finished */
    char part_path[4096]; /* until then */
    int file;
    bool claimed;
    bool as_found; /* a file that is gone on with: nothing of it is changed before the first line */
    bool finished; /* it was complete, and has the name `path` until then */
    long end;      /* bytes, of whole lines that are in the file */
    char *pending; /* [pending_length], lines that are not written yet */
    size_t pending_length;
    size_t rows; /* samples in it */
    int cause;   /* errno of a write that failed; else 0 */
    const campaign_listener *listener;
} campaign_sample_file;

/* Claims PATH (claim.h) and makes PATH.part, or with `resume` opens the one that is there, or else
 * PATH, and adds its lines to `kept`. Such a file stays as it is until a line is added: then PATH
 * takes the name PATH.part, and a last line without its end is cut off. One that is replaced keeps
 * its samples in PATH.part.old, or with -2, -3 and so on behind that. What is wrong is given to the
 * listener, which must outlive the file; a bad line is in the diagnostics. Errors: ARGUMENT where
 * there is nothing to resume, INVALID, IO, NO_MEMORY. Close in either case. */
isocast_status campaign_sample_file_open(const char *path, bool resume,
                                         const campaign_listener *listener,
                                         isocast_diagnostics *diagnostics, samples *kept,
                                         campaign_sample_file *out);

/* Gives the file its name. Errors: IO, which is reported. */
isocast_status campaign_sample_file_finish(campaign_sample_file *f);

/* Reports where the samples of a calibration that did not finish are, and how it goes on; before
 * that, why they cannot be written, where that is so. Removes the file where there are none. */
void campaign_sample_file_keep(campaign_sample_file *f);
void campaign_sample_file_close(campaign_sample_file *f);

/* Which launch of how many, for the progress that is reported while lines come. */
typedef struct campaign_progress {
    size_t launch;   /* from 0 on */
    size_t launches; /* 0: not known, as in a simulation */
    double started;  /* s of campaign_clock(); 0: nothing is to be reported */
    double ends;     /* likewise, when all launches will have ended */
    double shown;    /* likewise, when progress was reported last */
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
 * shows why. */
bool campaign_recorder_take_line(const char *line, void *context);

/* Reports progress, where that is due, also while no line comes; context: the recorder. */
void campaign_recorder_report_progress(void *context);

/* Adds a line to the head of the samples, or the fact "key: value"; an empty value is none. Errors:
 * IO, which campaign_sample_file_keep() shows, NO_MEMORY. */
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
