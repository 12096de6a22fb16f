#include "steps_join.h"

#include <stdint.h>
#include <string.h>

derive_step *isocast_derive_steps_add(isocast_pool *pool, derive_steps *steps,
                                      derive_step_kind kind) {
    if (steps->count == steps->capacity) {
        size_t capacity = steps->capacity > 0 ? 2 * steps->capacity : 4;
        derive_step *items = isocast_pool_take(pool, capacity, sizeof *items);
        if (items == NULL) {
            return NULL;
        }
        if (steps->count > 0) {
            memcpy(items, steps->items, steps->count * sizeof *items);
        }
        steps->items = items;
        steps->capacity = capacity;
    }
    derive_step *step = &steps->items[steps->count++];
    *step = (derive_step){.kind = kind, .site = SIZE_MAX, .source = SIZE_MAX, .handle = SIZE_MAX};
    return step;
}

void isocast_derive_steps_remove(derive_steps *steps, size_t at) {
    memmove(&steps->items[at], &steps->items[at + 1],
            (steps->count - at - 1) * sizeof *steps->items);
    steps->count--;
}

isocast_status isocast_derive_steps_insert(isocast_pool *pool, derive_steps *steps, size_t at,
                                           const derive_steps *given) {
    for (size_t i = 0; i < given->count; i++) {
        if (isocast_derive_steps_add(pool, steps, DERIVE_STEP_WORK) == NULL) {
            return ISOCAST_NO_MEMORY;
        }
    }
    if (given->count > 0) {
        memmove(&steps->items[at + given->count], &steps->items[at],
                (steps->count - given->count - at) * sizeof *steps->items);
        memcpy(&steps->items[at], given->items, given->count * sizeof *steps->items);
    }
    return ISOCAST_OK;
}

static bool same_text(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_way(const derive_step *a, const derive_step *b) {
    return a->has_way && b->has_way && a->way.of_ranks == b->way.of_ranks &&
           a->way.to_one == b->way.to_one && a->way.pairs == b->way.pairs &&
           a->way.wraps == b->way.wraps && memcmp(a->way.by, b->way.by, sizeof a->way.by) == 0;
}

/* Puts the steps from one to before another one into a step of its own, which takes their place. */
static isocast_status gather(isocast_pool *pool, derive_steps *steps, size_t from, size_t end,
                             derive_step_kind kind) {
    const derive_steps given = {.items = steps->items + from, .count = end - from};
    derive_steps inside = {0};
    isocast_status status = isocast_derive_steps_insert(pool, &inside, 0, &given);
    steps->items[from] = (derive_step){
        .kind = kind, .site = SIZE_MAX, .source = SIZE_MAX, .handle = SIZE_MAX, .body = inside};
    memmove(&steps->items[from + 1], &steps->items[end],
            (steps->count - end) * sizeof *steps->items);
    steps->count -= end - from - 1;
    return status;
}

/* Computing between messages that are started one after the other is done before them: receives
 * wait for nothing, and sends stay together. */
static void move_work(derive_steps *steps) {
    for (size_t i = 1; i < steps->count; i++) {
        size_t next = i;
        while (next < steps->count && steps->items[next].kind == DERIVE_STEP_WORK) {
            next++;
        }
        bool between = next > i && next < steps->count && steps->items[next].starts;
        bool sends = between && steps->items[next].kind == DERIVE_STEP_SEND;
        for (size_t k = i; between && k > 0 && steps->items[k - 1].starts &&
                           (sends || steps->items[k - 1].kind == DERIVE_STEP_RECEIVE);
             k--) {
            derive_step work = steps->items[k];
            steps->items[k] = steps->items[k - 1];
            steps->items[k - 1] = work;
        }
    }
}

/* A message that leaves one way and one that comes that way, both started, are a shift. */
static void make_shifts(derive_steps *steps) {
    for (size_t i = 0; i < steps->count; i++) {
        for (size_t k = i + 1; k < steps->count && steps->items[i].starts; k++) {
            derive_step *a = &steps->items[i];
            derive_step *b = &steps->items[k];
            bool pair = (a->kind == DERIVE_STEP_SEND && b->kind == DERIVE_STEP_RECEIVE) ||
                        (a->kind == DERIVE_STEP_RECEIVE && b->kind == DERIVE_STEP_SEND);
            if (!b->starts) {
                break;
            }
            if (!pair || !same_way(a, b) || a->way.to_one || !same_text(a->turns, b->turns)) {
                continue;
            }
            derive_step *send = a->kind == DERIVE_STEP_SEND ? a : b;
            derive_step shift = *send;
            shift.source = send == a ? b->site : a->site;
            shift.kind = DERIVE_STEP_SHIFT;
            shift.requests = 2;
            shift.to = NULL;
            shift.when = NULL;
            isocast_derive_steps_remove(steps, k);
            steps->items[i] = shift;
            break;
        }
    }
}

static isocast_status make_starts(isocast_pool *pool, derive_steps *steps, size_t *handles) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < steps->count && status == ISOCAST_OK; i++) {
        size_t end = i;
        double requests = 0;
        for (; end < steps->count && steps->items[end].starts; end++) {
            requests += steps->items[end].requests;
        }
        if (end > i) {
            status = gather(pool, steps, i, end, DERIVE_STEP_START);
            steps->items[i].requests = requests;
            steps->items[i].handle = ++*handles;
        }
    }
    return status;
}

