/* Calls that are made again as they were before: at the same place, from the same last place, with
 * the same arguments as far as a row keeps them. Their row and their way are known, and no time is
 * read, so that counting one takes a few ns. What is not known here goes through call.h. */
#ifndef RECORD_QUICK_H
#define RECORD_QUICK_H

#include "record/part/part.h"
#include "state.h"

/* What the row of a call hangs on, of its arguments and its operation. */
typedef struct record_like {
    uint64_t words[3];
} record_like;

typedef struct record_quick {
    _Alignas(64) const void *place; /* the return address; NULL: the slot is free */
    record_like like;
    uint32_t from, site; /* the site of the last call, and of this one */
    record_part_call *row;
    record_part_compute *way;
    uint64_t expected; /* ticks of the call and of the computing before it */
    uint64_t hits;     /* calls whose time is not in the rows yet */
    /* What each of these counts as: ticks of the call; ns, and ns^2, of the computing. */
    uint64_t inside;
    double computed, square;
} record_quick;

enum { RECORD_QUICK_BITS = 12 };
extern record_quick record_quicks[1 << RECORD_QUICK_BITS];

/* Puts 32 bits each of two arguments together. */
static inline uint64_t record_pair(uint32_t low, uint32_t high) {
    return (uint64_t)high << 32 | low;
}

static inline record_quick *record_quick_slot(const void *place, const record_like *like,
                                              uint32_t from) {
    uint64_t sum = (uint64_t)(uintptr_t)place + 3 * like->words[0] + 5 * like->words[1] +
                   7 * like->words[2] + 11 * (uint64_t)from;
    return &record_quicks[((sum ^ (sum >> 32)) * 0x9E3779B97F4A7C15U) >> (64 - RECORD_QUICK_BITS)];
}

/* Whether all calls of this process are looked at one after the other, and this is the thread's
 * turn to count without a clock: then the slot of a call that is known, else NULL. address and
 * profiled as of record_enter(). */
static inline record_quick *record_quick_find(const void *address, bool profiled,
                                              const record_like *like) {
    if (record_mine.skip == 0) {
        return NULL;
    }
    const void *place = address;
    if (record_is_in(&record_now.fortran, address)) {
        place = record_fortran_address != NULL ? record_fortran_address : address;
    } else if (profiled) {
        return NULL;
    }
    record_quick *q = record_quick_slot(place, like, record_mine.site);
    uint64_t differs = ((uint64_t)(uintptr_t)place ^ (uint64_t)(uintptr_t)q->place) |
                       (like->words[0] ^ q->like.words[0]) | (like->words[1] ^ q->like.words[1]) |
                       (like->words[2] ^ q->like.words[2]) | (record_mine.site ^ q->from);
    return differs == 0 ? q : NULL;
}

/* Counts a call before it is made: what follows it may wait for it. */
static inline void record_quick_count(record_quick *q) {
    record_mine.skip--;
    record_mine.site = q->site;
    record_mine.unread += q->expected;
    q->hits++;
    q->row->calls++;
    q->way->times++;
}

/* Whether a call's facts are those of its slot's row; its site and operation are. */
static inline bool record_quick_holds(const record_quick *q, const record_part_key *facts) {
    const record_part_key *row = &q->row->key;
    uint64_t differs = (uint32_t)(row->partner ^ facts->partner) |
                       (uint32_t)(row->source ^ facts->source) | (row->bytes ^ facts->bytes) |
                       (row->received ^ facts->received);
    return differs == 0;
}

/* Keeps a call of a site that has been counted in its row, as those are to be that follow. Row or
 * way may be NULL: nothing is kept. */
void record_quick_keep(const void *place, const record_like *like, uint32_t from, uint32_t site,
                       record_part_call *row, record_part_compute *way, const record_habit *habit);

/* Gives up what is known of a site's calls; of all for RECORD_PART_NONE. */
void record_quick_forget(uint32_t site);

#endif
