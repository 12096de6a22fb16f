#include "quick.h"

#include "store.h"

record_quick record_quicks[1 << RECORD_QUICK_BITS];

/* Slots that are taken, in no order. */
static uint16_t taken[1 << RECORD_QUICK_BITS]; /* [taken_count] */
static size_t taken_count;

/* Puts the time of the calls since the last time into the rows. */
static void settle(record_quick *q) {
    uint64_t hits = q->hits;
    q->row->ticks += hits * q->inside;
    q->way->time += (double)hits * q->computed;
    q->way->squares += (double)hits * q->square;
    record_store->sites[q->site].estimated += hits;
    q->hits = 0;
}

void record_quick_keep(const void *place, const record_like *like, uint32_t from, uint32_t site,
                       record_part_call *row, record_part_compute *way, const record_habit *habit) {
    if (record_now.locked || row == NULL || row->key.merged != 0 || way == NULL) {
        return;
    }
    record_quick *q = record_quick_slot(place, like, from);
    if (q->place != NULL) {
        settle(q);
    } else {
        taken[taken_count++] = (uint16_t)(q - record_quicks);
    }
    *q = (record_quick){.place = place,
                        .like = *like,
                        .from = from,
                        .site = site,
                        .row = row,
                        .way = way,
                        .expected = habit->call + habit->before,
                        .inside = habit->call,
                        .computed = habit->computed,
                        .square = habit->square};
}

void record_quick_forget(uint32_t site) {
    size_t kept = 0;
    for (size_t i = 0; i < taken_count; i++) {
        record_quick *q = &record_quicks[taken[i]];
        if (site == RECORD_PART_NONE || q->site == site) {
            settle(q);
            q->place = NULL;
        } else {
            taken[kept++] = taken[i];
        }
    }
    taken_count = kept;
}
