#include "record_ranks.h"

#include <stdbool.h>
#include <stdlib.h>

#include "model/base/array.h"

typedef struct range {
    unsigned long long first, last, step;
} range;

/* "4", "0-3" or "8-14/2" at *at, which moves behind it. */
static bool read_range(const char **at, range *out) {
    static const char before[3] = {'\0', '-', '/'};
    unsigned long long parts[3] = {0, 0, 1};
    size_t given = 0;
    while (given < 3 && (given == 0 || **at == before[given])) {
        const char *digits = *at + (given > 0 ? 1 : 0);
        if (*digits < '0' || *digits > '9') {
            return false;
        }
        char *end = NULL;
        parts[given++] = strtoull(digits, &end, 10);
        *at = end;
    }
    *out = (range){parts[0], given == 1 ? parts[0] : parts[1], parts[2]};
    return **at == '\0' || **at == ' ';
}

isocast_record_ranks isocast_record_ranks_read(const char *text, size_t limit, size_t most,
                                               size_t **ranks, size_t *count) {
    size_t capacity = 0;
    const char *at = text;
    while (*at != '\0') {
        range next;
        if (!read_range(&at, &next) || next.first > next.last || next.last >= limit ||
            next.step == 0 || next.step > limit) {
            return ISOCAST_RECORD_RANKS_NO_LIST;
        }
        for (unsigned long long rank = next.first; rank <= next.last; rank += next.step) {
            if (*count >= most) {
                return ISOCAST_RECORD_RANKS_TOO_MANY;
            }
            if (!isocast_array_grow((void **)ranks, *count, &capacity, sizeof **ranks)) {
                return ISOCAST_RECORD_RANKS_NO_MEMORY;
            }
            (*ranks)[(*count)++] = (size_t)rank;
        }
        at += *at == ' ' ? 1 : 0;
    }
    return ISOCAST_RECORD_RANKS_GOOD;
}
