#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "steps_maker.h"

/* "x*width + y", ranks from one place along an axis to the next. */
static void put_stride(const derive_maker *m, size_t axis, isocast_buffer *out) {
    for (size_t i = axis + 1; i < m->grid->count; i++) {
        isocast_buffer_printf(out, "*%s", m->grid->extents[i]);
    }
}

/* The process in that direction, as a formula, and where there is one. */
static void put_partner(const derive_maker *m, const derive_way *way, int sign, isocast_buffer *to,
                        isocast_buffer *when) {
    if (way->to_one) {
        isocast_buffer one = {0};
        if (way->by[0] < 0) {
            isocast_buffer_printf(&one, "p - %d", -way->by[0]);
        } else {
            isocast_buffer_printf(&one, "%d", way->by[0]);
        }
        isocast_buffer_puts(to, one.text != NULL ? one.text : "0");
        if (way->by[0] == 0) {
            isocast_buffer_puts(when, "rank > 0");
        } else {
            isocast_buffer_printf(when, "rank < %s", one.text != NULL ? one.text : "p");
        }
        isocast_buffer_free(&one);
        return;
    }
    if (way->pairs) {
        isocast_buffer_puts(to, "rank + 1 - 2*mod(rank, 2)");
        isocast_buffer_puts(when, "rank + 1 - 2*mod(rank, 2) < p");
        return;
    }
    if (way->of_ranks) {
        int by = sign * way->by[0];
        if (way->wraps) {
            isocast_buffer_printf(to, "mod(rank + %s%d, p)", by < 0 ? "p - " : "", abs(by));
            isocast_buffer_puts(when, "p > 1");
        } else {
            isocast_buffer_printf(to, "rank %c %d", by < 0 ? '-' : '+', abs(by));
            isocast_buffer_printf(when, by < 0 ? "rank >= %d" : "rank < p - %d", abs(by));
        }
        return;
    }
    isocast_buffer_puts(to, "rank");
    for (size_t i = 0; i < m->grid->count; i++) {
        int by = sign * way->by[i];
        const char *axis = m->grid->axes[i];
        const char *extent = m->grid->extents[i];
        if (by == 0) {
            continue;
        }
        const char *and = when->length > 0 ? " and " : "";
        if (way->wraps) {
            isocast_buffer_printf(to, " + (mod(%s + %s%s%d, %s) - %s)", axis, by < 0 ? extent : "",
                                  by < 0 ? " - " : "", abs(by), extent, axis);
            isocast_buffer_printf(when, "%s%s > 1", and, extent);
        } else {
            isocast_buffer_printf(to, " %c 1", by < 0 ? '-' : '+');
            if (by < 0) {
                isocast_buffer_printf(when, "%s%s > 0", and, axis);
            } else {
                isocast_buffer_printf(when, "%s%s < %s - 1", and, axis, extent);
            }
        }
        put_stride(m, i, to);
    }
}

/* Calls of each slot that way; those of several ways at one partner are divided. */
void isocast_derive_count_way(const derive_maker *m, const derive_rows *rows,
                              const derive_cover *cover, size_t which, double *times) {
    memset(times, 0, m->flow.slot_count * sizeof *times);
    for (size_t i = 0; i < rows->count; i++) {
        size_t others = 0;
        for (size_t w = 0; w < cover->count; w++) {
            others +=
                isocast_derive_way_has(&m->flow, m->grid, &cover->ways[w], rows, &rows->items[i]);
        }
        if (others > 0 &&
            isocast_derive_way_has(&m->flow, m->grid, &cover->ways[which], rows, &rows->items[i])) {
            times[rows->items[i].slot] += rows->items[i].calls / (double)others;
        }
    }
}

static derive_step_kind message_kind(const derive_rows *rows, bool neighbours) {
    return neighbours                      ? DERIVE_STEP_SHIFT
           : rows->sends && rows->receives ? DERIVE_STEP_SHIFT
           : rows->sends                   ? DERIVE_STEP_SEND
                                           : DERIVE_STEP_RECEIVE;
}

/* The processes that send so, where others might, too, and do not; NULL: all who can do, or which
 * do is not known. */
