#include "algorithm.h"

static isocast_collective_block sent(const isocast_collective_part *p, int process) {
    size_t at = p->sent != NULL ? p->sent[process] : p->count * (size_t)process;
    size_t end = p->sent != NULL ? p->sent[process + 1] : at + p->count;
    return isocast_collective_piece(COLLECTIVE_INPUT, at, end - at);
}

static isocast_collective_block got(const isocast_collective_part *p, int process) {
    return isocast_collective_blocks(p, COLLECTIVE_OUTPUT, process, process + 1);
}

static void keep_own(const isocast_collective_part *p) {
    isocast_collective_copy(p, got(p, p->rank), sent(p, p->rank));
}

/* Numbers follow each other from the first to the last that was started. */
static void wait_for(const isocast_collective_part *p, int first, int last) {
    for (int i = first; i <= last; i++) {
        isocast_collective_wait(p, i);
    }
}

/* All at once; receives from the next process on, sends from the one before on. */
void isocast_collective_alltoall_linear(const isocast_collective_part *p) {
    int first = 0;
    int last = -1;
    keep_own(p);
    for (int i = 1; i < p->size; i++) {
        int from = isocast_collective_turn(p, p->rank + i);
        last = isocast_collective_start(p, false, from, got(p, from));
        first = i == 1 ? last : first;
    }
    for (int i = 1; i < p->size; i++) {
        int to = isocast_collective_turn(p, p->rank - i);
        last = isocast_collective_start(p, true, to, sent(p, to));
    }
    wait_for(p, first, last);
}

/* All at once, in the order of ranks. */
void isocast_collective_alltoall_by_rank(const isocast_collective_part *p) {
    int first = -1;
    int last = -2;
    keep_own(p);
    for (int i = 0; i < 2 * p->size; i++) {
        int process = i % p->size;
        bool sends = i >= p->size;
        if (process != p->rank) {
            last = isocast_collective_start(p, sends, process,
                                            sends ? sent(p, process) : got(p, process));
            first = first < 0 ? last : first;
        }
    }
    wait_for(p, first, last);
}

/* So many at once, from this process itself on. Empty messages are left out. */
void isocast_collective_alltoall_throttled(const isocast_collective_part *p) {
    for (int begin = 0; begin < p->size; begin += p->parameter) {
        int end = begin + p->parameter < p->size ? begin + p->parameter : p->size;
        int first = -1;
        int last = -2;
        for (int i = begin; i < end + (end - begin); i++) {
            bool sends = i >= end;
            int process =
                isocast_collective_turn(p, sends ? p->rank - (i - end + begin) : p->rank + i);
            isocast_collective_block block = sends ? sent(p, process) : got(p, process);
            if (block.count > 0) {
                last = isocast_collective_start(p, sends, process, block);
                first = first < 0 ? last : first;
            }
        }
        wait_for(p, first, last);
    }
}

void isocast_collective_alltoall_pairwise(const isocast_collective_part *p) {
    keep_own(p);
    for (int step = 1; step < p->size; step++) {
        int to = isocast_collective_turn(p, p->rank + step);
        int from = isocast_collective_turn(p, p->rank - step);
        isocast_collective_exchange(p, to, sent(p, to), from, got(p, from));
    }
}

/* With the process whose number differs in the bits of the step, where that is for all. */
void isocast_collective_alltoall_xor(const isocast_collective_part *p) {
    if (isocast_collective_power_below(p->size) != p->size) {
        isocast_collective_alltoall_pairwise(p);
        return;
    }
    keep_own(p);
    for (int step = 1; step < p->size; step++) {
        int partner = p->rank ^ step;
        isocast_collective_exchange(p, partner, sent(p, partner), partner, got(p, partner));
    }
}

/* Each pair exchanges, in the order of their ranks. What is sent was copied before. */
void isocast_collective_alltoall_pairs(const isocast_collective_part *p) {
    keep_own(p);
    for (int i = 0; i < p->size; i++) {
        for (int k = i + 1; k < p->size; k++) {
            if (p->rank == i || p->rank == k) {
                int partner = p->rank == i ? k : i;
                isocast_collective_exchange(p, partner, sent(p, partner), partner, got(p, partner));
            }
        }
    }
}

static isocast_collective_block place(const isocast_collective_part *p,
                                      isocast_collective_buffer buffer, int number) {
    return isocast_collective_piece(buffer, p->count * (size_t)number, p->count);
}

/* J. Bruck et al., IEEE TPDS 8(11) 1997: in each step the blocks whose way has a bit. The spare has
 * the blocks by their way; those of a step are packed one behind the other. */
void isocast_collective_alltoall_bruck(const isocast_collective_part *p) {
    for (int i = 0; i < p->size; i++) {
        isocast_collective_copy(p, place(p, COLLECTIVE_SPARE, i),
                                sent(p, isocast_collective_turn(p, p->rank + i)));
    }
    for (int bit = 1; bit < p->size; bit *= 2) {
        int count = 0;
        for (int i = 1; i < p->size; i++) {
            if ((i & bit) != 0) {
                isocast_collective_copy(p, place(p, COLLECTIVE_SECOND, count++),
                                        place(p, COLLECTIVE_SPARE, i));
            }
        }
        size_t length = p->count * (size_t)count;
        isocast_collective_exchange(p, isocast_collective_turn(p, p->rank + bit),
                                    isocast_collective_piece(COLLECTIVE_SECOND, 0, length),
                                    isocast_collective_turn(p, p->rank - bit),
                                    isocast_collective_piece(COLLECTIVE_OUTPUT, 0, length));
        for (int i = 1, k = 0; i < p->size; i++) {
            if ((i & bit) != 0) {
                isocast_collective_copy(p, place(p, COLLECTIVE_SPARE, i),
                                        place(p, COLLECTIVE_OUTPUT, k++));
            }
        }
    }
    for (int i = 0; i < p->size; i++) {
        isocast_collective_copy(p, got(p, isocast_collective_turn(p, p->rank - i)),
                                place(p, COLLECTIVE_SPARE, i));
    }
}
