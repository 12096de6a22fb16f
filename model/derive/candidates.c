#include "candidates.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

/* A product of more factors costs a little more than they do apart. */
static const double product_cost = 0.2;
static const double cost_most = 9;
static const double favour = 2;
/* In three dimensions a share stays more complex than the size: many programs have sizes of a
 * process there. */
static const double favour_in_cube = 1.3;
/* Values of this size are of no message and no count. */
static const double value_most = 1e25;

typedef struct growing {
    isocast_monomial *items;
    size_t count, capacity;
    unsigned favoured;
    bool flat; /* of three dimensions, with 1 as the first side */
    bool failed;
} growing;

static bool is_of_grid(const growing *list, const isocast_law_factor *factor) {
    bool cube = (list->favoured & ISOCAST_FAVOURED_CUBE) != 0;
    return factor->grid == 0 || factor->grid == (cube ? 3 : 2);
}

/* Numbers that are added are distinguished from further terms where messages in three dimensions
 * have them, or where nothing simpler fits. Shares along a side that always is 1 are no shares. */
static bool is_offered(const growing *list, const isocast_law_factor *factor) {
    bool shifts = (list->favoured & (ISOCAST_FAVOURED_CUBE | ISOCAST_FAVOURED_SHIFTS)) != 0;
    return is_of_grid(list, factor) && !(list->flat && factor->over == 1 + ISOCAST_DEPTH) &&
           (shifts || (factor->is & ISOCAST_FACTOR_SHIFTED) == 0);
}

/* How many of the favoured sides a monomial has shares along. */
static double favoured_sides(const growing *list, const isocast_monomial *m) {
    unsigned along = 0;
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        int over = isocast_law_size_factors[m->factors[i]].over;
        along |= over > 0 && over <= ISOCAST_SIDES ? 1U << (over - 1) : 0;
    }
    along &= list->favoured;
    return (double)__builtin_popcount(along);
}

static void add(growing *list, isocast_monomial m) {
    bool cube = (list->favoured & ISOCAST_FAVOURED_CUBE) != 0;
    if (m.cost > cost_most || list->failed) {
        return;
    }
    if (!isocast_array_grow((void **)&list->items, list->count, &list->capacity,
                            sizeof *list->items)) {
        list->failed = true;
        return;
    }
    m.cost -= (cube ? favour_in_cube : favour) * favoured_sides(list, &m);
    list->items[list->count++] = m;
}

/* The monomial with each factor of p. A product of sizes in a grid of three dimensions is a message
 * to neighbours: it has the simplest ones. */
static void add_processes(growing *list, isocast_monomial m) {
    static const double simple_cost = 1.5;
    for (size_t i = 0; i < isocast_law_process_factor_count; i++) {
        const isocast_law_factor *factor = &isocast_law_process_factors[i];
        bool is_likely = m.factors[1] == 0 || factor->cost <= simple_cost ||
                         (list->favoured & ISOCAST_FAVOURED_CUBE) == 0;
        bool of_others = (factor->is & ISOCAST_FACTOR_UNEVEN) != 0 &&
                         (list->favoured & ISOCAST_FAVOURED_COMPUTING) == 0;
        if (is_of_grid(list, factor) && is_likely && !of_others) {
            isocast_monomial with = m;
            with.process = (unsigned char)i;
            with.cost += factor->cost;
            add(list, with);
        }
    }
}

static isocast_monomial times(isocast_monomial m, size_t place, size_t factor, size_t size) {
    m.factors[place] = (unsigned char)factor;
    m.sizes[place] = (unsigned char)size;
    m.cost += isocast_law_size_factors[factor].cost + (place > 0 ? product_cost : 0);
    return m;
}

/* Products of two factors of one size or two, and of a third size by itself. */
static void add_products(growing *list, isocast_monomial first, size_t size_count) {
    for (size_t size = first.sizes[0]; size < size_count; size++) {
        bool same = size == first.sizes[0];
        size_t factor = same ? first.factors[0] : 1;
        for (; factor < isocast_law_size_factor_count; factor++) {
            const isocast_law_factor *second_factor = &isocast_law_size_factors[factor];
            bool is_power = same && factor == first.factors[0] && factor <= 2;
            if ((second_factor->is & ISOCAST_FACTOR_PAIRS) == 0 || is_power ||
                !is_offered(list, second_factor)) {
                continue;
            }
            isocast_monomial second = times(first, 1, factor, size);
            add_processes(list, second);
            for (size_t third = 0; third < size_count; third++) {
                if (third > size || (third != first.sizes[0] && third < size)) {
                    add_processes(list, times(second, 2, 1, third));
                }
            }
        }
    }
}

static void add_all(growing *list, size_t size_count) {
    add_processes(list, (isocast_monomial){0});
    for (size_t size = 0; size < size_count; size++) {
        for (size_t factor = 1; factor < isocast_law_size_factor_count; factor++) {
            if (is_offered(list, &isocast_law_size_factors[factor])) {
                isocast_monomial first = times((isocast_monomial){0}, 0, factor, size);
                add_processes(list, first);
                if ((isocast_law_size_factors[factor].is & ISOCAST_FACTOR_PAIRS) != 0) {
                    add_products(list, first, size_count);
                }
            }
        }
    }
}

