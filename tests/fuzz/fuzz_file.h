/* Bytes as a file with a path, for loaders that take one. */
#ifndef FUZZ_FILE_H
#define FUZZ_FILE_H

#include <stddef.h>
#include <stdint.h>

enum { FUZZ_PATH_MAX = 64 };

/* Opens a file in memory; its path is good until fuzz_file_close. Gives its descriptor. */
int fuzz_file_open(const uint8_t *data, size_t size, char path[FUZZ_PATH_MAX]);
void fuzz_file_close(int descriptor);

#endif
