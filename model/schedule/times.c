#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "times_state.h"

/* Steps are looked at again for each place of a process that may be the slowest. */
enum { LOOKS_MOST = 20000, VARIANTS_MOST = 64 };

/* The first parts of a time. */
enum { WORK, IMBALANCE };

typedef isocast_times_maker maker;

/* The parts of a time, each a sum as a text: 0 is work. NULL: nothing. */
typedef struct parts {
    char **texts; /* [part_count] */
} parts;

/* What some processes do, where a condition holds; NULL: it does for some of them in any case. */
typedef struct variant {
    char *condition;
    parts sums;
} variant;

static void add_steps(maker *m, const isocast_steps *steps, parts *out);
static void add_step(maker *m, const isocast_step *step, parts *out);

/* ---- texts ---- */

static char *take(maker *m, isocast_buffer *buffer) {
    if (buffer->length > ISOCAST_FORMULA_LENGTH_MAX) {
        isocast_times_give_up(m, m->schedule->steps.items[0].span);
    }
    char *text = isocast_buffer_take(buffer);
    if (text == NULL) {
        m->status = ISOCAST_NO_MEMORY;
    }
    return text;
}

static parts parts_begin(maker *m) {
    parts made = {calloc(m->part_count, sizeof(char *))};
    if (made.texts == NULL) {
        m->status = ISOCAST_NO_MEMORY;
    }
    return made;
}

static void parts_free(const maker *m, parts *p) {
    for (size_t i = 0; p->texts != NULL && i < m->part_count; i++) {
        free(p->texts[i]);
    }
    free(p->texts);
    p->texts = NULL;
}

/* Adds a text, which is taken over, to a part. */
static void add_text(maker *m, parts *p, size_t part, char *text) {
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
    p->texts[part] = take(m, &sum);
}

/* Adds all parts of another, which ends. */
static void add_all(maker *m, parts *p, parts *other) {
    for (size_t i = 0; other->texts != NULL && i < m->part_count; i++) {
        add_text(m, p, i, other->texts[i]);
        other->texts[i] = NULL;
    }
    parts_free(m, other);
}

/* Puts a text around each part: BEFORE part BEHIND. */
static void wrap(maker *m, parts *p, const char *before, const char *behind) {
    for (size_t i = 0; p->texts != NULL && i < m->part_count; i++) {
        if (p->texts[i] != NULL) {
            isocast_buffer text = {0};
            isocast_buffer_printf(&text, "%s%s%s", before, p->texts[i], behind);
            free(p->texts[i]);
            p->texts[i] = take(m, &text);
        }
    }
}

/* All parts as one sum; NULL where there is none. */
static char *total_of(maker *m, const parts *p) {
    isocast_buffer sum = {0};
    for (size_t i = 0; p->texts != NULL && i < m->part_count; i++) {
        if (p->texts[i] != NULL) {
            isocast_buffer_printf(&sum, "%s%s", sum.length > 0 ? " + " : "", p->texts[i]);
        }
    }
    char *text = sum.length > 0 ? take(m, &sum) : NULL;
    isocast_buffer_free(&sum);
    return text;
}

static size_t part_of(const maker *m, const isocast_step *step) {
    const char *name = step->name == NULL && step->kind->role == ISOCAST_STEP_START
                           ? m->schedule->handles[step->handle]
                           : isocast_step_term(step);
    size_t i = 1;
    while (i + 1 < m->part_count && strcmp(m->parts[i], name) != 0) {
        i++;
    }
    return i;
}

/* ---- which processes ---- */

/* The text of a formula where it is there: to be freed. */
static char *text_of(maker *m, size_t formula) {
    return formula == ISOCAST_SCHEDULE_NONE ? NULL : isocast_times_text(m, formula);
}

static bool is_place(const maker *m, size_t local) {
    isocast_local_kind kind = m->schedule->locals[local].kind;
    return kind == ISOCAST_LOCAL_RANK || kind == ISOCAST_LOCAL_AXIS;
}

/* Whether the time of a step, or of one inside it, hangs on a name. */
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

/* Whether processes wait for each other in a step. */
static bool joins(const isocast_step *step) {
    isocast_step_role role = step->kind->role;
    bool found = role == ISOCAST_STEP_COLLECTIVE || role == ISOCAST_STEP_SHIFT ||
                 role == ISOCAST_STEP_SENDRECV || role == ISOCAST_STEP_FINISH;
    for (size_t i = 0; i < step->body.count && !found; i++) {
        found = joins(&step->body.items[i]);
    }
    for (size_t i = 0; i < step->other.count && !found; i++) {
        found = joins(&step->other.items[i]);
    }
    return found;
}

