#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "steps_maker.h"

/* Shares of processes that differ by less are even. */
static const double uneven_least = 0.04;

static double mean_of(const double *times, size_t p) {
    double mean = 0;
    for (size_t k = 0; k < p; k++) {
        mean += times[k] / (double)p;
    }
    return mean;
}

/* The place of a process, from -1 to 1. */
static double place_of(size_t k, size_t p) {
    return 2 * (double)k / (double)(p - 1) - 1;
}

/* How far the shares of a record are from a function of the rank, squares: from so steep a line, or
 * from those that are proportional to the place, counted from either end. */
static double rank_error(const double *times, size_t p, double slope, int direction) {
    double mean = mean_of(times, p);
    double squares = 0;
    for (size_t k = 0; k < p && p > 1 && mean > 0; k++) {
        double place = direction > 0 ? (double)k + 1 : (double)(p - k);
        double due = direction == 0 ? 1 + slope * place_of(k, p) : 2 * place / (double)(p + 1);
        squares += (times[k] / mean - due) * (times[k] / mean - due);
    }
    return squares;
}

/* How a share of the computing grows with the rank, over the mean; 0 where it does not. */
static double slope_of(const derive_maker *m, const derive_stretch *one) {
    double slopes = 0;
    size_t count = 0;
    for (size_t r = 0; r < m->d->record_count; r++) {
        size_t p = m->d->records[r]->process_count;
        const double *times = &one->times[m->flow->first_slot[r]];
        double mean = mean_of(times, p);
        double up = 0;
        double squares = 0;
        for (size_t k = 0; k < p && p > 2 && mean > 0; k++) {
            up += place_of(k, p) * (times[k] / mean - 1);
            squares += place_of(k, p) * place_of(k, p);
        }
        double slope = squares > 0 ? up / squares : 0;
        if (squares > 0 && (fabs(slope) < uneven_least ||
                            rank_error(times, p, slope, 0) > slope * slope * squares / 4)) {
            return 0;
        }
        slopes += slope;
        count += squares > 0;
    }
    return count > 1 ? slopes / (double)count : 0;
}

/* What the share of a process is over the mean, as a factor. */
static void put_rank(const derive_maker *m, const derive_stretch *one, double slope,
                     isocast_buffer *out) {
    int direction = slope < 0 ? -1 : 1;
    double better = 0;
    if (slope == 0) {
        return;
    }
    for (size_t r = 0; r < m->d->record_count; r++) {
        size_t p = m->d->records[r]->process_count;
        const double *times = &one->times[m->flow->first_slot[r]];
        better += rank_error(times, p, slope, 0) - rank_error(times, p, slope, direction);
    }
    if (better > 0) {
        isocast_buffer_puts(out, direction > 0 ? "*2*(rank + 1)/(p + 1)" : "*2*(p - rank)/(p + 1)");
    } else {
        isocast_buffer_printf(out, "*(1 %c %.3g*(2*rank/max(1, p - 1) - 1))", slope < 0 ? '-' : '+',
                              fabs(slope));
    }
}

/* The nearest law of m->values where m->known. */
static isocast_law fit_work(derive_maker *m, size_t terms, isocast_law_kind kind, double longest) {
    const isocast_question q = {
        .terms = terms, .kind = kind, .least = longest / 100, .bounds = m->bounds};
    isocast_law law = {0};
    if (m->status == ISOCAST_OK) {
        m->status = isocast_fit_nearest(m->d->fitter, m->values, m->known, &q, &law);
    }
    return law;
}

/* Who shares the work: products of two of these. */
static const char *const sharings[] = {"",         "/p",     "/max(1, p - 1)", "/rows",
                                       "/columns", "/depth", "/height",        "/width"};
enum { SHARINGS = sizeof sharings / sizeof *sharings };

/* Whether a share is one of the grid's; *value: which part it is at a point. */
static bool share_at(const derive_maker *m, const char *text, const isocast_law_point *at,
                     double *value) {
    for (size_t i = 0; i < isocast_law_process_factor_count; i++) {
        const isocast_law_factor *factor = &isocast_law_process_factors[i];
        if (strcmp(factor->text, text) == 0) {
            *value = isocast_law_factor_value(factor, at->p, at);
            return factor->grid == 0 || factor->grid == (int)m->grid->count;
        }
    }
    return false;
}

/* The computing of a process of the mask, each time or in each turn, over a share, at the records;
 * several: on several processes. */
static double observe_work(derive_maker *m, const double *times, const double *over,
                           const char *first, const char *second, bool several) {
    double longest = 0;
    for (size_t r = 0; r < m->d->record_count; r++) {
        double time = 0;
        double passes = 0;
        double one = 1;
        double other = 1;
        bool any = share_at(m, first, &m->d->points[r], &one) &&
                   share_at(m, second, &m->d->points[r], &other);
        for (size_t k = 0; k < m->d->records[r]->process_count && any; k++) {
            size_t s = m->flow->first_slot[r] + k;
            time += m->mask[s] ? times[s] : 0;
            passes += m->mask[s] ? over[s] : 0;
        }
        m->known[r] = passes > 0 && (!several || m->d->points[r].p > 1);
        m->values[r] = m->known[r] ? time / passes / one / other : 0;
        longest = fmax(longest, m->values[r]);
    }
    return longest;
}

