#include "algorithm.h"
#include "tree.h"

/* What a process has so far is in the output; what comes is received into the spare. */
static isocast_collective_block had(size_t at, size_t end) {
    return isocast_collective_piece(COLLECTIVE_OUTPUT, at, end - at);
}

static isocast_collective_block spare(size_t at, size_t end) {
    return isocast_collective_piece(COLLECTIVE_SPARE, at, end - at);
}

static void take_whole(const isocast_collective_part *p, int from, bool first) {
    isocast_collective_receive(p, from, spare(0, p->count));
    isocast_collective_reduce(p, had(0, p->count), spare(0, p->count), first);
}

static void send_whole(const isocast_collective_part *p, int to) {
    isocast_collective_send(p, to, had(0, p->count));
}

static void receive_whole(const isocast_collective_part *p, int from) {
    isocast_collective_receive(p, from, had(0, p->count));
}

/* The root takes the vectors from the last process on, so that their order is kept. */
void isocast_collective_reduce_linear(const isocast_collective_part *p) {
    if (p->rank != p->root) {
        send_whole(p, p->root);
        return;
    }
    isocast_collective_block sum = had(0, p->count);
    isocast_collective_block own = isocast_collective_piece(COLLECTIVE_SECOND, 0, p->count);
    isocast_collective_copy(p, own, sum);
    for (int i = p->size - 1; i >= 0; i--) {
        bool is_last = i == p->size - 1;
        if (i == p->root) {
            if (!is_last) {
                isocast_collective_reduce(p, sum, own, true);
            }
        } else if (is_last) {
            receive_whole(p, i);
        } else {
            take_whole(p, i, true);
        }
    }
}

/* Up a tree. Ahead: the next child's vector is waited for after its receive has begun, so that two
 * are under way. */
static void pass_up(const isocast_collective_part *p, const isocast_collective_tree *tree,
                    bool ahead, bool others_first) {
    isocast_collective_buffer buffers[2] = {COLLECTIVE_SPARE, COLLECTIVE_SECOND};
    int started = 0;
    for (int i = 0; i < tree->count; i++) {
        isocast_collective_block block = isocast_collective_piece(buffers[i % 2], 0, p->count);
        if (i == 0 || !ahead) {
            started = isocast_collective_start(p, false, tree->children[i], block);
        }
        bool goes_on = ahead && i + 1 < tree->count;
        isocast_collective_block next = isocast_collective_piece(buffers[(i + 1) % 2], 0, p->count);
        int following =
            goes_on ? isocast_collective_start(p, false, tree->children[i + 1], next) : 0;
        isocast_collective_wait(p, started);
        isocast_collective_reduce(p, had(0, p->count), block, others_first);
        started = following;
    }
    if (tree->parent >= 0) {
        send_whole(p, tree->parent);
    }
}

/* Where the order of vectors counts, the tree begins at process 0, which sends to the root. */
void isocast_collective_reduce_binomial(const isocast_collective_part *p) {
    isocast_collective_part q = *p;
    q.root = p->commutes ? p->root : 0;
    isocast_collective_tree tree = isocast_collective_tree_in_order(&q);
    pass_up(&q, &tree, false, false);
    if (q.root != p->root && p->rank == q.root) {
        send_whole(p, p->root);
    } else if (q.root != p->root && p->rank == p->root) {
        receive_whole(p, q.root);
    }
}

void isocast_collective_reduce_binomial_ahead(const isocast_collective_part *p) {
    isocast_collective_tree tree = isocast_collective_tree_in_order(p);
    pass_up(p, &tree, true, false);
}

void isocast_collective_reduce_chains(const isocast_collective_part *p) {
    isocast_collective_tree tree = isocast_collective_tree_of_chains(p, p->parameter);
    pass_up(p, &tree, true, false);
}

void isocast_collective_reduce_by_level(const isocast_collective_part *p) {
    isocast_collective_tree tree = isocast_collective_tree_by_level(p, p->parameter);
    pass_up(p, &tree, true, false);
}

