#include "steps_maker.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

double isocast_derive_turns_of(const derive_context *c, size_t slot) {
    return c->turns != NULL ? c->turns[slot] : 1;
}

double isocast_derive_entries_of(const derive_context *c, size_t slot) {
    return c->entries != NULL ? c->entries[slot] : 1;
}

derive_step *isocast_derive_maker_add(derive_maker *m, derive_steps *steps, derive_step_kind kind) {
    derive_step *step =
        m->status == ISOCAST_OK ? isocast_derive_steps_add(m->pool, steps, kind) : NULL;
    m->status = m->status == ISOCAST_OK && step == NULL ? ISOCAST_NO_MEMORY : m->status;
    return step;
}

char *isocast_derive_maker_take(derive_maker *m, isocast_buffer *buffer) {
    char *text = buffer->failed ? NULL : isocast_pool_take(m->pool, buffer->length, 1);
    m->status = text == NULL && m->status == ISOCAST_OK ? ISOCAST_NO_MEMORY : m->status;
    if (text != NULL && buffer->length > 0) {
        memcpy(text, buffer->text, buffer->length);
    }
    isocast_buffer_free(buffer);
    return text;
}

__attribute__((format(printf, 2, 3))) char *isocast_derive_maker_text(derive_maker *m,
                                                                      const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    isocast_buffer buffer = {.failed = length < 0};
    isocast_buffer_puts(&buffer, length < 0 ? "" : text);
    free(length < 0 ? NULL : text);
    return isocast_derive_maker_take(m, &buffer);
}

void isocast_derive_maker_doubt_time(derive_maker *m, size_t place, derive_doubt_kind kind,
                                     const char *what, char *time) {
    derive_program *p = m->program;
    const derive_doubt doubt = {.site = place, .kind = kind, .what = what, .time = time};
    bool known = false;
    for (size_t i = 0; i < p->doubt_count; i++) {
        known = known || (p->doubts[i].site == doubt.site && p->doubts[i].what == what);
    }
    if (!known && !ISOCAST_ARRAY_ADD(p->doubts, p->doubt_count, p->doubt_capacity, doubt)) {
        m->status = ISOCAST_NO_MEMORY;
    }
}

/* What the calls of a place take by themselves: "if(p > 1, 10*T_send(8 B * N), 0 s)". */
static char *time_of(derive_maker *m, size_t place) {
    isocast_record_operation operation = m->d->sites[place].key.operation;
    bool has_size;
    const char *name = isocast_derive_operation_of(operation, &has_size);
    size_t of = m->of;
    m->of = SIZE_MAX;
    isocast_law calls = isocast_derive_maker_calls(m, place);
    isocast_law bytes = isocast_derive_maker_bytes(m, place);
    m->of = of;
    if (!calls.known || calls.term_count == 0 || (has_size && !bytes.known)) {
        return NULL;
    }
    isocast_buffer out = {0};
    isocast_buffer_puts(&out, "if(p > 1, ");
    isocast_law_write(&calls, m->names, "", true, &out);
    isocast_buffer_printf(&out, "*%s(", name);
    if (has_size) {
        isocast_law_write(&bytes, m->names, "B", false, &out);
    }
    isocast_buffer_puts(&out, "), 0 s)");
    return isocast_derive_maker_take(m, &out);
}

void isocast_derive_maker_doubt(derive_maker *m, size_t place, derive_doubt_kind kind,
                                const char *what) {
    char *time = kind != DERIVE_DOUBT_NOTED ? time_of(m, place) : NULL;
    isocast_derive_maker_doubt_time(m, place, kind, what, time);
}

const derive_partners *isocast_derive_maker_partners(derive_maker *m, size_t place) {
    if (m->status == ISOCAST_OK && m->partners[place] == NULL) {
        m->partners[place] = isocast_pool_take(m->pool, 1, sizeof **m->partners);
        m->status = m->partners[place] != NULL
                        ? isocast_derive_partners_find(m->flow, m->grid, place, m->partners[place])
                        : ISOCAST_NO_MEMORY;
    }
    return m->status == ISOCAST_OK ? m->partners[place] : NULL;
}

