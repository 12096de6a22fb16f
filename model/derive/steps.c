#include "steps.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law_growth.h"
#include "steps_join.h"
#include "steps_maker.h"

static void add_list(derive_maker *m, const derive_context *c, const derive_items *list,
                     size_t header, derive_steps *steps);

/* Whether a loop goes over the partners of a process, each once: no turns then, but a list. */
static bool is_over_partners(derive_maker *m, const derive_item *loop) {
    bool is = loop->is_loop;
    for (size_t i = 0; i < loop->body.count && is; i++) {
        const derive_item *item = &loop->body.items[i];
        is = !item->is_loop &&
             (isocast_derive_is_message(m, item->place) || isocast_derive_is_wait(m, item->place));
        if (!is || !isocast_derive_is_message(m, item->place)) {
            continue;
        }
        derive_rows rows = {0};
        derive_cover cover;
        double *times = calloc(m->flow.slot_count + 1, sizeof *times);
        if (times == NULL ||
            isocast_derive_rows_of_calls(&m->flow, item->place, &rows) != ISOCAST_OK) {
            m->status = ISOCAST_NO_MEMORY;
            free(times);
            return false;
        }
        m->status = isocast_derive_cover_find(&m->flow, m->grid, &rows, &cover);
        derive_changing how = isocast_derive_find_changing(m, &rows);
        is = cover.known && how != CHANGES_HALVES && how != CHANGES_HUB;
        for (size_t w = 0; w < cover.count && is; w++) {
            isocast_derive_count_way(m, &rows, &cover, w, times);
            for (size_t s = 0; s < m->flow.slot_count && is; s++) {
                is = times[s] == 0 || fabs(times[s] - loop->times[s]) < 1e-6;
            }
        }
        free(times);
        free(rows.items);
    }
    return is;
}

static void add_finish(derive_maker *m, const derive_context *c, const derive_item *item,
                       double requests, derive_steps *steps) {
    (void)c;
    derive_step *step = isocast_derive_maker_add(m, steps, DERIVE_STEP_FINISH);
    double most = 0;
    for (size_t r = 0; r < m->d->record_count; r++) {
        const isocast_record *record = m->d->records[r];
        for (size_t i = 0; i < record->call_count; i++) {
            if (m->flow.place_of[r][record->calls[i].site] == item->place) {
                most = fmax(most, record->calls[i].bytes);
            }
        }
    }
    if (step != NULL) {
        step->requests = requests > 0 ? requests : most;
        step->site = m->flow.sites[item->place];
    }
}

static void add_leaf(derive_maker *m, const derive_context *c, const derive_item *item,
                     derive_steps *steps) {
    isocast_record_operation operation = m->d->sites[m->flow.sites[item->place]].key.operation;
    const char *word = isocast_derive_word_of(operation);
    if (isocast_derive_is_message(m, item->place)) {
        size_t before = steps->count;
        isocast_derive_messages_add(m, c, item, steps);
        isocast_record_class kind = isocast_record_operation_find(operation)->kind;
        bool waits = kind == ISOCAST_RECORD_NEIGHBOUR &&
                     strncmp(isocast_record_operation_find(operation)->name, "MPI_I", 5) != 0;
        if (waits && steps->count > before) {
            add_finish(m, c, item, (double)(steps->count - before), steps);
        }
    } else if (word != NULL) {
        isocast_derive_call_add(m, c, item, word, steps);
    } else if (isocast_derive_is_wait(m, item->place)) {
        add_finish(m, c, item, 0, steps);
    }
}

