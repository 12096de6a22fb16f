/* Input that can be read twice: a pipe or standard input is copied into memory first. */
#ifndef CLI_SPOOL_H
#define CLI_SPOOL_H

#include "model/base/diagnostic.h"

typedef struct cli_spool {
    const char *name;  /* as the user called it, borrowed */
    const char *label; /* what diagnostics call it, borrowed */
    char path[64];     /* to read the copy from; empty where the file itself can be read again */
    int copy;          /* descriptor of the copy; -1 for none */
    int cause;         /* errno of what could not be copied, which is for the caller to tell; 0 */
} cli_spool;

/* A file that is not there is left for the reader of the path to tell about. At most one byte more
 * than ISOCAST_FILE_MOST is copied, so that the reader sees what is too large. */
cli_spool cli_spool_open(const char *name);
void cli_spool_close(cli_spool *spool);

/* The path to read from. */
const char *cli_spool_path(const cli_spool *spool);

/* Gives the diagnostics of the copy the label. */
void cli_spool_rename(const cli_spool *spool, isocast_diagnostics *diagnostics);

#endif