/* Chains beside each other in a step: of them one has to end before the next begins. */
static size_t chains(const isocast_step *step) {
    if (step->kind->role == ISOCAST_STEP_PASS) {
        return 1;
    }
    size_t count = 0;
    for (size_t i = 0; i < step->body.count; i++) {
        count += chains(&step->body.items[i]);
    }
    for (size_t i = 0; i < step->other.count; i++) {
        count += chains(&step->other.items[i]);
    }
    return count;
}

static size_t axis_of(const maker *m, size_t local) {
    return m->schedule->locals[local].kind == ISOCAST_LOCAL_AXIS ? m->schedule->locals[local].item
                                                                 : ISOCAST_SCHEDULE_NONE;
}

/* The first, the middle or the last place, as a text. */
static char *place_text(maker *m, size_t local, size_t which) {
    isocast_buffer extent = {0};
    isocast_buffer text = {0};
    isocast_times_put_extent(m, axis_of(m, local), &extent);
    if (which == 0) {
        isocast_buffer_puts(&text, "0");
    } else {
        isocast_buffer_printf(&text, which == 1 ? "floor(%s/2)" : "%s - 1", extent.text);
    }
    isocast_buffer_free(&extent);
    return take(m, &text);
}

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
    parts_free(m, &v->sums);
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
            to->condition = take(m, &both);
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
    char *all = there > 0 ? take(m, &out) : NULL;
    isocast_buffer_free(&out);
    if (there <= 1 || all == NULL) {
        free(all);
        return first != NULL ? strdup(first) : NULL;
    }
    isocast_buffer_printf(&out, "max(%s)", all);
    free(all);
    return take(m, &out);
}

/* Parts of several variants: the longest of all, whose work is that of the one with most of it. */
static void add_longest(maker *m, variant *variants, size_t count, size_t part, parts *out) {
    char *texts[VARIANTS_MOST] = {NULL};
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
        add_text(m, out, only, work);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        texts[k] = total_of(m, &variants[k].sums);
    }
    char *all = longest(m, texts, count);
    for (size_t k = 0; k < count; k++) {
        free(texts[k]);
    }
    if (work != NULL && all != NULL) {
        isocast_buffer rest = {0};
        isocast_buffer_printf(&rest, "%s - (%s)", all, work);
        free(all);
        all = take(m, &rest);
    }
    add_text(m, out, part, all);
    add_text(m, out, 0, work);
}

/* Adds the longest of what different processes do at once. The variants end. */
static void add_variants(maker *m, variant *variants, size_t count, size_t part, parts *out) {
    count = merge_variants(m, variants, count);
    for (size_t k = 0; k < count; k++) {
        if (variants[k].condition != NULL) {
            isocast_buffer before = {0};
            isocast_buffer_printf(&before, "if(%s, ", variants[k].condition);
            char *text = take(m, &before);
            wrap(m, &variants[k].sums, text != NULL ? text : "", ", 0 s)");
            free(text);
        }
    }
    if (m->status == ISOCAST_OK && count == 1) {
        add_all(m, out, &variants[0].sums);
    } else if (m->status == ISOCAST_OK && count > 0) {
        add_longest(m, variants, count, part, out);
    }
    for (size_t k = 0; k < count; k++) {
        variant_free(m, &variants[k]);
    }
}

/* A way through the places that are still open: one variant for each choice. `make` adds what a
 * process there does. */
typedef struct choice {
    variant variants[VARIANTS_MOST];
    size_t count;
    const isocast_step *step;
} choice;

/* What is added for a step once all places are chosen. */
typedef void (*choice_maker)(maker *m, choice *c);

static void choose(maker *m, choice *c, const bool *open, size_t from, choice_maker make) {
    size_t local = from;
    while (local < m->schedule->local_count && !open[local]) {
        local++;
    }
    if (local == m->schedule->local_count) {
        size_t fills = m->fill_count;
        bool is_first = c->count == 0;
        make(m, c);
        /* Chains are filled once, whoever is the slowest. */
        while (!is_first && m->fill_count > fills) {
            free(m->fills[--m->fill_count].text);
        }
        return;
    }
    for (size_t which = 0; which < 3 && m->status == ISOCAST_OK; which++) {
        char *text = place_text(m, local, which);
        m->values[local] = text;
        choose(m, c, open, local + 1, make);
        m->values[local] = NULL;
        free(text);
    }
}

