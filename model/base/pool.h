/* Arrays that are made one by one and freed together. */
#ifndef ISOCAST_POOL_H
#define ISOCAST_POOL_H

#include <stdbool.h>
#include <stddef.h>

/* Start from {0}. */
typedef struct isocast_pool {
    struct isocast_pool_array *arrays;
    bool failed; /* memory was short for one of them */
} isocast_pool;

/* `count` elements of `size` bytes, all 0, with room for one more; NULL where memory is short. */
void *isocast_pool_take(isocast_pool *pool, size_t count, size_t size);
void isocast_pool_free(isocast_pool *pool);

#endif