static isocast_status add_finish(isocast_pool *pool, derive_steps *steps, size_t at,
                                 size_t handle) {
    derive_step finish = {
        .kind = DERIVE_STEP_FINISH, .site = SIZE_MAX, .source = SIZE_MAX, .handle = handle};
    const derive_steps given = {.items = &finish, .count = 1};
    return isocast_derive_steps_insert(pool, steps, at, &given);
}

/* What was started last and is not finished, before a step; SIZE_MAX: nothing is. */
static size_t find_open(const derive_steps *steps, size_t before) {
    for (size_t i = before; i-- > 0;) {
        bool open = steps->items[i].kind == DERIVE_STEP_START;
        for (size_t k = i + 1; k < steps->count && open; k++) {
            open = steps->items[k].kind != DERIVE_STEP_FINISH ||
                   steps->items[k].handle != steps->items[i].handle;
        }
        if (open) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* A wait finishes what was started last, as much as it waits for. The last one of a list, and waits
 * for one after the other, finish all. */
static isocast_status make_finishes(isocast_pool *pool, derive_steps *steps) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < steps->count && status == ISOCAST_OK; i++) {
        if (steps->items[i].kind != DERIVE_STEP_FINISH || steps->items[i].handle != SIZE_MAX) {
            continue;
        }
        double left = steps->items[i].requests;
        while (i + 1 < steps->count && steps->items[i + 1].kind == DERIVE_STEP_FINISH &&
               steps->items[i + 1].handle == SIZE_MAX) {
            left += steps->items[i + 1].requests;
            isocast_derive_steps_remove(steps, i + 1);
        }
        bool last = true;
        for (size_t k = i + 1; k < steps->count; k++) {
            last = last && steps->items[k].kind != DERIVE_STEP_FINISH;
        }
        isocast_derive_steps_remove(steps, i);
        size_t open = find_open(steps, i);
        for (; open != SIZE_MAX && (left > 0 || last) && status == ISOCAST_OK;
             open = find_open(steps, i)) {
            left -= steps->items[open].requests;
            status = add_finish(pool, steps, i++, steps->items[open].handle);
        }
        i--;
    }
    for (size_t open = find_open(steps, steps->count); open != SIZE_MAX && status == ISOCAST_OK;
         open = find_open(steps, steps->count)) {
        status = add_finish(pool, steps, steps->count, steps->items[open].handle);
    }
    return status;
}