static int by_cost(const void *a, const void *b) {
    const isocast_monomial *one = a;
    const isocast_monomial *other = b;
    if (one->cost != other->cost) {
        return one->cost < other->cost ? -1 : 1;
    }
    return memcmp(one, other, offsetof(isocast_monomial, cost));
}

/* Values over their largest, in whole steps of 1e-9. Proportional ones have the same hash. */
static bool hash_of(const double *values, size_t count, uint64_t *out) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(values[i]) < value_most)) {
            return false;
        }
        most = fmax(most, fabs(values[i]));
    }
    uint64_t hash = 1469598103934665603U;
    for (size_t i = 0; i < count && most > 0; i++) {
        uint64_t step = (uint64_t)(int64_t)llround(values[i] / most * 1e9);
        hash = (hash ^ step) * 1099511628211U;
        hash ^= hash >> 31;
    }
    *out = hash == 0 ? 1 : hash;
    return most > 0;
}

/* Takes a hash into slots, shape [size], that are 0 where free; false: it is there. */
static bool is_new(uint64_t *slots, size_t size, uint64_t hash) {
    size_t at = (size_t)hash & (size - 1);
    while (slots[at] != 0 && slots[at] != hash) {
        at = (at + 1) & (size - 1);
    }
    bool is = slots[at] == 0;
    slots[at] = hash;
    return is;
}

/* Values of all factors at all points, which many monomials share: of those of p, then of those of
 * each size. NULL where memory is short. */
static double *tabulate(const isocast_candidates *c) {
    size_t rows = isocast_law_process_factor_count + c->size_count * isocast_law_size_factor_count;
    double *table = calloc(rows * c->point_count + 1, sizeof *table);
    for (size_t i = 0; table != NULL && i < rows * c->point_count; i++) {
        const isocast_law_point *at = &c->points[i % c->point_count];
        size_t row = i / c->point_count;
        if (row < isocast_law_process_factor_count) {
            table[i] = isocast_law_factor_value(&isocast_law_process_factors[row], at->p, at);
        } else {
            row -= isocast_law_process_factor_count;
            table[i] = isocast_law_factor_value(
                &isocast_law_size_factors[row % isocast_law_size_factor_count],
                at->sizes[row / isocast_law_size_factor_count], at);
        }
    }
    return table;
}

/* As isocast_monomial_value(). */
static double value_of(const double *table, const isocast_candidates *c, const isocast_monomial *m,
                       size_t point) {
    double value = table[m->process * c->point_count + point];
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        if (m->factors[i] != 0) {
            size_t row = isocast_law_process_factor_count +
                         m->sizes[i] * isocast_law_size_factor_count + m->factors[i];
            value *= table[row * c->point_count + point];
        }
    }
    return value;
}

static isocast_status keep_different(const growing *list, isocast_candidates *c) {
    size_t size = 1024;
    while (size < 2 * list->count) {
        size *= 2;
    }
    uint64_t *slots = calloc(size, sizeof *slots);
    double *table = tabulate(c);
    c->monomials = calloc(list->count + 1, sizeof *c->monomials);
    c->values = calloc((list->count + 1) * c->point_count + 1, sizeof *c->values);
    bool enough = slots != NULL && c->monomials != NULL && c->values != NULL && table != NULL;
    for (size_t i = 0; enough && i < list->count; i++) {
        double *values = c->values + c->count * c->point_count;
        for (size_t k = 0; k < c->point_count; k++) {
            values[k] = value_of(table, c, &list->items[i], k);
        }
        uint64_t hash;
        if (hash_of(values, c->point_count, &hash) && is_new(slots, size, hash)) {
            c->monomials[c->count++] = list->items[i];
        }
    }
    free(slots);
    free(table);
    return enough ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

isocast_status isocast_candidates_create(isocast_law_point *points, size_t point_count,
                                         size_t size_count, unsigned favoured,
                                         isocast_candidates *out) {
    isocast_candidates c = {.points = points,
                            .point_count = point_count,
                            .size_count = size_count,
                            .favoured = favoured};
    growing list = {.favoured = favoured, .flat = (favoured & ISOCAST_FAVOURED_CUBE) != 0};
    for (size_t k = 0; k < point_count; k++) {
        list.flat = list.flat && points[k].depth == 1;
    }
    add_all(&list, size_count);
    isocast_status status = list.failed || list.items == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        qsort(list.items, list.count, sizeof *list.items, by_cost);
        status = keep_different(&list, &c);
    }
    free(list.items);
    if (status != ISOCAST_OK) {
        isocast_candidates_free(&c);
        return status;
    }
    *out = c;
    return ISOCAST_OK;
}

void isocast_candidates_free(isocast_candidates *candidates) {
    free(candidates->monomials);
    free(candidates->values);
    free(candidates->points);
    *candidates = (isocast_candidates){0};
}
