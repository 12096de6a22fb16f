#include <stdlib.h>
#include <string.h>

#include "times_parts.h"

typedef isocast_times_maker maker;
typedef isocast_times_parts parts;
typedef isocast_times_variant variant;
typedef isocast_times_choice choice;
typedef isocast_times_choice_maker choice_maker;

/* ---- texts ---- */

char *isocast_times_take(maker *m, isocast_buffer *buffer) {
    if (buffer->length > ISOCAST_FORMULA_LENGTH_MAX) {
        isocast_times_give_up(m, m->schedule->steps.items[0].span);
    }
    char *text = isocast_buffer_take(buffer);
    if (text == NULL) {
        m->status = ISOCAST_NO_MEMORY;
    }
    return text;
}

void isocast_times_end(maker *m, isocast_buffer *buffer) {
    m->status = buffer->failed ? ISOCAST_NO_MEMORY : m->status;
    isocast_buffer_free(buffer);
}

parts isocast_times_parts_begin(maker *m) {
    parts made = {calloc(m->part_count, sizeof(char *))};
    if (made.texts == NULL) {
        m->status = ISOCAST_NO_MEMORY;
    }
    return made;
}

void isocast_times_parts_free(const maker *m, parts *p) {
    for (size_t i = 0; p->texts != NULL && i < m->part_count; i++) {
        free(p->texts[i]);
    }
    free(p->texts);
    p->texts = NULL;
}

void isocast_times_add(maker *m, parts *p, size_t part, char *text) {
    if (text == NULL || p->texts == NULL || p->texts[part] == NULL) {
        if (p->texts != NULL && text != NULL) {
            p->texts[part] = text;
        } else {
            free(text);
        }
        return;
    }
    isocast_buffer sum = {0};
    isocast_buffer_printf(&sum, "%s + %s", p->texts[part], text);
    free(p->texts[part]);
    free(text);
    p->texts[part] = isocast_times_take(m, &sum);
}

void isocast_times_add_all(maker *m, parts *p, parts *other) {
    for (size_t i = 0; other->texts != NULL && i < m->part_count; i++) {
        isocast_times_add(m, p, i, other->texts[i]);
        other->texts[i] = NULL;
    }
    isocast_times_parts_free(m, other);
}

void isocast_times_wrap(maker *m, parts *p, const char *before, const char *behind) {
    for (size_t i = 0; p->texts != NULL && i < m->part_count; i++) {
        if (p->texts[i] != NULL) {
            isocast_buffer text = {0};
            isocast_buffer_printf(&text, "%s%s%s", before, p->texts[i], behind);
            free(p->texts[i]);
            p->texts[i] = isocast_times_take(m, &text);
        }
    }
}

char *isocast_times_total(maker *m, const parts *p) {
    isocast_buffer sum = {0};
    for (size_t i = 0; p->texts != NULL && i < m->part_count; i++) {
        if (p->texts[i] != NULL) {
            isocast_buffer_printf(&sum, "%s%s", sum.length > 0 ? " + " : "", p->texts[i]);
        }
    }
    char *text = sum.length > 0 ? isocast_times_take(m, &sum) : NULL;
    isocast_times_end(m, &sum);
    return text;
}

/* ---- which processes ---- */

bool isocast_times_is_place(const maker *m, size_t local) {
    isocast_local_kind kind = m->schedule->locals[local].kind;
    return kind == ISOCAST_LOCAL_RANK || kind == ISOCAST_LOCAL_AXIS;
}

/* Whether the time of a step, or of one inside it, depends on a name. */
static bool hangs_on(const maker *m, const isocast_step *step, size_t local) {
    const isocast_schedule *s = m->schedule;
    bool found = false;
    for (isocast_step_formula i = 0; i <= ISOCAST_FORMULA_BYTES; i++) {
        size_t f = step->formulas[i];
        found = found || (f != ISOCAST_SCHEDULE_NONE && m->names.uses[f * s->local_count + local]);
    }
    for (size_t i = 0; i < step->body.count && !found; i++) {
        found = hangs_on(m, &step->body.items[i], local);
    }
    for (size_t i = 0; i < step->other.count && !found; i++) {
        found = hangs_on(m, &step->other.items[i], local);
    }
    return found;
}

size_t isocast_times_axis(const maker *m, size_t local) {
    return m->schedule->locals[local].kind == ISOCAST_LOCAL_AXIS ? m->schedule->locals[local].item
                                                                 : ISOCAST_SCHEDULE_NONE;
}

char *isocast_times_place(maker *m, size_t local, size_t which) {
    isocast_buffer extent = {0};
    isocast_buffer text = {0};
    isocast_times_put_extent(m, isocast_times_axis(m, local), &extent);
    if (which == 0) {
        isocast_buffer_puts(&text, "0");
    } else {
        isocast_buffer_printf(&text, which == 1 ? "floor(%s/2)" : "%s - 1", extent.text);
    }
    isocast_times_end(m, &extent);
    return isocast_times_take(m, &text);
}

/* ---- the longest of several ways ---- */

