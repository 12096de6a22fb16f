#include "tree.h"

static int place_of(const isocast_collective_part *p) {
    return isocast_collective_turn(p, p->rank - p->root);
}

static void add(const isocast_collective_part *p, isocast_collective_tree *tree, int place) {
    if (place < p->size && tree->count < COLLECTIVE_CHILDREN) {
        tree->children[tree->count++] = isocast_collective_turn(p, place + p->root);
    }
}

isocast_collective_tree isocast_collective_tree_by_low_digit(const isocast_collective_part *p,
                                                             int radix) {
    isocast_collective_tree tree = {.parent = -1};
    int place = place_of(p);
    int mask = 1;
    while (mask < p->size && place % (radix * mask) == 0) {
        mask *= radix;
    }
    if (mask < p->size) {
        tree.parent = isocast_collective_turn(p, place - place % (radix * mask) + p->root);
    }
    for (mask /= radix; mask > 0; mask /= radix) {
        for (int i = 1; i < radix; i++) {
            add(p, &tree, place + mask * i);
        }
    }
    return tree;
}

isocast_collective_tree isocast_collective_tree_in_order(const isocast_collective_part *p) {
    isocast_collective_tree tree = isocast_collective_tree_by_low_digit(p, 2);
    for (int i = 0, k = tree.count - 1; i < k; i++, k--) {
        int child = tree.children[i];
        tree.children[i] = tree.children[k];
        tree.children[k] = child;
    }
    return tree;
}

isocast_collective_tree isocast_collective_tree_by_high_bit(const isocast_collective_part *p) {
    isocast_collective_tree tree = {.parent = -1};
    int place = place_of(p);
    int mask = 1;
    while (mask <= place) {
        mask *= 2;
    }
    if (place > 0) {
        tree.parent = isocast_collective_turn(p, place - mask / 2 + p->root);
    }
    for (; place + mask < p->size; mask *= 2) {
        add(p, &tree, place + mask);
    }
    return tree;
}

isocast_collective_tree isocast_collective_tree_of_chains(const isocast_collective_part *p,
                                                          int chains) {
    isocast_collective_tree tree = {.parent = -1};
    int place = place_of(p);
    int others = p->size - 1;
    chains = chains < others ? chains : others;
    for (int i = 0, begin = 1; i < chains; i++) {
        int length = others / chains + (i < others % chains ? 1 : 0);
        if (place == 0) {
            add(p, &tree, begin);
        } else if (place >= begin && place < begin + length) {
            tree.parent = isocast_collective_turn(p, (place == begin ? 0 : place - 1) + p->root);
            add(p, &tree, place + 1 < begin + length ? place + 1 : p->size);
        }
        begin += length;
    }
    return tree;
}

isocast_collective_tree isocast_collective_tree_by_level(const isocast_collective_part *p,
                                                         int children) {
    isocast_collective_tree tree = {.parent = -1};
    int place = place_of(p);
    int first = 0; /* place of this level */
    int width = 1;
    while (place >= first + width) {
        first += width;
        width *= children;
    }
    if (place > 0) {
        int above = width / children;
        tree.parent = isocast_collective_turn(p, first - above + (place - first) % above + p->root);
    }
    for (int i = 1; i <= children; i++) {
        add(p, &tree, place + width * i);
    }
    return tree;
}

isocast_collective_tree isocast_collective_tree_after_children(const isocast_collective_part *p) {
    isocast_collective_tree tree = {.parent = -1};
    int first = 0;
    int size = p->size;
    for (;;) {
        int top = first + size - 1;
        int right = size / 2; /* processes of the second child, which come first */
        int near = size > 1 ? top - 1 : -1;
        int far = size > 2 ? first + right - 1 : -1;
        if (p->rank == top) {
            tree.children[tree.count] = near;
            tree.count += near >= 0 ? 1 : 0;
            tree.children[tree.count] = far;
            tree.count += far >= 0 ? 1 : 0;
            return tree;
        }
        tree.parent = p->rank == near || p->rank == far ? top : tree.parent;
        if (p->rank > far) {
            first += far >= 0 ? right : 0;
            size = top - first;
        } else {
            size = right;
        }
    }
}
