#include "text_index.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a (Fowler, Noll, Vo). */
static size_t hash_of(const char *text, size_t length) {
    uint64_t hash = 14695981039346656037U;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211U;
    }
    return (size_t)(hash ^ (hash >> 32));
}

/* The slot that a text is in, or would be. */
static size_t slot_of(const text_index *index, const char *text, size_t length) {
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

static bool grow(text_index *index) {
    text_index larger = *index;
    larger.slot_count = index->slot_count == 0 ? 64 : 2 * index->slot_count;
    larger.texts = realloc(index->texts, larger.slot_count * sizeof *larger.texts);
    if (larger.texts == NULL) {
        return false;
    }
    index->texts = larger.texts;
    larger.slots = calloc(larger.slot_count, sizeof *larger.slots);
    if (larger.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < larger.count; i++) {
        larger.slots[slot_of(&larger, larger.texts[i], strlen(larger.texts[i]))] = i + 1;
    }
    free(index->slots);
    *index = larger;
    return true;
}

size_t text_index_of(text_index *index, const char *text, size_t length) {
    if (2 * index->count >= index->slot_count && !grow(index)) {
        return (size_t)-1;
    }
    size_t slot = slot_of(index, text, length);
    if (index->slots[slot] == 0) {
        char *copy = strndup(text, length);
        if (copy == NULL) {
            return (size_t)-1;
        }
        index->texts[index->count++] = copy;
        index->slots[slot] = index->count;
    }
    return index->slots[slot] - 1;
}

void text_index_free(text_index *index) {
    for (size_t i = 0; i < index->count; i++) {
        free(index->texts[i]);
    }
    free(index->texts);
    free(index->slots);
    *index = (text_index){0};
}
