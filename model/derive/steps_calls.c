#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/schedule/step_kind.h"
#include "sites.h"
#include "steps_maker.h"

/* The root of a collective: one process, or the next one with each call. */
static char *root_text(derive_maker *m, const derive_context *c, size_t place, unsigned along) {
    const isocast_derived_site *site = &m->d->sites[place];
    bool first = true;
    bool same = true;
    bool last = true;
    long root = 0;
    for (size_t r = 0; r < m->d->record_count; r++) {
        const isocast_record *record = m->d->records[r];
        for (size_t i = 0; i < record->call_count; i++) {
            const isocast_record_call *call = &record->calls[i];
            if (m->flow->place_of[r][call->site] == place && call->communicator != SIZE_MAX) {
                root = first ? call->partner : root;
                first = false;
                same = same && call->partner == root;
                last = last &&
                       call->partner == (long)record->communicators[call->communicator].size - 1;
            }
        }
    }
    if (same && root >= 0) {
        return isocast_derive_maker_text(m, "%ld", root);
    }
    isocast_buffer among = {0};
    isocast_buffer_puts(&among, along == 0 ? "p" : "");
    for (size_t i = 0; i < m->grid->count; i++) {
        if ((along & 1U << i) != 0) {
            isocast_buffer_printf(&among, "%s%s", among.length > 0 ? "*" : "",
                                  isocast_side_names[m->grid->extents[i]]);
        }
    }
    char *size = isocast_derive_maker_take(m, &among);
    char *text = NULL;
    if (last) {
        text = isocast_derive_maker_text(m, "%s - 1", size);
    } else if (c->turns == NULL) {
        isocast_derive_maker_doubt(m, place, DERIVE_DOUBT_LESS,
                                   "its root is not known: process 0 is taken");
        text = isocast_derive_maker_text(m, "0");
    } else if (site->roots == ISOCAST_ROOTS_STAY) {
        text = isocast_derive_maker_text(m, "floor((%s - 1)*%s/(%s))", c->counter, size, c->last);
    } else {
        text = isocast_derive_maker_text(m, "mod(%s - 1, %s)", c->counter, size);
        if (site->roots == ISOCAST_ROOTS_EACH_PERHAPS) {
            isocast_derive_maker_doubt(m, place, DERIVE_DOUBT_NOTED,
                                       "records do not show whether the root changes with each "
                                       "call or after many; it changes with each here");
        } else if (site->roots == ISOCAST_ROOTS_ANY) {
            isocast_derive_maker_doubt(m, place, DERIVE_DOUBT_MORE,
                                       "its roots are in no order that is known: here each is "
                                       "the next process, and calls overlap by that");
        }
    }
    return text;
}

/* Bytes of a collective, as its operation counts them; where they go down by equal steps, those of
 * a turn. */
static char *call_bytes_text(derive_maker *m, const derive_context *c, size_t place, bool each) {
    isocast_law least = {0};
    isocast_law step = {0};
    if (m->status == ISOCAST_OK && m->d->sites[place].several && c->turns != NULL && each) {
        m->status = isocast_derive_size_steps_find(m->d, place, &least, &step);
    }
    if (m->status == ISOCAST_OK && least.exact && step.exact) {
        isocast_buffer out = {0};
        isocast_law_write(&least, m->names, "B", false, &out);
        isocast_buffer_puts(&out, " + ");
        isocast_law_write(&step, m->names, "B", true, &out);
        isocast_buffer_printf(&out, "*(%s - %s)", c->last, c->counter);
        return isocast_derive_maker_take(m, &out);
    }
    isocast_law law = isocast_derive_maker_bytes(m, place);
    return isocast_derive_maker_law(m, &law, "B", false);
}

void isocast_derive_call_add(derive_maker *m, const derive_context *c, const derive_item *item,
                             const char *word, derive_steps *steps) {
    char *when;
    char *turns;
    isocast_record_operation operation = m->d->sites[item->place].key.operation;
    isocast_record_class kind = isocast_record_operation_find(operation)->kind;
    derive_steps *list =
        isocast_derive_maker_enter(m, c, item->times, steps, item->place, &when, &turns);
    derive_step *step = isocast_derive_maker_add(m, list, DERIVE_STEP_CALL);
    if (step == NULL) {
        return;
    }
    bool known = true;
    unsigned along = 0;
    if (kind == ISOCAST_RECORD_COLLECTIVE || kind == ISOCAST_RECORD_CREATION) {
        along = isocast_derive_group_axes(m->flow, m->grid, item->place,
                                          operation == ISOCAST_RECORD_OPERATION_Cart_sub, &known);
    }
    if (!known) {
        isocast_derive_maker_doubt(
            m, item->place, DERIVE_DOUBT_LESS,
            "the processes of its communicator are not known: all are taken");
    }
    *step = (derive_step){.kind = DERIVE_STEP_CALL,
                          .word = word,
                          .when = when,
                          .turns = turns,
                          .along = known ? along : 0,
                          .site = item->place,
                          .source = SIZE_MAX,
                          .handle = SIZE_MAX,
                          .requests = 1,
                          .starts = isocast_derive_starts(operation)};
    const isocast_step_kind *form = isocast_step_kind_find(word);
    if (form != NULL && (form->needed & 1U << ISOCAST_FORMULA_ROOT) != 0) {
        step->root = root_text(m, c, item->place, step->along);
    }
    if (form != NULL && (form->needed & 1U << ISOCAST_FORMULA_BYTES) != 0) {
        step->amount = call_bytes_text(m, c, item->place, turns == NULL);
    }
}

