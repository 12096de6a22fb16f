#include "algorithm.h"
#include "tree.h"

static isocast_collective_block whole(const isocast_collective_part *p) {
    return isocast_collective_piece(p->vector, 0, p->count);
}

void isocast_collective_bcast_linear(const isocast_collective_part *p) {
    if (p->rank != p->root) {
        isocast_collective_receive(p, p->root, whole(p));
        return;
    }
    for (int i = 1, first = 0; i < p->size; i++) {
        int to = i <= p->root ? i - 1 : i;
        int started = isocast_collective_start(p, true, to, whole(p));
        first = i == 1 ? started : first;
        if (i == p->size - 1) {
            for (int k = first; k <= started; k++) {
                isocast_collective_wait(p, k);
            }
        }
    }
}

/* The vector in one piece, which is how the libraries' own choices have it. */
static void pass_down(const isocast_collective_part *p, const isocast_collective_tree *tree,
                      bool at_once) {
    int started[COLLECTIVE_CHILDREN];
    if (tree->parent >= 0) {
        isocast_collective_receive(p, tree->parent, whole(p));
    }
    for (int i = 0; i < tree->count; i++) {
        started[i] = isocast_collective_start(p, true, tree->children[i], whole(p));
        if (!at_once) {
            isocast_collective_wait(p, started[i]);
        }
    }
    for (int i = 0; i < tree->count && at_once; i++) {
        isocast_collective_wait(p, started[i]);
    }
}

void isocast_collective_bcast_low_digit(const isocast_collective_part *p) {
    isocast_collective_tree tree = isocast_collective_tree_by_low_digit(p, p->parameter);
    pass_down(p, &tree, false);
}

void isocast_collective_bcast_low_digit_at_once(const isocast_collective_part *p) {
    isocast_collective_tree tree = isocast_collective_tree_by_low_digit(p, p->parameter);
    pass_down(p, &tree, true);
}

void isocast_collective_bcast_high_bit(const isocast_collective_part *p) {
    isocast_collective_tree tree = isocast_collective_tree_by_high_bit(p);
    pass_down(p, &tree, true);
}

void isocast_collective_bcast_chains(const isocast_collective_part *p) {
    isocast_collective_tree tree = isocast_collective_tree_of_chains(p, p->parameter);
    pass_down(p, &tree, true);
}

void isocast_collective_bcast_by_level(const isocast_collective_part *p) {
    isocast_collective_tree tree = isocast_collective_tree_by_level(p, p->parameter);
    pass_down(p, &tree, true);
}

/* One half goes down each side of a binary tree; then neighbours of both sides exchange them. */
void isocast_collective_bcast_split_binary(const isocast_collective_part *p) {
    size_t half = p->count - p->count / 2;
    if (p->count < 2) {
        isocast_collective_part chain = *p;
        chain.parameter = 1;
        isocast_collective_bcast_chains(&chain);
        return;
    }
    isocast_collective_block halves[2] = {
        isocast_collective_piece(p->vector, 0, half),
        isocast_collective_piece(p->vector, half, p->count - half)};
    isocast_collective_tree tree = isocast_collective_tree_by_level(p, 2);
    int place = isocast_collective_turn(p, p->rank - p->root);
    int side = place % 2 == 0; /* odd places are on the left */
    if (place > 0) {
        isocast_collective_receive(p, tree.parent, halves[side]);
    }
    for (int i = 0; i < tree.count; i++) {
        isocast_collective_send(p, tree.children[i], halves[place == 0 ? i : side]);
    }
    int last = isocast_collective_turn(p, p->root - 1);
    int other = isocast_collective_turn(p, p->rank + (side == 0 ? 1 : -1));
    if (p->size % 2 == 0 && place == 0) {
        isocast_collective_send(p, last, halves[1]);
    } else if (p->size % 2 == 0 && p->rank == last) {
        isocast_collective_receive(p, p->root, halves[1]);
    } else if (place > 0) {
        isocast_collective_exchange(p, other, halves[side], other, halves[1 - side]);
    }
}

