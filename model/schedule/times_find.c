#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "times_parts.h"

/* Steps are looked at again for each place of a process that may be the slowest. */
enum { LOOKS_MOST = 10000 };

/* The first parts of a time. */
enum { COMPUTATION, IMBALANCE };

typedef isocast_times_maker maker;
typedef isocast_times_parts parts;
typedef isocast_times_variant variant;
typedef isocast_times_choice choice;
typedef isocast_times_choice_maker choice_maker;

static void add_steps(maker *m, const isocast_steps *steps, parts *out);
static void add_step(maker *m, const isocast_step *step, parts *out);

/* The part of a name among those from the imbalance on; `count`: it is a new one. */
static size_t find_part(const char *const *names, size_t count, const char *name) {
    size_t i = IMBALANCE;
    while (i < count && strcmp(names[i], name) != 0) {
        i++;
    }
    return i;
}

static size_t part_of(const maker *m, const isocast_step *step) {
    return find_part(m->parts, m->part_count, isocast_step_term(m->schedule, step));
}

/* The text of a formula where it is there: to be freed. */
static char *text_of(maker *m, size_t formula) {
    return formula == ISOCAST_SCHEDULE_NONE ? NULL : isocast_times_text(m, formula);
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

/* ---- steps ---- */

/* The call of a step's operation, on some of the processes where it is a group. */
static void put_call(maker *m, const isocast_step *step, const isocast_group *group,
                     isocast_buffer *out) {
    size_t bytes = step->formulas[ISOCAST_FORMULA_BYTES];
    bool some = group->along != NULL;
    isocast_buffer size = {0};
    isocast_buffer call = {0};
    isocast_times_put_size(m, group, &size);
    isocast_buffer_printf(&call, "%s%s(", step->kind->operation,
                          step == m->ended ? "_barrier" : "");
    if (bytes != ISOCAST_SCHEDULE_NONE) {
        isocast_times_put(m, bytes, &call);
    } else {
        isocast_buffer_puts(&call, some ? "0 B" : "");
    }
    if (some) {
        isocast_buffer_printf(&call, ", %s, ", size.text);
        isocast_times_put_share(m, group, &call);
    }
    isocast_buffer_puts(&call, ")");
    if (some) {
        isocast_buffer_printf(out, "if(%s > 1, %s, 0 s)", size.text, call.text);
    } else {
        isocast_buffer_puts(out, call.text != NULL ? call.text : "0 s");
    }
    isocast_times_end(m, &size);
    isocast_times_end(m, &call);
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
    bool *along = calloc(m->schedule->axis_count + 1, sizeof *along);
    if (along == NULL) {
        m->status = ISOCAST_NO_MEMORY;
    } else if (axis != ISOCAST_SCHEDULE_NONE) {
        along[axis] = true;
        put_call(m, step, &(isocast_group){along, step->grid}, out);
    } else {
        isocast_buffer_puts(out, "if(p > 1, ");
        put_call(m, step, &(isocast_group){0}, out);
        isocast_buffer_puts(out, ", 0 s)");
    }
    free(along);
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

/* A message of many that one process sends or receives, each turn of a loop with another one. Its
 * link carries them one after the other, though nobody waits for each: of short ones the bytes
 * count alone. A sender waits until a message is there before the next one to the same process,
 * where that is one that its receiver has to be ready for. `between`: the arguments that follow m,
 * of two processes. */
static void put_message(const char *bytes, const char *next, const char *between,
                        isocast_buffer *out) {
    isocast_buffer_printf(out, "T_send(%s%s) + max(", bytes, between);
    if (next != NULL) {
        isocast_buffer_printf(out, "min(T_recv(%s%s), T_send(%s%s))", bytes, between, next,
                              between);
    } else {
        isocast_buffer_puts(out, "0 s");
    }
    isocast_buffer_printf(out, ", T_recv(%s%s) - T_recv(0 B%s))", bytes, between, between);
}

/* Some of the others are on its own node. */
static void put_dealt(maker *m, const isocast_step *step, isocast_buffer *out) {
    char *bytes = text_of(m, step->formulas[ISOCAST_FORMULA_BYTES]);
    char *next = m->next != NULL ? text_of(m, m->next->formulas[ISOCAST_FORMULA_BYTES]) : NULL;
    if (bytes != NULL && (m->next == NULL || next != NULL)) {
        isocast_buffer_puts(out, "if(p_node > 1, ((p_node - 1)*(");
        put_message(bytes, next, ", 2, 2", out);
        isocast_buffer_puts(out, ") + (p - p_node)*(");
        put_message(bytes, next, "", out);
        isocast_buffer_puts(out, "))/(p - 1), ");
        put_message(bytes, next, "", out);
        isocast_buffer_puts(out, ")");
    }
    free(bytes);
    free(next);
}

/* What a step itself takes, without others inside it. */
static void add_own(maker *m, const isocast_step *step, parts *out) {
    const isocast_group *group = &m->schedule->groups[step->group];
    isocast_buffer text = {0};
    switch (step->kind->role) {
    case ISOCAST_STEP_WORK:
        put_work(m, step, &text);
        break;
    case ISOCAST_STEP_SHIFT:
        put_shift(m, step, &text);
        break;
    case ISOCAST_STEP_SEND:
        if (m->deal != NULL) {
            put_dealt(m, step, &text);
        } else {
            put_call(m, step, group, &text);
        }
        break;
    case ISOCAST_STEP_RECEIVE:
        if (m->deal != NULL) {
            put_dealt(m, step, &text);
            break;
        }
        /* From the call of its sender until it is there. */
        isocast_buffer_puts(&text, "T_send(");
        isocast_times_put(m, step->formulas[ISOCAST_FORMULA_BYTES], &text);
        isocast_buffer_puts(&text, ") + ");
        put_call(m, step, group, &text);
        break;
    default:
        if (step->kind->role != ISOCAST_STEP_SENDRECV ||
            !isocast_times_put_sendrecv(m, step, &text)) {
            put_call(m, step, group, &text);
        }
        break;
    }
    bool is_work = step->kind->role == ISOCAST_STEP_WORK && step->name == NULL;
    isocast_times_add(m, out, is_work ? COMPUTATION : part_of(m, step),
                      isocast_times_take(m, &text));
}

static void make_own(maker *m, choice *c) {
    variant *v = isocast_times_variant_of(m, c);
    if (v != NULL) {
        add_own(m, c->step, &v->sums);
    }
}

static const isocast_formula_node *root_of(const maker *m, size_t formula) {
    return m->schedule->formulas[formula].formula->root;
}

static bool is_number(const isocast_formula_node *node, double value) {
    return node->kind == ISOCAST_FORMULA_NEGATE
               ? is_number(node->arguments[0], -value)
               : node->kind == ISOCAST_FORMULA_NUMBER && node->value == value;
}

/* Whether a shift or a pass goes to the next place along an axis, or along the ranks. */
static bool goes_to_next(const maker *m, const isocast_step *step, size_t axis) {
    size_t by = axis != ISOCAST_SCHEDULE_NONE ? step->by[axis] : step->formulas[ISOCAST_FORMULA_BY];
    return by != ISOCAST_SCHEDULE_NONE &&
           (is_number(root_of(m, by), 1) || is_number(root_of(m, by), -1));
}

/* Each process receives, does the steps and sends on: the last one begins when the others have.
 * `is_last`: there is no message to wait for behind this one, and the chain was filled before. */
static void add_pass(maker *m, const isocast_step *step, bool is_last, parts *out) {
    parts body = isocast_times_parts_begin(m);
    size_t axis = only_axis(m, step);
    isocast_buffer extent = {0};
    isocast_buffer messages = {0};
    isocast_buffer own = {0};
    isocast_buffer fill = {0};
    isocast_buffer wait = {0};
    size_t fills = m->fill_count;
    add_steps(m, &step->body, &body);
    if (is_last) {
        isocast_times_drop_fills(m, fills);
    }
    isocast_times_put_extent(m, axis, &extent);
    char *processes = isocast_times_take(m, &extent);
    char *bytes = text_of(m, step->formulas[ISOCAST_FORMULA_BYTES]);
    char *all = isocast_times_total(m, &body);
    if (processes != NULL && bytes != NULL) {
        isocast_buffer_printf(&messages, "T_send(%s) + T_recv(%s)", bytes, bytes);
        /* The next one comes while the process works, and is waited for where that takes less;
         * behind the last one there is none. */
        bool ahead = step->is_ahead && all != NULL;
        if (ahead) {
            isocast_buffer_printf(&wait, "max(0 s, T_recv(%s) - (%s))", bytes, all);
            isocast_buffer_printf(&own, "if(%s > 1, T_send(%s) + %s, 0 s)", processes, bytes,
                                  wait.text);
        } else {
            isocast_buffer_printf(&own, "if(%s > 1, %s, 0 s)", processes, messages.text);
        }
        if (is_last) {
            isocast_buffer_printf(&fill, "(-1)*if(%s > 1, %s, 0 s)", processes,
                                  ahead ? wait.text : "0 s");
        } else {
            isocast_buffer_printf(&fill, "(%s - 1)*(%s) + ", processes, all != NULL ? all : "0 s");
            isocast_times_put_chain(m, axis, goes_to_next(m, step, axis), bytes, &fill);
        }
        size_t part = part_of(m, step);
        isocast_times_add(m, out, part, isocast_times_take(m, &own));
        if (!ISOCAST_ARRAY_ADD(m->fills, m->fill_count, m->fill_room,
                               (isocast_times_fill){isocast_times_take(m, &fill), part})) {
            m->status = ISOCAST_NO_MEMORY;
        }
    }
    isocast_times_add_all(m, out, &body);
    isocast_times_end(m, &fill);
    isocast_times_end(m, &wait);
    isocast_times_end(m, &messages);
    free(all);
    free(bytes);
    free(processes);
}

/* The ends of a loop as formulas, and its stride: NONE for 1, and for -1, which swaps the ends. */
typedef struct loop {
    size_t first, last, stride;
} loop;

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
        return isocast_times_take(m, &out);
    }
    /* A..X and A..X-B, with numbers A and B, have X - (A + B - 1) turns. */
    if (l.stride == ISOCAST_SCHEDULE_NONE && a->kind == ISOCAST_FORMULA_NUMBER) {
        bool less =
            b->kind == ISOCAST_FORMULA_SUBTRACT && b->arguments[1]->kind == ISOCAST_FORMULA_NUMBER;
        double fewer = a->value + (less ? b->arguments[1]->value : 0) - 1;
        const isocast_formula_node *plain = less ? b->arguments[0] : b;
        bool is_name = plain->kind == ISOCAST_FORMULA_NAME && fewer == 0;
        isocast_buffer_puts(&out, is_name ? "" : "max(0, ");
        isocast_times_put_node(m, l.last, plain, &out);
        if (fewer != 0) {
            isocast_buffer_printf(&out, " %c %.17g", fewer > 0 ? '-' : '+', fabs(fewer));
        }
        isocast_buffer_puts(&out, is_name ? "" : ")");
        return isocast_times_take(m, &out);
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
    return isocast_times_take(m, &out);
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
    return isocast_times_take(m, &out);
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
    return isocast_times_take(m, &out);
}

/* Adds chains that are filled here to the parts. */
static void add_fills(maker *m, size_t first, parts *out) {
    for (size_t i = first; i < m->fill_count; i++) {
        isocast_times_add(m, out, m->fills[i].part, m->fills[i].text);
        m->fills[i].text = NULL;
    }
    isocast_times_drop_fills(m, first);
}

/* Whether a text has a name in it. */
static bool mentions(const char *text, const char *name) {
    size_t length = strlen(name);
    bool found = false;
    for (const char *at = text; !found && (at = strstr(at, name)) != NULL; at += length) {
        char before = at > text ? at[-1] : ' ';
        found = !isalnum((unsigned char)before) && before != '_' && before != '.' &&
                !isalnum((unsigned char)at[length]) && at[length] != '_' && at[length] != '.';
    }
    return found;
}

/* A sum over the turns of what depends on the counter, and so many times what does not. */
static void add_turns(maker *m, loop l, const char *counter, parts *body, parts *out) {
    char *sum = sum_of(m, l, counter);
    char *turns = turns_of(m, l);
    for (size_t i = 0; m->status == ISOCAST_OK && i < m->part_count; i++) {
        const char *text = body->texts[i];
        isocast_buffer whole = {0};
        if (text != NULL && mentions(text, counter)) {
            isocast_buffer_printf(&whole, "%s%s)", sum, text);
        } else if (text != NULL) {
            isocast_buffer_printf(&whole, "%s*(%s)", turns, text);
        }
        isocast_times_add(m, out, i, text != NULL ? isocast_times_take(m, &whole) : NULL);
    }
    isocast_times_parts_free(m, body);
    free(sum);
    free(turns);
}

static size_t partner_of(const isocast_step *step) {
    isocast_step_role role = step->kind->role;
    return role == ISOCAST_STEP_SEND      ? step->formulas[ISOCAST_FORMULA_TO]
           : role == ISOCAST_STEP_RECEIVE ? step->formulas[ISOCAST_FORMULA_FROM]
                                          : ISOCAST_SCHEDULE_NONE;
}

/* Whether a loop only sends, or only receives, each turn with another process. */
static bool deals(const maker *m, const isocast_step *step) {
    const isocast_step *first = NULL;
    bool found = true;
    for (size_t i = 0; i < step->body.count && found; i++) {
        const isocast_step *own = &step->body.items[i];
        size_t partner = partner_of(own);
        first = first == NULL && partner != ISOCAST_SCHEDULE_NONE ? own : first;
        found = partner == ISOCAST_SCHEDULE_NONE
                    ? own->kind->role == ISOCAST_STEP_COPY
                    : own->kind == first->kind &&
                          m->names.uses[partner * m->schedule->local_count + step->local];
    }
    return found && first != NULL;
}

/* Chains of the first turn of a loop, or what its last one leaves out. */
static void add_turn(maker *m, const isocast_step *step, isocast_step_formula which) {
    parts ignored = isocast_times_parts_begin(m);
    char *value = text_of(m, step->formulas[which]);
    m->values[step->local] = value;
    for (size_t i = 0; which == ISOCAST_FORMULA_LAST && i < step->body.count; i++) {
        if (step->body.items[i].is_ahead) {
            add_pass(m, &step->body.items[i], true, &ignored);
        }
    }
    if (which == ISOCAST_FORMULA_FIRST) {
        add_steps(m, &step->body, &ignored);
    }
    m->values[step->local] = NULL;
    isocast_times_parts_free(m, &ignored);
    free(value);
}

static void add_loop(maker *m, const isocast_step *step, parts *out) {
    parts body = isocast_times_parts_begin(m);
    const char *counter = m->schedule->locals[step->local].name;
    loop l = loop_of(m, step);
    bool again = chains(step) > 1;
    for (size_t i = 0; i < step->body.count; i++) {
        again = again || joins(&step->body.items[i]);
    }
    size_t fills = m->fill_count;
    char *value = counted(m, l, counter);
    m->values[step->local] = value;
    m->deal = deals(m, step) ? step : NULL;
    add_steps(m, &step->body, &body);
    m->deal = NULL;
    m->values[step->local] = NULL;
    if (again) {
        add_fills(m, fills, &body);
    } else if (m->fill_count > fills) {
        /* A chain that is filled once is so at the first turn. */
        isocast_times_drop_fills(m, fills);
        add_turn(m, step, ISOCAST_FORMULA_FIRST);
        add_turn(m, step, ISOCAST_FORMULA_LAST);
    }
    add_turns(m, l, counter, &body, out);
    free(value);
}

/* if: the same on all processes. */
static void add_if(maker *m, const isocast_step *step, parts *out) {
    size_t condition = step->formulas[ISOCAST_FORMULA_CONDITION];
    bool *open = isocast_times_open_places(m, step, true);
    if (open != NULL) {
        free(open);
        isocast_diagnostics_add(
            m->diagnostics, ISOCAST_ERROR, m->schedule->source,
            m->schedule->formulas[condition].formula->span,
            "write at: in the place of if:", "this condition differs from process to process");
        m->status = ISOCAST_INVALID;
        return;
    }
    parts then = isocast_times_parts_begin(m);
    parts other = isocast_times_parts_begin(m);
    char *text = text_of(m, condition);
    add_steps(m, &step->body, &then);
    add_steps(m, &step->other, &other);
    for (size_t i = 0; m->status == ISOCAST_OK && i < m->part_count; i++) {
        if (then.texts[i] != NULL || other.texts[i] != NULL) {
            isocast_buffer both = {0};
            isocast_buffer_printf(&both, "if(%s, %s, %s)", text,
                                  then.texts[i] != NULL ? then.texts[i] : "0 s",
                                  other.texts[i] != NULL ? other.texts[i] : "0 s");
            isocast_times_add(m, out, i, isocast_times_take(m, &both));
        }
    }
    free(text);
    isocast_times_parts_free(m, &then);
    isocast_times_parts_free(m, &other);
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
        if (at != ISOCAST_SCHEDULE_NONE && isocast_times_is_place(m, at) && m->values[at] == NULL) {
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
    BRANCH_IF_HELD,  /* where the condition holds, or does not */
    BRANCH_BY_OTHERS /* where there is more than one place */
} branch_condition;

/* What a branch does where a place is chosen. */
static void add_branch(maker *m, choice *c, bool then, const char *place, size_t local,
                       branch_condition when) {
    size_t formula = c->step->formulas[ISOCAST_FORMULA_CONDITION];
    const isocast_steps *steps = then ? &c->step->body : &c->step->other;
    variant *v = steps->count > 0 ? isocast_times_variant_of(m, c) : NULL;
    if (v == NULL) {
        return;
    }
    const char *before = local != ISOCAST_SCHEDULE_NONE ? m->values[local] : NULL;
    if (local != ISOCAST_SCHEDULE_NONE) {
        m->values[local] = place;
    }
    if (when == BRANCH_BY_OTHERS) {
        isocast_buffer text = {0};
        isocast_times_put_extent(m, isocast_times_axis(m, local), &text);
        isocast_buffer_puts(&text, " > 1");
        v->condition = isocast_times_take(m, &text);
    } else if (when == BRANCH_IF_HELD) {
        isocast_buffer text = {0};
        isocast_buffer_puts(&text, then ? "" : "not (");
        isocast_times_put(m, formula, &text);
        isocast_buffer_puts(&text, then ? "" : ")");
        v->condition = isocast_times_take(m, &text);
    }
    add_steps(m, steps, &v->sums);
    if (local != ISOCAST_SCHEDULE_NONE) {
        m->values[local] = before;
    }
}

static void make_branches(maker *m, choice *c) {
    add_branch(m, c, true, NULL, ISOCAST_SCHEDULE_NONE, BRANCH_IF_HELD);
    add_branch(m, c, false, NULL, ISOCAST_SCHEDULE_NONE, BRANCH_IF_HELD);
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
        char *same = isocast_times_take(m, &text);
        char *first = isocast_times_place(m, local, 0);
        char *last = isocast_times_place(m, local, 2);
        if (one) {
            /* One process, and another one. */
            const char *another = same != NULL && strcmp(same, "0") == 0 ? "1" : last;
            add_branch(m, c, is_one, same, local, BRANCH_ALWAYS);
            add_branch(m, c, !is_one, another, local, BRANCH_BY_OTHERS);
        } else {
            add_branch(m, c, true, up ? last : first, local, BRANCH_IF_HELD);
            add_branch(m, c, false, up ? first : last, local, BRANCH_IF_HELD);
        }
        free(same);
        free(first);
        free(last);
    } else {
        bool *open = isocast_times_open_places(m, step, true);
        if (open != NULL) {
            isocast_times_choose(m, c, open, 0, make_branches);
        } else if (m->status == ISOCAST_OK) {
            make_branches(m, c);
        }
        free(open);
    }
    isocast_times_add_longest(m, c, part_of(m, step), out);
    free(c);
}

static void make_loop(maker *m, choice *c) {
    variant *v = isocast_times_variant_of(m, c);
    if (v != NULL) {
        add_loop(m, c->step, &v->sums);
    }
}

/* A step whose time differs among processes counts for the slowest of the first, the middle and
 * the last one. */
static void add_slowest(maker *m, const isocast_step *step, choice_maker make, parts *out) {
    bool *open = isocast_times_open_places(m, step, false);
    choice *c = calloc(1, sizeof *c);
    if (c == NULL) {
        m->status = ISOCAST_NO_MEMORY;
    } else if (m->status == ISOCAST_OK) {
        c->step = step;
        if (open != NULL) {
            isocast_times_choose(m, c, open, 0, make);
        } else {
            make(m, c);
        }
        isocast_times_add_longest(m, c, part_of(m, step), out);
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
        add_pass(m, step, false, out);
        break;
    default:
        add_slowest(m, step, make_own, out);
        break;
    }
}

/* What is started counts with what is longer than the steps until it is finished. */
static void add_started(maker *m, const isocast_steps *steps, size_t at, parts *out) {
    parts started = isocast_times_parts_begin(m);
    parts between = isocast_times_parts_begin(m);
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
    char *longer = isocast_times_total(m, &started);
    char *hidden = isocast_times_total(m, &between);
    isocast_buffer text = {0};
    if (longer != NULL && hidden != NULL) {
        isocast_buffer_printf(&text, "max(0 s, %s - (%s))", longer, hidden);
    } else if (longer != NULL) {
        isocast_buffer_puts(&text, longer);
    }
    isocast_times_add(m, out, part_of(m, start),
                      text.length > 0 ? isocast_times_take(m, &text) : NULL);
    isocast_times_end(m, &text);
    free(longer);
    free(hidden);
    isocast_times_parts_free(m, &started);
    isocast_times_parts_free(m, &between);
}

/* Whether a step is this operation of all processes. */
static bool is_of_all(const maker *m, const isocast_step *step, isocast_collective collective) {
    return step->kind->role == ISOCAST_STEP_COLLECTIVE && step->kind->collective == collective &&
           m->schedule->groups[step->group].along == NULL;
}

/* The barrier that ends a broadcast, with nothing but work between and in the same term: the two
 * hide a part of each other's time, so that they are one operation. The list's end where there is
 * none. */
static size_t end_of(const maker *m, const isocast_steps *steps, size_t at) {
    size_t i = at + 1;
    while (i < steps->count && (steps->items[i].kind->role == ISOCAST_STEP_WORK ||
                                steps->items[i].kind->role == ISOCAST_STEP_LET)) {
        i++;
    }
    bool ends = is_of_all(m, &steps->items[at], ISOCAST_COLLECTIVE_bcast) && i < steps->count &&
                is_of_all(m, &steps->items[i], ISOCAST_COLLECTIVE_barrier) &&
                part_of(m, &steps->items[at]) == part_of(m, &steps->items[i]);
    return ends ? i : steps->count;
}

static void add_steps(maker *m, const isocast_steps *steps, parts *out) {
    size_t ending = steps->count;
    for (size_t i = 0; i < steps->count && m->status == ISOCAST_OK; i++) {
        const isocast_step *step = &steps->items[i];
        size_t end = end_of(m, steps, i);
        ending = end < steps->count ? end : ending;
        m->ended = end < steps->count ? step : NULL;
        m->next = m->deal != NULL && i + 1 < steps->count &&
                          partner_of(&steps->items[i + 1]) != ISOCAST_SCHEDULE_NONE
                      ? &steps->items[i + 1]
                      : NULL;
        if (i == ending) {
            continue;
        }
        if (step->kind->role == ISOCAST_STEP_START) {
            size_t fills = m->fill_count;
            add_started(m, steps, i, out);
            /* What stands between is counted where it stands. */
            isocast_times_drop_fills(m, fills);
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
        const char *name = isocast_step_term(s, step);
        size_t k = find_part(names, count, name);
        names[k] = name;
        count = k == count ? count + 1 : count;
        count = collect_names(s, &step->body, names, count);
        count = collect_names(s, &step->other, names, count);
    }
    return count;
}

/* The parts of the whole program, with shares that can be split or of whole items. */
static parts find_parts(maker *m, bool whole) {
    parts found = isocast_times_parts_begin(m);
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
        const char *work = split.texts[COMPUTATION];
        out->compute = strdup(work != NULL ? work : "0 s");
        if (work != NULL && whole.texts[COMPUTATION] != NULL &&
            strcmp(work, whole.texts[COMPUTATION]) != 0) {
            isocast_buffer text = {0};
            isocast_buffer_printf(&text, "%s - (%s)", whole.texts[COMPUTATION], work);
            isocast_times_add(m, &split, IMBALANCE, isocast_times_take(m, &text));
        }
        for (size_t i = 1; i < m->part_count; i++) {
            add_term(m, out, m->parts[i], split.texts[i]);
            split.texts[i] = NULL;
        }
        m->status = out->compute == NULL ? ISOCAST_NO_MEMORY : m->status;
    }
    isocast_times_parts_free(m, &split);
    isocast_times_parts_free(m, &whole);
}

isocast_status isocast_schedule_times_find(const isocast_schedule *schedule,
                                           const isocast_scope *scope,
                                           isocast_diagnostics *diagnostics,
                                           isocast_schedule_times *out) {
    maker m = {.schedule = schedule, .diagnostics = diagnostics};
    *out = (isocast_schedule_times){0};
    m.status = isocast_schedule_names_bind(schedule, scope, 0, false, diagnostics, &m.names);
    m.values = calloc(schedule->local_count + 1, sizeof *m.values);
    m.parts = calloc(schedule->step_count + 3, sizeof *m.parts);
    if (m.values == NULL || m.parts == NULL) {
        m.status = ISOCAST_NO_MEMORY;
    }
    if (m.status == ISOCAST_OK) {
        m.parts[COMPUTATION] = "computation";
        m.parts[IMBALANCE] = "imbalance";
        m.part_count = collect_names(schedule, &schedule->steps, m.parts, IMBALANCE + 1);
        find_all(&m, out);
    }
    isocast_times_drop_fills(&m, 0);
    free(m.fills);
    free(m.values);
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
