#include "pool.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct isocast_pool_array {
    struct isocast_pool_array *next;
    max_align_t elements[];
} isocast_pool_array;

void *isocast_pool_take(isocast_pool *pool, size_t count, size_t size) {
    bool fits = count < (SIZE_MAX - sizeof(isocast_pool_array)) / size - 1;
    isocast_pool_array *array = fits ? calloc(1, sizeof *array + (count + 1) * size) : NULL;
    if (array == NULL) {
        pool->failed = true;
        return NULL;
    }
    array->next = pool->arrays;
    pool->arrays = array;
    return array->elements;
}

void isocast_pool_free(isocast_pool *pool) {
    while (pool->arrays != NULL) {
        isocast_pool_array *next = pool->arrays->next;
        free(pool->arrays);
        pool->arrays = next;
    }
}
