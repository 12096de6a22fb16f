#include "text_index.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "refused.h"

/* FNV-1a (Fowler, Noll, Vo). */
static size_t hash_of(const char *text, size_t length) {
    uint64_t hash = 14695981039346656037U;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211U;
    }
    return (size_t)(hash ^ (hash >> 32));
}

/* The slot that a text is in, or would be. */
static size_t slot_of(const isocast_text_index *index, const char *text, size_t length) {
    size_t slot = hash_of(text, length) & (index->slot_count - 1);
    while (index->slots[slot] != 0) {
        const char *known = index->texts[index->slots[slot] - 1];
        if (strncmp(known, text, length) == 0 && known[length] == '\0') {
            break;
        }
        slot = (slot + 1) & (index->slot_count - 1);
    }
    return slot;
}

static bool grow(isocast_text_index *index) {
    size_t slot_count = index->slot_count == 0 ? 64 : 2 * index->slot_count;
    char **texts = realloc(index->texts, slot_count * sizeof *texts);
    if (texts == NULL) {
        return false;
    }
    index->texts = texts;
    size_t *slots = calloc(slot_count, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    free(index->slots);
    index->slots = slots;
    index->slot_count = slot_count;
    for (size_t i = 0; i < index->count; i++) {
        slots[slot_of(index, texts[i], strlen(texts[i]))] = i + 1;
    }
    return true;
}

size_t isocast_text_index_number(isocast_text_index *index, const char *text, size_t length) {
    if (2 * index->count >= index->slot_count && !grow(index)) {
        isocast_refused_note();
        return (size_t)-1;
    }
    size_t slot = slot_of(index, text, length);
    if (index->slots[slot] == 0) {
        char *copy = strndup(text, length);
        if (copy == NULL) {
            isocast_refused_note();
            return (size_t)-1;
        }
        index->texts[index->count++] = copy;
        index->slots[slot] = index->count;
    }
    return index->slots[slot] - 1;
}

void isocast_text_index_free(isocast_text_index *index) {
    for (size_t i = 0; i < index->count; i++) {
        free(index->texts[i]);
    }
    free(index->texts);
    free(index->slots);
    *index = (isocast_text_index){0};
}