/* The places that are open in a step's own condition, or in all of it; NULL: none. */
static bool *open_places(maker *m, const isocast_step *step, bool condition_only) {
    const isocast_schedule *s = m->schedule;
    bool *open = calloc(s->local_count, sizeof *open);
    size_t count = 0;
    if (open == NULL) {
        m->status = ISOCAST_NO_MEMORY;
        return NULL;
    }
    size_t condition = step->formulas[ISOCAST_FORMULA_CONDITION];
    for (size_t i = 0; i < s->local_count; i++) {
        bool hangs =
            condition_only ? m->names.uses[condition * s->local_count + i] : hangs_on(m, step, i);
        open[i] = is_place(m, i) && m->values[i] == NULL && hangs;
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

static variant *next_variant(maker *m, choice *c) {
    if (c->count == VARIANTS_MOST) {
        isocast_times_give_up(m, c->step->span);
        return NULL;
    }
    variant *v = &c->variants[c->count++];
    *v = (variant){NULL, parts_begin(m)};
    return v;
}

/* ---- steps ---- */

static void put_operation(maker *m, const isocast_step *step, isocast_buffer *out) {
    const isocast_group *group = &m->schedule->groups[step->group];
    size_t bytes = step->formulas[ISOCAST_FORMULA_BYTES];
    bool exchange = step->kind->role == ISOCAST_STEP_COLLECTIVE &&
                    step->kind->collective == ISOCAST_COLLECTIVE_exchange;
    isocast_buffer where = {0};
    isocast_times_put_group(m, group, &where);
    isocast_buffer_printf(out, "%s(%s", step->kind->operation, exchange ? "(" : "");
    if (bytes != ISOCAST_SCHEDULE_NONE) {
        isocast_times_put(m, bytes, out);
    } else if (where.length > 0) {
        isocast_buffer_puts(out, "0 B");
    }
    if (exchange) {
        /* The operation counts what a process has for all. */
        isocast_buffer_puts(out, ")*");
        if (where.length > 0) {
            isocast_buffer_printf(out, "(%.*s)", (int)strcspn(where.text + 2, ","), where.text + 2);
        } else {
            isocast_buffer_puts(out, "p");
        }
    }
    isocast_buffer_puts(out, where.length > 0 ? where.text : "");
    isocast_buffer_puts(out, ")");
    isocast_buffer_free(&where);
}

/* if(processes > 1, ...), of a group or along an axis. */
static void guard(maker *m, const char *processes, isocast_buffer *text, isocast_buffer *out) {
    isocast_buffer_printf(out, "if(%s > 1, %s, 0 s)", processes,
                          text->text != NULL ? text->text : "0 s");
    isocast_buffer_free(text);
    (void)m;
}

static char *group_size(maker *m, const isocast_group *group) {
    isocast_buffer where = {0};
    isocast_buffer size = {0};
    isocast_times_put_group(m, group, &where);
    size_t length = where.length > 2 ? strcspn(where.text + 2, ",") : 0;
    isocast_buffer_append(&size, length > 0 ? where.text + 2 : "p", length > 0 ? length : 1);
    isocast_buffer_free(&where);
    return take(m, &size);
}

/* The one axis of a shift or a pass; NONE where there are several, or the ranks. */
static size_t only_axis(const maker *m, const isocast_step *step) {
    size_t found = ISOCAST_SCHEDULE_NONE;
    const isocast_grid *grid = step->by != NULL ? &m->schedule->grids[step->grid] : NULL;
    for (size_t i = 0; grid != NULL && i < grid->axis_count; i++) {
        size_t axis = grid->first_axis + i;
        if (step->by[axis] != ISOCAST_SCHEDULE_NONE) {
            if (found != ISOCAST_SCHEDULE_NONE) {
                return ISOCAST_SCHEDULE_NONE;
            }
            found = axis;
        }
    }
    return found;
}

static void put_shift(maker *m, const isocast_step *step, isocast_buffer *out) {
    size_t axis = only_axis(m, step);
    isocast_buffer processes = {0};
    isocast_buffer call = {0};
    isocast_times_put_extent(m, axis, &processes);
    isocast_buffer_puts(&call, "T_sendrecv(");
    isocast_times_put(m, step->formulas[ISOCAST_FORMULA_BYTES], &call);
    if (axis != ISOCAST_SCHEDULE_NONE) {
        bool *along = calloc(m->schedule->axis_count, sizeof *along);
        if (along != NULL) {
            along[axis] = true;
            isocast_times_put_group(m, &(isocast_group){along, step->grid}, &call);
        } else {
            m->status = ISOCAST_NO_MEMORY;
        }
        free(along);
    }
    isocast_buffer_puts(&call, ")");
    guard(m, processes.text != NULL ? processes.text : "p", &call, out);
    isocast_buffer_free(&processes);
}

/* Seconds per flop of a process that works: shares by marked speed end together; else the slowest
 * is waited for. */
static const char *time_per_flop(const maker *m, size_t flop) {
    const isocast_schedule *s = m->schedule;
    bool dealt = false;
    for (size_t i = 0; i < s->local_count; i++) {
        isocast_local_kind kind = s->locals[i].kind;
        bool shares = kind == ISOCAST_LOCAL_SHARE || kind == ISOCAST_LOCAL_LOOKUP;
        dealt = dealt || (shares && m->names.uses[flop * s->local_count + i] &&
                          s->shares[s->locals[i].item].axis == ISOCAST_SCHEDULE_NONE);
    }
    bool on_0 = m->values[0] != NULL && strcmp(m->values[0], "0") == 0;
    return dealt ? "t_c" : on_0 ? "t_c*C/(p*C_j)" : "t_c*C/(p*min_class(C_i))";
}

static void put_work(maker *m, const isocast_step *step, isocast_buffer *out) {
    size_t flop = step->formulas[ISOCAST_FORMULA_FLOP];
    bool plain = isocast_dimension_is_count(m->names.dimensions[flop]);
    isocast_buffer_puts(out, "(");
    isocast_times_put(m, flop, out);
    isocast_buffer_printf(out, ")%s*%s", plain ? "*(1 flop)" : "", time_per_flop(m, flop));
}

/* What a step itself takes, without others inside it. */
static void add_own(maker *m, const isocast_step *step, parts *out) {
    isocast_buffer text = {0};
    isocast_buffer call = {0};
    switch (step->kind->role) {
    case ISOCAST_STEP_WORK:
        put_work(m, step, &text);
        break;
    case ISOCAST_STEP_SHIFT:
        put_shift(m, step, &text);
        break;
    case ISOCAST_STEP_COLLECTIVE:
        if (m->schedule->groups[step->group].along != NULL) {
            char *size = group_size(m, &m->schedule->groups[step->group]);
            put_operation(m, step, &call);
            guard(m, size != NULL ? size : "p", &call, &text);
            free(size);
            break;
        }
        put_operation(m, step, &text);
        break;
    default:
        put_operation(m, step, &text);
        break;
    }
    bool is_work = step->kind->role == ISOCAST_STEP_WORK && step->name == NULL;
    add_text(m, out, is_work ? 0 : part_of(m, step), take(m, &text));
}

static void make_own(maker *m, choice *c) {
    variant *v = next_variant(m, c);
    if (v != NULL) {
        add_own(m, c->step, &v->sums);
    }
}

/* Each process receives, does the steps and sends on: the last one begins when the others have. */
static void add_pass(maker *m, const isocast_step *step, parts *out) {
    parts body = parts_begin(m);
    size_t axis = only_axis(m, step);
    isocast_buffer extent = {0};
    isocast_buffer messages = {0};
    isocast_buffer own = {0};
    isocast_buffer fill = {0};
    add_steps(m, &step->body, &body);
    isocast_times_put_extent(m, axis, &extent);
    char *processes = take(m, &extent);
    char *bytes = text_of(m, step->formulas[ISOCAST_FORMULA_BYTES]);
    char *all = total_of(m, &body);
    if (processes != NULL && bytes != NULL) {
        isocast_buffer_printf(&messages, "T_send(%s) + T_recv(%s)", bytes, bytes);
        isocast_buffer_printf(&fill, "(%s - 1)*(%s%s%s)", processes, all != NULL ? all : "",
                              all != NULL ? " + " : "", messages.text);
        guard(m, processes, &messages, &own);
        size_t part = part_of(m, step);
        add_text(m, out, part, take(m, &own));
        if (isocast_array_grow((void **)&m->fills, m->fill_count, &m->fill_room,
                               sizeof *m->fills)) {
            m->fills[m->fill_count++] = (isocast_times_fill){take(m, &fill), part};
        } else {
            m->status = ISOCAST_NO_MEMORY;
        }
    }
    add_all(m, out, &body);
    isocast_buffer_free(&fill);
    free(all);
    free(bytes);
    free(processes);
}

/* The ends of a loop as formulas, and its stride: NONE for 1, and for -1, which swaps the ends. */
typedef struct loop {
    size_t first, last, stride;
} loop;

static const isocast_formula_node *root_of(const maker *m, size_t formula) {
    return m->schedule->formulas[formula].formula->root;
}

static bool is_number(const isocast_formula_node *node, double value) {
    return node->kind == ISOCAST_FORMULA_NEGATE
               ? is_number(node->arguments[0], -value)
               : node->kind == ISOCAST_FORMULA_NUMBER && node->value == value;
}

static loop loop_of(const maker *m, const isocast_step *step) {
    loop l = {step->formulas[ISOCAST_FORMULA_FIRST], step->formulas[ISOCAST_FORMULA_LAST],
              step->formulas[ISOCAST_FORMULA_STRIDE]};
    bool back = l.stride != ISOCAST_SCHEDULE_NONE && is_number(root_of(m, l.stride), -1);
    return back ? (loop){l.last, l.first, ISOCAST_SCHEDULE_NONE} : l;
}

/* How often a loop turns, as a text. */
static char *turns_of(maker *m, loop l) {
    const isocast_formula_node *a = root_of(m, l.first);
    const isocast_formula_node *b = root_of(m, l.last);
    isocast_buffer out = {0};
    if (l.stride == ISOCAST_SCHEDULE_NONE && a->kind == ISOCAST_FORMULA_NUMBER &&
        b->kind == ISOCAST_FORMULA_NUMBER) {
        isocast_buffer_printf(&out, "%.17g", fmax(0, floor(b->value - a->value) + 1));
        return take(m, &out);
    }
    /* 1..X and 0..X-1 have X turns. */
    bool to_before = b->kind == ISOCAST_FORMULA_SUBTRACT && is_number(b->arguments[1], 1);
    const isocast_formula_node *plain = is_number(a, 1)                ? b
                                        : is_number(a, 0) && to_before ? b->arguments[0]
                                                                       : NULL;
    if (l.stride == ISOCAST_SCHEDULE_NONE && plain != NULL) {
        bool is_name = plain->kind == ISOCAST_FORMULA_NAME;
        isocast_buffer_puts(&out, is_name ? "" : "max(0, ");
        isocast_times_put_node(m, l.last, plain, &out);
        isocast_buffer_puts(&out, is_name ? "" : ")");
        return take(m, &out);
    }
    isocast_buffer_puts(&out, l.stride != ISOCAST_SCHEDULE_NONE ? "max(0, floor((" : "max(0, ");
    isocast_times_put(m, l.last, &out);
    isocast_buffer_puts(&out, " - (");
    isocast_times_put(m, l.first, &out);
    isocast_buffer_puts(&out, ")");
    if (l.stride != ISOCAST_SCHEDULE_NONE) {
        isocast_buffer_puts(&out, ")/(");
        isocast_times_put(m, l.stride, &out);
        isocast_buffer_puts(&out, "))");
    }
    isocast_buffer_puts(&out, " + 1)");
    return take(m, &out);
}

/* The text before a sum's term. With a stride the counter counts turns. */
static char *sum_of(maker *m, loop l, const char *counter) {
    isocast_buffer out = {0};
    isocast_buffer_printf(&out, "sum(%s, ", counter);
    if (l.stride == ISOCAST_SCHEDULE_NONE) {
        isocast_times_put(m, l.first, &out);
        isocast_buffer_puts(&out, ", ");
        isocast_times_put(m, l.last, &out);
    } else {
        char *turns = turns_of(m, l);
        isocast_buffer_printf(&out, "0, %s - 1", turns != NULL ? turns : "0");
        free(turns);
    }
    isocast_buffer_puts(&out, ", ");
    return take(m, &out);
}

/* What stands for the counter in a sum over turns; NULL: itself. */
static char *counted(maker *m, loop l, const char *counter) {
    if (l.stride == ISOCAST_SCHEDULE_NONE) {
        return NULL;
    }
    isocast_buffer out = {0};
    isocast_times_put(m, l.first, &out);
    isocast_buffer_printf(&out, " + %s*(", counter);
    isocast_times_put(m, l.stride, &out);
    isocast_buffer_puts(&out, ")");
    return take(m, &out);
}

static void drop_fills(maker *m, size_t first) {
    while (m->fill_count > first) {
        free(m->fills[--m->fill_count].text);
    }
}

/* Adds chains that are filled here to the parts. */
static void add_fills(maker *m, size_t first, parts *out) {
    for (size_t i = first; i < m->fill_count; i++) {
        add_text(m, out, m->fills[i].part, m->fills[i].text);
        m->fills[i].text = NULL;
    }
    drop_fills(m, first);
}

static void add_loop(maker *m, const isocast_step *step, parts *out) {
    parts body = parts_begin(m);
    const char *counter = m->schedule->locals[step->local].name;
    loop l = loop_of(m, step);
    bool anew = chains(step) > 1;
    for (size_t i = 0; i < step->body.count; i++) {
        anew = anew || joins(&step->body.items[i]);
    }
    size_t fills = m->fill_count;
    char *value = counted(m, l, counter);
    m->written[step->local] = false;
    m->values[step->local] = value;
    add_steps(m, &step->body, &body);
    m->values[step->local] = NULL;
    bool counts = m->written[step->local];
    if (anew) {
        add_fills(m, fills, &body);
    } else if (counts && m->fill_count > fills) {
        /* A chain that is filled once is so at the first turn. */
        drop_fills(m, fills);
        parts ignored = parts_begin(m);
        char *first = text_of(m, step->formulas[ISOCAST_FORMULA_FIRST]);
        m->values[step->local] = first;
        add_steps(m, &step->body, &ignored);
        m->values[step->local] = NULL;
        parts_free(m, &ignored);
        free(first);
    }
    char *turns = counts ? NULL : turns_of(m, l);
    isocast_buffer product = {0};
    isocast_buffer_printf(&product, "%s*(", turns != NULL ? turns : "0");
    char *before = counts ? sum_of(m, l, counter) : take(m, &product);
    isocast_buffer_free(&product);
    wrap(m, &body, before != NULL ? before : "(", ")");
    add_all(m, out, &body);
    free(turns);
    free(value);
    free(before);
}

/* if: the same on all processes. */
static void add_if(maker *m, const isocast_step *step, parts *out) {
    size_t condition = step->formulas[ISOCAST_FORMULA_CONDITION];
    bool *open = open_places(m, step, true);
    if (open != NULL) {
        free(open);
        isocast_diagnostics_add(
            m->diagnostics, ISOCAST_ERROR, m->schedule->source,
            m->schedule->formulas[condition].formula->span,
            "write at: in the place of if:", "this condition differs from process to process");
        m->status = ISOCAST_INVALID;
        return;
    }
    parts then = parts_begin(m);
    parts other = parts_begin(m);
    char *text = text_of(m, condition);
    add_steps(m, &step->body, &then);
    add_steps(m, &step->other, &other);
    for (size_t i = 0; m->status == ISOCAST_OK && i < m->part_count; i++) {
        if (then.texts[i] != NULL || other.texts[i] != NULL) {
            isocast_buffer both = {0};
            isocast_buffer_printf(&both, "if(%s, %s, %s)", text,
                                  then.texts[i] != NULL ? then.texts[i] : "0 s",
                                  other.texts[i] != NULL ? other.texts[i] : "0 s");
            add_text(m, out, i, take(m, &both));
        }
    }
    free(text);
    parts_free(m, &then);
    parts_free(m, &other);
}

/* `NAME op E` with a place that is open: the operator as if the name stood first. */
static bool compared(const maker *m, size_t formula, size_t *local, isocast_formula_kind *kind,
                     const isocast_formula_node **other) {
    static const isocast_formula_kind turned[] = {
        [ISOCAST_FORMULA_LESS] = ISOCAST_FORMULA_GREATER,
        [ISOCAST_FORMULA_LESS_EQUAL] = ISOCAST_FORMULA_GREATER_EQUAL,
        [ISOCAST_FORMULA_GREATER] = ISOCAST_FORMULA_LESS,
        [ISOCAST_FORMULA_GREATER_EQUAL] = ISOCAST_FORMULA_LESS_EQUAL,
        [ISOCAST_FORMULA_EQUAL] = ISOCAST_FORMULA_EQUAL,
        [ISOCAST_FORMULA_NOT_EQUAL] = ISOCAST_FORMULA_NOT_EQUAL};
    const isocast_formula_node *root = m->schedule->formulas[formula].formula->root;
    if (root->kind < ISOCAST_FORMULA_LESS || root->kind > ISOCAST_FORMULA_NOT_EQUAL) {
        return false;
    }
    for (size_t side = 0; side < 2; side++) {
        const isocast_formula_node *name = root->arguments[side];
        size_t at = name->kind == ISOCAST_FORMULA_NAME ? isocast_times_local(m, formula, name->name)
                                                       : ISOCAST_SCHEDULE_NONE;
        if (at != ISOCAST_SCHEDULE_NONE && is_place(m, at) && m->values[at] == NULL) {
            *local = at;
            *kind = side == 0 ? root->kind : turned[root->kind];
            *other = root->arguments[1 - side];
            return true;
        }
    }
    return false;
}

/* When a branch is taken. */
typedef enum branch_condition {
    BRANCH_ALWAYS,   /* by some process */
    BRANCH_IF_TOLD,  /* as the condition says */
    BRANCH_BY_OTHERS /* where there is more than one place */
} branch_condition;

/* What a branch does where a place is chosen. */
static void add_branch(maker *m, choice *c, bool then, const char *place, size_t local,
                       branch_condition when) {
    size_t formula = c->step->formulas[ISOCAST_FORMULA_CONDITION];
    const isocast_steps *steps = then ? &c->step->body : &c->step->other;
    variant *v = steps->count > 0 ? next_variant(m, c) : NULL;
    if (v == NULL) {
        return;
    }
    const char *before = local != ISOCAST_SCHEDULE_NONE ? m->values[local] : NULL;
    if (local != ISOCAST_SCHEDULE_NONE) {
        m->values[local] = place;
    }
    if (when == BRANCH_BY_OTHERS) {
        isocast_buffer text = {0};
        isocast_times_put_extent(m, axis_of(m, local), &text);
        isocast_buffer_puts(&text, " > 1");
        v->condition = take(m, &text);
    } else if (when == BRANCH_IF_TOLD) {
        isocast_buffer text = {0};
        isocast_buffer_puts(&text, then ? "" : "not (");
        isocast_times_put(m, formula, &text);
        isocast_buffer_puts(&text, then ? "" : ")");
        v->condition = take(m, &text);
    }
    add_steps(m, steps, &v->sums);
    if (local != ISOCAST_SCHEDULE_NONE) {
        m->values[local] = before;
    }
}

static void make_branches(maker *m, choice *c) {
    add_branch(m, c, true, NULL, ISOCAST_SCHEDULE_NONE, BRANCH_IF_TOLD);
    add_branch(m, c, false, NULL, ISOCAST_SCHEDULE_NONE, BRANCH_IF_TOLD);
}

static void add_at(maker *m, const isocast_step *step, parts *out) {
    size_t formula = step->formulas[ISOCAST_FORMULA_CONDITION];
    choice *c = calloc(1, sizeof *c);
    if (c == NULL) {
        m->status = ISOCAST_NO_MEMORY;
        return;
    }
    c->step = step;
    size_t local = ISOCAST_SCHEDULE_NONE;
    isocast_formula_kind kind = ISOCAST_FORMULA_EQUAL;
    const isocast_formula_node *other = NULL;
    if (compared(m, formula, &local, &kind, &other)) {
        bool up = kind == ISOCAST_FORMULA_GREATER || kind == ISOCAST_FORMULA_GREATER_EQUAL;
        bool one = kind == ISOCAST_FORMULA_EQUAL || kind == ISOCAST_FORMULA_NOT_EQUAL;
        bool is_one = kind == ISOCAST_FORMULA_EQUAL;
        isocast_buffer text = {0};
        isocast_times_put_node(m, formula, other, &text);
        char *same = take(m, &text);
        char *first = place_text(m, local, 0);
        char *last = place_text(m, local, 2);
        if (one) {
            /* One process, and any of the others. */
            add_branch(m, c, is_one, same, local, BRANCH_ALWAYS);
            add_branch(m, c, !is_one, last, local, BRANCH_BY_OTHERS);
        } else {
            add_branch(m, c, true, up ? last : first, local, BRANCH_IF_TOLD);
            add_branch(m, c, false, up ? first : last, local, BRANCH_IF_TOLD);
        }
        free(same);
        free(first);
        free(last);
    } else {
        bool *open = open_places(m, step, true);
        if (open != NULL) {
            choose(m, c, open, 0, make_branches);
        } else if (m->status == ISOCAST_OK) {
            make_branches(m, c);
        }
        free(open);
    }
    add_variants(m, c->variants, c->count, part_of(m, step), out);
    free(c);
}

static void make_loop(maker *m, choice *c) {
    variant *v = next_variant(m, c);
    if (v != NULL) {
        add_loop(m, c->step, &v->sums);
    }
}

/* A step whose time differs among processes counts for the slowest of the first, the middle and
 * the last one. */
static void add_slowest(maker *m, const isocast_step *step, choice_maker make, parts *out) {
    bool *open = open_places(m, step, false);
    choice *c = calloc(1, sizeof *c);
    if (c == NULL) {
        m->status = ISOCAST_NO_MEMORY;
    } else if (m->status == ISOCAST_OK) {
        c->step = step;
        if (open != NULL) {
            choose(m, c, open, 0, make);
        } else {
            make(m, c);
        }
        add_variants(m, c->variants, c->count, part_of(m, step), out);
    }
    free(open);
    free(c);
}

static void add_step(maker *m, const isocast_step *step, parts *out) {
    if (++m->looked > LOOKS_MOST) {
        isocast_times_give_up(m, step->span);
    }
    if (m->status != ISOCAST_OK) {
        return;
    }
    switch (step->kind->role) {
    case ISOCAST_STEP_GRID:
    case ISOCAST_STEP_SHARE:
    case ISOCAST_STEP_LET:
    case ISOCAST_STEP_FINISH:
        break;
    case ISOCAST_STEP_FOR:
        if (joins(step) || chains(step) > 0) {
            add_loop(m, step, out);
        } else {
            add_slowest(m, step, make_loop, out);
        }
        break;
    case ISOCAST_STEP_IF:
        add_if(m, step, out);
        break;
    case ISOCAST_STEP_AT:
        add_at(m, step, out);
        break;
    case ISOCAST_STEP_START:
        add_steps(m, &step->body, out);
        break;
    case ISOCAST_STEP_PASS:
        add_pass(m, step, out);
        break;
    default:
        add_slowest(m, step, make_own, out);
        break;
    }
}

/* What is started counts with what is longer than the steps until it is finished. */
static void add_started(maker *m, const isocast_steps *steps, size_t at, parts *out) {
    parts started = parts_begin(m);
    parts between = parts_begin(m);
    const isocast_step *start = &steps->items[at];
    size_t i = at + 1;
    add_step(m, start, &started);
    for (; i < steps->count && (steps->items[i].kind->role != ISOCAST_STEP_FINISH ||
                                steps->items[i].handle != start->handle);
         i++) {
        if (steps->items[i].kind->role != ISOCAST_STEP_START) {
            add_step(m, &steps->items[i], &between);
        }
    }
    char *longer = total_of(m, &started);
    char *hidden = total_of(m, &between);
    isocast_buffer text = {0};
    if (longer != NULL && hidden != NULL) {
        isocast_buffer_printf(&text, "max(0 s, %s - (%s))", longer, hidden);
    } else if (longer != NULL) {
        isocast_buffer_puts(&text, longer);
    }
    add_text(m, out, part_of(m, start), text.length > 0 ? take(m, &text) : NULL);
    isocast_buffer_free(&text);
    free(longer);
    free(hidden);
    parts_free(m, &started);
    parts_free(m, &between);
}

static void add_steps(maker *m, const isocast_steps *steps, parts *out) {
    for (size_t i = 0; i < steps->count && m->status == ISOCAST_OK; i++) {
        const isocast_step *step = &steps->items[i];
        if (step->kind->role == ISOCAST_STEP_START) {
            size_t fills = m->fill_count;
            add_started(m, steps, i, out);
            /* What stands between is counted where it stands. */
            drop_fills(m, fills);
        } else {
            add_step(m, step, out);
        }
    }
}

/* ---- all of it ---- */

static size_t collect_names(const isocast_schedule *s, const isocast_steps *steps,
                            const char **names, size_t count) {
    for (size_t i = 0; i < steps->count; i++) {
        const isocast_step *step = &steps->items[i];
        const char *name = step->name == NULL && step->kind->role == ISOCAST_STEP_START
                               ? s->handles[step->handle]
                               : isocast_step_term(step);
        size_t k = 1;
        while (k < count && strcmp(names[k], name) != 0) {
            k++;
        }
        names[k] = name;
        count = k == count ? count + 1 : count;
        count = collect_names(s, &step->body, names, count);
        count = collect_names(s, &step->other, names, count);
    }
    return count;
}

/* The parts of the whole program, with shares that can be split or of whole items. */
static parts find_parts(maker *m, bool whole) {
    parts found = parts_begin(m);
    m->whole = whole;
    add_steps(m, &m->schedule->steps, &found);
    add_fills(m, 0, &found);
    return found;
}

static void add_term(maker *m, isocast_schedule_times *out, const char *name, char *text) {
    char *copy = text != NULL ? strdup(name) : NULL;
    if (copy != NULL) {
        out->terms[out->term_count++] = (isocast_schedule_term){copy, text};
    } else if (text != NULL) {
        free(text);
        m->status = ISOCAST_NO_MEMORY;
    }
}

static void find_all(maker *m, isocast_schedule_times *out) {
    parts split = find_parts(m, false);
    m->looked = 0;
    parts whole = find_parts(m, true);
    out->terms = calloc(m->part_count + 1, sizeof *out->terms);
    if (out->terms == NULL) {
        m->status = ISOCAST_NO_MEMORY;
    }
    if (m->status == ISOCAST_OK) {
        const char *work = split.texts[0];
        out->compute = strdup(work != NULL ? work : "0 s");
        if (work != NULL && whole.texts[0] != NULL && strcmp(work, whole.texts[0]) != 0) {
            isocast_buffer text = {0};
            isocast_buffer_printf(&text, "%s - (%s)", whole.texts[0], work);
            add_text(m, &split, IMBALANCE, take(m, &text));
        }
        for (size_t i = 1; i < m->part_count; i++) {
            add_term(m, out, m->parts[i], split.texts[i]);
            split.texts[i] = NULL;
        }
        m->status = out->compute == NULL ? ISOCAST_NO_MEMORY : m->status;
    }
    parts_free(m, &split);
    parts_free(m, &whole);
}

isocast_status isocast_schedule_times_find(const isocast_schedule *schedule,
                                           const isocast_scope *scope,
                                           isocast_diagnostics *diagnostics,
                                           isocast_schedule_times *out) {
    maker m = {.schedule = schedule, .diagnostics = diagnostics};
    *out = (isocast_schedule_times){0};
    m.status = isocast_schedule_names_bind(schedule, scope, 0, false, diagnostics, &m.names);
    m.values = calloc(schedule->local_count + 1, sizeof *m.values);
    m.written = calloc(schedule->local_count + 1, sizeof *m.written);
    m.parts = calloc(schedule->step_count + 3, sizeof *m.parts);
    if (m.values == NULL || m.parts == NULL || m.written == NULL) {
        m.status = ISOCAST_NO_MEMORY;
    }
    if (m.status == ISOCAST_OK) {
        m.parts[0] = "computation";
        m.parts[IMBALANCE] = "imbalance";
        m.part_count = collect_names(schedule, &schedule->steps, m.parts, IMBALANCE + 1);
        find_all(&m, out);
    }
    drop_fills(&m, 0);
    free(m.fills);
    free(m.values);
    free(m.written);
    free(m.parts);
    isocast_schedule_names_free(&m.names);
    if (m.status != ISOCAST_OK) {
        isocast_schedule_times_free(out);
    }
    return m.status;
}

void isocast_schedule_times_free(isocast_schedule_times *times) {
    for (size_t i = 0; i < times->term_count; i++) {
        free(times->terms[i].name);
        free(times->terms[i].text);
    }
    free(times->terms);
    free(times->compute);
    *times = (isocast_schedule_times){0};
}
