#include "algorithm.h"

/* The output has the whole vector of this process, and at the end its own block of the sum. */
static isocast_collective_block had(const isocast_collective_part *p, int from, int to) {
    return isocast_collective_blocks(p, COLLECTIVE_OUTPUT, from, to);
}

static isocast_collective_block spare(const isocast_collective_part *p, int from, int to) {
    return isocast_collective_blocks(p, COLLECTIVE_SPARE, from, to);
}

/* Where processes are no power of two, the even ones of the first pairs leave it to the odd ones.
 */
static int extra_of(const isocast_collective_part *p) {
    return p->size - isocast_collective_power_below(p->size);
}

static int number_of(const isocast_collective_part *p) {
    int extra = extra_of(p);
    return p->rank >= 2 * extra ? p->rank - extra : p->rank % 2 != 0 ? p->rank / 2 : -1;
}

static int process_of(const isocast_collective_part *p, int number) {
    return number < extra_of(p) ? 2 * number + 1 : number + extra_of(p);
}

/* The first block of a number; both blocks of a pair are its. */
static int block_of(const isocast_collective_part *p, int number) {
    return number < extra_of(p) ? 2 * number : number + extra_of(p);
}

static void fold(const isocast_collective_part *p) {
    if (p->rank < 2 * extra_of(p) && p->rank % 2 == 0) {
        isocast_collective_send(p, p->rank + 1, had(p, 0, p->size));
    } else if (p->rank < 2 * extra_of(p)) {
        isocast_collective_receive(p, p->rank - 1, spare(p, 0, p->size));
        isocast_collective_reduce(p, had(p, 0, p->size), spare(p, 0, p->size), true);
    }
}

/* Exchanges the blocks of two ranges of numbers and reduces those that came. */
static void exchange_numbers(const isocast_collective_part *p, int other, int sent, int kept,
                             int numbers) {
    int first = block_of(p, kept);
    int end = block_of(p, kept + numbers);
    int process = process_of(p, other);
    isocast_collective_block out = had(p, block_of(p, sent), block_of(p, sent + numbers));
    isocast_collective_block in = spare(p, first, end);
    int receiving = in.count > 0 ? isocast_collective_start(p, false, process, in) : -1;
    if (out.count > 0) {
        isocast_collective_send(p, process, out);
    }
    if (receiving >= 0) {
        isocast_collective_wait(p, receiving);
        isocast_collective_reduce(p, had(p, first, end), in, process < p->rank);
    }
}

void isocast_collective_reduce_scatter_halving(const isocast_collective_part *p) {
    fold(p);
    int number = number_of(p);
    int first = 0;
    for (int mask = isocast_collective_power_below(p->size) / 2; number >= 0 && mask > 0;
         mask /= 2) {
        bool is_high = (number & mask) != 0;
        exchange_numbers(p, number ^ mask, first + (is_high ? 0 : mask),
                         first + (is_high ? mask : 0), mask);
        first += is_high ? mask : 0;
    }
    if (p->rank < 2 * extra_of(p)) {
        int left = p->rank - p->rank % 2;
        isocast_collective_block block = had(p, left, left + 1);
        if (block.count > 0 && p->rank == left) {
            isocast_collective_receive(p, p->rank + 1, block);
        } else if (block.count > 0) {
            isocast_collective_send(p, left, block);
        }
    }
}

void isocast_collective_reduce_scatter_pairwise(const isocast_collective_part *p) {
    isocast_collective_block own = had(p, p->rank, p->rank + 1);
    isocast_collective_block got = spare(p, p->rank, p->rank + 1);
    for (int step = 1; step < p->size; step++) {
        int to = isocast_collective_turn(p, p->rank + step);
        int from = isocast_collective_turn(p, p->rank - step);
        isocast_collective_exchange(p, to, had(p, to, to + 1), from, got);
        isocast_collective_reduce(p, own, got, from < p->rank);
    }
}

/* The two ranges of blocks that are outside of `inside` to `inside` + mask, packed one behind the
 * other. */
static isocast_collective_block outside(const isocast_collective_part *p,
                                        isocast_collective_buffer buffer, int inside, int mask) {
    int behind = inside + mask < p->size ? inside + mask : p->size;
    size_t count = isocast_collective_start_of(p, inside) + isocast_collective_total(p) -
                   isocast_collective_start_of(p, behind);
    return isocast_collective_piece(buffer, 0, count);
}

static void pack_outside(const isocast_collective_part *p, int inside, int mask) {
    int behind = inside + mask < p->size ? inside + mask : p->size;
    isocast_collective_block front = had(p, 0, inside);
    isocast_collective_block back = had(p, behind, p->size);
    isocast_collective_copy(p, isocast_collective_piece(COLLECTIVE_SECOND, 0, front.count), front);
    isocast_collective_copy(p, isocast_collective_piece(COLLECTIVE_SECOND, front.count, back.count),
                            back);
}

