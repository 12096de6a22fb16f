/* The file that a calibration writes its samples to as they come. It is called PATH.part until the
 * calibration is complete. Whatever ends the calibration, the samples stay, and the calibration can
 * be resumed. Knows nothing of what is measured. */
#ifndef CAMPAIGN_SAMPLE_FILE_H
#define CAMPAIGN_SAMPLE_FILE_H

#include "calibrate/samples/samples.h"
#include "event.h"
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
 * its samples in PATH.part.old, or with -2, -3 and so on behind that. What is wrong is told to the
 * listener, which must outlive the file; a bad line is in the diagnostics. Errors: ARGUMENT where
 * there is nothing to resume, INVALID, IO, NO_MEMORY. Close in either case. */
isocast_status campaign_sample_file_open(const char *path, bool resume,
                                         const campaign_listener *listener,
                                         isocast_diagnostics *diagnostics, samples *kept,
                                         campaign_sample_file *out);

/* Adds a line, which is in the file after the next flush. False where it cannot be written: the
 * file then ends with the last whole line that fitted. */
bool campaign_sample_file_add(campaign_sample_file *f, const char *line);
bool campaign_sample_file_flush(campaign_sample_file *f);

/* Gives the file its name. Errors: IO, which is told. */
isocast_status campaign_sample_file_finish(campaign_sample_file *f);

/* Tells where the samples of a calibration that did not finish are, and how it goes on; before
 * that, why they cannot be written, where that is so. Removes the file where there are none. */
void campaign_sample_file_keep(campaign_sample_file *f);
void campaign_sample_file_close(campaign_sample_file *f);

#endif
