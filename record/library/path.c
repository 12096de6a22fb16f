#include "path.h"

#include <stddef.h>
#include <string.h>
#include <unwind.h>

#include "state.h"
#include "store.h"

enum {
    SETS = 256,
    WAYS = 4,
    FRAMES_MOST = 512 /* that are looked at; recursion may have any number */
};

static record_path paths[SETS][WAYS];
static uint8_t oldest[SETS];

static size_t set_of(const void *place, const void *stack) {
    uint64_t sum = (uint64_t)(uintptr_t)place + 31 * (uint64_t)(uintptr_t)stack;
    return (size_t)((sum * 0x9E3779B97F4A7C15U) >> 56) % SETS;
}

const record_path *record_path_recent(const void *place, const void *stack) {
    record_path *set = paths[set_of(place, stack)];
    for (size_t i = 0; i < WAYS; i++) {
        if (record_path_holds(&set[i], place, stack)) {
            return &set[i];
        }
    }
    return NULL;
}

typedef struct walk {
    record_path *path;
    const void *const *from; /* the stack of the function before */
    unsigned frames;
    bool called; /* the place of the call has been passed */
} walk;

/* Adds a caller. False where its return address is not found on the stack, between that of the
 * function it called and its own: nothing is known of what led to it then. */
static bool add(walk *w, const void *caller, const void *const *to) {
    record_path *path = w->path;
    for (uint32_t i = 0; i < path->count; i++) {
        if (path->callers[i] == caller) {
            return true; /* a function that calls itself */
        }
    }
    const void *const *at = to;
    while (at > w->from && *--at != caller) {
    }
    if (path->count == RECORD_PATH_DEPTH || at < w->from || *at != caller) {
        return false;
    }
    path->at[path->count] = at;
    path->callers[path->count++] = caller;
    return true;
}

/* The unwinder gives addresses as numbers. */
static const void *pointer_of(uintptr_t address) {
    const void *pointer;
    memcpy(&pointer, &address, sizeof pointer);
    return pointer;
}

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *argument) {
    walk *w = argument;
    const void *caller = pointer_of(_Unwind_GetIP(context));
    /* The end of the stack of what this one called. */
    const void *const *to = pointer_of(_Unwind_GetCFA(context));
    bool ends = ++w->frames > FRAMES_MOST || caller == NULL ||
                (w->called && record_is_in(&record_now.c, caller));
    if (ends || (w->called && !add(w, caller, to))) {
        return _URC_END_OF_STACK;
    }
    w->called = w->called || caller == w->path->place;
    w->from = to;
    return _URC_NO_REASON;
}

const record_path *record_path_find(const void *place, const void *stack) {
    size_t set = set_of(place, stack);
    record_path *path = &paths[set][oldest[set]++ % WAYS];
    *path = (record_path){.place = place, .stack = stack, .thread = &record_mine};
    walk w = {.path = path};
    _Unwind_Backtrace(look, &w);
    path->site = record_store_site(place, path->callers, path->count);
    if (path->site == RECORD_PART_NONE) {
        path->place = NULL;
    }
    return path;
}
