/* The file that may be meant by the name of one that is not there. */
#ifndef ISOCAST_NEAR_FILE_H
#define ISOCAST_NEAR_FILE_H

#include "buffer.h"

/* Appends a sentence: "did you mean 'FILE'?" with a file of the same folder whose name is near, or
 * that the name is a pattern which fits nothing. Nothing where there is no such file. */
void isocast_near_file_append(const char *path, isocast_buffer *out);

#endif