/* ---- laws ---- */

/* Sides of the grid that the processes stand in are simple. */
static unsigned favoured_by_grid(const derive_maker *m) {
    return m->grid->count == 3 ? ISOCAST_FAVOURED_CUBE : ISOCAST_FAVOURED_NONE;
}

/* Records with more processes check a sum of functions of p, and others may be as exact. */
static isocast_law fit_along(derive_maker *m, unsigned favoured) {
    isocast_law law = {0};
    if (m->status == ISOCAST_OK) {
        m->status = isocast_fit(m->d->fitter, m->values, m->known, favoured, &law);
    }
    if (law.exact && m->of != SIZE_MAX && !m->d->checked_beyond &&
        isocast_law_adds_functions(&law, &m->d->points[0])) {
        isocast_derive_maker_doubt(
            m, m->of, DERIVE_DOUBT_NOTED,
            "uncertain at more processes: a formula of it adds different functions of p, and "
            "others may be as exact. Hold out a record with more processes");
    }
    return law;
}

/* Of m->values where m->known; the nearest one, where none is exact, of sizes alone. */
isocast_law isocast_derive_maker_fit(derive_maker *m) {
    isocast_law law = fit_along(m, favoured_by_grid(m));
    isocast_law repeats = {0};
    const isocast_question q = {.kind = ISOCAST_LAW_SIZES};
    bool all = true;
    for (size_t r = 0; r < m->d->record_count; r++) {
        all = all && m->known[r];
    }
    if (m->status == ISOCAST_OK && all && !law.exact) {
        m->status = isocast_fit_nearest(m->d->fitter, m->values, NULL, &q, &repeats);
    }
    bool nearer = repeats.known && repeats.mean_error <= 1.5 * law.mean_error + 0.01;
    return nearer ? repeats : law;
}

char *isocast_derive_maker_law(derive_maker *m, const isocast_law *law, const char *unit,
                               bool factor) {
    isocast_buffer out = {0};
    bool guarded = law->guard != ISOCAST_GUARD_NONE && unit[0] == '\0';
    bool rounded = !law->exact && unit[0] == '\0' && law->term_count > 0;
    isocast_buffer_puts(&out, guarded ? "if(p > 1, " : "");
    isocast_buffer_puts(&out, rounded ? "round(" : "");
    isocast_law_write(law, m->names, unit, factor && !guarded && !rounded, &out);
    isocast_buffer_puts(&out, rounded ? ")" : "");
    isocast_buffer_puts(&out, guarded ? ", 0)" : "");
    return isocast_derive_maker_take(m, &out);
}

/* ---- bytes and calls ---- */

/* Along one side of a grid messages have the lengths of the other ones. */
static unsigned favoured_along(const derive_maker *m, const derive_way *way) {
    unsigned favoured = favoured_by_grid(m);
    bool of_axes = way != NULL && !way->of_ranks && !way->to_one && !way->pairs;
    for (size_t i = 0; i < m->grid->count && of_axes; i++) {
        favoured |= way->by[i] == 0 ? 1U << m->grid->extents[i] : 0;
    }
    return favoured;
}

/* Takes m->sums, of bytes and calls, to the mean of the process with most of it at each record. */
static void observe_means(derive_maker *m) {
    const double *sums = m->sums;
    for (size_t r = 0; r < m->d->record_count; r++) {
        m->values[r] = 0;
        m->known[r] = false;
    }
    for (size_t s = 0; s < m->flow->slot_count; s++) {
        size_t r = m->flow->slots[s].record;
        if (sums[2 * s + 1] > 0) {
            m->values[r] = fmax(m->values[r], sums[2 * s] / sums[2 * s + 1]);
            m->known[r] = true;
        }
    }
}

