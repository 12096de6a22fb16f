#include "calls.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_START = 64 };

static uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

isocast_call isocast_call_of(const isocast_emitter *e, const isocast_formula *body,
                             const isocast_value arguments[ISOCAST_CALL_ARGUMENTS]) {
    isocast_call call = {.body = body};
    for (size_t i = 0; i < ISOCAST_CALL_ARGUMENTS; i++) {
        isocast_value v = arguments[i];
        call.arguments[i] = v;
        call.blocks[i] = v.is_constant ? 0 : e->frames[v.level].index;
    }
    return call;
}

static bool same_value(isocast_value a, isocast_value b) {
    return a.is_constant ? b.is_constant && bits_of(a.constant) == bits_of(b.constant)
                         : !b.is_constant && a.level == b.level && a.reg == b.reg;
}

static bool same_call(const isocast_call *a, const isocast_call *b) {
    for (size_t i = 0; i < ISOCAST_CALL_ARGUMENTS; i++) {
        if (a->blocks[i] != b->blocks[i] || !same_value(a->arguments[i], b->arguments[i])) {
            return false;
        }
    }
    return a->body == b->body;
}

static uint64_t mix(uint64_t hash, uint64_t bits) {
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 29);
}

static size_t hash_of(const isocast_call *call) {
    uint64_t hash = mix(0, (uintptr_t)call->body);
    for (size_t i = 0; i < ISOCAST_CALL_ARGUMENTS; i++) {
        isocast_value v = call->arguments[i];
        hash = v.is_constant ? mix(hash, bits_of(v.constant))
                             : mix(mix(hash, ((uint64_t)v.level << 32) | v.reg), call->blocks[i]);
    }
    return (size_t)hash;
}

static size_t slot_of(const isocast_calls *calls, const isocast_call *call) {
    size_t at = hash_of(call) & (calls->table_size - 1);
    while (calls->table[at] != 0 && !same_call(&calls->calls[calls->table[at] - 1], call)) {
        at = (at + 1) & (calls->table_size - 1);
    }
    return at;
}

bool isocast_calls_find(const isocast_calls *calls, const isocast_call *call, isocast_value *out) {
    size_t slot = calls->table_size > 0 ? calls->table[slot_of(calls, call)] : 0;
    if (slot != 0) {
        *out = calls->values[slot - 1];
    }
    return slot != 0;
}

static bool table_grow(isocast_calls *calls) {
    if (2 * (calls->count + 1) <= calls->table_size) {
        return true;
    }
    size_t size = calls->table_size == 0 ? TABLE_START : 2 * calls->table_size;
    size_t *table = calloc(size, sizeof *table);
    if (table == NULL) {
        return false;
    }
    free(calls->table);
    calls->table = table;
    calls->table_size = size;
    for (size_t i = 0; i < calls->count; i++) {
        calls->table[slot_of(calls, &calls->calls[i])] = i + 1;
    }
    return true;
}

bool isocast_calls_add(isocast_calls *calls, isocast_call call, isocast_value value) {
    if (!table_grow(calls)) {
        return false;
    }
    /* The table has room for half its size. */
    size_t capacity = calls->table_size / 2;
    if (calls->count == calls->call_capacity) {
        isocast_call *grown = realloc(calls->calls, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        calls->calls = grown;
        calls->call_capacity = capacity;
    }
    if (calls->count == calls->value_capacity) {
        isocast_value *grown = realloc(calls->values, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        calls->values = grown;
        calls->value_capacity = capacity;
    }
    calls->calls[calls->count] = call;
    calls->values[calls->count] = value;
    calls->table[slot_of(calls, &call)] = ++calls->count;
    return true;
}

void isocast_calls_free(isocast_calls *calls) {
    free(calls->calls);
    free(calls->values);
    free(calls->table);
    *calls = (isocast_calls){0};
}
