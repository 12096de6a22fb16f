#include "steps.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "computing.h"
#include "sites.h"
#include "steps_join.h"
#include "steps_maker.h"

/* ---- turns of loops ---- */

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

static double turns_each(const derive_item *loop, size_t slot) {
    return loop->turns[slot] / loop->times[slot];
}

/* How many neighbours a process has, along the ranks or along the axes of the grid, where a loop
 * has as many turns on each process of the mask; NULL: it has not. */
static char *neighbour_turns(derive_maker *m, const derive_item *loop) {
    for (size_t axes = 0; axes <= m->grid->count; axes += m->grid->count > 0 ? m->grid->count : 1) {
        bool fits = true;
        for (size_t s = 0; s < m->flow->slot_count && fits; s++) {
            size_t place = m->flow->slots[s].process;
            size_t extent = m->d->records[m->flow->slots[s].record]->process_count;
            double due = axes == 0 ? (place > 0) + (place + 1 < extent) : 0;
            for (size_t i = 0; i < axes; i++) {
                place = isocast_derive_grid_place(m->flow, m->grid, i, s, &extent);
                due += (place > 0) + (place + 1 < extent);
            }
            fits = !m->mask[s] || turns_each(loop, s) == due;
        }
        if (!fits) {
            continue;
        }
        isocast_buffer out = {0};
        isocast_buffer_puts(&out, axes == 0 ? "min(1, rank) + min(1, p - 1 - rank)" : "");
        for (size_t i = 0; i < axes; i++) {
            const char *axis = m->grid->axes[i];
            isocast_buffer_printf(&out, "%smin(1, %s) + min(1, %s - 1 - %s)", i > 0 ? " + " : "",
                                  axis, isocast_side_names[m->grid->extents[i]], axis);
        }
        return isocast_derive_maker_take(m, &out);
    }
    return NULL;
}

/* Turns of a loop each time that it is begun: a law; or as many as the loop around it has come to;
 * or, where they differ among processes, a share of those of all. */