/* Sets m->sums: bytes and messages of each slot at a place. */
static void sum_up(derive_maker *m, size_t place) {
    double *sums = m->sums;
    memset(sums, 0, 2 * m->flow->slot_count * sizeof *sums);
    for (size_t r = 0; r < m->d->record_count; r++) {
        const isocast_record *record = m->d->records[r];
        for (size_t i = 0; i < record->call_count; i++) {
            const isocast_record_call *call = &record->calls[i];
            size_t slot = m->flow->first_slot[r] + call->process;
            if (m->flow->place_of[r][call->site] == place && !isocast_call_sends_nothing(call)) {
                double messages = call->calls * call->neighbours;
                sums[2 * slot] += isocast_call_message(record, call) * messages;
                sums[2 * slot + 1] += messages;
            }
        }
    }
}

isocast_law isocast_derive_maker_bytes(derive_maker *m, size_t place) {
    sum_up(m, place);
    observe_means(m);
    return fit_along(m, favoured_by_grid(m));
}

isocast_law isocast_derive_maker_calls(derive_maker *m, size_t place) {
    sum_up(m, place);
    for (size_t r = 0; r < m->d->record_count; r++) {
        m->values[r] = 0;
        m->known[r] = true;
    }
    for (size_t s = 0; s < m->flow->slot_count; s++) {
        double *most = &m->values[m->flow->slots[s].record];
        *most = fmax(*most, m->sums[2 * s + 1]);
    }
    return isocast_derive_maker_fit(m);
}

char *isocast_derive_bytes_text(derive_maker *m, const derive_rows *rows, const derive_way *way,
                                bool received) {
    memset(m->sums, 0, 2 * m->flow->slot_count * sizeof *m->sums);
    for (size_t i = 0; i < rows->count; i++) {
        const derive_row *row = &rows->items[i];
        bool any = row->to != DERIVE_NOBODY || row->from != DERIVE_NOBODY;
        if (any && (way == NULL || isocast_derive_way_has(m->flow, m->grid, way, rows, row))) {
            bool other = row->to == DERIVE_NOBODY && rows->sends && rows->receives;
            double bytes = received || other ? row->received : row->sent;
            m->sums[2 * row->slot] += bytes * row->calls;
            m->sums[2 * row->slot + 1] += row->calls;
        }
    }
    observe_means(m);
    const isocast_law law = fit_along(m, favoured_along(m, way));
    return isocast_derive_maker_law(m, &law, "B", false);
}

/* ---- how often it is done in each turn ---- */

/* The largest of times/over at each record, of the slots that count. */
void isocast_derive_maker_observe(derive_maker *m, const double *times, const double *over) {
    for (size_t r = 0; r < m->d->record_count; r++) {
        m->values[r] = 0;
        m->known[r] = false;
    }
    for (size_t s = 0; s < m->flow->slot_count; s++) {
        size_t r = m->flow->slots[s].record;
        double value = m->mask[s] && over[s] > 0 ? times[s] / over[s] : 0;
        m->known[r] = m->known[r] || (m->mask[s] && over[s] > 0);
        m->values[r] = fmax(m->values[r], value);
    }
}

/* What one process does may be another thing than what several do: a text of both where both have
 * an exact law; NULL: they have not. */
static char *split_count(derive_maker *m) {
    isocast_law laws[2] = {0};
    bool *known = isocast_pool_take(m->pool, m->d->record_count, sizeof *known);
    m->status = known != NULL ? m->status : ISOCAST_NO_MEMORY;
    for (size_t r = 0; known != NULL && r < m->d->record_count; r++) {
        known[r] = m->known[r];
    }
    for (int alone = 0; alone < 2 && m->status == ISOCAST_OK; alone++) {
        for (size_t r = 0; r < m->d->record_count; r++) {
            m->known[r] = known[r] && (m->d->points[r].p == 1) == (alone != 0);
        }
        laws[alone] = isocast_derive_maker_fit(m);
    }
    for (size_t r = 0; known != NULL && r < m->d->record_count; r++) {
        m->known[r] = known[r];
    }
    if (m->status != ISOCAST_OK || !laws[0].exact || !laws[1].exact) {
        return NULL;
    }
    char *several = isocast_derive_maker_law(m, &laws[0], "", false);
    char *one = isocast_derive_maker_law(m, &laws[1], "", false);
    return isocast_derive_maker_text(m, "if(p > 1, %s, %s)", several, one);
}