static char *find_callers(derive_maker *m, const derive_context *c, const derive_way *way,
                          const double *times) {
    bool others = false;
    bool known;
    for (size_t s = 0; s < m->flow.slot_count; s++) {
        others = others || (times[s] == 0 && isocast_derive_turns_of(c, s) > 0 &&
                            (isocast_derive_way_partner(&m->flow, m->grid, way, s, 1) >= 0 ||
                             isocast_derive_way_partner(&m->flow, m->grid, way, s, -1) >= 0));
    }
    return others ? isocast_derive_find_when(m, c, times, &known) : NULL;
}

/* A step of messages in one direction. */
static void add_way(derive_maker *m, const derive_context *c, size_t place, const derive_rows *rows,
                    const derive_cover *cover, size_t which, derive_steps *steps) {
    const isocast_derived_site *site = &m->d->sites[m->flow.sites[place]];
    isocast_record_operation operation = site->key.operation;
    isocast_record_class class = isocast_record_operation_find(operation)->kind;
    bool neighbours = class == ISOCAST_RECORD_NEIGHBOUR;
    double *times = calloc(m->flow.slot_count + 1, sizeof *times);
    if (times == NULL) {
        m->status = ISOCAST_NO_MEMORY;
        return;
    }
    isocast_derive_count_way(m, rows, cover, which, times);
    char *turns = NULL;
    char *repeat = NULL;
    isocast_derive_maker_mask(m, times);
    isocast_derive_find_turns(m, c, times, &turns, &repeat);
    char *callers = find_callers(m, c, &cover->ways[which], times);
    free(times);
    derive_steps *list = steps;
    if (repeat != NULL) {
        derive_step *loop = isocast_derive_maker_add(m, steps, DERIVE_STEP_FOR);
        if (loop == NULL) {
            free(repeat);
            free(turns);
            free(callers);
            return;
        }
        loop->loop = repeat;
        list = &loop->body;
    }
    bool puts = class == ISOCAST_RECORD_ONE_SIDED;
    derive_step *step =
        isocast_derive_maker_add(m, list, puts ? DERIVE_STEP_PUT : message_kind(rows, neighbours));
    if (step == NULL) {
        free(turns);
        free(callers);
        return;
    }
    const derive_way *way = &cover->ways[which];
    step->site = m->flow.sites[place];
    step->turns = turns;
    step->way = *way;
    step->has_way = true;
    step->requests = 1;
    step->starts = isocast_derive_starts(operation) || neighbours;
    if (way->to_one && neighbours) {
        step->kind = DERIVE_STEP_SEND;
    }
    if (way->pairs && step->kind == DERIVE_STEP_SHIFT) {
        step->kind = DERIVE_STEP_SENDRECV;
    }
    bool received = step->kind == DERIVE_STEP_RECEIVE;
    if (step->kind == DERIVE_STEP_SHIFT) {
        free(callers);
    } else {
        isocast_buffer to = {0};
        isocast_buffer when = {0};
        int sign = received && !way->to_one ? -1 : 1;
        put_partner(m, way, sign, &to, &when);
        char *partner = isocast_derive_maker_take(m, &to);
        char *where = isocast_derive_maker_take(m, &when);
        step->to = received ? NULL : partner;
        step->from = received ? partner : NULL;
        step->when = callers != NULL ? callers : where;
        free(callers != NULL ? where : NULL);
        if (step->kind == DERIVE_STEP_SENDRECV && partner != NULL) {
            step->from = isocast_derive_maker_text(m, "%s", partner);
        }
    }
    char *bytes = isocast_derive_bytes_text(m, rows, way, received);
    list->items[list->count - 1].amount = bytes;
}

/* The one partner of a row. */
static long partner_of(const derive_rows *rows, const derive_row *row) {
    return rows->sends ? row->to : row->from;
}

