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
    isocast_favoured_side favoured;
    int grid;  /* dimensions of the grid whose sides they may name */
    bool flat; /* of three dimensions, with 1 as the first side */
    bool failed;
} growing;

static bool is_of_grid(const isocast_law_factor *factor, int grid) {
    return factor->grid == 0 || factor->grid == grid;
}

/* Numbers that are added are told apart from further terms where messages in three dimensions have
 * them, or where nothing simpler fits. */
static bool is_offered(size_t factor, isocast_favoured_side favoured, int grid, bool flat) {
    const char *text = isocast_law_size_factors[factor].text;
    return is_of_grid(&isocast_law_size_factors[factor], grid) &&
           !(flat && strstr(text, "/depth") != NULL) &&
           (favoured >= ISOCAST_FAVOURED_SHIFTS || !isocast_law_is_shifted(factor));
}

static void add(growing *list, isocast_monomial m) {
    if (m.cost > cost_most || list->failed) {
        return;
    }
    if (!isocast_array_grow((void **)&list->items, list->count, &list->capacity,
                            sizeof *list->items)) {
        list->failed = true;
        return;
    }
    list->items[list->count++] = m;
}

/* The monomial with each factor of p. A product of sizes in a grid of three dimensions is a message
 * to neighbours: it has the simplest ones. */