/* A count that m->values have, as text. */
char *isocast_derive_maker_count(derive_maker *m, bool factor) {
    isocast_law law = isocast_derive_maker_fit(m);
    char *split = law.exact ? NULL : split_count(m);
    return split != NULL ? split : isocast_derive_maker_law(m, &law, "", factor);
}

/* ---- on which processes ---- */

/* What is looked at: the place, from either end, whether it is odd, and how many there are. */
typedef enum quantity { PLACE, PLACE_FROM_END, PARITY, EXTENT, QUANTITIES } quantity;

typedef struct predicate {
    const char *text; /* with $ for the place, % for how many there are */
    quantity of;
    size_t least, most; /* where it holds */
} predicate;

static const predicate predicates[] = {{"% > 1", EXTENT, 2, SIZE_MAX},
                                       {"% == 1", EXTENT, 1, 1},
                                       {"$ == 0", PLACE, 0, 0},
                                       {"$ > 0", PLACE, 1, SIZE_MAX},
                                       {"$ < % - 1", PLACE_FROM_END, 1, SIZE_MAX},
                                       {"$ == % - 1", PLACE_FROM_END, 0, 0},
                                       {"mod($, 2) == 0", PARITY, 0, 0},
                                       {"mod($, 2) == 1", PARITY, 1, 1},
                                       {"% > 2", EXTENT, 3, SIZE_MAX}};
enum { PREDICATES = sizeof predicates / sizeof *predicates };

/* The place along an axis; the rank for the number of axes. */
static bool holds(const derive_maker *m, size_t predicate_index, size_t axis, size_t slot) {
    const predicate *p = &predicates[predicate_index];
    size_t extent = m->d->records[m->flow->slots[slot].record]->process_count;
    size_t at = m->flow->slots[slot].process;
    if (axis < m->grid->count) {
        at = isocast_derive_grid_place(m->flow, m->grid, axis, slot, &extent);
    }
    const size_t values[QUANTITIES] = {
        [PLACE] = at, [PLACE_FROM_END] = extent - 1 - at, [PARITY] = at % 2, [EXTENT] = extent};
    return values[p->of] >= p->least && values[p->of] <= p->most;
}

static void put_predicate(const derive_maker *m, size_t index, size_t axis, isocast_buffer *out) {
    bool ranks = axis == m->grid->count;
    for (const char *c = predicates[index].text; *c != '\0'; c++) {
        if (*c == '$') {
            isocast_buffer_puts(out, ranks ? "rank" : m->grid->axes[axis]);
        } else if (*c == '%') {
            isocast_buffer_puts(out, ranks ? "p" : isocast_side_names[m->grid->extents[axis]]);
        } else {
            isocast_buffer_append(out, c, 1);
        }
    }
}

/* One predicate, or two of them, that hold just where `does` of those that `may`; NULL: all do, or
 * none is known. */
char *isocast_derive_find_when(derive_maker *m, const derive_context *c, const double *times,
                               bool *known) {
    size_t axes = m->grid->count + 1;
    bool all = true;
    for (size_t s = 0; s < m->flow->slot_count; s++) {
        all = all && (times[s] > 0 || isocast_derive_turns_of(c, s) <= 0);
    }
    *known = true;
    if (all) {
        return NULL;
    }
    size_t count = axes * PREDICATES;
    for (int pairs = 0; pairs < 2; pairs++) {
        for (size_t a = 0; a < count; a++) {
            for (size_t b = pairs ? a + 1 : a; b < (pairs ? count : a + 1); b++) {
                bool fits = true;
                for (size_t s = 0; s < m->flow->slot_count && fits; s++) {
                    size_t axis_a = axes - 1 - a / PREDICATES;
                    size_t axis_b = axes - 1 - b / PREDICATES;
                    bool both =
                        holds(m, a % PREDICATES, axis_a, s) && holds(m, b % PREDICATES, axis_b, s);
                    fits = isocast_derive_turns_of(c, s) <= 0 || both == (times[s] > 0);
                }
                if (fits) {
                    isocast_buffer out = {0};
                    put_predicate(m, a % PREDICATES, axes - 1 - a / PREDICATES, &out);
                    if (b != a) {
                        isocast_buffer_puts(&out, " and ");
                        put_predicate(m, b % PREDICATES, axes - 1 - b / PREDICATES, &out);
                    }
                    return isocast_derive_maker_take(m, &out);
                }
            }
        }
    }
    *known = false;
    return NULL;
}

