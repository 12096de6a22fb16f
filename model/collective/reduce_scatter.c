#include "algorithm.h"

/* The output has the whole vector of this process, and at the end its own block of the sum. */
static collective_block had(const collective_part *p, int from, int to) {
    return collective_blocks(p, COLLECTIVE_OUTPUT, from, to);
}

static collective_block spare(const collective_part *p, int from, int to) {
    return collective_blocks(p, COLLECTIVE_SPARE, from, to);
}

/* Where processes are no power of two, the even ones of the first pairs leave it to the odd ones.
 */
static int extra_of(const collective_part *p) {
    return p->size - collective_power_below(p->size);
}

static int number_of(const collective_part *p) {
    int extra = extra_of(p);
    return p->rank >= 2 * extra ? p->rank - extra : p->rank % 2 != 0 ? p->rank / 2 : -1;
}

static int process_of(const collective_part *p, int number) {
    return number < extra_of(p) ? 2 * number + 1 : number + extra_of(p);
}

/* The first block of a number; both blocks of a pair are its. */
static int block_of(const collective_part *p, int number) {
    return number < extra_of(p) ? 2 * number : number + extra_of(p);
}

static void fold(const collective_part *p) {
    if (p->rank < 2 * extra_of(p) && p->rank % 2 == 0) {
        collective_send(p, p->rank + 1, had(p, 0, p->size));
    } else if (p->rank < 2 * extra_of(p)) {
        collective_receive(p, p->rank - 1, spare(p, 0, p->size));
        collective_reduce(p, had(p, 0, p->size), spare(p, 0, p->size), true);
    }
}

/* Exchanges the blocks of two ranges of numbers and reduces those that came. */
static void exchange_numbers(const collective_part *p, int other, int sent, int kept, int numbers) {
    int first = block_of(p, kept);
    int end = block_of(p, kept + numbers);
    int process = process_of(p, other);
    collective_block out = had(p, block_of(p, sent), block_of(p, sent + numbers));
    collective_block in = spare(p, first, end);
    int receiving = in.count > 0 ? collective_start(p, false, process, in) : -1;
    if (out.count > 0) {
        collective_send(p, process, out);
    }
    if (receiving >= 0) {
        collective_wait(p, receiving);
        collective_reduce(p, had(p, first, end), in, process < p->rank);
    }
}

void collective_reduce_scatter_halving(const collective_part *p) {
    fold(p);
    int number = number_of(p);
    int first = 0;
    for (int mask = collective_power_below(p->size) / 2; number >= 0 && mask > 0; mask /= 2) {
        bool is_high = (number & mask) != 0;
        exchange_numbers(p, number ^ mask, first + (is_high ? 0 : mask),
                         first + (is_high ? mask : 0), mask);
        first += is_high ? mask : 0;
    }
    if (p->rank < 2 * extra_of(p)) {
        int left = p->rank - p->rank % 2;
        collective_block block = had(p, left, left + 1);
        if (block.count > 0 && p->rank == left) {
            collective_receive(p, p->rank + 1, block);
        } else if (block.count > 0) {
            collective_send(p, left, block);
        }
    }
}

void collective_reduce_scatter_pairwise(const collective_part *p) {
    collective_block own = had(p, p->rank, p->rank + 1);
    collective_block got = spare(p, p->rank, p->rank + 1);
    for (int step = 1; step < p->size; step++) {
        int to = collective_turn(p, p->rank + step);
        int from = collective_turn(p, p->rank - step);
        collective_exchange(p, to, had(p, to, to + 1), from, got);
        collective_reduce(p, own, got, from < p->rank);
    }
}

/* The two ranges of blocks that are outside of `inside` to `inside` + mask, packed one behind the
 * other. */
static collective_block outside(const collective_part *p, collective_buffer buffer, int inside,
                                int mask) {
    int behind = inside + mask < p->size ? inside + mask : p->size;
    size_t count =
        collective_start_of(p, inside) + collective_total(p) - collective_start_of(p, behind);
    return collective_piece(buffer, 0, count);
}

