/* A result that is written as it is computed, line by line, and gone on with after it was cut off:
 * standard output, a pipe, or a file. A file that is there is never begun again; only the line that
 * was torn is cut, once all lines before it are known to be right. Knows nothing of what the lines
 * say but what it is reported. */
#ifndef CLI_GROWING_H
#define CLI_GROWING_H

#include <sha256.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "model/base/buffer.h"

/* Sums of the blocks of a growing result, in a file beside it (".NAME.isocast-sums") until the
 * result is complete. A block whose sum is there was written as it stands, so that a command that
 * goes on with the result need not compute the block again to compare it. The sums only vouch:
 * where they are lost or do not fit, all is computed again. Nothing here fails. */

/* Start from {.file = -1}. */
typedef struct cli_growing_sums {
    int file;  /* -1: there are no sums */
    bool made; /* the file was not there before */
    char path[4200];
    const isocast_buffer *head; /* of the result: a part of every sum */
    SHA256_CTX block;           /* of the block that is being read or written */
    double number;              /* of that block, from 0 on */
} cli_growing_sums;

typedef struct cli_growing_request {
    const char *command; /* "sweep", for messages */
    const char *path;    /* NULL or "-": standard output */
    bool resume;         /* a file that is there is gone on with */
    const isocast_buffer *head;
    double lines_most; /* behind the head */
    double block;      /* lines that are computed together */
    /* Whether a line, without its break, is line `number` (from 1 on) of this result; *solved is
     * false where it says that there is no solution. */
    bool (*read_line)(const void *context, const char *line, size_t length, double number,
                      bool *solved);
    const void *context;
} cli_growing_request;

/* Start from {0}. */
typedef struct cli_growing {
    const cli_growing_request *request;
    int file;        /* -1: not open */
    bool regular;    /* a file on a disk; else a stream */
    bool created;    /* it was not there before */
    bool head_due;   /* it goes before the first block */
    double lines;    /* that were there */
    double unsolved; /* of those before the block `next` */
    double next;     /* the block that is to be appended first: the last one of which there are
                        lines, or one before it that nothing vouches for */
    double number;   /* of the block that is appended next, */
    off_t from;      /* where it begins in the file, */
    off_t end; /* and where the lines end: what stands between is computed again and compared */
    bool torn; /* the file may go on behind the end */
    cli_growing_sums sums;
} cli_growing;

/* Opens the output and checks what is there. Where nothing is, the head is written with the first
 * block, so that what fails before leaves nothing behind. The request must outlive it. Reports on
 * stderr what is wrong; gives an exit status. Close it in either case. */
int cli_growing_open(const cli_growing_request *request, cli_growing *out);

/* Appends the lines of a block; what is there already is compared with them, and the file stays as
 * it is until all of that is the same. Gives an exit status. */
int cli_growing_append(cli_growing *growing, const char *text, size_t length);

/* Closes the output; what was written is on the disk then. complete: nothing is to be gone on with.
 * Gives `status`, or CLI_EXIT_SYSTEM where it cannot. */
int cli_growing_close(cli_growing *growing, bool complete, int status);

#endif
