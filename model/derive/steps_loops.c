#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "steps_maker.h"

/* Whether a loop has messages between pairs on a line: those at its ends have fewer of them. */
static bool has_pairs(derive_maker *m, const derive_item *loop) {
    bool has = false;
    for (size_t i = 0; i < loop->body.count && !has && m->status == ISOCAST_OK; i++) {
        const derive_item *item = &loop->body.items[i];
        derive_rows rows = {0};
        if (item->is_loop) {
            has = has_pairs(m, item);
        } else if (derive_is_message(m, item->place)) {
            derive_cover cover;
            m->status = derive_rows_find(&m->flow, item->place, &rows);
            if (m->status == ISOCAST_OK) {
                derive_cover_find(&m->flow, m->grid, &rows, &cover);
                has = !cover.known && derive_find_changing(m, &rows) == CHANGES_PAIRS;
            }
        }
        free(rows.items);
    }
    return has;
}

/* Turns of a loop each time that it is begun: a law; or as many as the loop around it has come to;
 * or, where they differ among processes, a share of those of all. */
char *derive_last_turn(derive_maker *m, const derive_context *c, const derive_item *loop,
                       const char *when) {
    bool rising = c->turns != NULL;
    double apart = 0;
    bool pairs = has_pairs(m, loop);
    derive_maker_mask(m, loop->turns);
    for (size_t s = 0; s < m->flow.slot_count && pairs; s++) {
        size_t k = m->flow.slots[s].process;
        m->mask[s] =
            m->mask[s] && k > 0 && k + 1 < m->d->records[m->flow.slots[s].record]->process_count;
    }
    derive_maker_observe(m, loop->turns, loop->times);
    for (size_t s = 0; s < m->flow.slot_count; s++) {
        size_t r = m->flow.slots[s].record;
        if (m->mask[s]) {
            double own = loop->turns[s] / loop->times[s];
            apart = fmax(apart, m->values[r] - own);
            rising = rising &&
                     fabs(2 * own - (derive_turns_of(c, s) / derive_entries_of(c, s) + 1)) < 1e-6;
        }
    }
    bool workers = when != NULL && strcmp(when, "rank > 0") == 0;
    /* Whole items that are dealt out differ by one; what a master deals out, by who is free. */
    if (apart > 0.5 && (workers || apart < 1.5)) {
        for (size_t s = 0; s < m->flow.slot_count; s++) {
            size_t r = m->flow.slots[s].record;
            m->values[r] = s == m->flow.first_slot[r] ? 0 : m->values[r];
            m->values[r] += m->mask[s] ? loop->turns[s] / loop->times[s] : 0;
        }
        char *all = derive_maker_count(m, false);
        char *text = workers ? derive_maker_text(m, "ceil((%s - (rank - 1))/max(1, p - 1))", all)
                             : derive_maker_text(m, "ceil((%s - rank)/p)", all);
        free(all);
        return text;
    }
    isocast_law law = derive_maker_fit(m);
    if (!law.exact && rising) {
        return derive_maker_text(m, "%s", c->counter);
    }
    return derive_maker_law(m, &law, "", false);
}

/* How many of the times on a way are long ones, where there are long ones and short ones: so many
 * of one length have that sum and that sum of squares. 0: they are not of two kinds. */
static double count_longer(const derive_stretch *back, size_t slot) {
    static const double contrast = 2;
    static const double rounding = 1e-3;
    double passes = back->passes[slot];
    double least = back->least[slot];
    double sum = back->times[slot] - passes * least;
    double squares = back->squares[slot] - 2 * least * back->times[slot] + passes * least * least;
    double longer = sum > 0 && squares > 0 ? sum * sum / squares : 0;
    bool apart = longer > 0.5 && longer < passes - 0.5 && sum > rounding * back->times[slot] &&
                 squares / sum > (contrast - 1) * least;
    return apart ? longer : 0;
}

/* Turns of a loop that has no call of its own around another one: some ways back to the begin, as
 * many in each process, take far longer than the others. Where that is so, the loop becomes two,
 * one inside of the other, and the computing on the way is parted. outer, inner: to be filled;
 * their arrays are the caller's to free. */
bool derive_find_hidden(derive_maker *m, const derive_item *loop, derive_item *outer,
                        derive_item *inner) {
    derive_stretch *back = NULL;
    for (size_t i = 0; i < m->stretch_count; i++) {
        derive_stretch *one = &m->stretches[i];
        bool leads = one->to == loop->place && !one->placed && !one->parted &&
                     derive_item_has(loop, one->from);
        back = leads ? one : back;
    }
    double *turns = calloc(m->flow.slot_count + 1, sizeof *turns);
    double *times = calloc(m->flow.slot_count + 1, sizeof *times);
    bool found = back != NULL && turns != NULL && times != NULL;
    bool told = false;
    for (size_t r = 0; r < m->d->record_count && found; r++) {
        size_t begin = m->flow.first_slot[r];
        double fewest = INFINITY;
        for (size_t s = begin; s < begin + m->d->records[r]->process_count; s++) {
            double longer = count_longer(back, s);
            fewest = longer > 0 ? fmin(fewest, round(longer) + loop->times[s]) : fewest;
        }
        m->known[r] = isfinite(fewest);
        m->values[r] = m->known[r] ? fewest : 0;
        told = told || m->known[r];
    }
    isocast_law law = {0};
    if (found && told) {
        law = derive_maker_fit(m);
    }
    bool several = false;
    for (size_t r = 0; r < m->d->record_count && found && law.known; r++) {
        size_t begin = m->flow.first_slot[r];
        double most = 0;
        for (size_t s = begin; s < begin + m->d->records[r]->process_count; s++) {
            most = fmax(most, loop->turns[s]);
        }
        m->values[r] = round(isocast_law_value(&law, &m->d->points[r]));
        double ratio = most / fmax(m->values[r], 1);
        found = most == 0 || (ratio >= 1 && fabs(ratio - round(ratio)) < 1e-9);
        several = several || (most > 0 && ratio > 1.5);
    }
    found =
        found && several && m->status == ISOCAST_OK && derive_stretch_make(m, back->from, back->to);
    if (!found) {
        free(turns);
        free(times);
        return false;
    }
    derive_stretch *longer = &m->stretches[m->stretch_count - 1];
    longer->outer = longer->parted = back->parted = true;
    for (size_t s = 0; s < m->flow.slot_count; s++) {
        size_t r = m->flow.slots[s].record;
        turns[s] = loop->turns[s] > 0 ? m->values[r] : 0;
        times[s] = loop->times[s];
        double count = fmin(fmax(turns[s] - times[s], 0), back->passes[s]);
        double rest = count > 0 ? back->times[s] - back->passes[s] * back->least[s] : 0;
        longer->passes[s] = count;
        longer->times[s] = rest + count * back->least[s];
        back->passes[s] -= count;
        back->times[s] -= longer->times[s];
    }
    *outer = (derive_item){.place = loop->place, .is_loop = true, .times = times, .turns = turns};
    *inner = (derive_item){.place = loop->place,
                           .is_loop = true,
                           .times = turns,
                           .turns = loop->turns,
                           .body = loop->body};
    outer->body = (derive_items){.items = inner, .count = 1};
    return true;
}