static void add_processes(growing *list, isocast_monomial m) {
    static const double simple_cost = 1.5;
    for (size_t i = 0; i < isocast_law_process_factor_count; i++) {
        const isocast_law_factor *factor = &isocast_law_process_factors[i];
        bool is_likely = m.factors[1] == 0 || factor->cost <= simple_cost ||
                         list->favoured < ISOCAST_FAVOURED_CUBE;
        bool of_others =
            isocast_law_is_uneven_share(i) && list->favoured != ISOCAST_FAVOURED_COMPUTING;
        if (!is_of_grid(factor, list->grid) || !is_likely || of_others) {
            continue;
        }
        isocast_monomial with = m;
        with.process = (unsigned char)i;
        with.cost += factor->cost;
        add(list, with);
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
    size_t all = isocast_law_size_factor_count;
    for (size_t size = first.sizes[0]; size < size_count; size++) {
        bool same = size == first.sizes[0];
        for (size_t factor = same ? first.factors[0] : 1; factor < all; factor++) {
            bool is_power = same && factor == first.factors[0] && factor <= 2;
            const isocast_law_factor *second_factor = &isocast_law_size_factors[factor];
            if (!second_factor->may_pair || is_power ||
                !is_offered(factor, list->favoured, list->grid, list->flat)) {
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
    *out = hash;
    return most > 0;
}

typedef struct seen {
    uint64_t *slots; /* [size], 0 where free */
    size_t size;
} seen;

static bool is_new(seen *s, uint64_t hash) {
    hash = hash == 0 ? 1 : hash;
    size_t at = (size_t)hash & (s->size - 1);
    while (s->slots[at] != 0 && s->slots[at] != hash) {
        at = (at + 1) & (s->size - 1);
    }
    bool is = s->slots[at] == 0;
    s->slots[at] = hash;
    return is;
}

/* How many of the favoured sides a monomial has shares along. */
static double favoured_factors(const isocast_monomial *m, isocast_favoured_side favoured) {
    static const char *const sides[] = {"/rows", "/columns", "/depth", "/height", "/width"};
    unsigned along = favoured == ISOCAST_FAVOURED_ROWS      ? 1
                     : favoured == ISOCAST_FAVOURED_COLUMNS ? 2
                     : favoured >= ISOCAST_FAVOURED_CUBE
                         ? (unsigned)(favoured - ISOCAST_FAVOURED_CUBE) << 2
                         : 0;
    double count = 0;
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        bool has = false;
        for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS && (along & 1U << k) != 0; i++) {
            has = has || strstr(isocast_law_size_factors[m->factors[i]].text, sides[k]) != NULL;
        }
        count += has;
    }
    return count;
}

/* Values of all factors at all points, which many monomials share. */
typedef struct factor_values {
    double *process; /* [factor][point] */
    double *size;    /* [size][factor][point] */
} factor_values;

static isocast_status tabulate(const isocast_candidates *c, factor_values *out) {
    size_t points = c->point_count;
    factor_values table = {
        .process = calloc(isocast_law_process_factor_count * points + 1, sizeof *table.process),
        .size =
            calloc(c->size_count * isocast_law_size_factor_count * points + 1, sizeof *table.size)};
    if (table.process == NULL || table.size == NULL) {
        free(table.process);
        free(table.size);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t k = 0; k < points; k++) {
        const isocast_law_point *at = &c->points[k];
        for (size_t i = 0; i < isocast_law_process_factor_count; i++) {
            table.process[i * points + k] = isocast_law_process_factors[i].value(0, at);
        }
        for (size_t i = 0; i < c->size_count * isocast_law_size_factor_count; i++) {
            double size = at->sizes[i / isocast_law_size_factor_count];
            table.size[i * points + k] =
                isocast_law_size_factors[i % isocast_law_size_factor_count].value(size, at);
        }
    }
    *out = table;
    return ISOCAST_OK;
}

/* As isocast_monomial_value(). */
static double value_of(const factor_values *table, const isocast_candidates *c,
                       const isocast_monomial *m, size_t point) {
    double value = table->process[m->process * c->point_count + point];
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        if (m->factors[i] != 0) {
            size_t row = m->sizes[i] * isocast_law_size_factor_count + m->factors[i];
            value *= table->size[row * c->point_count + point];
        }
    }
    return value;
}

static isocast_status keep_different(const growing *list, isocast_candidates *c) {
    seen s = {.size = 1024};
    while (s.size < 2 * list->count) {
        s.size *= 2;
    }
    s.slots = calloc(s.size, sizeof *s.slots);
    c->monomials = calloc(list->count + 1, sizeof *c->monomials);
    c->values = calloc((list->count + 1) * c->point_count, sizeof *c->values);
    factor_values table = {0};
    bool enough = s.slots != NULL && c->monomials != NULL && c->values != NULL &&
                  tabulate(c, &table) == ISOCAST_OK;
    for (size_t i = 0; enough && i < list->count; i++) {
        double *values = c->values + c->count * c->point_count;
        for (size_t k = 0; k < c->point_count; k++) {
            values[k] = value_of(&table, c, &list->items[i], k);
        }
        uint64_t hash;
        if (hash_of(values, c->point_count, &hash) && is_new(&s, hash)) {
            c->monomials[c->count++] = list->items[i];
        }
    }
    free(s.slots);
    free(table.process);
    free(table.size);
    return enough ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

/* Shares along a side that always is 1 are no shares. */
static bool is_flat(const isocast_law_point *points, size_t count) {
    bool flat = true;
    for (size_t k = 0; k < count; k++) {
        flat = flat && points[k].depth == 1;
    }
    return flat;
}

isocast_status isocast_candidates_create(const isocast_law_point *points, size_t point_count,
                                         size_t size_count, isocast_favoured_side favoured,
                                         isocast_candidates *out) {
    int grid = favoured >= ISOCAST_FAVOURED_CUBE ? 3 : 2;
    isocast_candidates c = {
        .point_count = point_count, .size_count = size_count, .favoured = favoured, .grid = grid};
    bool flat = grid == 3 && is_flat(points, point_count);
    growing list = {.favoured = favoured, .grid = grid, .flat = flat};
    add_processes(&list, (isocast_monomial){0});
    for (size_t size = 0; size < size_count; size++) {
        for (size_t factor = 1; factor < isocast_law_size_factor_count; factor++) {
            if (!is_offered(factor, favoured, grid, flat)) {
                continue;
            }
            isocast_monomial first = times((isocast_monomial){0}, 0, factor, size);
            add_processes(&list, first);
            if (isocast_law_size_factors[factor].may_pair) {
                add_products(&list, first, size_count);
            }
        }
    }
    c.points = malloc(point_count * sizeof *c.points);
    isocast_status status =
        list.failed || list.items == NULL || c.points == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        memcpy(c.points, points, point_count * sizeof *points);
        for (size_t i = 0; i < list.count; i++) {
            list.items[i].cost -=
                (grid == 3 ? favour_in_cube : favour) * favoured_factors(&list.items[i], favoured);
        }
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