/* Whether what a send goes on with was received from a step on. */
static bool is_received(const derive_steps *steps, size_t from, size_t send) {
    bool is = false;
    for (size_t i = from; i < send && !is; i++) {
        is = steps->items[i].kind == DERIVE_STEP_RECEIVE &&
             same_way(&steps->items[i], &steps->items[send]);
    }
    return is;
}

/* A process that waits for the one before it, does something, and sends to the next one. */
static isocast_status make_passes(isocast_pool *pool, derive_steps *steps) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = steps->count; i-- > 0 && status == ISOCAST_OK;) {
        const derive_step *receive = &steps->items[i];
        if (receive->kind != DERIVE_STEP_RECEIVE || !receive->has_way || receive->way.wraps ||
            receive->way.to_one) {
            continue;
        }
        size_t k = i + 1;
        while (k < steps->count &&
               !(steps->items[k].kind == DERIVE_STEP_SEND && same_way(receive, &steps->items[k]))) {
            bool other = steps->items[k].kind == DERIVE_STEP_RECEIVE ||
                         steps->items[k].kind == DERIVE_STEP_START ||
                         steps->items[k].kind == DERIVE_STEP_FINISH;
            k = other ? steps->count : k + 1;
        }
        if (k >= steps->count || !same_text(receive->turns, steps->items[k].turns) ||
            receive->turns != NULL) {
            continue;
        }
        /* Where sends follow each other, their order is left to the passes. */
        for (; steps->items[k - 1].kind == DERIVE_STEP_SEND && steps->items[k - 1].has_way &&
               !is_received(steps, i + 1, k - 1);
             k--) {
            derive_step other = steps->items[k - 1];
            steps->items[k - 1] = steps->items[k];
            steps->items[k] = other;
        }
        derive_step pass = steps->items[k];
        pass.kind = DERIVE_STEP_PASS;
        pass.source = receive->site;
        pass.to = NULL;
        pass.when = NULL;
        status = gather(pool, steps, i + 1, k + 1, DERIVE_STEP_PASS);
        if (status != ISOCAST_OK) {
            break;
        }
        derive_steps body = steps->items[i + 1].body;
        body.count--; /* the send itself */
        if (body.count == 0) {
            (void)isocast_derive_steps_add(pool, &body, DERIVE_STEP_WORK); /* there is room */
        }
        pass.body = body;
        steps->items[i + 1] = pass;
        isocast_derive_steps_remove(steps, i);
    }
    return status;
}

static isocast_status join(isocast_pool *pool, derive_steps *steps, size_t *handles) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < steps->count && status == ISOCAST_OK; i++) {
        /* What stands in a loop that is started is started with it. */
        if (!steps->items[i].starts) {
            status = join(pool, &steps->items[i].body, handles);
        }
    }
    move_work(steps);
    make_shifts(steps);
    status = status == ISOCAST_OK ? make_starts(pool, steps, handles) : status;
    status = status == ISOCAST_OK ? make_finishes(pool, steps) : status;
    return status == ISOCAST_OK ? make_passes(pool, steps) : status;
}

void isocast_derive_steps_prune(derive_steps *steps) {
    for (size_t i = steps->count; i-- > 0;) {
        derive_step *step = &steps->items[i];
        derive_step_kind kind = step->kind;
        size_t handle = step->handle;
        isocast_derive_steps_prune(&step->body);
        if (step->body.count > 0 || (kind != DERIVE_STEP_FOR && kind != DERIVE_STEP_START)) {
            continue;
        }
        for (size_t k = steps->count; k-- > i;) {
            const derive_step *other = &steps->items[k];
            if (k == i || (kind == DERIVE_STEP_START && other->kind == DERIVE_STEP_FINISH &&
                           other->handle == handle)) {
                isocast_derive_steps_remove(steps, k);
            }
        }
    }
}

isocast_status isocast_derive_steps_join(isocast_pool *pool, derive_steps *steps) {
    size_t handles = 0;
    isocast_status status = join(pool, steps, &handles);
    isocast_derive_steps_prune(steps);
    return status;
}
