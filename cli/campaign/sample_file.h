/* The file that a calibration's samples go to as they come: PATH.part until all is there. What was
 * measured stays whatever ends the calibration, and one that was interrupted can go on. Knows
 * nothing of what is measured. */
#ifndef CLI_SAMPLE_FILE_H
#define CLI_SAMPLE_FILE_H

#include "calibrate/samples/samples.h"

/* Start from {.file = -1}. */
typedef struct cli_sample_file {
    char path[4096];      /* when it is finished */
    char part_path[4096]; /* until then */
    int file;
    long end;      /* bytes, of whole lines that are in the file */
    char *pending; /* [pending_length], lines that are not written yet */
    size_t pending_length;
    size_t rows; /* samples in it */
    int cause;   /* errno of what could not be written; 0 */
} cli_sample_file;

/* Makes PATH.part, or with `resume` opens the one that is there (else PATH itself takes that name),
 * cuts off a last line without its end, and adds its lines to `kept`. One that is replaced keeps
 * its samples in PATH.part.old. Gives an exit status like the next ones; tells on stderr what is
 * wrong. Close in either case. */
int cli_sample_file_open(const char *path, bool resume, samples *kept, cli_sample_file *out);

/* Adds a line, which is in the file after the next flush. False where it cannot be written: the
 * file then ends with the last whole line that fitted. */
bool cli_sample_file_add(cli_sample_file *f, const char *line);
bool cli_sample_file_flush(cli_sample_file *f);

/* Says that PATH.part cannot be written, where that is so. */
void cli_sample_file_tell(const cli_sample_file *f);

/* Gives the file its name. */
int cli_sample_file_finish(cli_sample_file *f);

/* Says where the samples of a calibration that did not finish are, and how it goes on; removes the
 * file where there are none. */
void cli_sample_file_keep(cli_sample_file *f);
void cli_sample_file_close(cli_sample_file *f);

#endif