void isocast_collective_reduce_after_children(const isocast_collective_part *p) {
    isocast_collective_tree tree = isocast_collective_tree_after_children(p);
    int last = p->size - 1;
    pass_up(p, &tree, true, true);
    if (p->root != last && p->rank == last) {
        send_whole(p, p->root);
    } else if (p->root != last && p->rank == p->root) {
        receive_whole(p, last);
    }
}

/* Where processes are no power of two, pairs of the first become one. */
typedef struct folded {
    int power;  /* processes that are left */
    int extra;  /* pairs */
    int number; /* of this process; -1: it is left out */
    bool keeps_odd;
} folded;

static folded fold(const isocast_collective_part *p, bool keeps_odd) {
    folded f = {.power = isocast_collective_power_below(p->size), .keeps_odd = keeps_odd};
    f.extra = p->size - f.power;
    bool in_pair = p->rank < 2 * f.extra;
    bool is_kept = !in_pair || (p->rank % 2 != 0) == keeps_odd;
    f.number = !is_kept ? -1 : in_pair ? p->rank / 2 : p->rank - f.extra;
    return f;
}

static int unfold(const folded *f, int number) {
    return number < f->extra ? 2 * number + (f->keeps_odd ? 1 : 0) : number + f->extra;
}

static bool is_paired(const isocast_collective_part *p, const folded *f) {
    return p->rank < 2 * f->extra;
}

static void fold_whole(const isocast_collective_part *p, const folded *f) {
    if (is_paired(p, f) && f->number < 0) {
        send_whole(p, p->rank ^ 1);
    } else if (is_paired(p, f)) {
        take_whole(p, p->rank ^ 1, f->keeps_odd);
    }
}

static void unfold_whole(const isocast_collective_part *p, const folded *f) {
    if (is_paired(p, f) && f->number < 0) {
        receive_whole(p, p->rank ^ 1);
    } else if (is_paired(p, f)) {
        send_whole(p, p->rank ^ 1);
    }
}

/* Both of a pair reduce one half each; the even one gets the other half, too. */
static void fold_by_halves(const isocast_collective_part *p, const folded *f) {
    if (!is_paired(p, f)) {
        return;
    }
    int other = p->rank ^ 1;
    size_t half = p->count / 2;
    isocast_collective_block low = had(0, half);
    isocast_collective_block high = had(half, p->count);
    if (f->number < 0) {
        isocast_collective_exchange(p, other, low, other, spare(half, p->count));
        isocast_collective_reduce(p, high, spare(half, p->count), true);
        isocast_collective_send(p, other, high);
    } else {
        isocast_collective_exchange(p, other, high, other, spare(0, half));
        isocast_collective_reduce(p, low, spare(0, half), false);
        isocast_collective_receive(p, other, high);
    }
}

/* Where the vector is cut for so many processes: into equal blocks, the first ones longer by one,
 * or by halving again and again. */
static size_t cut(const isocast_collective_part *p, int power, bool halved, int number) {
    size_t n = p->count;
    if (!halved) {
        size_t each = n / (size_t)power;
        size_t longer = n % (size_t)power;
        size_t i = (size_t)number;
        return i * each + (i < longer ? i : longer);
    }
    size_t at = 0;
    for (int i = number, parts = power / 2; parts > 0; parts /= 2) {
        size_t half = n / 2;
        at += i >= parts ? half : 0;
        n = i >= parts ? n - half : half;
        i -= i >= parts ? parts : 0;
    }
    return number == power ? p->count : at;
}

/* Which parts a process has after so many halvings, the nearest partner first. */
static void range_after(int number, int power, int halvings, int *from, int *to) {
    *from = 0;
    *to = power;
    for (int bit = 1, i = 0; i < halvings; i++, bit *= 2) {
        int middle = (*from + *to) / 2;
        *((number & bit) != 0 ? from : to) = middle;
    }
}

static int halvings_of(int power) {
    int halvings = 0;
    for (; power > 1; power /= 2) {
        halvings++;
    }
    return halvings;
}

