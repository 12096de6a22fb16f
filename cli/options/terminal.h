/* How wide texts for people may be. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stddef.h>

/* Columns for standard output (`output` is "-"): what the variable COLUMNS says; else the width of
 * the terminal that it is. 0 where nothing limits it, as in a file. */
size_t cli_terminal_columns(const char *output);

#endif