static void add_loop(derive_maker *m, const derive_context *c, const derive_item *item,
                     derive_steps *steps) {
    derive_item around;
    derive_item within;
    if (isocast_derive_find_hidden(m, item, &around, &within)) {
        add_loop(m, c, &around, steps);
        free(around.times);
        free(around.turns);
        return;
    }
    char *when;
    char *turns;
    derive_steps *list =
        isocast_derive_maker_enter(m, c, item->times, steps, item->place, &when, &turns);
    char *last = isocast_derive_last_turn(m, c, item, when);
    derive_step *loop = isocast_derive_maker_add(m, list, DERIVE_STEP_FOR);
    if (loop == NULL) {
        free(when);
        free(turns);
        free(last);
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
    bool all_start = body.count > 0;
    for (size_t i = 0; i < body.count; i++) {
        all_start = all_start && body.items[i].starts;
    }
    loop = &list->items[list->count - 1];
    loop->body = body;
    loop->starts = all_start;
    loop->requests = INFINITY;
    free(last);
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
                for (size_t w = 0; w < m->stretch_count; w++) {
                    derive_stretch *one = &m->stretches[w];
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
    double *coming = calloc(m->flow.slot_count + 1, sizeof *coming);
    m->status = coming != NULL ? m->status : ISOCAST_NO_MEMORY;
    for (size_t place = 0; place < m->flow.place_count && m->status == ISOCAST_OK; place++) {
        memset(coming, 0, m->flow.slot_count * sizeof *coming);
        for (size_t i = 0; i < m->flow.passage_count; i++) {
            const derive_passage *one = &m->flow.passages[i];
            coming[one->slot] += one->to == place ? one->times : 0;
        }
        bool gaps = false;
        for (size_t s = 0; s < m->flow.slot_count; s++) {
            gaps = gaps || isocast_derive_flow_calls(&m->flow, place, s) > coming[s] + 1;
        }
        if (gaps) {
            isocast_derive_maker_doubt(m, place, DERIVE_DOUBT_ORDER,
                                       "the records do not have the order of its calls");
        }
    }
    free(coming);
}

/* The numbering of the processes in which most messages go along its axes, the simplest first. */
static void choose_grid(derive_maker *m) {
    size_t best = 0;
    size_t most = 0;
    for (size_t g = 0; g < isocast_derive_grid_count && m->status == ISOCAST_OK; g++) {
        size_t known = 0;
        for (size_t place = 0; place < m->flow.place_count && m->status == ISOCAST_OK; place++) {
            isocast_record_operation operation = m->d->sites[m->flow.sites[place]].key.operation;
            size_t fits = 0;
            if (isocast_derive_is_message(m, place)) {
                derive_rows rows = {0};
                derive_cover cover;
                m->status = isocast_derive_rows_of_calls(&m->flow, place, &rows);
                if (m->status == ISOCAST_OK) {
                    m->status = isocast_derive_cover_find(&m->flow, &isocast_derive_grids[g], &rows,
                                                          &cover);
                    bool whole = (cover.known && cover.missing == 0) ||
                                 isocast_derive_find_changing(m, &rows) != CHANGES_NOT;
                    fits = whole ? 2 : cover.known;
                }
                free(rows.items);
            } else if (isocast_record_is_of_all(operation)) {
                bool along;
                isocast_derive_group_axes(&m->flow, &isocast_derive_grids[g], place, false, &along);
                fits = along ? 2 : 0;
            }
            known += fits;
        }
        best = known > most ? g : best;
        most = known > most ? known : most;
    }
    m->grid = &isocast_derive_grids[best];
}

static void free_maker(derive_maker *m) {
    for (size_t i = 0; i < m->stretch_count; i++) {
        isocast_derive_stretch_free(&m->stretches[i]);
    }
    free(m->stretches);
    free(m->values);
    free(m->known);
    free(m->mask);
    isocast_derive_fitter_free(&m->fitter);
    isocast_derive_flow_free(&m->flow);
}

/* No part of the computing grows more than all of it, and none has another size as an exponent. */
static void bound_growth(const isocast_derived *d, isocast_candidates *candidates,
                         isocast_law_point *from) {
    static const double rounding = 1.01;
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        candidates->exponents[i] = isocast_law_has_exponent(&d->work, i);
    }
    for (size_t r = 0; r < d->record_count; r++) {
        *from = d->points[r].p >= from->p ? d->points[r] : *from;
    }
    double most = isocast_law_largest_growth(&d->work, from, true);
    if (d->work.known && most > 0) {
        candidates->bounds = (isocast_growth_bounds){.from = from, .most = most * rounding};
    }
}

isocast_status isocast_derive_steps_make(const isocast_derived *derived, double speed,
                                         derive_program *out, bool *known) {
    *out = (derive_program){.grid = &isocast_derive_grids[0]};
    derive_maker m = {
        .d = derived, .grid = &isocast_derive_grids[0], .speed = speed, .program = out};
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        m.names[i] = i < derived->sizes.count ? derived->sizes.words[i].name : "";
    }
    m.status = isocast_derive_flow_find(derived, &m.flow, known);
    if (m.status == ISOCAST_OK && *known) {
        m.values = calloc(derived->record_count + 1, sizeof *m.values);
        m.known = calloc(derived->record_count + 1, sizeof *m.known);
        m.mask = calloc(m.flow.slot_count + 1, sizeof *m.mask);
        m.status = m.values != NULL && m.known != NULL && m.mask != NULL
                       ? isocast_derive_fitter_create(derived->points, derived->record_count,
                                                      derived->sizes.count, ISOCAST_FAVOURED_NONE,
                                                      &m.fitter)
                       : ISOCAST_NO_MEMORY;
    }
    isocast_law_point from = {0};
    if (m.status == ISOCAST_OK && *known) {
        bound_growth(derived, &m.fitter.candidates, &from);
        choose_grid(&m);
        isocast_derive_stretches_between(&m);
        note_gaps(&m);
        const derive_context all = {0};
        add_list(&m, &all, &m.flow.all, SIZE_MAX, &out->steps);
        out->grid = m.grid;
    }
    free_maker(&m);
    return m.status == ISOCAST_OK && *known ? isocast_derive_steps_join(&out->steps) : m.status;
}