/* Times of even work without what else the machine did: each its shortest, in the length that they
 * usually have. Else they stay. calm: [slot_count]. */
static void find_calm(derive_maker *m, const derive_stretch *one, double *calm) {
    bool even = isocast_derive_stretch_is_even(m->flow, one, false);
    size_t count = 0;
    for (size_t r = 0; r < m->d->record_count; r++) {
        double time = 0;
        double shortest = 0;
        for (size_t k = 0; k < m->d->records[r]->process_count; k++) {
            size_t s = m->flow->first_slot[r] + k;
            time += one->times[s];
            shortest += isocast_derive_stretch_shortest(one, s);
        }
        if (time > 0 && shortest > 0) {
            m->values[count++] = time / shortest;
        }
    }
    gsl_sort(m->values, 1, count);
    double usual = count > 0 ? gsl_stats_median_from_sorted_data(m->values, 1, count) : 1;
    for (size_t s = 0; s < m->flow->slot_count; s++) {
        calm[s] = even ? usual * isocast_derive_stretch_shortest(one, s) : one->times[s];
    }
}

/* A law of the sizes, and who shares it. */
typedef struct shared_law {
    isocast_law law;
    const char *how[2];
} shared_law;

/* Work of which each process does its share and a part of all, or shares are whole: where a simple
 * law is not near, and this is so much nearer that chance does not do it. */
static void find_parts(derive_maker *m, const double *times, const double *over, bool several,
                       shared_law *best) {
    static const double near = 0.05; /* the error of a simple law that stays */
    isocast_law law = {0};
    if (best->law.known && best->law.mean_error <= near) {
        return;
    }
    double longest = observe_work(m, times, over, "", "", several);
    size_t count = 0;
    for (size_t r = 0; r < m->d->record_count; r++) {
        count += m->known[r];
    }
    if (count > ISOCAST_LAW_TERMS_MAX) {
        law = fit_work(m, 2, ISOCAST_LAW_BUSIEST, longest);
    }
    if (law.known && law.guard == ISOCAST_GUARD_NONE &&
        isocast_law_is_reported(best->law.mean_error, law.mean_error, count)) {
        *best = (shared_law){.law = law, .how = {"", ""}};
    }
}

/* Work of a process of the mask each time that it is done. times: [slot_count]. */
static shared_law find_law(derive_maker *m, const double *times, const double *over, bool several) {
    static const double nearer = 0.7; /* the error of a law that is no simple one */
    shared_law best = {.how = {"", ""}};
    for (size_t k = 0; k < (size_t)SHARINGS * SHARINGS; k++) {
        /* First /p alone, then the others by themselves. */
        size_t first = k / SHARINGS;
        size_t second = k < 2 ? 1 - k : k % SHARINGS;
        if (second < first) {
            continue;
        }
        double longest = observe_work(m, times, over, sharings[first], sharings[second], several);
        isocast_law law = fit_work(m, 0, ISOCAST_LAW_SIZES, longest);
        if (law.known && (!best.law.known || law.mean_error < nearer * best.law.mean_error)) {
            best = (shared_law){.law = law, .how = {sharings[first], sharings[second]}};
        }
    }
    find_parts(m, times, over, several, &best);
    return best;
}

/* one: NULL: shares do not depend on the rank. */
static void take_law(derive_maker *m, const shared_law *shared, const derive_stretch *one,
                     derive_step *step) {
    isocast_buffer out = {0};
    step->work = shared->law;
    isocast_buffer_printf(&out, "%s%s", shared->how[0], shared->how[1]);
    if (one != NULL) {
        put_rank(m, one, slope_of(m, one), &out);
    }
    step->amount = isocast_derive_maker_take(m, &out);
}

/* Whether the first process, or the last one, computes more than the others in all records, or
 * less in all of them. */
static bool end_differs(const derive_maker *m, const double *times, const double *over, bool last) {
    enum { REPORTED_LEAST = 3 };
    size_t reported = 0;
    double sign = 0;
    for (size_t r = 0; r < m->d->record_count; r++) {
        size_t p = m->d->records[r]->process_count;
        double time = 0;
        double passes = 0;
        size_t end = m->flow->first_slot[r] + (last ? p - 1 : 0);
        for (size_t s = m->flow->first_slot[r]; s < m->flow->first_slot[r] + p; s++) {
            time += s != end ? times[s] : 0;
            passes += s != end ? over[s] : 0;
        }
        if (!(over[end] > 0) || !(passes > 0)) {
            continue;
        }
        double apart = times[end] / over[end] - time / passes;
        double least = uneven_least * fmax(times[end] / over[end], time / passes);
        if (fabs(apart) <= least || sign * apart < 0) {
            return false;
        }
        sign = apart;
        reported++;
    }
    return reported >= REPORTED_LEAST;
}

