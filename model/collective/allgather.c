#include "algorithm.h"

static isocast_collective_block had(const isocast_collective_part *p, int from, int to) {
    return isocast_collective_blocks(p, COLLECTIVE_OUTPUT, from, to);
}

/* For powers of two. */
void isocast_collective_allgather_doubling(const isocast_collective_part *p) {
    if (isocast_collective_power_below(p->size) != p->size) {
        isocast_collective_allgather_bruck(p);
        return;
    }
    for (int mask = 1; mask < p->size; mask *= 2) {
        int mine = p->rank / mask * mask;
        int partner = p->rank ^ mask;
        int theirs = partner / mask * mask;
        isocast_collective_exchange(p, partner, had(p, mine, mine + mask), partner,
                                    had(p, theirs, theirs + mask));
    }
}

/* Elements in the blocks of so many processes from this one on. */
static size_t from_own(const isocast_collective_part *p, int processes) {
    int end = p->rank + processes;
    size_t before = isocast_collective_start_of(p, p->rank);
    return end <= p->size ? isocast_collective_start_of(p, end) - before
                          : isocast_collective_total(p) - before +
                                isocast_collective_start_of(p, end - p->size);
}

/* J. Bruck et al., IEEE TPDS 8(11) 1997. The spare has the blocks in their order from this process
 * on. */
void isocast_collective_allgather_bruck(const isocast_collective_part *p) {
    isocast_collective_copy(p, isocast_collective_piece(COLLECTIVE_SPARE, 0, from_own(p, 1)),
                            had(p, p->rank, p->rank + 1));
    for (int mask = 1; mask < p->size; mask *= 2) {
        int count = mask < p->size - mask ? mask : p->size - mask;
        size_t at = from_own(p, mask);
        isocast_collective_exchange(
            p, isocast_collective_turn(p, p->rank - mask),
            isocast_collective_piece(COLLECTIVE_SPARE, 0, from_own(p, count)),
            isocast_collective_turn(p, p->rank + mask),
            isocast_collective_piece(COLLECTIVE_SPARE, at, from_own(p, mask + count) - at));
    }
    size_t to_end = isocast_collective_total(p) - isocast_collective_start_of(p, p->rank);
    isocast_collective_copy(p, had(p, p->rank, p->size),
                            isocast_collective_piece(COLLECTIVE_SPARE, 0, to_end));
    isocast_collective_copy(p, had(p, 0, p->rank),
                            isocast_collective_piece(COLLECTIVE_SPARE, to_end,
                                                     isocast_collective_start_of(p, p->rank)));
}

void isocast_collective_allgather_ring(const isocast_collective_part *p) {
    for (int step = 0; step + 1 < p->size; step++) {
        int sent = isocast_collective_turn(p, p->rank - step);
        int got = isocast_collective_turn(p, p->rank - step - 1);
        isocast_collective_exchange(p, isocast_collective_turn(p, p->rank + 1),
                                    had(p, sent, sent + 1), isocast_collective_turn(p, p->rank - 1),
                                    had(p, got, got + 1));
    }
}

/* The piece of a block that begins at an element; empty where the block ends before. */
static isocast_collective_block piece_of(const isocast_collective_part *p, int process, size_t at,
                                         size_t length) {
    isocast_collective_block block = had(p, process, process + 1);
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

static isocast_collective_block next_of(const isocast_collective_part *p, const round *r,
                                        size_t length) {
    return piece_of(p, r->process, r->at, r->left > 0 ? length : 0);
}

static void go_on(const isocast_collective_part *p, round *r, size_t count) {
    isocast_collective_block block = had(p, r->process, r->process + 1);
    r->left -= count;
    r->at += count;
    if (r->at >= block.count) {
        r->process = isocast_collective_turn(p, r->process - 1);
        r->at = 0;
    }
}

void isocast_collective_allgather_ring_in_pieces(const isocast_collective_part *p) {
    int right = isocast_collective_turn(p, p->rank + 1);
    int left = isocast_collective_turn(p, p->rank - 1);
    size_t length = (size_t)p->parameter / p->unit;
    length = length > 0 ? length : 1;
    round out = {p->rank, 0, isocast_collective_total(p) - had(p, right, right + 1).count};
    round in = {left, 0, isocast_collective_total(p) - had(p, p->rank, p->rank + 1).count};
    while (out.left > 0 || in.left > 0) {
        isocast_collective_block sent = next_of(p, &out, length);
        isocast_collective_block got = next_of(p, &in, length);
        int receiving = got.count > 0 ? isocast_collective_start(p, false, left, got) : -1;
        if (sent.count > 0) {
            isocast_collective_send(p, right, sent);
        }
        if (receiving >= 0) {
            isocast_collective_wait(p, receiving);
        }
        go_on(p, &out, sent.count);
        go_on(p, &in, got.count);
    }
}

/* Pairs of blocks between neighbours, now on one side and now on the other. */
void isocast_collective_allgather_neighbours(const isocast_collective_part *p) {
    if (p->size % 2 != 0) {
        isocast_collective_allgather_ring(p);
        return;
    }
    int way = p->rank % 2 == 0 ? 1 : -1;
    int first = isocast_collective_turn(p, p->rank + way);
    isocast_collective_exchange(p, first, had(p, p->rank, p->rank + 1), first,
                                had(p, first, first + 1));
    int sent = p->rank - p->rank % 2;
    int came[2] = {sent, sent};
    for (int step = 1; step < p->size / 2; step++) {
        bool is_odd = step % 2 != 0;
        int partner = isocast_collective_turn(p, p->rank + (is_odd ? -way : way));
        came[step % 2] = isocast_collective_turn(p, came[step % 2] + (is_odd ? -2 * way : 2 * way));
        isocast_collective_exchange(p, partner, had(p, sent, sent + 2), partner,
                                    had(p, came[step % 2], came[step % 2] + 2));
        sent = came[step % 2];
    }
}
