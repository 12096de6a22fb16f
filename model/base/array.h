/* Arrays that grow as elements are appended. Knows nothing of the elements. */
#ifndef ISOCAST_ARRAY_H
#define ISOCAST_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for one more element of `size` bytes behind `count` of them. *items: the array, NULL
 * with a *capacity of 0 at first; both stay as they are where memory is short, which gives false.
 * The array may move. Free it with free(). */
bool isocast_array_grow(void **items, size_t count, size_t *capacity, size_t size);

/* Appends an element to an array, whose count and capacity are variables; false where memory is
 * short. */
#define ISOCAST_ARRAY_ADD(items, count, capacity, ...)                                             \
    (isocast_array_grow((void **)&(items), count, &(capacity), sizeof *(items)) &&                 \
     ((items)[(count)++] = (__VA_ARGS__), true))

#endif
