/* Calls that are made again as they were before: at the same place, from the same last place, with
 * the same arguments as far as a row keeps them. Their row and their way are known, and no time is
 * read, so that counting one takes a few ns. Mostly a call is also followed by one of the two that
 * followed it before, as at the end of a loop or at a condition: then a few comparisons find its
 * slot. What is not known here goes through call.h. */
#ifndef RECORD_QUICK_H
#define RECORD_QUICK_H

#include "path.h"
#include "record/part/part.h"
#include "state.h"

/* What the row of a call depends on, of its arguments; the last one is its operation. */
enum { RECORD_LIKE_PARTS = 6 };
typedef struct record_like {
    uint32_t parts[RECORD_LIKE_PARTS];
} record_like;

typedef struct record_quick {
    /* What each call needs: 64 B. */
    _Alignas(64) const void *address; /* the return address; NULL: not in C, or the slot is free */
    const record_path *path;          /* where it comes from; NULL: the slot is free */
    record_like like;
    struct record_quick *next; /* what followed it */
    record_part_call *row;
    uint32_t from, site; /* the site of the last call, and of this one */
    uint32_t expected;   /* ticks of the call and of the computing before it */
    uint32_t hits;       /* calls of which nothing but their number is in the row yet */
    /* What each of these counts as: ticks of the call; ns, and ns^2, of the computing. */
    struct record_quick *other; /* what followed it before `next` did */
    record_part_compute *way;
    uint64_t inside;
    double computed, square;
} record_quick;

/* A slot that no call has, and that follows itself. */
extern record_quick record_quick_none;

/* Whether a slot is one of calls from this return address that follow the last call. What led to
 * them, and their arguments, are still to be compared. */
static inline bool record_quick_is_at(const record_quick *q, const void *address) {
    return q->from == record_mine.last->site && q->address == address;
}

/* Whether the slot's path is still that of its site, and leads to this call. */
static inline bool record_quick_leads(const record_quick *q, const void *place, const void *stack) {
    return q->path->site == q->site && record_path_holds(q->path, place, stack);
}

/* The slot of one of the two that followed the last call before: of the later one, or of the other
 * one where that is not at the address. */
static inline record_quick *record_quick_next(const void *address) {
    record_quick *next = record_mine.last->next;
    return record_quick_is_at(next, address) ? next : record_mine.last->other;
}

/* Counts a call before it is made: what follows it may wait for it. False, and nothing is counted,
 * where a time is to be read. */
static inline bool record_quick_count(record_quick *q) {
    uint32_t budget;
    if (__builtin_expect(__builtin_sub_overflow(record_mine.budget, q->expected, &budget), 0)) {
        return false;
    }
    record_mine.budget = budget;
    record_mine.last = q;
    q->hits++;
    q->row->calls++;
    return true;
}

/* Counts a call that is known, like record_quick_count(), and gives its slot; else NULL. address,
 * stack and profiled as of record_enter(). */
record_quick *record_quick_take(const void *address, const void *stack, bool profiled,
                                const record_like *like);

/* The site of the thread's last call. */
static inline uint32_t record_site_now(void) {
    return record_mine.last != &record_quick_none ? record_mine.last->site : record_mine.site;
}

/* Whether a call's facts are those of its slot's row; its site and operation are. */
static inline bool record_quick_holds(const record_quick *q, const record_part_key *facts) {
    const record_part_key *row = &q->row->key;
    uint64_t differs = (uint32_t)(row->partner ^ facts->partner) |
                       (uint32_t)(row->source ^ facts->source) | (row->bytes ^ facts->bytes) |
                       (row->received ^ facts->received);
    return differs == 0;
}

/* Keeps a call of a site that has been counted in its row, as those are to be that follow; `kept`
 * says which, and its row and way, which may be NULL: nothing is kept. It came after the call of
 * `before`. */
void record_quick_keep(const record_quick *kept, record_quick *before, const record_habit *habit);

/* Puts the times of some calls into their rows, so that a process that is killed leaves them. */
void record_quick_settle_some(void);

/* Gives up what is known of a site's calls; of all for RECORD_PART_NONE. */
void record_quick_forget(uint32_t site);

#endif
