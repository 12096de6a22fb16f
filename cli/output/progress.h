/* The line on standard error that is written over while something goes on, and the one place where
 * what goes to standard error is cleaned. Whether progress is to be shown is the callers'. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

/* From here on everything that is printed to stderr, whoever it quotes, reaches the terminal
 * without control characters (text.h) other than line breaks and tabs. False where memory is short.
 */
bool cli_stderr_clean(void);

/* Shows a line in the place of the one shown before. */
void cli_progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Clears the line. */
void cli_progress_clear(void);

#endif
