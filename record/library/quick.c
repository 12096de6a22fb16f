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

void record_quick_mend(record_quick *quick, record_call *call, isocast_record_operation operation) {
    quick->row->calls--;
    quick->hits--;
    quick->way->time += quick->computed;
    quick->way->squares += quick->square;
    record_store->sites[quick->site].estimated++;
    call->key.site = quick->site;
    call->begin = 0;
    call->end = quick->inside;
    record_count(call, operation);
}

void record_quick_keep(const record_call *call, uint32_t from, record_part_call *row,
                       const record_habit *habit) {
    record_part_compute *way = record_store_compute(from, call->key.site);
    if (record_now.locked || row == NULL || row->key.merged != 0 || way == NULL) {
        return;
    }
    record_quick *q = record_quick_slot(call->place, call->like, from);
    if (q->place != NULL) {
        settle(q);
    } else {
        taken[taken_count++] = (uint16_t)(q - record_quicks);
    }
    *q = (record_quick){.place = call->place,
                        .like = *call->like,
                        .from = from,
                        .site = call->key.site,
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