static void halve(const isocast_collective_part *p, const folded *f, bool by_halves) {
    for (int step = 0; f->number >= 0 && (1 << step) < f->power; step++) {
        int from;
        int to;
        int from_next;
        int to_next;
        int partner = unfold(f, f->number ^ (1 << step));
        range_after(f->number, f->power, step + 1, &from, &to);
        range_after(f->number ^ (1 << step), f->power, step + 1, &from_next, &to_next);
        size_t at = cut(p, f->power, by_halves, from);
        size_t end = cut(p, f->power, by_halves, to);
        isocast_collective_exchange(
            p, partner,
            had(cut(p, f->power, by_halves, from_next), cut(p, f->power, by_halves, to_next)),
            partner, spare(at, end));
        isocast_collective_reduce(p, had(at, end), spare(at, end), partner < p->rank);
    }
}

static isocast_collective_block part_after(const isocast_collective_part *p, const folded *f,
                                           bool by_halves, int number, int halvings) {
    int from;
    int to;
    range_after(number, f->power, halvings, &from, &to);
    return had(cut(p, f->power, by_halves, from), cut(p, f->power, by_halves, to));
}

/* The number of the root among those that are left. One that was left out takes the place of 0, and
 * its part. */
static int root_number(const isocast_collective_part *p, folded *f, bool by_halves) {
    bool in_pair = p->root < 2 * f->extra;
    if (!in_pair || p->root % 2 == 0) {
        return in_pair ? p->root / 2 : p->root - f->extra;
    }
    isocast_collective_block part = part_after(p, f, by_halves, 0, halvings_of(f->power));
    if (p->rank == p->root) {
        isocast_collective_receive(p, 0, part);
        f->number = 0;
    } else if (f->number == 0) {
        isocast_collective_send(p, p->root, part);
        f->number = -1;
    }
    return 0;
}

/* R. Rabenseifner, ICCS 2004: a reduce-scatter by halving, then a gather to the root. */
static void reduce_rabenseifner(const isocast_collective_part *p, bool by_halves) {
    folded f = fold(p, false);
    if (by_halves) {
        fold_by_halves(p, &f);
    } else {
        fold_whole(p, &f);
    }
    halve(p, &f, by_halves);
    bool root_left_out = p->root < 2 * f.extra && p->root % 2 != 0;
    int root = root_number(p, &f, by_halves);
    for (int step = halvings_of(f.power) - 1; f.number >= 0 && step >= 0; step--) {
        int other = f.number ^ (1 << step);
        int partner = other == 0 && root_left_out ? p->root : unfold(&f, other);
        if (other >> step == root >> step) {
            isocast_collective_send(p, partner, part_after(p, &f, by_halves, f.number, step + 1));
            break;
        }
        isocast_collective_receive(p, partner, part_after(p, &f, by_halves, other, step + 1));
    }
}

void isocast_collective_reduce_rabenseifner(const isocast_collective_part *p) {
    reduce_rabenseifner(p, false);
}

void isocast_collective_reduce_rabenseifner_low(const isocast_collective_part *p) {
    if (p->count < (size_t)isocast_collective_power_below(p->size) || !p->commutes) {
        isocast_collective_reduce_linear(p);
    } else {
        reduce_rabenseifner(p, true);
    }
}

static void allreduce_rabenseifner(const isocast_collective_part *p, bool by_halves) {
    folded f = fold(p, !by_halves);
    if (by_halves) {
        fold_by_halves(p, &f);
    } else {
        fold_whole(p, &f);
    }
    halve(p, &f, by_halves);
    for (int step = halvings_of(f.power) - 1; f.number >= 0 && step >= 0; step--) {
        int other = f.number ^ (1 << step);
        int partner = unfold(&f, other);
        isocast_collective_exchange(p, partner, part_after(p, &f, by_halves, f.number, step + 1),
                                    partner, part_after(p, &f, by_halves, other, step + 1));
    }
    unfold_whole(p, &f);
}

void isocast_collective_allreduce_rabenseifner(const isocast_collective_part *p) {
    allreduce_rabenseifner(p, false);
}

void isocast_collective_allreduce_rabenseifner_low(const isocast_collective_part *p) {
    if (p->count < (size_t)isocast_collective_power_below(p->size) || !p->commutes) {
        isocast_collective_allreduce_linear(p);
    } else {
        allreduce_rabenseifner(p, true);
    }
}

void isocast_collective_allreduce_linear(const isocast_collective_part *p) {
    isocast_collective_part q = *p;
    q.root = 0;
    isocast_collective_reduce_linear(&q);
    isocast_collective_bcast_linear(&q);
}

