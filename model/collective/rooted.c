#include "algorithm.h"
#include "tree.h"

/* Blocks are in the output, in the order of processes from the root on. */
static int place_of(const isocast_collective_part *p, int process) {
    return isocast_collective_turn(p, process - p->root);
}

static isocast_collective_block block_of(const isocast_collective_part *p, int process) {
    int place = place_of(p, process);
    return isocast_collective_blocks(p, COLLECTIVE_OUTPUT, place, place + 1);
}

static isocast_collective_block nothing(void) {
    return isocast_collective_piece(COLLECTIVE_OUTPUT, 0, 0);
}

/* The root gets from or sends to each in the order of ranks; at once, or one after the other. Empty
 * messages are left out. */
static void each_with_root(const isocast_collective_part *p, bool root_sends, bool at_once) {
    int first = -1;
    int last = -2;
    if (p->rank != p->root) {
        isocast_collective_block own = block_of(p, p->rank);
        if (own.count > 0) {
            isocast_collective_wait(p, isocast_collective_start(p, !root_sends, p->root, own));
        }
        return;
    }
    for (int i = 0; i < p->size; i++) {
        if (i == p->root || block_of(p, i).count == 0) {
            continue;
        }
        last = isocast_collective_start(p, root_sends, i, block_of(p, i));
        first = first < 0 ? last : first;
        if (!at_once) {
            isocast_collective_wait(p, last);
        }
    }
    for (int i = first; at_once && i <= last; i++) {
        isocast_collective_wait(p, i);
    }
}

void isocast_collective_gather_linear(const isocast_collective_part *p) {
    each_with_root(p, false, false);
}

void isocast_collective_gather_linear_posted(const isocast_collective_part *p) {
    each_with_root(p, false, true);
}

void isocast_collective_scatter_linear(const isocast_collective_part *p) {
    each_with_root(p, true, false);
}

void isocast_collective_scatter_linear_at_once(const isocast_collective_part *p) {
    each_with_root(p, true, true);
}

/* The root asks one process after the other. Each sends what it has, and an empty rest. */
void isocast_collective_gather_synchronised(const isocast_collective_part *p) {
    if (p->rank != p->root) {
        isocast_collective_receive(p, p->root, nothing());
        isocast_collective_send(p, p->root, block_of(p, p->rank));
        isocast_collective_send(p, p->root, nothing());
        return;
    }
    int first = -1;
    int rest = -1;
    for (int i = 0; i < p->size; i++) {
        if (i != p->root) {
            int started = isocast_collective_start(p, false, i, block_of(p, i));
            isocast_collective_send(p, i, nothing());
            rest = isocast_collective_start(p, false, i, nothing());
            first = first < 0 ? rest : first;
            isocast_collective_wait(p, started);
        }
    }
    /* Of each process three were started one after the other. */
    for (int i = first; first >= 0 && i <= rest; i += 3) {
        isocast_collective_wait(p, i);
    }
}

/* The blocks of a child and all behind it. */
static isocast_collective_block subtree(const isocast_collective_part *p, int parent_place,
                                        int child_place) {
    int end = 2 * child_place - parent_place;
    return isocast_collective_blocks(p, COLLECTIVE_OUTPUT, child_place,
                                     end < p->size ? end : p->size);
}

void isocast_collective_gather_binomial(const isocast_collective_part *p) {
    isocast_collective_tree tree = isocast_collective_tree_in_order(p);
    int place = place_of(p, p->rank);
    for (int i = 0; i < tree.count; i++) {
        isocast_collective_receive(p, tree.children[i],
                                   subtree(p, place, place_of(p, tree.children[i])));
    }
    if (tree.parent >= 0) {
        isocast_collective_send(p, tree.parent, subtree(p, place_of(p, tree.parent), place));
    }
}

void isocast_collective_scatter_binomial(const isocast_collective_part *p) {
    isocast_collective_tree tree = isocast_collective_tree_by_low_digit(p, 2);
    int place = place_of(p, p->rank);
    if (tree.parent >= 0) {
        isocast_collective_receive(p, tree.parent, subtree(p, place_of(p, tree.parent), place));
    }
    for (int i = 0; i < tree.count; i++) {
        isocast_collective_send(p, tree.children[i],
                                subtree(p, place, place_of(p, tree.children[i])));
    }
}

void isocast_collective_barrier_dissemination(const isocast_collective_part *p) {
    for (int mask = 1; mask < p->size; mask *= 2) {
        isocast_collective_exchange(p, isocast_collective_turn(p, p->rank + mask), nothing(),
                                    isocast_collective_turn(p, p->rank - mask), nothing());
    }
}

void isocast_collective_barrier_doubling(const isocast_collective_part *p) {
    int power = isocast_collective_power_below(p->size);
    if (p->rank >= power) {
        isocast_collective_exchange(p, p->rank - power, nothing(), p->rank - power, nothing());
        return;
    }
    bool has_extra = p->rank + power < p->size;
    if (has_extra) {
        isocast_collective_receive(p, p->rank + power, nothing());
    }
    for (int mask = 1; mask < power; mask *= 2) {
        isocast_collective_exchange(p, p->rank ^ mask, nothing(), p->rank ^ mask, nothing());
    }
    if (has_extra) {
        isocast_collective_send(p, p->rank + power, nothing());
    }
}

void isocast_collective_barrier_linear(const isocast_collective_part *p) {
    if (p->rank > 0) {
        isocast_collective_send(p, 0, nothing());
        isocast_collective_receive(p, 0, nothing());
        return;
    }
    int first = -1;
    int last = -2;
    for (int i = 1; i < p->size; i++) {
        last = isocast_collective_start(p, false, COLLECTIVE_ANY, nothing());
        first = first < 0 ? last : first;
    }
    for (int i = first; i <= last; i++) {
        isocast_collective_wait(p, i);
    }
    for (int i = 1; i < p->size; i++) {
        isocast_collective_send(p, i, nothing());
    }
}

/* Up a binomial tree and down again. */
void isocast_collective_barrier_tree(const isocast_collective_part *p) {
    int mask = 1;
    for (; mask < p->size && (p->rank & mask) == 0; mask *= 2) {
        if (p->rank + mask < p->size) {
            isocast_collective_receive(p, p->rank + mask, nothing());
        }
    }
    if (mask < p->size) {
        isocast_collective_send(p, p->rank - mask, nothing());
        isocast_collective_receive(p, p->rank - mask, nothing());
    }
    for (mask /= 2; mask > 0; mask /= 2) {
        if (p->rank + mask < p->size) {
            isocast_collective_send(p, p->rank + mask, nothing());
        }
    }
}