derive_changing isocast_derive_find_changing(derive_maker *m, const derive_rows *rows) {
    bool hub = rows->known;
    bool any = false;
    bool pairs = rows->known;
    bool halves = rows->known;
    bool all = rows->known;
    bool both = rows->sends && rows->receives;
    size_t *partners = calloc(m->flow.slot_count + 1, sizeof *partners);
    if (partners == NULL) {
        m->status = ISOCAST_NO_MEMORY;
        return CHANGES_NOT;
    }
    for (size_t i = 0; i < rows->count; i++) {
        const derive_row *row = &rows->items[i];
        long other = partner_of(rows, row);
        long rank = (long)m->flow.slots[row->slot].process;
        any = any || row->from == DERIVE_ANYBODY;
        if (other == DERIVE_NOBODY) {
            continue;
        }
        size_t p = m->d->records[m->flow.slots[row->slot].record]->process_count;
        long apart = labs(other - rank);
        partners[row->slot]++;
        hub = hub && rank == 0;
        halves = halves && both;
        pairs = pairs && apart == 1 && (!both || row->to == row->from);
        halves = halves && (other ^ rank) > 0 && ((other ^ rank) & ((other ^ rank) - 1)) == 0 &&
                 (p & (p - 1)) == 0 && (!both || row->to == row->from);
        all = all && (!both || ((row->to - rank) % (long)p + (long)p) % (long)p ==
                                   ((rank - row->from) % (long)p + (long)p) % (long)p);
    }
    bool several = false;
    for (size_t s = 0; s < m->flow.slot_count; s++) {
        size_t p = m->d->records[m->flow.slots[s].record]->process_count;
        several = several || partners[s] > 1;
        bool calls = partners[s] > 0;
        all = all && (p == 1 || partners[s] >= p - 1);
        halves = halves && (!calls || (size_t)1 << partners[s] == p);
        hub = hub && (!calls || partners[s] == p - 1);
    }
    free(partners);
    return any        ? CHANGES_ANY
           : !several ? CHANGES_NOT
           : hub      ? CHANGES_HUB
           : pairs    ? CHANGES_PAIRS
           : halves   ? CHANGES_HALVES
           : all      ? CHANGES_ALL
                      : CHANGES_NOT;
}

/* A step whose partner is a formula of the turn. */
static void add_changing(derive_maker *m, const derive_context *c, const derive_item *item,
                         derive_changing how, const derive_rows *rows, derive_steps *steps) {
    m->program->needs_power = m->program->needs_power || how == CHANGES_HALVES;
    m->program->needs_several =
        m->program->needs_several || how == CHANGES_HUB || how == CHANGES_ANY;
    isocast_record_operation operation = m->d->sites[m->flow.sites[item->place]].key.operation;
    char *when;
    char *turns;
    derive_steps *list =
        isocast_derive_maker_enter(m, c, item->times, steps, item->place, &when, &turns);
    derive_step_kind kind = rows->sends && rows->receives ? DERIVE_STEP_SENDRECV
                            : rows->sends                 ? DERIVE_STEP_SEND
                                                          : DERIVE_STEP_RECEIVE;
    bool asked = false; /* somebody has asked before, in the same list */
    for (size_t i = 0; i < list->count; i++) {
        asked = asked || (list->items[i].from != NULL && strcmp(list->items[i].from, "any") == 0);
    }
    derive_step *step = isocast_derive_maker_add(m, list, kind);
    if (step == NULL) {
        free(when);
        free(turns);
        return;
    }
    step->turns = turns;
    step->site = m->flow.sites[item->place];
    step->requests = 1;
    step->starts = isocast_derive_starts(operation);
    const char *turn = c->turns != NULL ? c->counter : "1";
    char *other = NULL;
    char *back = NULL;
    switch (how) {
    case CHANGES_HUB:
    case CHANGES_ANY:
        other = kind == DERIVE_STEP_RECEIVE ? isocast_derive_maker_text(m, "any")
                : asked                     ? isocast_derive_maker_text(m, "sender")
                        : isocast_derive_maker_text(m, "1 + mod(%s - 1, p - 1)", turn);
        break;
    case CHANGES_ALL:
        other = isocast_derive_maker_text(m, "mod(rank + 1 + mod(%s - 1, max(1, p - 1)), p)", turn);
        back =
            isocast_derive_maker_text(m, "mod(rank + p - 1 - mod(%s - 1, max(1, p - 1)), p)", turn);
        if (kind == DERIVE_STEP_RECEIVE) {
            free(other);
            other = back;
            back = NULL;
        }
        break;
    case CHANGES_PAIRS:
        other = isocast_derive_maker_text(m, "rank + 1 - 2*mod(rank + %s + 1, 2)", turn);
        free(when);
        when = isocast_derive_maker_text(m, "%s >= 0 and %s < p", other, other);
        break;
    case CHANGES_HALVES:
        back = isocast_derive_maker_text(m, "2^mod(%s - 1, max(1, round(log2(p))))", turn);
        other =
            isocast_derive_maker_text(m, "rank + %s*(1 - 2*mod(floor(rank/%s), 2))", back, back);
        free(back);
        back = NULL;
        break;
    case CHANGES_NOT:
        break;
    }
    if (kind == DERIVE_STEP_SENDRECV && back == NULL && other != NULL) {
        back = strdup(other);
        m->status = back == NULL ? ISOCAST_NO_MEMORY : m->status;
    }
    step->when = when;
    step->to = kind != DERIVE_STEP_RECEIVE ? other : NULL;
    step->from = kind == DERIVE_STEP_RECEIVE ? other : kind == DERIVE_STEP_SENDRECV ? back : NULL;
    if (step->from != back) {
        free(back);
    }
    char *bytes = isocast_derive_bytes_text(m, rows, NULL, kind == DERIVE_STEP_RECEIVE);
    list->items[list->count - 1].amount = bytes;
}

