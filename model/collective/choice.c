#include "choice.h"

static const isocast_collective_choices *const tables[ISOCAST_COLLECTIVES] = {
    [ISOCAST_COLLECTIVES_MPICH] = &isocast_collective_mpich_choices,
    [ISOCAST_COLLECTIVES_OPENMPI] = &isocast_collective_openmpi_choices,
    [ISOCAST_COLLECTIVES_INTEL] = &isocast_collective_intel_choices,
    [ISOCAST_COLLECTIVES_MVAPICH2] = &isocast_collective_mvapich2_choices,
    [ISOCAST_COLLECTIVES_CRAY] = &isocast_collective_cray_choices,
};

const isocast_collective_choices *isocast_collective_choices_of(isocast_collectives library) {
    return tables[library];
}

const char *isocast_collective_algorithm_name(const isocast_collective_choice *row) {
#define COLLECTIVE_NAMED(name) {isocast_collective_##name, #name},
    static const struct {
        void (*algorithm)(const isocast_collective_part *p);
        const char *name;
    } named[] = {COLLECTIVE_ALGORITHMS(COLLECTIVE_NAMED)};
#undef COLLECTIVE_NAMED
    size_t i = 0;
    while (named[i].algorithm != row->algorithm) {
        i++;
    }
    return named[i].name;
}

bool isocast_collective_knows_nodes(isocast_collectives library) {
    for (size_t i = 0; i < tables[library]->count; i++) {
        if ((tables[library]->rows[i].conditions & COLLECTIVE_NODES) != 0) {
            return true;
        }
    }
    return false;
}

static bool is_consecutive(const isocast_collective_layout *layout) {
    for (int i = 0; i < layout->size; i++) {
        if (layout->ranks[i] != i) {
            return false;
        }
    }
    return true;
}

static bool has_equal_blocks(const isocast_collective_part *p) {
    for (int i = 0; p->starts != NULL && i < p->size; i++) {
        if (p->starts[i + 1] - p->starts[i] != p->starts[1] - p->starts[0]) {
            return false;
        }
    }
    return true;
}

/* All conditions that hold; those that take time only where a row asks for them. */
static bool hold(const isocast_collective_part *p, int conditions) {
    const isocast_collective_layout *l = p->layout;
    int power = isocast_collective_power_below(p->size);
    bool has_nodes = l != NULL && l->nodes < l->size;
    bool is_long = p->built_in && p->count >= (size_t)power;
    return ((conditions & COLLECTIVE_POWER_OF_TWO) == 0 || power == p->size) &&
           ((conditions & COLLECTIVE_NODES) == 0 || has_nodes) &&
           ((conditions & COLLECTIVE_SEVERAL) == 0 || l == NULL || l->nodes > 1) &&
           ((conditions & COLLECTIVE_IN_PLACE) == 0 || p->in_place) &&
           ((conditions & COLLECTIVE_ORDERED) == 0 || !p->commutes) &&
           ((conditions & COLLECTIVE_COMMUTES) == 0 || p->commutes) &&
           ((conditions & COLLECTIVE_LONG) == 0 || is_long) &&
           ((conditions & COLLECTIVE_EQUAL) == 0 || has_equal_blocks(p)) &&
           ((conditions & COLLECTIVE_CONSECUTIVE) == 0 || (l != NULL && is_consecutive(l)));
}

/* Blocks of different lengths count with their mean. */
static size_t bytes_of(const isocast_collective_part *p, bool of_all) {
    size_t all = isocast_collective_total(p) * p->unit;
    return of_all ? all : p->starts != NULL ? all / (size_t)p->size : p->count * p->unit;
}

const isocast_collective_choice *isocast_collective_choose(const isocast_collective_part *p,
                                                           isocast_collective_operation operation) {
    const isocast_collective_choices *table = tables[p->library];
    for (size_t i = 0; i < table->count; i++) {
        const isocast_collective_choice *row = &table->rows[i];
        bool of_all = (row->conditions & COLLECTIVE_TOTAL) != 0;
        if (row->operation == operation && (row->below == 0 || p->size < row->below) &&
            (row->under == 0 || bytes_of(p, of_all) < row->under) && hold(p, row->conditions)) {
            return row;
        }
    }
    return NULL;
}

void isocast_collective_do(const isocast_collective_part *p,
                           isocast_collective_operation operation) {
    isocast_collective_part q = *p;
    q.as_library = isocast_collective_do;
    bool is_empty = isocast_collective_total(p) == 0 && p->sent == NULL;
    const isocast_collective_choice *row = isocast_collective_choose(p, operation);
    if (row != NULL && p->size > 1 && (operation == COLLECTIVE_BARRIER || !is_empty)) {
        q.parameter = row->parameter;
        row->algorithm(&q);
    }
}
