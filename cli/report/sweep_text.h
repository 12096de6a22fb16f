/* The rows of a sweep as lines of CSV or JSON, and the head that goes before them: what was
 * asked, the units, and a hash of both and of the files. A line begins with the row's number and
 * ends with its status, which is how a file that was cut off is read again. */
#ifndef CLI_SWEEP_TEXT_H
#define CLI_SWEEP_TEXT_H

#include "model/sweep/sweep.h"

typedef enum cli_sweep_format { CLI_SWEEP_CSV, CLI_SWEEP_JSON } cli_sweep_format;

/* Appends the head: for CSV comment lines and the names of the columns, for JSON an object on a
 * line. `question` is the command line without what does not change the rows. *hash, where not
 * NULL, gets the hexadecimal SHA-256. False where memory is short. */
enum { CLI_SWEEP_HASH = 64 };
bool cli_sweep_head(const isocast_sweep *sweep, cli_sweep_format format, const char *question,
                    isocast_buffer *out, char hash[CLI_SWEEP_HASH + 1]);

/* What makes lines, for one thread; the parts of lines that come again are kept. */
typedef struct cli_sweep_text cli_sweep_text;
/* NULL where memory is short. The sweep must outlive it. */
cli_sweep_text *cli_sweep_text_create(const isocast_sweep *sweep, cli_sweep_format format);
void cli_sweep_text_free(cli_sweep_text *text);

/* Appends the lines of records; gives how many of them have no solution. */
double cli_sweep_lines(cli_sweep_text *text, const isocast_sweep_records *records,
                       isocast_buffer *out);

/* Reads a line of such a file, without its line break: whether it is that of row `row` (from 1 on),
 * and whether it has a solution. */
bool cli_sweep_line_read(cli_sweep_format format, const char *line, size_t length, double row,
                         bool *solved);

#endif
