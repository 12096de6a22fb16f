#include "algorithm.h"

static collective_block had(const collective_part *p, int from, int to) {
    return collective_blocks(p, COLLECTIVE_OUTPUT, from, to);
}

/* For powers of two. */
void collective_allgather_doubling(const collective_part *p) {
    if (collective_power_below(p->size) != p->size) {
        collective_allgather_bruck(p);
        return;
    }
    for (int mask = 1; mask < p->size; mask *= 2) {
        int mine = p->rank / mask * mask;
        int partner = p->rank ^ mask;
        int theirs = partner / mask * mask;
        collective_exchange(p, partner, had(p, mine, mine + mask), partner,
                            had(p, theirs, theirs + mask));
    }
}

/* Elements in the blocks of so many processes from this one on. */
static size_t from_own(const collective_part *p, int processes) {
    int end = p->rank + processes;
    size_t before = collective_start_of(p, p->rank);
    return end <= p->size ? collective_start_of(p, end) - before
                          : collective_total(p) - before + collective_start_of(p, end - p->size);
}

/* J. Bruck et al., IEEE TPDS 8(11) 1997. The spare has the blocks in their order from this process
 * on. */
void collective_allgather_bruck(const collective_part *p) {
    collective_copy(p, collective_piece(COLLECTIVE_SPARE, 0, from_own(p, 1)),
                    had(p, p->rank, p->rank + 1));
    for (int mask = 1; mask < p->size; mask *= 2) {
        int count = mask < p->size - mask ? mask : p->size - mask;
        size_t at = from_own(p, mask);
        collective_exchange(p, collective_turn(p, p->rank - mask),
                            collective_piece(COLLECTIVE_SPARE, 0, from_own(p, count)),
                            collective_turn(p, p->rank + mask),
                            collective_piece(COLLECTIVE_SPARE, at, from_own(p, mask + count) - at));
    }
    size_t to_end = collective_total(p) - collective_start_of(p, p->rank);
    collective_copy(p, had(p, p->rank, p->size), collective_piece(COLLECTIVE_SPARE, 0, to_end));
    collective_copy(p, had(p, 0, p->rank),
                    collective_piece(COLLECTIVE_SPARE, to_end, collective_start_of(p, p->rank)));
}

void collective_allgather_ring(const collective_part *p) {
    for (int step = 0; step + 1 < p->size; step++) {
        int sent = collective_turn(p, p->rank - step);
        int got = collective_turn(p, p->rank - step - 1);
        collective_exchange(p, collective_turn(p, p->rank + 1), had(p, sent, sent + 1),
                            collective_turn(p, p->rank - 1), had(p, got, got + 1));
    }
}

/* The piece of a block that begins at an element; empty where the block ends before. */
static collective_block piece_of(const collective_part *p, int process, size_t at, size_t length) {
    collective_block block = had(p, process, process + 1);
    size_t from = at < block.count ? at : block.count;
    block.at += from;
    block.count -= from;
    block.count = length < block.count ? length : block.count;
    return block;
}

/* What goes round the ring in pieces: where the blocks of a neighbour are shorter, its pieces run
 * ahead. */
typedef struct round {
    int process; /* whose block */
    size_t at;   /* in it */
    size_t left; /* elements that are still to go */
} round;

static collective_block next_of(const collective_part *p, const round *r, size_t length) {
    return piece_of(p, r->process, r->at, r->left > 0 ? length : 0);
}

static void go_on(const collective_part *p, round *r, size_t count) {
    collective_block block = had(p, r->process, r->process + 1);
    r->left -= count;
    r->at += count;
    if (r->at >= block.count) {
        r->process = collective_turn(p, r->process - 1);
        r->at = 0;
    }
}

void collective_allgather_ring_in_pieces(const collective_part *p) {
    int right = collective_turn(p, p->rank + 1);
    int left = collective_turn(p, p->rank - 1);
    size_t length = (size_t)p->parameter / p->unit;
    length = length > 0 ? length : 1;
    round out = {p->rank, 0, collective_total(p) - had(p, right, right + 1).count};
    round in = {left, 0, collective_total(p) - had(p, p->rank, p->rank + 1).count};
    while (out.left > 0 || in.left > 0) {
        collective_block sent = next_of(p, &out, length);
        collective_block got = next_of(p, &in, length);
        int receiving = got.count > 0 ? collective_start(p, false, left, got) : -1;
        if (sent.count > 0) {
            collective_send(p, right, sent);
        }
        if (receiving >= 0) {
            collective_wait(p, receiving);
        }
        go_on(p, &out, sent.count);
        go_on(p, &in, got.count);
    }
}

/* Pairs of blocks between neighbours, now on one side and now on the other. */
void collective_allgather_neighbours(const collective_part *p) {
    if (p->size % 2 != 0) {
        collective_allgather_ring(p);
        return;
    }
    int way = p->rank % 2 == 0 ? 1 : -1;
    int first = collective_turn(p, p->rank + way);
    collective_exchange(p, first, had(p, p->rank, p->rank + 1), first, had(p, first, first + 1));
    int sent = p->rank - p->rank % 2;
    int came[2] = {sent, sent};
    for (int step = 1; step < p->size / 2; step++) {
        bool is_odd = step % 2 != 0;
        int partner = collective_turn(p, p->rank + (is_odd ? -way : way));
        came[step % 2] = collective_turn(p, came[step % 2] + (is_odd ? -2 * way : 2 * way));
        collective_exchange(p, partner, had(p, sent, sent + 2), partner,
                            had(p, came[step % 2], came[step % 2] + 2));
        sent = came[step % 2];
    }
}