void isocast_derive_messages_add(derive_maker *m, const derive_context *c, const derive_item *item,
                                 derive_steps *steps) {
    derive_rows rows = {0};
    derive_cover cover;
    if (m->status == ISOCAST_OK) {
        m->status = isocast_derive_rows_of_calls(&m->flow, item->place, &rows);
    }
    if (m->status == ISOCAST_OK) {
        m->status = isocast_derive_cover_find(&m->flow, m->grid, &rows, &cover);
        derive_changing how = isocast_derive_find_changing(m, &rows);
        /* On few processes all with all are neighbours as well. */
        how = cover.known && how != CHANGES_HUB && how != CHANGES_HALVES ? CHANGES_NOT : how;
        if (how != CHANGES_NOT) {
            add_changing(m, c, item, how, &rows, steps);
        } else if (cover.known) {
            for (size_t w = 0; w < cover.count && m->status == ISOCAST_OK; w++) {
                add_way(m, c, item->place, &rows, &cover, w, steps);
            }
        } else {
            isocast_derive_maker_doubt(m, item->place, DERIVE_DOUBT_MORE,
                                       "who its partners are is not known: it is left out");
        }
    }
    free(rows.items);
}

static bool sends_or_gets(isocast_record_operation operation) {
    isocast_record_class kind = isocast_record_operation_find(operation)->kind;
    return kind == ISOCAST_RECORD_SEND || kind == ISOCAST_RECORD_RECEIVE ||
           kind == ISOCAST_RECORD_EXCHANGE || kind == ISOCAST_RECORD_ONE_SIDED ||
           kind == ISOCAST_RECORD_NEIGHBOUR;
}

static bool waits(isocast_record_operation operation) {
    return operation == ISOCAST_RECORD_OPERATION_Wait ||
           operation == ISOCAST_RECORD_OPERATION_Waitall ||
           operation == ISOCAST_RECORD_OPERATION_Waitany ||
           operation == ISOCAST_RECORD_OPERATION_Waitsome;
}

bool isocast_derive_is_message(const derive_maker *m, size_t place) {
    return sends_or_gets(m->d->sites[m->flow.sites[place]].key.operation);
}

bool isocast_derive_is_wait(const derive_maker *m, size_t place) {
    const isocast_derived_site *site = &m->d->sites[m->flow.sites[place]];
    bool tests = site->key.operation >= ISOCAST_RECORD_OPERATION_Test &&
                 site->key.operation <= ISOCAST_RECORD_OPERATION_Testsome;
    return waits(site->key.operation) || (tests && isocast_derived_site_hangs_on_time(site));
}

bool isocast_derive_has_step(isocast_record_operation operation) {
    return sends_or_gets(operation) || waits(operation) ||
           isocast_derive_word_of(operation) != NULL;
}
