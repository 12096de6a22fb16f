/* How wide texts for people may be. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stddef.h>

/* Columns for standard output (`output` is "-") or a file: what the variable COLUMNS says; else the
 * width of the terminal that standard output is. 0 where nothing limits it. */
size_t cli_terminal_columns(const char *output);

#endif
