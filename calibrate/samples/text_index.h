/* Short texts numbered in the order they are first seen. */
#ifndef TEXT_INDEX_H
#define TEXT_INDEX_H

#include <stddef.h>

/* Start from {0}. */
typedef struct text_index {
    char **texts; /* [count], NUL-terminated */
    size_t count;
    size_t *slots; /* [slot_count], index + 1; 0: free */
    size_t slot_count;
} text_index;

/* The number of a text of `length` bytes, a new one where it is new; (size_t)-1 where memory is
 * short. */
size_t text_index_of(text_index *index, const char *text, size_t length);
void text_index_free(text_index *index);

#endif