static char *last_turn(derive_maker *m, const derive_context *c, const derive_item *loop,
                       const char *when) {
    bool rising = c->turns != NULL;
    double apart = 0;
    mask_turns(m, loop);
    isocast_derive_maker_observe(m, loop->turns, loop->times);
    for (size_t s = 0; s < m->flow->slot_count; s++) {
        size_t r = m->flow->slots[s].record;
        if (m->mask[s]) {
            double own = turns_each(loop, s);
            apart = fmax(apart, m->values[r] - own);
            rising =
                rising &&
                fabs(2 * own -
                     (isocast_derive_turns_of(c, s) / isocast_derive_entries_of(c, s) + 1)) < 1e-6;
        }
    }
    char *neighbours = apart > 0.5 ? neighbour_turns(m, loop) : NULL;
    if (neighbours != NULL) {
        return neighbours;
    }
    bool workers = when != NULL && strcmp(when, "rank > 0") == 0;
    /* Whole items that are dealt out differ by one; what a master deals out, by who is free. */
    bool deals =
        apart > 0.5 ? workers || apart < 1.5 : workers && !isocast_derive_maker_fit(m).exact;
    if (deals) {
        for (size_t s = 0; s < m->flow->slot_count; s++) {
            size_t r = m->flow->slots[s].record;
            m->values[r] = s == m->flow->first_slot[r] ? 0 : m->values[r];
            m->values[r] += m->mask[s] ? turns_each(loop, s) : 0;
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

/* How far the long ways back are from as many as the turns of a loop around would have, of the
 * slots of the mask: the median of relative errors. INFINITY: it has no such turns, or most slots
 * that would show them do not: what else the machine did makes a way long here and there. */
static double error_of(derive_maker *m, const derive_stretch *back, const derive_item *loop,
                       const isocast_law *law) {
    enum { REPORTED_LEAST = 3 };
    double *errors = m->calm;
    size_t reported = 0;
    size_t due = 0;
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
        due += ratio > 1.5 && around > 1.5;
        if (longer > 0 && fits) {
            errors[reported++] = fabs((longer + loop->times[s]) / (around * loop->times[s]) - 1);
        }
    }
    double error = INFINITY;
    if (fits && several && reported >= REPORTED_LEAST && 2 * reported > due) {
        gsl_sort(errors, 1, reported);
        error = gsl_stats_median_from_sorted_data(errors, 1, reported);
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

/* Turns of a loop that has no call of its own around another one: some ways back to the begin, as
 * many in each process, take far longer than the others. Where that is so, the loop becomes two,
 * one inside of the other, and the computing on the way is parted. outer, inner: to be filled. */
static bool find_hidden(derive_maker *m, const derive_item *loop, derive_item *outer,
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

static void add_list(derive_maker *m, const derive_context *c, const derive_items *list,
                     size_t header, derive_steps *steps);

/* Whether a loop goes over the partners of a process, each once: no turns then, but a list. */
static bool is_over_partners(derive_maker *m, const derive_item *loop) {
    bool is = loop->is_loop;
    const double *times = m->times;
    for (size_t i = 0; i < loop->body.count && is; i++) {
        const derive_item *item = &loop->body.items[i];
        bool message = isocast_derive_is_message(m->d->sites[item->place].key.operation);
        is = !item->is_loop && (message || isocast_derive_waits_at(m, item->place));
        const derive_partners *partners =
            is && message ? isocast_derive_maker_partners(m, item->place) : NULL;
        is = is && (!message || (partners != NULL && partners->stay));
        for (size_t w = 0; partners != NULL && w < partners->cover.count && is; w++) {
            isocast_derive_count_way(m, &partners->rows, &partners->cover, w, m->times);
            for (size_t s = 0; s < m->flow->slot_count && is; s++) {
                is = times[s] == 0 || fabs(times[s] - loop->times[s]) < 1e-6;
            }
        }
    }
    return is;
}

static void add_finish(derive_maker *m, const derive_item *item, double requests,
                       derive_steps *steps) {
    derive_step *step = isocast_derive_maker_add(m, steps, DERIVE_STEP_FINISH);
    double most = 0;
    for (size_t r = 0; r < m->d->record_count; r++) {
        const isocast_record *record = m->d->records[r];
        for (size_t i = 0; i < record->call_count; i++) {
            if (m->flow->place_of[r][record->calls[i].site] == item->place) {
                most = fmax(most, record->calls[i].bytes);
            }
        }
    }
    if (step != NULL) {
        step->requests = requests > 0 ? requests : most;
        step->site = item->place;
    }
}

static void add_leaf(derive_maker *m, const derive_context *c, const derive_item *item,
                     derive_steps *steps) {
    m->of = item->place;
    isocast_record_operation operation = m->d->sites[item->place].key.operation;
    const char *word = isocast_derive_word_of(operation);
    if (isocast_derive_is_message(operation)) {
        size_t before = steps->count;
        isocast_derive_messages_add(m, c, item, steps);
        isocast_record_class kind = isocast_record_operation_find(operation)->kind;
        bool waits = kind == ISOCAST_RECORD_NEIGHBOUR &&
                     strncmp(isocast_record_operation_find(operation)->name, "MPI_I", 5) != 0;
        if (waits && steps->count > before) {
            add_finish(m, item, (double)(steps->count - before), steps);
        }
    } else if (word != NULL) {
        isocast_derive_call_add(m, c, item, word, steps);
    } else if (isocast_derive_waits_at(m, item->place)) {
        add_finish(m, item, 0, steps);
    }
}

/* Where the turns of a loop start messages and do nothing else but work, their work is done in a
 * loop before, so that they are started together. Whether they do. */
static bool part_work(derive_maker *m, derive_steps *list, derive_steps *body) {
    bool any = false;
    bool all = true;
    for (size_t i = 0; i < body->count; i++) {
        any = any || body->items[i].starts;
        all = all && (body->items[i].starts || body->items[i].kind == DERIVE_STEP_WORK);
    }
    derive_steps works = {0};
    for (size_t i = body->count; any && all && i-- > 0;) {
        const derive_steps work = {.items = &body->items[i], .count = 1};
        if (body->items[i].kind == DERIVE_STEP_WORK && m->status == ISOCAST_OK) {
            m->status = isocast_derive_steps_insert(m->pool, &works, 0, &work);
            isocast_derive_steps_remove(body, i);
        }
    }
    if (works.count > 0 && m->status == ISOCAST_OK) {
        derive_step before = list->items[list->count - 1];
        const derive_steps given = {.items = &before, .count = 1};
        before.body = works;
        m->status = isocast_derive_steps_insert(m->pool, list, list->count - 1, &given);
    }
    return any && all;
}

static void add_loop(derive_maker *m, const derive_context *c, const derive_item *item,
                     derive_steps *steps) {
    m->of = item->place;
    derive_item around;
    derive_item within;
    if (find_hidden(m, item, &around, &within)) {
        add_loop(m, c, &around, steps);
        return;
    }
    char *when;
    char *turns;
    derive_steps *list =
        isocast_derive_maker_enter(m, c, item->times, steps, item->place, &when, &turns);
    char *last = last_turn(m, c, item, when);
    derive_step *loop = isocast_derive_maker_add(m, list, DERIVE_STEP_FOR);
    if (loop == NULL) {
        return;
    }
    derive_context inner = {
        .turns = item->turns, .entries = item->times, .last = last, .depth = c->depth + 1};
    snprintf(inner.counter, sizeof inner.counter, c->depth > 0 ? "turn_%zu" : "turn", c->depth + 1);
    loop->when = when;
    loop->turns = turns;
    loop->loop =
        isocast_derive_maker_text(m, "%s = 1..%s", inner.counter, last != NULL ? last : "1");
    derive_steps body = {0};
    add_list(m, &inner, &item->body, item->place, &body);
    bool all_start = part_work(m, list, &body);
    loop = &list->items[list->count - 1];
    loop->body = body;
    loop->starts = all_start;
    loop->requests = INFINITY;
}

static void add_list(derive_maker *m, const derive_context *c, const derive_items *list,
                     size_t header, derive_steps *steps) {
    for (size_t i = 0; i < list->count && m->status == ISOCAST_OK; i++) {
        const derive_item *item = &list->items[i];
        isocast_derive_works_add(m, c, list, i, header, steps);
        if (!item->is_loop) {
            add_leaf(m, c, item, steps);
        } else if (is_over_partners(m, item)) {
            /* Computing between these calls is before all of them. */
            for (size_t k = 0; k < item->body.count; k++) {
                for (size_t w = 0; w < m->flow->stretch_count; w++) {
                    derive_stretch *one = &m->flow->stretches[w];
                    if (!one->placed && isocast_derive_item_has(item, one->from) &&
                        isocast_derive_item_has(item, one->to)) {
                        isocast_derive_work_add(m, c, one, steps);
                    }
                }
                derive_item flat = item->body.items[k];
                flat.times = item->times;
                add_leaf(m, c, &flat, steps);
            }
        } else {
            add_loop(m, c, item, steps);
        }
    }
    isocast_derive_works_add(m, c, list, list->count, header, steps);
}

/* ---- all of it ---- */

/* Calls that no way leads to stand where others of their place do. */
static void note_gaps(derive_maker *m) {
    double *coming = m->times;
    for (size_t place = 0; place < m->flow->place_count && m->status == ISOCAST_OK; place++) {
        memset(coming, 0, m->flow->slot_count * sizeof *coming);
        for (size_t i = 0; i < m->flow->passage_count; i++) {
            const derive_passage *one = &m->flow->passages[i];
            coming[one->slot] += one->to == place ? one->times : 0;
        }
        bool gaps = false;
        for (size_t s = 0; s < m->flow->slot_count; s++) {
            gaps = gaps || isocast_derive_flow_calls(m->flow, place, s) > coming[s] + 1;
        }
        if (gaps) {
            isocast_derive_maker_doubt(m, place, DERIVE_DOUBT_ORDER,
                                       "the records do not have the order of its calls");
        }
    }
}

/* Processes that wait for one-sided messages, without a step. */
static void note_windows(derive_maker *m) {
    for (size_t place = 0; place < m->flow->place_count && m->status == ISOCAST_OK; place++) {
        const isocast_derived_site *site = &m->d->sites[place];
        isocast_law calls = {0};
        if (isocast_derived_site_synchronizes(site)) {
            calls = isocast_derive_maker_calls(m, place);
        }
        if (calls.known && calls.term_count > 0) {
            bool lock = site->key.operation == ISOCAST_RECORD_OPERATION_Win_lock;
            bool one = site->key.operation < ISOCAST_RECORD_OPERATION_Win_lock;
            char *count = isocast_derive_maker_law(m, &calls, "", true);
            char *time = isocast_derive_maker_text(
                m, "if(p > 1, %s*%s(T_send(0 B) + T_recv(0 B)), 0 s)", count,
                lock  ? "2*(p - 1)*"
                : one ? ""
                      : "2*");
            isocast_derive_maker_doubt_time(
                m, place, DERIVE_DOUBT_WINDOW,
                lock ? "it has no step, and all other processes may have the lock before"
                     : "it has no step, and processes wait here for messages of 0 B",
                time);
        }
    }
}

static void free_maker(derive_maker *m) {
    for (size_t i = 0; m->partners != NULL && i < m->flow->place_count; i++) {
        if (m->partners[i] != NULL) {
            isocast_derive_partners_free(m->partners[i]);
        }
    }
}

static void create_maker(isocast_derived *d, derive_maker *m) {
    size_t slots = d->flow->slot_count;
    *m = (derive_maker){.d = d,
                        .pool = &d->pool,
                        .flow = d->flow,
                        .grid = d->grid,
                        .program = d->program,
                        .of = SIZE_MAX,
                        .values = isocast_pool_take(&d->pool, d->record_count, sizeof *m->values),
                        .known = isocast_pool_take(&d->pool, d->record_count, sizeof *m->known),
                        .mask = isocast_pool_take(&d->pool, slots, sizeof *m->mask),
                        .times = isocast_pool_take(&d->pool, slots, sizeof *m->times),
                        .over = isocast_pool_take(&d->pool, slots, sizeof *m->over),
                        .calm = isocast_pool_take(&d->pool, slots, sizeof *m->calm),
                        .sums = isocast_pool_take(&d->pool, 2 * slots, sizeof *m->sums),
                        .partners =
                            isocast_pool_take(&d->pool, d->flow->place_count, sizeof *m->partners)};
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        m->names[i] = i < d->sizes.count ? d->sizes.words[i].name : "";
    }
    m->status = d->pool.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

/* No part of the computing grows more than all of it, and none has another size as an exponent. */
static void bound_growth(derive_maker *m) {
    static const double rounding = 1.01;
    const isocast_derived *d = m->d;
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        d->fitter->exponents[i] = isocast_law_has_exponent(&d->work, i);
    }
    m->largest = isocast_derive_largest_point(d);
    double most = isocast_law_growth(&d->work, &m->largest);
    if (d->work.known && most > 0) {
        m->bounds = (isocast_growth_bounds){.from = &m->largest, .most = most * rounding};
    }
}

/* A program has a step at least. */
static isocast_status fill(isocast_pool *pool, derive_steps *steps) {
    bool filled =
        steps->count > 0 || isocast_derive_steps_add(pool, steps, DERIVE_STEP_WORK) != NULL;
    return filled ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

isocast_status isocast_derive_steps_make(isocast_derived *derived) {
    derive_maker m;
    isocast_pool *pool = &derived->pool;
    derived->program = isocast_pool_take(pool, 1, sizeof *derived->program);
    if (derived->program == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    derive_steps *steps = &derived->program->steps;
    create_maker(derived, &m);
    if (m.status == ISOCAST_OK) {
        bound_growth(&m);
        note_gaps(&m);
        const derive_context all = {0};
        add_list(&m, &all, &m.flow->all, SIZE_MAX, steps);
        m.of = SIZE_MAX;
        note_windows(&m);
    }
    free_maker(&m);
    isocast_status status =
        m.status == ISOCAST_OK ? isocast_derive_steps_join(pool, steps) : m.status;
    return status == ISOCAST_OK ? fill(pool, steps) : status;
}

/* ---- steps that are left out ---- */

/* The list that a step is in, and where; false: it is not there. */
static bool find_step(derive_steps *steps, const derive_step *step, derive_steps **list,
                      size_t *at) {
    for (size_t i = 0; i < steps->count; i++) {
        if (&steps->items[i] == step) {
            *list = steps;
            *at = i;
            return true;
        }
        if (find_step(&steps->items[i].body, step, list, at)) {
            return true;
        }
    }
    return false;
}

/* A finish stands for what is started under its handle. */
static const derive_step *started_by(const derive_steps *list, const derive_step *step) {
    for (size_t i = 0; i < list->count && step->kind == DERIVE_STEP_FINISH; i++) {
        const derive_step *other = &list->items[i];
        step = other->kind == DERIVE_STEP_START && other->handle == step->handle ? other : step;
    }
    return step;
}

static void doubt_all(derive_maker *m, const derive_step *step) {
    static const char what[] = "by it processes would wait for each other forever: it is left out";
    const size_t sites[] = {step->site, step->source};
    for (size_t i = 0; i < 2; i++) {
        if (sites[i] != SIZE_MAX && (i == 0 || sites[1] != sites[0])) {
            isocast_derive_maker_doubt(m, sites[i], DERIVE_DOUBT_MORE, what);
        }
    }
    for (size_t i = 0; i < step->body.count && step->kind == DERIVE_STEP_START; i++) {
        doubt_all(m, &step->body.items[i]);
    }
}

isocast_status isocast_derive_step_leave_out(isocast_derived *derived, const derive_step *step,
                                             bool *left_out) {
    derive_steps *list = NULL;
    size_t at = 0;
    *left_out = false;
    if (!find_step(&derived->program->steps, step, &list, &at)) {
        return ISOCAST_OK;
    }
    step = started_by(list, step);
    if (step->kind == DERIVE_STEP_FOR || step->kind == DERIVE_STEP_FINISH ||
        step->kind == DERIVE_STEP_WORK) {
        return ISOCAST_OK;
    }
    derive_maker m;
    create_maker(derived, &m);
    if (m.status == ISOCAST_OK) {
        doubt_all(&m, step);
    }
    free_maker(&m);
    if (m.status != ISOCAST_OK) {
        return m.status;
    }
    /* What stands inside of a pass stays. */
    at = (size_t)(step - list->items);
    const derive_steps body = step->kind == DERIVE_STEP_PASS ? step->body : (derive_steps){0};
    if (step->kind == DERIVE_STEP_START) {
        list->items[at].body = (derive_steps){0};
    } else {
        isocast_derive_steps_remove(list, at);
    }
    isocast_status status = isocast_derive_steps_insert(&derived->pool, list, at, &body);
    isocast_derive_steps_prune(&derived->program->steps);
    *left_out = true;
    return status == ISOCAST_OK ? fill(&derived->pool, &derived->program->steps) : status;
}