/* Work of one end of the ranks, and of the others; of one process by itself where neither has that.
 */
static void add_parted(derive_maker *m, const double *times, const double *over, bool last,
                       char *turns, derive_steps *steps) {
    static const double alone_most = 0.2; /* that a law may be off on one process */
    const char *const whens[][2] = {{"rank == 0", "rank > 0"}, {"rank == p - 1", "rank < p - 1"}};
    double off = 0;
    for (size_t part = 0; part < 3 && m->status == ISOCAST_OK; part++) {
        for (size_t s = 0; s < m->flow->slot_count; s++) {
            size_t p = m->d->records[m->flow->slots[s].record]->process_count;
            bool end = m->flow->slots[s].process == (last ? p - 1 : 0);
            m->mask[s] = over[s] > 0 && (part == 2 ? p == 1 : end == (part == 0));
        }
        if (part == 2 && off <= alone_most) {
            break;
        }
        shared_law shared = find_law(m, times, over, part < 2);
        for (size_t r = 0; r < m->d->record_count && part == 0; r++) {
            double own = times[m->flow->first_slot[r]];
            double law =
                isocast_law_value(&shared.law, &m->d->points[r]) * over[m->flow->first_slot[r]];
            bool alone = m->d->points[r].p == 1 && fmax(own, law) > 0;
            off = alone ? fmax(off, fabs(own - law) / fmax(own, law)) : off;
        }
        derive_step *step = isocast_derive_maker_add(m, steps, DERIVE_STEP_WORK);
        if (step != NULL) {
            step->when =
                isocast_derive_maker_text(m, "%s", part < 2 ? whens[last][part] : "p == 1");
            step->turns = turns;
            take_law(m, &shared, NULL, step);
        }
    }
    /* One process is at both ends: its own law is in the place of theirs. */
    if (off > alone_most && m->status == ISOCAST_OK) {
        derive_step *own = &steps->items[steps->count - 3];
        own->when = isocast_derive_maker_text(m, "p > 1 and %s", own->when);
    }
}

void isocast_derive_work_add(derive_maker *m, const derive_context *c, derive_stretch *one,
                             derive_steps *steps) {
    one->placed = true;
    bool known;
    double time = 0;
    for (size_t s = 0; s < m->flow->slot_count; s++) {
        time += one->times[s];
    }
    if (!isocast_derive_flow_is_heavy(m->flow, time)) {
        return;
    }
    char *when = isocast_derive_find_when(m, c, one->passes, &known);
    char *turns;
    char *repeat;
    isocast_derive_maker_mask(m, one->passes);
    isocast_derive_find_turns(m, c, one->passes, &turns, &repeat);
    double *over = m->over;
    double *calm = m->calm;
    for (size_t s = 0; s < m->flow->slot_count; s++) {
        /* More than once a turn is one piece of work. */
        over[s] =
            one->passes[s] > 0 && repeat != NULL ? isocast_derive_turns_of(c, s) : one->passes[s];
    }
    find_calm(m, one, calm);
    double slope = slope_of(m, one);
    bool first = when == NULL && slope == 0 && end_differs(m, calm, over, false);
    bool last = !first && when == NULL && slope == 0 && end_differs(m, calm, over, true);
    if (first || last) {
        add_parted(m, calm, over, last, turns, steps);
        return;
    }
    shared_law shared = find_law(m, calm, over, false);
    derive_step *step = isocast_derive_maker_add(m, steps, DERIVE_STEP_WORK);
    if (step != NULL) {
        step->when = when;
        step->turns = turns;
        take_law(m, &shared, one, step);
    }
}

static size_t index_in(const derive_items *items, size_t place) {
    size_t at = 0;
    while (at < items->count && !isocast_derive_item_has(&items->items[at], place)) {
        at++;
    }
    return at;
}

/* The computing that comes before an item of a list; at its end what leads back to its begin. */
void isocast_derive_works_add(derive_maker *m, const derive_context *c, const derive_items *list,
                              size_t at, size_t header, derive_steps *steps) {
    for (size_t i = 0; i < m->flow->stretch_count && m->status == ISOCAST_OK; i++) {
        derive_stretch *one = &m->flow->stretches[i];
        size_t from = index_in(list, one->from);
        size_t to = index_in(list, one->to);
        /* Of two loops with one begin it is the inner one that they lead back to. */
        bool inner = from < list->count && list->items[from].is_loop &&
                     list->items[from].place == header && !one->outer;
        bool back = header != SIZE_MAX && one->to == header && from < list->count && !inner;
        bool here = back ? at == list->count
                         : from < list->count && to < list->count && from != to && to == at;
        bool outside =
            one->outer && !(at == list->count && from < list->count && list->items[from].is_loop &&
                            list->items[from].place == header);
        if (here && !one->placed && !outside) {
            isocast_derive_work_add(m, c, one, steps);
        }
    }
}