/* Blocks of a vector that is scattered, by places from the root on; the last may be short or empty.
 */
static isocast_collective_block piece(const isocast_collective_part *p, int from, int to) {
    size_t each = (p->count + (size_t)p->size - 1) / (size_t)p->size;
    size_t at = each * (size_t)from;
    size_t end = to < p->size ? each * (size_t)to : p->count;
    at = at < p->count ? at : p->count;
    end = end < p->count ? end : p->count;
    return isocast_collective_piece(p->vector, at, end > at ? end - at : 0);
}

static int rank_at(const isocast_collective_part *p, int place) {
    return isocast_collective_turn(p, place + p->root);
}

/* Along a binomial tree, each process gets the blocks of all behind it. Empty ones are not sent. */
static void scatter(const isocast_collective_part *p, int own) {
    int mask = 1;
    while (mask < p->size && (own & mask) == 0) {
        mask *= 2;
    }
    if (mask < p->size && piece(p, own, own + mask).count > 0) {
        isocast_collective_receive(p, rank_at(p, own - mask), piece(p, own, own + mask));
    }
    for (int half = mask / 2; half > 0; half /= 2) {
        isocast_collective_block sent = piece(p, own + half, own + 2 * half);
        if (own + half < p->size && sent.count > 0) {
            isocast_collective_send(p, rank_at(p, own + half), sent);
        }
    }
}

/* In a step two groups of `mask` processes exchange their blocks. Where the second group is cut
 * off, some of the first have no partner. Those that have one pass on what they got: the front
 * `have` of each part of 2 half processes to those half of it away that have it not. */
static void pass_to_lonely(const isocast_collective_part *p, int own, int theirs, int mask) {
    int have = p->size - theirs;
    isocast_collective_block block = piece(p, theirs, theirs + mask);
    for (int half = mask / 2; half > 0; half /= 2) {
        int place = own % (2 * half);
        if (place < have && place < half && place + half >= have) {
            isocast_collective_send(p, rank_at(p, own + half), block);
        } else if (place >= have && place >= half && place - half < have) {
            isocast_collective_receive(p, rank_at(p, own - half), block);
        }
    }
}

static bool is_too_short(const isocast_collective_part *p) {
    return p->parameter > 0 && p->count < (size_t)p->size;
}

void isocast_collective_bcast_scatter_doubling(const isocast_collective_part *p) {
    int own = isocast_collective_turn(p, p->rank - p->root);
    if (is_too_short(p)) {
        isocast_collective_bcast_linear(p);
        return;
    }
    scatter(p, own);
    for (int mask = 1; mask < p->size; mask *= 2) {
        int partner = own ^ mask;
        int mine = own / mask * mask;
        int theirs = partner / mask * mask;
        if (partner < p->size) {
            isocast_collective_exchange(p, rank_at(p, partner), piece(p, mine, mine + mask),
                                        rank_at(p, partner), piece(p, theirs, theirs + mask));
        }
        if (theirs > mine && theirs < p->size && theirs + mask > p->size) {
            pass_to_lonely(p, own, theirs, mask);
        }
    }
}

void isocast_collective_bcast_scatter_ring(const isocast_collective_part *p) {
    int own = isocast_collective_turn(p, p->rank - p->root);
    if (is_too_short(p)) {
        isocast_collective_bcast_linear(p);
        return;
    }
    scatter(p, own);
    for (int step = 0; step + 1 < p->size; step++) {
        int sent = isocast_collective_turn(p, own - step);
        int got = isocast_collective_turn(p, own - step - 1);
        isocast_collective_exchange(p, rank_at(p, own + 1), piece(p, sent, sent + 1),
                                    rank_at(p, own - 1), piece(p, got, got + 1));
    }
}
