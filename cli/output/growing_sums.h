/* Sums of the blocks of a growing result, in a file beside it (".NAME.isocast-sums") until the
 * result is complete. A block whose sum is there was written as it stands, so that a command that
 * goes on with the result need not compute the block again to compare it. The sums only vouch:
 * where they are lost or do not fit, all is computed again. Nothing here fails. */
#ifndef CLI_GROWING_SUMS_H
#define CLI_GROWING_SUMS_H

#include <sha256.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/base/buffer.h"

/* Start from {.file = -1}. */
typedef struct cli_growing_sums {
    int file;  /* -1: there are no sums */
    bool made; /* the file was not there before */
    char path[4200];
    const isocast_buffer *head; /* of the result: a part of every sum */
    SHA256_CTX block;           /* of the block that is being read or written */
    double number;              /* of that block, from 0 on */
} cli_growing_sums;

/* Opens the sums of a result, or begins them anew. head must outlive them. */
void cli_growing_sums_open(const char *path, const isocast_buffer *head, bool anew,
                           cli_growing_sums *out);

/* Bytes of the next block, and its end: false where its sum is another one, or missing. */
void cli_growing_sums_read(cli_growing_sums *sums, const char *bytes, size_t length);
bool cli_growing_sums_vouch(cli_growing_sums *sums);

/* Notes that the block of this number is these bytes. */
void cli_growing_sums_note(cli_growing_sums *sums, double number, const char *bytes, size_t length);

/* Closes the file; removes it where the result is complete, or was refused and had
 * no sums before. */
void cli_growing_sums_close(cli_growing_sums *sums, bool complete, bool refused);

#endif
