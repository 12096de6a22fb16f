/* Bytes to an open file, all of them. */
#ifndef CLI_WRITE_ALL_H
#define CLI_WRITE_ALL_H

#include <stdbool.h>
#include <stddef.h>

/* Writes `length` bytes, however many calls that takes. False where the system refuses, by errno.
 */
bool cli_write_all(int file, const char *bytes, size_t length);

/* Whether something went to standard output so. */
bool cli_write_shown(void);

#endif