static bool same_parts(const maker *m, const parts *a, const parts *b) {
    bool same = a->texts != NULL && b->texts != NULL;
    for (size_t i = 0; same && i < m->part_count; i++) {
        const char *x = a->texts[i];
        const char *y = b->texts[i];
        same = x == NULL || y == NULL ? x == y : strcmp(x, y) == 0;
    }
    return same;
}

static void variant_free(const maker *m, variant *v) {
    free(v->condition);
    isocast_times_parts_free(m, &v->sums);
}

/* Joins variants that do the same. Gives how many are left. */
static size_t merge_variants(maker *m, variant *variants, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < kept && !same_parts(m, &variants[k].sums, &variants[i].sums)) {
            k++;
        }
        if (k == kept) {
            variants[kept++] = variants[i];
            continue;
        }
        variant *to = &variants[k];
        bool either = to->condition != NULL && variants[i].condition != NULL &&
                      strcmp(to->condition, variants[i].condition) != 0;
        if (either) {
            isocast_buffer both = {0};
            isocast_buffer_printf(&both, "%s or %s", to->condition, variants[i].condition);
            free(to->condition);
            to->condition = isocast_times_take(m, &both);
        } else if (variants[i].condition == NULL) {
            free(to->condition);
            to->condition = NULL;
        }
        variant_free(m, &variants[i]);
    }
    return kept;
}

/* max() of texts, of which some may be NULL; NULL where all are. */
static char *longest(maker *m, char *const *texts, size_t count) {
    isocast_buffer out = {0};
    size_t there = 0;
    const char *first = NULL;
    for (size_t i = 0; i < count; i++) {
        bool again = false;
        for (size_t k = 0; k < i && texts[i] != NULL; k++) {
            again = again || (texts[k] != NULL && strcmp(texts[k], texts[i]) == 0);
        }
        if (texts[i] != NULL && !again) {
            isocast_buffer_printf(&out, "%s%s", there > 0 ? ", " : "", texts[i]);
            first = texts[i];
            there++;
        }
    }
    char *all = there > 0 ? isocast_times_take(m, &out) : NULL;
    isocast_times_end(m, &out);
    if (there <= 1 || all == NULL) {
        free(all);
        char *copy = first != NULL ? strdup(first) : NULL;
        m->status = first != NULL && copy == NULL ? ISOCAST_NO_MEMORY : m->status;
        return copy;
    }
    isocast_buffer_printf(&out, "max(%s)", all);
    free(all);
    return isocast_times_take(m, &out);
}

/* Parts of several variants: the longest of all, whose work is that of the one with most of it. */
static void add_longest(maker *m, variant *variants, size_t count, size_t part, parts *out) {
    char *texts[ISOCAST_TIMES_VARIANTS_MOST] = {NULL};
    size_t different = 0;
    size_t only = 0;
    for (size_t i = 0; i < m->part_count; i++) {
        bool any = false;
        for (size_t k = 0; k < count; k++) {
            any = any || variants[k].sums.texts[i] != NULL;
        }
        different += any;
        only = any ? i : only;
    }
    for (size_t k = 0; k < count; k++) {
        texts[k] = variants[k].sums.texts[different == 1 ? only : 0];
    }
    char *work = longest(m, texts, count);
    if (different <= 1) {
        isocast_times_add(m, out, only, work);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        texts[k] = isocast_times_total(m, &variants[k].sums);
    }
    char *all = longest(m, texts, count);
    for (size_t k = 0; k < count; k++) {
        free(texts[k]);
    }
    if (work != NULL && all != NULL) {
        isocast_buffer rest = {0};
        isocast_buffer_printf(&rest, "%s - (%s)", all, work);
        free(all);
        all = isocast_times_take(m, &rest);
    }
    isocast_times_add(m, out, part, all);
    isocast_times_add(m, out, 0, work);
}

void isocast_times_add_longest(maker *m, choice *c, size_t part, parts *out) {
    variant *variants = c->variants;
    size_t count = merge_variants(m, variants, c->count);
    for (size_t k = 0; k < count; k++) {
        if (variants[k].condition != NULL) {
            isocast_buffer before = {0};
            isocast_buffer_printf(&before, "if(%s, ", variants[k].condition);
            char *text = isocast_times_take(m, &before);
            isocast_times_wrap(m, &variants[k].sums, text != NULL ? text : "", ", 0 s)");
            free(text);
        }
    }
    if (m->status == ISOCAST_OK && count == 1) {
        isocast_times_add_all(m, out, &variants[0].sums);
    } else if (m->status == ISOCAST_OK && count > 0) {
        add_longest(m, variants, count, part, out);
    }
    for (size_t k = 0; k < count; k++) {
        variant_free(m, &variants[k]);
    }
}

void isocast_times_drop_fills(maker *m, size_t first) {
    while (m->fill_count > first) {
        free(m->fills[--m->fill_count].text);
    }
}