/* ---- how often ---- */

/* In which turns of its loop a step is done; or how often in each. Of the slots of m->mask. */
void isocast_derive_find_turns(derive_maker *m, const derive_context *c, const double *times,
                               char **turns, char **repeat) {
    bool each = true;
    bool but_last = c->turns != NULL;
    double least = INFINITY;
    double most = 0;
    for (size_t s = 0; s < m->flow->slot_count; s++) {
        double all = isocast_derive_turns_of(c, s);
        if (!m->mask[s] || all <= 0) {
            continue;
        }
        each = each && times[s] == all;
        but_last = but_last && times[s] == all - isocast_derive_entries_of(c, s);
        double ratio = times[s] > 0 ? all / times[s] : INFINITY;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    *turns = NULL;
    *repeat = NULL;
    if (each || !(most > 0) || isinf(least)) {
        return;
    }
    if (but_last) {
        *turns = isocast_derive_maker_text(m, "%s < %s", c->counter, c->last);
        return;
    }
    if (least == most && most >= 2 && most == round(most)) {
        *turns = isocast_derive_maker_text(m, "mod(%s, %.0f) == 0", c->counter, most);
        return;
    }
    double *over = m->over;
    for (size_t s = 0; s < m->flow->slot_count; s++) {
        over[s] = least < 1 ? isocast_derive_turns_of(c, s) : isocast_derive_entries_of(c, s);
    }
    isocast_derive_maker_observe(m, times, over);
    char *count = isocast_derive_maker_count(m, true);
    if (least < 1) {
        *repeat = isocast_derive_maker_text(m, "again_%zu = 1..%s", ++m->repeats,
                                            count != NULL ? count : "1");
    } else if (most < 2) {
        *turns = isocast_derive_maker_text(m, "%s <= %s", c->counter, count != NULL ? count : "1");
    } else {
        /* As evenly as that goes. */
        *turns = isocast_derive_maker_text(m, "mod(%s*%s, %s) < %s", c->counter,
                                           count != NULL ? count : "1", c->last,
                                           count != NULL ? count : "1");
    }
}

/* Masks the slots that do it. */
void isocast_derive_maker_mask(derive_maker *m, const double *times) {
    for (size_t s = 0; s < m->flow->slot_count; s++) {
        m->mask[s] = times[s] > 0;
    }
}

/* A list for a step that is done in some turns, or again and again: *step gets both conditions. */
derive_steps *isocast_derive_maker_enter(derive_maker *m, const derive_context *c,
                                         const double *times, derive_steps *steps, size_t place,
                                         char **when, char **turns) {
    bool known;
    char *repeat;
    *when = isocast_derive_find_when(m, c, times, &known);
    if (!known) {
        isocast_derive_maker_doubt(m, place, DERIVE_DOUBT_LESS,
                                   "which processes make it is not known: all do here");
    }
    isocast_derive_maker_mask(m, times);
    isocast_derive_find_turns(m, c, times, turns, &repeat);
    if (repeat != NULL) {
        derive_step *loop = isocast_derive_maker_add(m, steps, DERIVE_STEP_FOR);
        if (loop == NULL) {
            return steps;
        }
        loop->loop = repeat;
        loop->when = *when;
        *when = NULL;
        return &loop->body;
    }
    return steps;
}