static void reduce_outside(const isocast_collective_part *p, int inside, int mask, bool first) {
    int behind = inside + mask < p->size ? inside + mask : p->size;
    isocast_collective_block front = had(p, 0, inside);
    isocast_collective_block back = had(p, behind, p->size);
    isocast_collective_reduce(p, front, isocast_collective_piece(COLLECTIVE_SPARE, 0, front.count),
                              first);
    isocast_collective_reduce(
        p, back, isocast_collective_piece(COLLECTIVE_SPARE, front.count, back.count), first);
}

/* In each step two groups of `mask` processes give each other the sums of all blocks but their own.
 * Where the second group is cut off, those who have a partner pass on what they got. */
void isocast_collective_reduce_scatter_doubling(const isocast_collective_part *p) {
    for (int mask = 1; mask < p->size; mask *= 2) {
        int partner = p->rank ^ mask;
        int mine = p->rank / mask * mask;
        int theirs = partner / mask * mask;
        isocast_collective_block got =
            outside(p, COLLECTIVE_SPARE, theirs < p->size ? theirs : 0, mask);
        bool has = partner < p->size;
        if (has) {
            pack_outside(p, mine, mask);
            isocast_collective_exchange(p, partner, outside(p, COLLECTIVE_SECOND, mine, mask),
                                        partner, got);
        }
        int have = p->size - theirs;
        for (int half = theirs > mine && theirs < p->size && have < mask ? mask / 2 : 0; half > 0;
             half /= 2) {
            int place = p->rank % (2 * half);
            if (place < have && place < half && place + half >= have) {
                isocast_collective_send(p, p->rank + half, got);
            } else if (place >= have && place >= half && place - half < have) {
                isocast_collective_receive(p, p->rank - half, got);
                has = true;
            }
        }
        if (has) {
            reduce_outside(p, theirs, mask, theirs < mine);
        }
    }
}

static int mirrored(int number, int power) {
    int result = 0;
    for (; power > 1; power /= 2, number /= 2) {
        result = 2 * result + number % 2;
    }
    return result;
}

/* J. L. Traff, EuroPVM/MPI 2005: halves of the vector from the nearest partner on, which keeps the
 * order of the sum; then each block is with the process whose number has its bits reversed. */
void isocast_collective_reduce_scatter_butterfly(const isocast_collective_part *p) {
    int power = isocast_collective_power_below(p->size);
    int number = number_of(p);
    int extra = extra_of(p);
    fold(p);
    if (number < 0) {
        int holder = process_of(p, mirrored(p->rank / 2, power));
        isocast_collective_receive(p, holder, had(p, p->rank, p->rank + 1));
        return;
    }
    int first = 0;
    for (int mask = 1, numbers = power / 2; mask < power; mask *= 2, numbers /= 2) {
        bool is_high = (number & mask) != 0;
        exchange_numbers(p, number ^ mask, first + (is_high ? 0 : numbers),
                         first + (is_high ? numbers : 0), numbers);
        first += is_high ? numbers : 0;
    }
    int other = mirrored(number, power);
    int block = block_of(p, other);
    if (other < extra) {
        isocast_collective_send(p, process_of(p, other) - 1, had(p, block, block + 1));
        block++;
    }
    if (other != number) {
        isocast_collective_exchange(p, process_of(p, other), had(p, block, block + 1),
                                    process_of(p, other), had(p, p->rank, p->rank + 1));
    }
}

/* The same for a power of two, with the blocks put into the mirrored order before. */
void isocast_collective_reduce_scatter_mirrored(const isocast_collective_part *p) {
    size_t each = p->count;
    for (int i = 0; i < p->size; i++) {
        size_t at = (size_t)mirrored(i, p->size) * each;
        isocast_collective_copy(p, isocast_collective_piece(COLLECTIVE_SECOND, at, each),
                                had(p, i, i + 1));
    }
    int first = 0;
    for (int mask = 1, numbers = p->size / 2; mask < p->size; mask *= 2, numbers /= 2) {
        bool is_high = (p->rank & mask) != 0;
        int partner = p->rank ^ mask;
        size_t n = each * (size_t)numbers;
        size_t kept = each * (size_t)(first + (is_high ? numbers : 0));
        size_t sent = each * (size_t)(first + (is_high ? 0 : numbers));
        isocast_collective_exchange(p, partner,
                                    isocast_collective_piece(COLLECTIVE_SECOND, sent, n), partner,
                                    isocast_collective_piece(COLLECTIVE_SPARE, kept, n));
        isocast_collective_reduce(p, isocast_collective_piece(COLLECTIVE_SECOND, kept, n),
                                  isocast_collective_piece(COLLECTIVE_SPARE, kept, n),
                                  partner < p->rank);
        first += is_high ? numbers : 0;
    }
    isocast_collective_copy(
        p, had(p, p->rank, p->rank + 1),
        isocast_collective_piece(COLLECTIVE_SECOND, each * (size_t)first, each));
}
