#include "algorithm.h"
#include "tree.h"

/* Blocks are in the output, in the order of processes from the root on. */
static int place_of(const collective_part *p, int process) {
    return collective_turn(p, process - p->root);
}

static collective_block block_of(const collective_part *p, int process) {
    int place = place_of(p, process);
    return collective_blocks(p, COLLECTIVE_OUTPUT, place, place + 1);
}

static collective_block nothing(void) {
    return collective_piece(COLLECTIVE_OUTPUT, 0, 0);
}

/* The root gets from or sends to each in the order of ranks; at once, or one after the other. Empty
 * messages are left out. */
static void each_with_root(const collective_part *p, bool root_sends, bool at_once) {
    int first = -1;
    int last = -2;
    if (p->rank != p->root) {
        collective_block own = block_of(p, p->rank);
        if (own.count > 0) {
            collective_wait(p, collective_start(p, !root_sends, p->root, own));
        }
        return;
    }
    for (int i = 0; i < p->size; i++) {
        if (i == p->root || block_of(p, i).count == 0) {
            continue;
        }
        last = collective_start(p, root_sends, i, block_of(p, i));
        first = first < 0 ? last : first;
        if (!at_once) {
            collective_wait(p, last);
        }
    }
    for (int i = first; at_once && i <= last; i++) {
        collective_wait(p, i);
    }
}

void collective_gather_linear(const collective_part *p) {
    each_with_root(p, false, false);
}

void collective_gather_linear_posted(const collective_part *p) {
    each_with_root(p, false, true);
}

void collective_scatter_linear(const collective_part *p) {
    each_with_root(p, true, false);
}

void collective_scatter_linear_at_once(const collective_part *p) {
    each_with_root(p, true, true);
}

/* The root asks one process after the other. Each sends what it has, and an empty rest. */
void collective_gather_synchronised(const collective_part *p) {
    if (p->rank != p->root) {
        collective_receive(p, p->root, nothing());
        collective_send(p, p->root, block_of(p, p->rank));
        collective_send(p, p->root, nothing());
        return;
    }
    int first = -1;
    int rest = -1;
    for (int i = 0; i < p->size; i++) {
        if (i != p->root) {
            int started = collective_start(p, false, i, block_of(p, i));
            collective_send(p, i, nothing());
            rest = collective_start(p, false, i, nothing());
            first = first < 0 ? rest : first;
            collective_wait(p, started);
        }
    }
    /* Of each process three were started one after the other. */
    for (int i = first; first >= 0 && i <= rest; i += 3) {
        collective_wait(p, i);
    }
}

/* The blocks of a child and all behind it. */
static collective_block subtree(const collective_part *p, int parent_place, int child_place) {
    int end = 2 * child_place - parent_place;
    return collective_blocks(p, COLLECTIVE_OUTPUT, child_place, end < p->size ? end : p->size);
}

void collective_gather_binomial(const collective_part *p) {
    collective_tree tree = collective_tree_in_order(p);
    int place = place_of(p, p->rank);
    for (int i = 0; i < tree.count; i++) {
        collective_receive(p, tree.children[i], subtree(p, place, place_of(p, tree.children[i])));
    }
    if (tree.parent >= 0) {
        collective_send(p, tree.parent, subtree(p, place_of(p, tree.parent), place));
    }
}

void collective_scatter_binomial(const collective_part *p) {
    collective_tree tree = collective_tree_by_low_digit(p, 2);
    int place = place_of(p, p->rank);
    if (tree.parent >= 0) {
        collective_receive(p, tree.parent, subtree(p, place_of(p, tree.parent), place));
    }
    for (int i = 0; i < tree.count; i++) {
        collective_send(p, tree.children[i], subtree(p, place, place_of(p, tree.children[i])));
    }
}

void collective_barrier_dissemination(const collective_part *p) {
    for (int mask = 1; mask < p->size; mask *= 2) {
        collective_exchange(p, collective_turn(p, p->rank + mask), nothing(),
                            collective_turn(p, p->rank - mask), nothing());
    }
}

void collective_barrier_doubling(const collective_part *p) {
    int power = collective_power_below(p->size);
    if (p->rank >= power) {
        collective_exchange(p, p->rank - power, nothing(), p->rank - power, nothing());
        return;
    }
    bool has_extra = p->rank + power < p->size;
    if (has_extra) {
        collective_receive(p, p->rank + power, nothing());
    }
    for (int mask = 1; mask < power; mask *= 2) {
        collective_exchange(p, p->rank ^ mask, nothing(), p->rank ^ mask, nothing());
    }
    if (has_extra) {
        collective_send(p, p->rank + power, nothing());
    }
}

void collective_barrier_linear(const collective_part *p) {
    if (p->rank > 0) {
        collective_send(p, 0, nothing());
        collective_receive(p, 0, nothing());
        return;
    }
    int first = -1;
    int last = -2;
    for (int i = 1; i < p->size; i++) {
        last = collective_start(p, false, COLLECTIVE_ANY, nothing());
        first = first < 0 ? last : first;
    }
    for (int i = first; i <= last; i++) {
        collective_wait(p, i);
    }
    for (int i = 1; i < p->size; i++) {
        collective_send(p, i, nothing());
    }
}

/* Up a binomial tree and down again. */
void collective_barrier_tree(const collective_part *p) {
    int mask = 1;
    for (; mask < p->size && (p->rank & mask) == 0; mask *= 2) {
        if (p->rank + mask < p->size) {
            collective_receive(p, p->rank + mask, nothing());
        }
    }
    if (mask < p->size) {
        collective_send(p, p->rank - mask, nothing());
        collective_receive(p, p->rank - mask, nothing());
    }
    for (mask /= 2; mask > 0; mask /= 2) {
        if (p->rank + mask < p->size) {
            collective_send(p, p->rank + mask, nothing());
        }
    }
}