static void pack_outside(const collective_part *p, int inside, int mask) {
    int behind = inside + mask < p->size ? inside + mask : p->size;
    collective_block front = had(p, 0, inside);
    collective_block back = had(p, behind, p->size);
    collective_copy(p, collective_piece(COLLECTIVE_SECOND, 0, front.count), front);
    collective_copy(p, collective_piece(COLLECTIVE_SECOND, front.count, back.count), back);
}

static void reduce_outside(const collective_part *p, int inside, int mask, bool first) {
    int behind = inside + mask < p->size ? inside + mask : p->size;
    collective_block front = had(p, 0, inside);
    collective_block back = had(p, behind, p->size);
    collective_reduce(p, front, collective_piece(COLLECTIVE_SPARE, 0, front.count), first);
    collective_reduce(p, back, collective_piece(COLLECTIVE_SPARE, front.count, back.count), first);
}

/* In each step two groups of `mask` processes give each other the sums of all blocks but their own.
 * Where the second group is cut off, those who have a partner pass on what they got. */
void collective_reduce_scatter_doubling(const collective_part *p) {
    for (int mask = 1; mask < p->size; mask *= 2) {
        int partner = p->rank ^ mask;
        int mine = p->rank / mask * mask;
        int theirs = partner / mask * mask;
        collective_block got = outside(p, COLLECTIVE_SPARE, theirs < p->size ? theirs : 0, mask);
        bool has = partner < p->size;
        if (has) {
            pack_outside(p, mine, mask);
            collective_exchange(p, partner, outside(p, COLLECTIVE_SECOND, mine, mask), partner,
                                got);
        }
        int have = p->size - theirs;
        for (int half = theirs > mine && theirs < p->size && have < mask ? mask / 2 : 0; half > 0;
             half /= 2) {
            int place = p->rank % (2 * half);
            if (place < have && place < half && place + half >= have) {
                collective_send(p, p->rank + half, got);
            } else if (place >= have && place >= half && place - half < have) {
                collective_receive(p, p->rank - half, got);
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
void collective_reduce_scatter_butterfly(const collective_part *p) {
    int power = collective_power_below(p->size);
    int number = number_of(p);
    int extra = extra_of(p);
    fold(p);
    if (number < 0) {
        int holder = process_of(p, mirrored(p->rank / 2, power));
        collective_receive(p, holder, had(p, p->rank, p->rank + 1));
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
        collective_send(p, process_of(p, other) - 1, had(p, block, block + 1));
        block++;
    }
    if (other != number) {
        collective_exchange(p, process_of(p, other), had(p, block, block + 1), process_of(p, other),
                            had(p, p->rank, p->rank + 1));
    }
}

/* The same for a power of two, with the blocks put into the mirrored order before. */
void collective_reduce_scatter_mirrored(const collective_part *p) {
    size_t each = p->count;
    for (int i = 0; i < p->size; i++) {
        size_t at = (size_t)mirrored(i, p->size) * each;
        collective_copy(p, collective_piece(COLLECTIVE_SECOND, at, each), had(p, i, i + 1));
    }
    int first = 0;
    for (int mask = 1, numbers = p->size / 2; mask < p->size; mask *= 2, numbers /= 2) {
        bool is_high = (p->rank & mask) != 0;
        int partner = p->rank ^ mask;
        size_t n = each * (size_t)numbers;
        size_t kept = each * (size_t)(first + (is_high ? numbers : 0));
        size_t sent = each * (size_t)(first + (is_high ? 0 : numbers));
        collective_exchange(p, partner, collective_piece(COLLECTIVE_SECOND, sent, n), partner,
                            collective_piece(COLLECTIVE_SPARE, kept, n));
        collective_reduce(p, collective_piece(COLLECTIVE_SECOND, kept, n),
                          collective_piece(COLLECTIVE_SPARE, kept, n), partner < p->rank);
        first += is_high ? numbers : 0;
    }
    collective_copy(p, had(p, p->rank, p->rank + 1),
                    collective_piece(COLLECTIVE_SECOND, each * (size_t)first, each));
}