/* ---- messages ---- */

/* "x*width + y", ranks from one place along an axis to the next. */
static void put_stride(const derive_maker *m, size_t axis, isocast_buffer *out) {
    for (size_t i = axis + 1; i < m->grid->count; i++) {
        isocast_buffer_printf(out, "*%s", isocast_side_names[m->grid->extents[i]]);
    }
}

/* The process in that direction, as a formula, and where there is one. */
static void put_partner(const derive_maker *m, const derive_way *way, int sign, isocast_buffer *to,
                        isocast_buffer *when) {
    if (way->to_one) {
        /* The first process, or the last one. */
        isocast_buffer_puts(to, way->by[0] == 0 ? "0" : "p - 1");
        isocast_buffer_puts(when, way->by[0] == 0 ? "rank > 0" : "rank < p - 1");
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
            isocast_buffer_printf(when, by < 0 ? "rank > %d" : "rank < p - %d",
                                  by < 0 ? abs(by) - 1 : by);
        }
        return;
    }
    isocast_buffer_puts(to, "rank");
    for (size_t i = 0; i < m->grid->count; i++) {
        int by = sign * way->by[i];
        const char *axis = m->grid->axes[i];
        const char *extent = isocast_side_names[m->grid->extents[i]];
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
    memset(times, 0, m->flow->slot_count * sizeof *times);
    for (size_t i = 0; i < rows->count; i++) {
        size_t others = 0;
        for (size_t w = 0; w < cover->count; w++) {
            others +=
                isocast_derive_way_has(m->flow, m->grid, &cover->ways[w], rows, &rows->items[i]);
        }
        if (others > 0 &&
            isocast_derive_way_has(m->flow, m->grid, &cover->ways[which], rows, &rows->items[i])) {
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

/* The processes that send so, or receive, where others might, too, and do not; NULL: all who can
 * do, or which do is not known. */
static char *find_callers(derive_maker *m, const derive_context *c, const derive_rows *rows,
                          const derive_way *way, const double *times) {
    bool others = false;
    bool known;
    int against = way->to_one ? 1 : -1;
    for (size_t s = 0; s < m->flow->slot_count; s++) {
        bool can =
            (rows->sends && isocast_derive_way_partner(m->flow, m->grid, way, s, 1) >= 0) ||
            (rows->receives && isocast_derive_way_partner(m->flow, m->grid, way, s, against) >= 0);
        others = others || (times[s] == 0 && isocast_derive_turns_of(c, s) > 0 && can);
    }
    return others ? isocast_derive_find_when(m, c, times, &known) : NULL;
}

/* Where both conditions hold, of which the first may be NULL. */
static char *both_of(derive_maker *m, char *first, char *second) {
    static const char and[] = " and ";
    isocast_buffer out = {0};
    isocast_buffer_puts(&out, first != NULL ? first : "");
    for (char *part = second; part != NULL && *part != '\0';) {
        char *end = strstr(part, and);
        char *next = end != NULL ? end + strlen(and) : NULL;
        if (end != NULL) {
            *end = '\0';
        }
        if (first == NULL || strstr(first, part) == NULL) {
            isocast_buffer_printf(&out, "%s%s", out.length > 0 ? and : "", part);
        }
        part = next;
    }
    return isocast_derive_maker_take(m, &out);
}

/* A step of messages in one direction. */
static void add_way(derive_maker *m, const derive_context *c, size_t place, const derive_rows *rows,
                    const derive_cover *cover, size_t which, derive_steps *steps) {
    const isocast_derived_site *site = &m->d->sites[place];
    isocast_record_operation operation = site->key.operation;
    isocast_record_class class = isocast_record_operation_find(operation)->kind;
    bool neighbours = class == ISOCAST_RECORD_NEIGHBOUR;
    const double *times = m->times;
    isocast_derive_count_way(m, rows, cover, which, m->times);
    char *turns = NULL;
    char *repeat = NULL;
    isocast_derive_maker_mask(m, times);
    isocast_derive_find_turns(m, c, times, &turns, &repeat);
    char *callers = find_callers(m, c, rows, &cover->ways[which], times);
    derive_steps *list = steps;
    if (repeat != NULL) {
        derive_step *loop = isocast_derive_maker_add(m, steps, DERIVE_STEP_FOR);
        if (loop == NULL) {
            return;
        }
        loop->loop = repeat;
        list = &loop->body;
    }
    bool puts = class == ISOCAST_RECORD_ONE_SIDED;
    derive_step *step =
        isocast_derive_maker_add(m, list, puts ? DERIVE_STEP_PUT : message_kind(rows, neighbours));
    if (step == NULL) {
        return;
    }
    const derive_way *way = &cover->ways[which];
    step->site = place;
    step->turns = turns;
    step->way = *way;
    step->has_way = true;
    step->requests = 1;
    step->starts = isocast_derive_starts(operation) || neighbours;
    step->source = class == ISOCAST_RECORD_EXCHANGE ? place : SIZE_MAX;
    if (way->to_one && neighbours) {
        step->kind = DERIVE_STEP_SEND;
    }
    if (way->pairs && step->kind == DERIVE_STEP_SHIFT) {
        step->kind = DERIVE_STEP_SENDRECV;
    }
    bool received = step->kind == DERIVE_STEP_RECEIVE;
    if (step->kind != DERIVE_STEP_SHIFT) {
        isocast_buffer to = {0};
        isocast_buffer when = {0};
        int sign = received && !way->to_one ? -1 : 1;
        put_partner(m, way, sign, &to, &when);
        char *partner = isocast_derive_maker_take(m, &to);
        char *where = isocast_derive_maker_take(m, &when);
        step->to = received ? NULL : partner;
        step->from = received || step->kind == DERIVE_STEP_SENDRECV ? partner : NULL;
        step->when = both_of(m, callers, where);
    }
    step->amount = isocast_derive_bytes_text(m, rows, way, received);
}

/* A step whose partner is a formula of the turn. */
static void add_changing(derive_maker *m, const derive_context *c, const derive_item *item,
                         derive_changing how, const derive_rows *rows, derive_steps *steps) {
    m->program->needs_power = m->program->needs_power || how == CHANGES_HALVES;
    m->program->deals_out = m->program->deals_out || how == CHANGES_HUB || how == CHANGES_ANY;
    isocast_record_operation operation = m->d->sites[item->place].key.operation;
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
        return;
    }
    step->turns = turns;
    step->site = item->place;
    step->source = kind == DERIVE_STEP_SENDRECV ? item->place : SIZE_MAX;
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
        other = kind == DERIVE_STEP_RECEIVE ? back : other;
        break;
    case CHANGES_PAIRS:
        other = isocast_derive_maker_text(m, "rank + 1 - 2*mod(rank + %s + 1, 2)", turn);
        when = isocast_derive_maker_text(m, "%s >= 0 and %s < p", other, other);
        break;
    case CHANGES_HALVES:
        back = isocast_derive_maker_text(m, "2^mod(%s - 1, max(1, round(log2(p))))", turn);
        other =
            isocast_derive_maker_text(m, "rank + %s*(1 - 2*mod(floor(rank/%s), 2))", back, back);
        back = other;
        break;
    case CHANGES_NOT:
        break;
    }
    step->when = when;
    step->to = kind != DERIVE_STEP_RECEIVE ? other : NULL;
    step->from = kind == DERIVE_STEP_RECEIVE                    ? other
                 : kind == DERIVE_STEP_SENDRECV && back != NULL ? back
                 : kind == DERIVE_STEP_SENDRECV                 ? other
                                                                : NULL;
    step->amount = isocast_derive_bytes_text(m, rows, NULL, kind == DERIVE_STEP_RECEIVE);
}

void isocast_derive_messages_add(derive_maker *m, const derive_context *c, const derive_item *item,
                                 derive_steps *steps) {
    const derive_partners *partners = isocast_derive_maker_partners(m, item->place);
    if (partners == NULL) {
        return;
    }
    if (!partners->stay && partners->how != CHANGES_NOT) {
        add_changing(m, c, item, partners->how, &partners->rows, steps);
    } else if (partners->cover.known) {
        for (size_t w = 0; w < partners->cover.count && m->status == ISOCAST_OK; w++) {
            add_way(m, c, item->place, &partners->rows, &partners->cover, w, steps);
        }
    } else {
        isocast_derive_maker_doubt(m, item->place, DERIVE_DOUBT_MORE,
                                   "who its partners are is not known: it is left out");
    }
}

bool isocast_derive_waits_at(const derive_maker *m, size_t place) {
    const isocast_derived_site *site = &m->d->sites[place];
    bool tests = site->key.operation >= ISOCAST_RECORD_OPERATION_Test &&
                 site->key.operation <= ISOCAST_RECORD_OPERATION_Testsome;
    return isocast_derive_is_wait(site->key.operation) || (tests && site->hangs_on_time);
}
