#include "quick.h"

#include "store.h"

enum { BITS = 12 };
static record_quick slots[1 << BITS];

/* Slots that are taken, in no order. */
static uint16_t taken[1 << BITS]; /* [taken_count] */
static size_t taken_count;
static size_t settled; /* the one that was settled last */

record_quick record_quick_none = {.next = &record_quick_none, .other = &record_quick_none};

/* It begins with that slot. */
__thread record_thread record_mine
    __attribute__((tls_model("initial-exec"))) = {.last = &record_quick_none};

static record_quick *slot_of(const void *place, const void *stack, const record_like *like,
                             uint32_t from) {
    uint64_t sum =
        (uint64_t)(uintptr_t)place + 5 * (uint64_t)(uintptr_t)stack + 11 * (uint64_t)from;
    for (uint64_t i = 0; i < RECORD_LIKE_PARTS; i++) {
        sum += (2 * i + 13) * like->parts[i];
    }
    return &slots[((sum ^ (sum >> 32)) * 0x9E3779B97F4A7C15U) >> (64 - BITS)];
}

static bool is_alike(const record_quick *q, const record_like *like, uint32_t from) {
    uint32_t differs = q->from ^ from;
    for (size_t i = 0; i < RECORD_LIKE_PARTS; i++) {
        differs |= q->like.parts[i] ^ like->parts[i];
    }
    return q->path != NULL && differs == 0;
}

/* Calls follow each other as they did the last two times. */
static void follow(record_quick *before, record_quick *q) {
    if (before != &record_quick_none && before->next != q) {
        before->other = before->next;
        before->next = q;
    }
}

record_quick *record_quick_take(const void *address, const void *stack, bool profiled,
                                const record_like *like) {
    if (!record_now.on) {
        return NULL;
    }
    const void *place = address;
    if (record_is_in(&record_now.fortran, address)) {
        place = record_fortran_address != NULL ? record_fortran_address : address;
    } else if (profiled) {
        return NULL;
    }
    uint32_t from = record_site_now();
    record_quick *q = slot_of(place, stack, like, from);
    if (!is_alike(q, like, from) || !record_quick_leads(q, place, stack)) {
        return NULL;
    }
    follow(record_mine.last, q);
    return record_quick_count(q) ? q : NULL;
}

/* Puts what the calls took since the last time into the rows. */
static void settle(record_quick *q) {
    uint64_t hits = q->hits;
    q->row->ticks += hits * q->inside;
    q->way->times += hits;
    q->way->time += (double)hits * q->computed;
    q->way->squares += (double)hits * q->square;
    record_store->sites[q->site].estimated += hits;
    q->hits = 0;
}

void record_quick_settle_some(void) {
    if (taken_count > 0) {
        settled = (settled + 1) % taken_count;
        settle(&slots[taken[settled]]);
    }
}

void record_quick_keep(const record_quick *kept, record_quick *before, const record_habit *habit) {
    if (record_now.locked || kept->row == NULL || kept->row->key.merged != 0 || kept->way == NULL) {
        return;
    }
    record_quick *q = slot_of(kept->path->place, kept->path->stack, &kept->like, kept->from);
    bool same = is_alike(q, &kept->like, kept->from) && q->site == kept->site;
    record_quick *next = same ? q->next : &record_quick_none;
    record_quick *other = same ? q->other : &record_quick_none;
    if (q->path != NULL) {
        settle(q);
    } else {
        taken[taken_count++] = (uint16_t)(q - slots);
    }
    *q = *kept;
    q->next = next;
    q->other = other;
    q->expected = (uint32_t)(habit->call + habit->before);
    q->hits = 0;
    q->inside = habit->call;
    q->computed = habit->computed;
    q->square = habit->square;
    follow(before, q);
    record_mine.last = q;
}

void record_quick_forget(uint32_t site) {
    size_t kept = 0;
    for (size_t i = 0; i < taken_count; i++) {
        record_quick *q = &slots[taken[i]];
        if (site == RECORD_PART_NONE || q->site == site) {
            settle(q);
            q->path = NULL;
            q->address = NULL;
        } else {
            taken[kept++] = taken[i];
        }
    }
    taken_count = kept;
}
