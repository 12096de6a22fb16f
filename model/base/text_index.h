/* Short texts numbered in the order they are first seen. */
#ifndef ISOCAST_TEXT_INDEX_H
#define ISOCAST_TEXT_INDEX_H

#include <stddef.h>

/* Start from {0}. */
typedef struct isocast_text_index {
    char **texts; /* [count], NUL-terminated */
    size_t count;
    size_t *slots; /* [slot_count], index + 1; 0: free */
    size_t slot_count;
} isocast_text_index;

/* The number of a text of `length` bytes, a new one where it is new; (size_t)-1 where memory is
 * short. */
size_t isocast_text_index_number(isocast_text_index *index, const char *text, size_t length);
void isocast_text_index_free(isocast_text_index *index);

#endif
