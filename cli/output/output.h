/* Where results go: standard output, or files that appear whole or not at all. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/buffer.h"

enum { CLI_OUTPUTS_MAX = 3 };

/* A finished text and where it goes; NULL or "-" is standard output. */
typedef struct cli_output {
    const char *path;
    isocast_buffer text;
} cli_output;

/* A part of what is to be written could not be made, which was reported: nothing is written, and no
 * want of memory is reported for it. */
void cli_output_lost(void);

/* Writes outputs of one command (shape [count], at most CLI_OUTPUTS_MAX), which appear together or
 * not at all: each file is written whole under another name beside the old one and flushed to disk
 * before the first is renamed, and a rename that fails takes back those before it. A file that
 * another command is writing, or has written since this one began, is left to it. Standard output,
 * pipes and devices are written just before the renames. Where memory was refused anywhere
 * (model/base/refused.h), something may be missing, and nothing is written. Frees the texts; a
 * failure is printed to stderr once, with its cause; gives CLI_EXIT_OK or CLI_EXIT_SYSTEM. */
int cli_outputs_write(cli_output *outputs, size_t count);

/* The same for one. */
int cli_output_write_text(const char *path, isocast_buffer *text);

/* Reports before long work that a file cannot be written: it is a folder, or in none that can be
 * written to. Gives CLI_EXIT_OK or CLI_EXIT_SYSTEM. */
int cli_output_check(const char *path);

/* Whether the reader of standard output had seen enough, such as head. */
bool cli_output_reader_left(void);

/* Closes standard output, as buffered text may fail to reach a full disk only then. Gives `status`,
 * or CLI_EXIT_SYSTEM where something of what was written there is lost, which is reported on
 * stderr; a reader that has closed its end, such as head, is nothing to state about. */
int cli_output_close(int status);

#endif