void isocast_times_choose(maker *m, choice *c, const bool *open, size_t from, choice_maker make) {
    size_t local = from;
    while (local < m->schedule->local_count && !open[local]) {
        local++;
    }
    if (local == m->schedule->local_count) {
        size_t fills = m->fill_count;
        bool is_first = c->count == 0;
        make(m, c);
        /* Chains are filled once, whoever is the slowest. */
        if (!is_first) {
            isocast_times_drop_fills(m, fills);
        }
        return;
    }
    for (size_t which = 0; which < 3 && m->status == ISOCAST_OK; which++) {
        char *text = isocast_times_place(m, local, which);
        m->values[local] = text;
        isocast_times_choose(m, c, open, local + 1, make);
        m->values[local] = NULL;
        free(text);
    }
}

bool *isocast_times_open_places(maker *m, const isocast_step *step, bool condition_only) {
    const isocast_schedule *s = m->schedule;
    bool *open = calloc(s->local_count, sizeof *open);
    size_t count = 0;
    if (open == NULL) {
        m->status = ISOCAST_NO_MEMORY;
        return NULL;
    }
    size_t condition = step->formulas[ISOCAST_FORMULA_CONDITION];
    for (size_t i = 0; i < s->local_count; i++) {
        open[i] =
            isocast_times_is_place(m, i) && m->values[i] == NULL &&
            (condition_only ? m->names.uses[condition * s->local_count + i] : hangs_on(m, step, i));
        count += open[i];
    }
    if (count > 3) {
        isocast_times_give_up(m, step->span);
    }
    if (count == 0 || count > 3) {
        free(open);
        return NULL;
    }
    return open;
}

variant *isocast_times_variant_of(maker *m, choice *c) {
    if (c->count == ISOCAST_TIMES_VARIANTS_MOST) {
        isocast_times_give_up(m, c->step->span);
        return NULL;
    }
    variant *v = &c->variants[c->count++];
    *v = (variant){NULL, isocast_times_parts_begin(m)};
    return v;
}

/* To whom a process sends, with its rank in the formula; NULL where there is no memory. */
static char *partner_of(maker *m, size_t to, const char *rank) {
    m->values[0] = rank;
    char *text = isocast_times_text(m, to);
    m->values[0] = NULL;
    return text;
}

bool isocast_times_put_sendrecv(isocast_times_maker *m, const isocast_step *step,
                                isocast_buffer *out) {
    size_t to = step->formulas[ISOCAST_FORMULA_TO];
    const bool *uses = m->names.uses + to * m->schedule->local_count;
    bool of_rank = m->values[0] == NULL && uses[0];
    for (size_t i = 1; i < m->schedule->local_count && of_rank; i++) {
        of_rank = !uses[i] || !isocast_times_is_place(m, i);
    }
    char *first = of_rank ? partner_of(m, to, "0") : NULL;
    char *last = of_rank ? partner_of(m, to, "(p_node - 1)") : NULL; /* of the first node */
    char *bytes = isocast_times_text(m, step->formulas[ISOCAST_FORMULA_BYTES]);
    bool there = first != NULL && last != NULL && bytes != NULL;
    if (there) {
        /* The link takes each byte of long messages as long. */
        isocast_buffer_printf(
            out,
            "if(nodes == 1, T_sendrecv(%s), if(max(%s, %s) < p_node, T_sendrecv(%s, 2, 2), "
            "T_sendrecv(%s) + (max(1, min(p_node, min(%s, p - (%s)))) - 1)*(%s)*"
            "(T_sendrecv(8 MiB) - T_sendrecv(4 MiB))/(4 MiB)))",
            bytes, first, last, bytes, bytes, first, first, bytes);
    }
    free(first);
    free(last);
    free(bytes);
    return there;
}

void isocast_times_put_chain(isocast_times_maker *m, size_t axis, bool to_next, const char *bytes,
                             isocast_buffer *out) {
    bool *along = calloc(m->schedule->axis_count + 1, sizeof *along);
    isocast_buffer nodes = {0}; /* that the chain passes, or its processes */
    bool of_ranks = axis == ISOCAST_SCHEDULE_NONE;
    if (along == NULL) {
        m->status = ISOCAST_NO_MEMORY;
        return;
    }
    if (to_next && !of_ranks) {
        along[axis] = true;
        isocast_buffer_puts(&nodes, "ceil(");
        isocast_times_put_extent(m, axis, &nodes);
        isocast_buffer_puts(&nodes, "/(");
        isocast_times_put_share(m, &(isocast_group){along, m->schedule->axes[axis].grid}, &nodes);
        isocast_buffer_puts(&nodes, "))");
    } else if (to_next) {
        isocast_buffer_puts(&nodes, "nodes");
    } else {
        isocast_times_put_extent(m, axis, &nodes);
    }
    isocast_buffer_printf(out, "(%s - 1)*(T_send(%s) + T_recv(%s))", nodes.text, bytes, bytes);
    if (to_next) {
        isocast_buffer_printf(out, " + if(%s < ", nodes.text);
        isocast_times_put_extent(m, axis, out);
        isocast_buffer_puts(out, ", (");
        isocast_times_put_extent(m, axis, out);
        isocast_buffer_printf(out, " - %s)*(T_send(%s, 2, 2) + T_recv(%s, 2, 2)), 0 s)", nodes.text,
                              bytes, bytes);
    }
    isocast_times_end(m, &nodes);
    free(along);
}