void isocast_collective_allreduce_doubling(const isocast_collective_part *p) {
    folded f = fold(p, true);
    fold_whole(p, &f);
    for (int mask = 1; f.number >= 0 && mask < f.power; mask *= 2) {
        int partner = unfold(&f, f.number ^ mask);
        isocast_collective_exchange(p, partner, had(0, p->count), partner, spare(0, p->count));
        isocast_collective_reduce(p, had(0, p->count), spare(0, p->count), partner < p->rank);
    }
    unfold_whole(p, &f);
}

/* Where the blocks of a ring are: cut from the vector, or those that each process is to have. */
static size_t ring_cut(const isocast_collective_part *p, bool scatters, int number) {
    return scatters ? isocast_collective_start_of(p, number) : cut(p, p->size, false, number);
}

static isocast_collective_block ring_block(const isocast_collective_part *p, bool scatters,
                                           isocast_collective_buffer buffer, int number) {
    size_t at = ring_cut(p, scatters, number);
    return isocast_collective_piece(buffer, at, ring_cut(p, scatters, number + 1) - at);
}

/* Blocks are reduced round a ring. Each receive begins before the block before it has come. */
static void reduce_round_ring(const isocast_collective_part *p, bool scatters) {
    int right = isocast_collective_turn(p, p->rank + 1);
    int left = isocast_collective_turn(p, p->rank - 1);
    int started = 0;
    for (int step = 0; step < p->size; step++) {
        int number = isocast_collective_turn(p, p->rank - step - (scatters ? 1 : 0));
        int next = isocast_collective_turn(p, number - 1);
        isocast_collective_block block = ring_block(p, scatters, COLLECTIVE_OUTPUT, number);
        bool goes_on = step + 1 < p->size;
        int following =
            goes_on ? isocast_collective_start(p, false, left,
                                               ring_block(p, scatters, COLLECTIVE_SPARE, next))
                    : 0;
        if (step > 0) {
            isocast_collective_wait(p, started);
            isocast_collective_reduce(p, block, ring_block(p, scatters, COLLECTIVE_SPARE, number),
                                      true);
        }
        if (goes_on) {
            isocast_collective_send(p, right, block);
        }
        started = following;
    }
}

void isocast_collective_allreduce_ring(const isocast_collective_part *p) {
    if (p->count < (size_t)p->size) {
        isocast_collective_allreduce_doubling(p);
        return;
    }
    reduce_round_ring(p, false);
    for (int step = 0; step + 1 < p->size; step++) {
        int sent = isocast_collective_turn(p, p->rank + 1 - step);
        int got = isocast_collective_turn(p, p->rank - step);
        isocast_collective_exchange(p, isocast_collective_turn(p, p->rank + 1),
                                    ring_block(p, false, COLLECTIVE_OUTPUT, sent),
                                    isocast_collective_turn(p, p->rank - 1),
                                    ring_block(p, false, COLLECTIVE_OUTPUT, got));
    }
}

void isocast_collective_reduce_scatter_ring(const isocast_collective_part *p) {
    reduce_round_ring(p, true);
}

void isocast_collective_scan_linear(const isocast_collective_part *p) {
    if (p->rank > 0) {
        take_whole(p, p->rank - 1, true);
    }
    if (p->rank + 1 < p->size) {
        send_whole(p, p->rank + 1);
    }
}

/* The second buffer has the sum of all that were reached; the output that of those before, too. */
void isocast_collective_scan_doubling(const isocast_collective_part *p) {
    isocast_collective_block sum = isocast_collective_piece(COLLECTIVE_SECOND, 0, p->count);
    isocast_collective_copy(p, sum, had(0, p->count));
    for (int mask = 1; mask < p->size; mask *= 2) {
        int partner = p->rank ^ mask;
        if (partner < p->size) {
            isocast_collective_exchange(p, partner, sum, partner, spare(0, p->count));
            isocast_collective_reduce(p, sum, spare(0, p->count), partner < p->rank);
            if (partner < p->rank) {
                isocast_collective_reduce(p, had(0, p->count), spare(0, p->count), true);
            }
        }
    }
}
