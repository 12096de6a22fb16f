#include "observations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "median.h"
#include "model/base/order.h"

/* A time below this shows the clock, not the operation. */
static const double seconds_least = 1e-9;

static size_t hash_of(uint32_t operation, uint32_t launch, double p, double m) {
    uint64_t parts[2] = {0};
    memcpy(&parts[0], &p, sizeof p);
    memcpy(&parts[1], &m, sizeof m);
    uint64_t hash = ((uint64_t)operation << 32 | launch) * 0x9E3779B97F4A7C15U;
    for (int i = 0; i < 2; i++) {
        hash = (hash ^ (hash >> 29) ^ parts[i]) * 0xBF58476D1CE4E5B9U;
    }
    return (size_t)(hash ^ (hash >> 32));
}

static bool is_at(const observation *item, uint32_t operation, uint32_t launch, double p,
                  double m) {
    return item->operation == operation && item->launch == launch && item->p == p && item->m == m;
}

static size_t slot_of(const observations *o, uint32_t operation, uint32_t launch, double p,
                      double m) {
    size_t slot = hash_of(operation, launch, p, m) & (o->slot_count - 1);
    while (o->slots[slot] != 0 && !is_at(&o->items[o->slots[slot] - 1], operation, launch, p, m)) {
        slot = (slot + 1) & (o->slot_count - 1);
    }
    return slot;
}

static bool grow_items(observations *o) {
    size_t capacity = o->capacity == 0 ? 256 : 2 * o->capacity;
    observation *items = realloc(o->items, capacity * sizeof *items);
    if (items == NULL) {
        return false;
    }
    o->items = items;
    uint32_t *slots = calloc(2 * capacity, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    o->capacity = capacity;
    free(o->slots);
    o->slots = slots;
    o->slot_count = 2 * capacity;
    for (size_t i = 0; i < o->count; i++) {
        const observation *item = &items[i];
        o->slots[slot_of(o, item->operation, item->launch, item->p, item->m)] = (uint32_t)(i + 1);
    }
    return true;
}

/* The index of the item at a place, which is made where there is none; (size_t)-1 where memory is
 * short. */
static size_t item_at(observations *o, uint32_t operation, uint32_t launch, double p, double m) {
    /* Timings of one place mostly follow each other. */
    if (o->last < o->count && is_at(&o->items[o->last], operation, launch, p, m)) {
        return o->last;
    }
    if (o->count == o->capacity && (o->count > UINT32_MAX / 4 || !grow_items(o))) {
        return (size_t)-1;
    }
    size_t slot = slot_of(o, operation, launch, p, m);
    if (o->slots[slot] == 0) {
        o->items[o->count++] = (observation){
            .operation = operation, .launch = launch, .p = p, .m = m, .deviation = NAN};
        o->slots[slot] = (uint32_t)o->count;
    }
    o->last = o->slots[slot] - 1;
    return o->last;
}

static bool grow_values(observations *o) {
    size_t capacity = o->value_capacity == 0 ? 65536 : o->value_capacity + o->value_capacity / 2;
    double *values = realloc(o->values, capacity * sizeof *values);
    if (values == NULL) {
        return false;
    }
    o->values = values;
    uint32_t *owners = realloc(o->owners, capacity * sizeof *owners);
    if (owners == NULL) {
        return false;
    }
    o->owners = owners;
    o->value_capacity = capacity;
    return true;
}

bool observations_add(observations *o, uint32_t operation, uint32_t launch, double p, double m,
                      double seconds) {
    size_t item = item_at(o, operation, launch, p, m);
    if (item == (size_t)-1 || (o->value_count == o->value_capacity && !grow_values(o))) {
        return false;
    }
    o->values[o->value_count] = fmax(seconds, seconds_least);
    o->owners[o->value_count++] = (uint32_t)item;
    o->items[item].count++;
    return true;
}

bool observations_add_median(observations *o, uint32_t operation, uint32_t launch, double p,
                             double m, double seconds, double deviation, double count) {
    size_t at = item_at(o, operation, launch, p, m);
    if (at == (size_t)-1) {
        return false;
    }
    observation *item = &o->items[at];
    item->seconds = fmax(seconds, seconds_least);
    item->deviation = deviation;
    item->count = count;
    return true;
}

/* Summarises the values of one launch at one place. For normal values, the standard deviation is
 * the distance of the quartiles divided by 1.349. */
static void summarise(observation *item, double *values, size_t count) {
    item->seconds = isocast_median(values, count);
    item->count = (double)count;
    if (count >= 8) {
        item->deviation = log(values[3 * count / 4] / values[count / 4]) / 1.349;
    }
}

/* Sorts the values by their items. begin: [count + 1], where the values of each item begin. */
static bool summarise_all(observations *o, size_t *begin) {
    double *dealt = malloc((o->value_count + 1) * sizeof *dealt);
    if (dealt == NULL) {
        return false;
    }
    for (size_t k = 0; k < o->value_count; k++) {
        begin[o->owners[k] + 1]++;
    }
    for (size_t i = 0; i < o->count; i++) {
        begin[i + 1] += begin[i];
    }
    for (size_t k = 0; k < o->value_count; k++) {
        dealt[begin[o->owners[k]]++] = o->values[k];
    }
    /* Dealing has moved each begin to its end. */
    for (size_t i = 0; i < o->count; i++) {
        size_t from = i == 0 ? 0 : begin[i - 1];
        if (begin[i] > from) {
            summarise(&o->items[i], dealt + from, begin[i] - from);
        }
    }
    free(dealt);
    return true;
}

ISOCAST_ORDER_BY(by_place, observation, x->operation, x->p, x->m, x->launch)

bool observations_finish(observations *o) {
    free(o->slots);
    o->slots = NULL;
    o->slot_count = 0;
    size_t *begin = calloc(o->count + 1, sizeof *begin);
    bool good = begin != NULL && summarise_all(o, begin);
    free(begin);
    free(o->values);
    free(o->owners);
    o->values = NULL;
    o->owners = NULL;
    o->value_count = o->value_capacity = 0;
    if (good && o->count > 0) {
        qsort(o->items, o->count, sizeof *o->items, by_place);
    }
    return good;
}

bool observations_note_per_node(observations *o, uint32_t operation, double processes) {
    if (operation >= o->per_node_count) {
        size_t count = 2 * (size_t)operation + 16;
        double *grown = realloc(o->per_node, count * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        for (size_t i = o->per_node_count; i < count; i++) {
            grown[i] = 0;
        }
        o->per_node = grown;
        o->per_node_count = count;
    }
    double *noted = &o->per_node[operation];
    *noted = *noted == 0 || *noted == processes ? processes : NAN;
    return true;
}

void observations_free(observations *o) {
    free(o->per_node);
    isocast_text_index_free(&o->operations);
    isocast_text_index_free(&o->launches);
    free(o->items);
    free(o->values);
    free(o->owners);
    free(o->slots);
    *o = (observations){0};
}
