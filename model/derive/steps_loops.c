#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "steps_maker.h"

/* Whether a loop has messages between pairs on a line: those at its ends have fewer of them. */
static bool has_pairs(derive_maker *m, const derive_item *loop) {
    bool has = false;
    for (size_t i = 0; i < loop->body.count && !has; i++) {
        const derive_item *item = &loop->body.items[i];
        const derive_partners *partners =
            !item->is_loop && isocast_derive_is_message(m->d->sites[item->place].key.operation)
                ? isocast_derive_maker_partners(m, item->place)
                : NULL;
        has = item->is_loop ? has_pairs(m, item)
                            : partners != NULL && !partners->stay && partners->how == CHANGES_PAIRS;
    }
    return has;
}

/* The slots that a loop turns in; of pairs on a line those that are not at its ends. */
static void mask_turns(derive_maker *m, const derive_item *loop) {
    bool pairs = has_pairs(m, loop);
    isocast_derive_maker_mask(m, loop->turns);
    for (size_t s = 0; s < m->flow->slot_count && pairs; s++) {
        size_t k = m->flow->slots[s].process;
        size_t p = m->d->records[m->flow->slots[s].record]->process_count;
        m->mask[s] = m->mask[s] && k > 0 && k + 1 < p;
    }
}

/* Turns of a loop each time that it is begun: a law; or as many as the loop around it has come to;
 * or, where they differ among processes, a share of those of all. */
char *isocast_derive_last_turn(derive_maker *m, const derive_context *c, const derive_item *loop,
                               const char *when) {
    bool rising = c->turns != NULL;
    double apart = 0;
    mask_turns(m, loop);
    isocast_derive_maker_observe(m, loop->turns, loop->times);
    for (size_t s = 0; s < m->flow->slot_count; s++) {
        size_t r = m->flow->slots[s].record;
        if (m->mask[s]) {
            double own = loop->turns[s] / loop->times[s];
            apart = fmax(apart, m->values[r] - own);
            rising =
                rising &&
                fabs(2 * own -
                     (isocast_derive_turns_of(c, s) / isocast_derive_entries_of(c, s) + 1)) < 1e-6;
        }
    }
    bool workers = when != NULL && strcmp(when, "rank > 0") == 0;
    /* Whole items that are dealt out differ by one; what a master deals out, by who is free. */
    bool deals =
        apart > 0.5 ? workers || apart < 1.5 : workers && !isocast_derive_maker_fit(m).exact;
    if (deals) {
        for (size_t s = 0; s < m->flow->slot_count; s++) {
            size_t r = m->flow->slots[s].record;
            m->values[r] = s == m->flow->first_slot[r] ? 0 : m->values[r];
            m->values[r] += m->mask[s] ? loop->turns[s] / loop->times[s] : 0;
        }
        char *all = isocast_derive_maker_count(m, false);
        char *text =
            workers ? isocast_derive_maker_text(m, "ceil((%s - (rank - 1))/max(1, p - 1))", all)
                    : isocast_derive_maker_text(m, "ceil((%s - rank)/p)", all);
        return text;
    }
    if (rising && !isocast_derive_maker_fit(m).exact) {
        return isocast_derive_maker_text(m, "%s", c->counter);
    }
    return isocast_derive_maker_count(m, false);
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
 * one inside of the other, and the computing on the way is parted. outer, inner: to be filled. */
/* How far the long ways back are from as many as the turns of a loop around would have, of the
 * slots of the mask: the median of relative errors. INFINITY: it has no such turns. */
static double error_of(derive_maker *m, const derive_stretch *back, const derive_item *loop,
                       const isocast_law *law) {
    enum { TOLD_LEAST = 3 };
    double *errors = m->calm;
    size_t told = 0;
    bool fits = true;
    bool several = false;
    for (size_t s = 0; s < m->flow->slot_count && fits; s++) {
        if (!m->mask[s]) {
            continue;
        }
        double around = isocast_law_value(law, &m->d->points[m->flow->slots[s].record]);
        double ratio = loop->turns[s] / loop->times[s] / fmax(around, 1);
        double longer = count_longer(back, s);
        fits = around >= 1 && ratio >= 1 && fabs(ratio - round(ratio)) < 1e-9;
        several = several || ratio > 1.5;
        if (longer > 0 && fits) {
            errors[told++] = fabs((longer + loop->times[s]) / (around * loop->times[s]) - 1);
        }
    }
    double error = INFINITY;
    if (fits && several && told >= TOLD_LEAST) {
        gsl_sort(errors, 1, told);
        error = gsl_stats_median_from_sorted_data(errors, 1, told);
    }
    return error;
}

/* The turns of a loop around: some of the factors of all of the turns, those that are nearest. */
static bool find_around(derive_maker *m, const derive_stretch *back, const derive_item *loop,
                        isocast_law *law) {
    static const double most = 0.15; /* of the error */
    enum { FACTORS = ISOCAST_MONOMIAL_FACTORS + 1 };
    mask_turns(m, loop);
    isocast_derive_maker_observe(m, loop->turns, loop->times);
    isocast_law all = isocast_derive_maker_fit(m);
    double least = most;
    for (unsigned kept = 1; kept < 1U << FACTORS && all.exact && all.term_count == 1; kept++) {
        isocast_law some = all;
        isocast_monomial *one = &some.terms[0];
        size_t at = 0;
        for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
            if ((kept & 1U << i) != 0) {
                one->factors[at] = all.terms[0].factors[i];
                one->sizes[at++] = all.terms[0].sizes[i];
            }
        }
        for (; at < ISOCAST_MONOMIAL_FACTORS; at++) {
            one->factors[at] = 0;
        }
        one->process = (kept & 1U << ISOCAST_MONOMIAL_FACTORS) != 0 ? one->process : 0;
        some.numerators[0] = some.denominators[0] = 1;
        some.guard = ISOCAST_GUARD_NONE;
        double error = error_of(m, back, loop, &some);
        *law = error < least ? some : *law;
        least = fmin(least, error);
    }
    return least < most;
}

bool isocast_derive_find_hidden(derive_maker *m, const derive_item *loop, derive_item *outer,
                                derive_item *inner) {
    derive_stretch *back = NULL;
    for (size_t i = 0; i < m->flow->stretch_count; i++) {
        derive_stretch *one = &m->flow->stretches[i];
        bool leads = one->to == loop->place && !one->placed && !one->parted &&
                     isocast_derive_item_has(loop, one->from);
        back = leads ? one : back;
    }
    isocast_law law = {0};
    if (back == NULL || !find_around(m, back, loop, &law)) {
        return false;
    }
    double *turns = isocast_pool_take(m->pool, m->flow->slot_count, sizeof *turns);
    double *times = isocast_pool_take(m->pool, m->flow->slot_count, sizeof *times);
    derive_stretch *longer = isocast_derive_flow_add_stretch(m->flow, back->from, back->to);
    if (turns == NULL || times == NULL || longer == NULL) {
        m->status = ISOCAST_NO_MEMORY;
        return false;
    }
    longer->outer = longer->parted = back->parted = true;
    for (size_t s = 0; s < m->flow->slot_count; s++) {
        double around = isocast_law_value(&law, &m->d->points[m->flow->slots[s].record]);
        times[s] = loop->times[s];
        turns[s] = loop->turns[s] > 0 ? around * times[s] : 0;
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
