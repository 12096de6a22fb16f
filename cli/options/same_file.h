/* Whether two names on a command line are one file, also by another path or a link. Devices and
 * pipes may be named twice. */
#ifndef CLI_SAME_FILE_H
#define CLI_SAME_FILE_H

#include <stdbool.h>

/* A regular file that is there by both names. */
bool cli_same_file(const char *a, const char *b);

/* The same for two outputs, which may also be files that are not there yet, or standard output
 * ("-") twice. */
bool cli_same_output(const char *a, const char *b);

#endif
