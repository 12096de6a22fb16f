#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/nearest.h"
#include "model/formula/formula_lexer.h"
#include "model/formula/function.h"
#include "schedule.h"

/* A program on its way. */
typedef struct program_reader {
    isocast_reader *reader;
    isocast_schedule *schedule;
    const char **names; /* [name_count]: all that formulas may use here; they win over units */
    size_t name_count, name_room;
    size_t declared_count; /* of them those that the file gave before */
    const char *(*hint)(const char *);
    size_t visible; /* the local that was given last among those that are seen */
    size_t depth;
    bool in_start;
    bool in_turns; /* in the list of a loop itself */
} program_reader;

static void read_steps(program_reader *p, const isocast_tree_node *node, isocast_steps *out);

/* Makes room in a list of the schedule. False where memory is short. */
static bool grow(program_reader *p, void **items, size_t count, size_t *room, size_t size) {
    bool done = isocast_array_grow(items, count, room, size);
    if (!done) {
        isocast_reader_fail(p->reader);
    } else {
        memset((char *)*items + count * size, 0, size);
    }
    return done;
}
#define GROW(p, list, count, room) grow(p, (void **)&(list), count, &(room), sizeof *(list))

/* ---- names ---- */

/* Declares a name; its index, or NONE. Takes the text over. */
static size_t add_local(program_reader *p, char *name, isocast_local_kind kind, isocast_span span) {
    isocast_schedule *s = p->schedule;
    bool full = s->local_count == ISOCAST_SCHEDULE_LOCALS_MAX;
    if (full) {
        isocast_reader_refuse(p->reader, span, "use some of them again, or define: them",
                              "a program gives at most %d names", ISOCAST_SCHEDULE_LOCALS_MAX);
    }
    if (name == NULL || full || !GROW(p, s->locals, s->local_count, s->local_room) ||
        !GROW(p, p->names, p->name_count, p->name_room)) {
        free(name);
        return ISOCAST_SCHEDULE_NONE;
    }
    p->names[p->name_count++] = name;
    s->locals[s->local_count] = (isocast_local){.name = name,
                                                .kind = kind,
                                                .span = span,
                                                .formula = ISOCAST_SCHEDULE_NONE,
                                                .item = ISOCAST_SCHEDULE_NONE,
                                                .outer = p->visible};
    p->visible = s->local_count;
    return s->local_count++;
}

/* Whether the file has given the name already. */
static bool is_declared(const program_reader *p, const char *name) {
    bool found = false;
    for (size_t i = 0; i < p->declared_count && !found; i++) {
        found = strcmp(p->names[i], name) == 0;
    }
    return found;
}

/* Whether a program may give a name; else a diagnostic. */
static bool may_name(program_reader *p, const char *name, isocast_span span) {
    const char *hint = p->hint(name);
    const char *remedy = hint != NULL ? hint : "take another name";
    if (!isocast_lexer_is_name(name)) {
        isocast_reader_refuse(p->reader, span, "use letters, digits and _, and begin with a letter",
                              "'%s' cannot be used as a name in formulas", name);
    } else if (hint != NULL || isocast_function_find(name) != NULL ||
               isocast_step_kind_find(name) != NULL) {
        isocast_reader_refuse(p->reader, span, remedy, "'%s' is a reserved name in programs", name);
    } else if (isocast_schedule_find_local(p->schedule, p->visible, name) !=
                   ISOCAST_SCHEDULE_NONE ||
               is_declared(p, name)) {
        isocast_reader_refuse(p->reader, span, remedy, "'%s' has a meaning here already", name);
    } else {
        return true;
    }
    return false;
}

static size_t declare(program_reader *p, const isocast_tree_node *key, isocast_local_kind kind) {
    if (!may_name(p, key->text, key->span)) {
        return ISOCAST_SCHEDULE_NONE;
    }
    return add_local(p, isocast_reader_text(p->reader, key, "a name"), kind, key->span);
}

/* ---- formulas ---- */

static size_t add_formula(program_reader *p, isocast_schedule_formula given) {
    isocast_schedule *s = p->schedule;
    if (given.formula == NULL || !GROW(p, s->formulas, s->formula_count, s->formula_room)) {
        isocast_formula_free(given.formula);
        return ISOCAST_SCHEDULE_NONE;
    }
    given.locals = p->visible;
    s->formulas[s->formula_count] = given;
    return s->formula_count++;
}

/* "rows.of" of a share: the share and what is looked up; false for other calls. */
static bool lookup_of(const program_reader *p, const isocast_formula_node *call, size_t *share,
                      isocast_lookup *lookup) {
    static const char *const words[] = {"of", "owner", "left"};
    const char *point = strchr(call->name, '.');
    for (size_t i = 0; point != NULL && i < p->schedule->share_count; i++) {
        const char *name = p->schedule->locals[p->schedule->shares[i].local].name;
        size_t length = (size_t)(point - call->name);
        for (size_t k = 0; strlen(name) == length && k < sizeof words / sizeof words[0]; k++) {
            if (strncmp(name, call->name, length) == 0 && strcmp(point + 1, words[k]) == 0) {
                *share = i;
                *lookup = (isocast_lookup)k;
                return true;
            }
        }
    }
    return false;
}

static bool take_lookups(program_reader *p, const isocast_formula *whole,
                         isocast_formula_node *node);

/* SHARE.owner(i) becomes a name whose value is looked up, with the argument as its formula. */
static bool take_lookup(program_reader *p, const isocast_formula *whole, isocast_formula_node *node,
                        size_t share, isocast_lookup lookup) {
    if (node->count != 1) {
        isocast_reader_refuse(p->reader, node->span, "write it as rows.owner(i)",
                              "'%s' takes one argument, not %zu", node->name, node->count);
        return false;
    }
    isocast_formula_node *argument = node->arguments[0];
    isocast_formula *formula = malloc(sizeof *formula);
    char *name = NULL;
    if (formula == NULL || asprintf(&name, "%s@%zu", node->name, p->schedule->local_count) < 0) {
        free(formula);
        isocast_reader_fail(p->reader);
        return false;
    }
    *formula = (isocast_formula){whole->source, argument->span, argument};
    node->count = 0;
    size_t index =
        add_formula(p, (isocast_schedule_formula){.formula = formula, .what = "what is looked up"});
    size_t local = index == ISOCAST_SCHEDULE_NONE
                       ? index
                       : add_local(p, strdup(name), ISOCAST_LOCAL_LOOKUP, node->span);
    if (local == ISOCAST_SCHEDULE_NONE) {
        free(name);
        isocast_reader_fail(p->reader);
        return false;
    }
    isocast_local *made = &p->schedule->locals[local];
    made->formula = index;
    made->item = share;
    made->lookup = lookup;
    free(node->arguments);
    free(node->name);
    node->arguments = NULL;
    node->kind = ISOCAST_FORMULA_NAME;
    node->name = name;
    return true;
}

/* Takes every look-up of a formula out, the inner ones first. */
static bool take_lookups(program_reader *p, const isocast_formula *whole,
                         isocast_formula_node *node) {
    size_t share = 0;
    isocast_lookup lookup = ISOCAST_LOOKUP_OF;
    bool is_sum = node->kind == ISOCAST_FORMULA_CALL && isocast_function_is_sum(node->name);
    size_t before = p->schedule->local_count;
    for (size_t i = 0; i < node->count; i++) {
        if (!take_lookups(p, whole, node->arguments[i])) {
            return false;
        }
    }
    if (is_sum && p->schedule->local_count > before) {
        isocast_reader_refuse(p->reader, node->span, "add up with a loop: for: i = 0..N-1",
                              "what a process has of a share cannot stand in a sum()");
        return false;
    }
    return node->kind != ISOCAST_FORMULA_CALL || !lookup_of(p, node, &share, &lookup) ||
           take_lookup(p, whole, node, share, lookup);
}

/* A formula of a place; an index, or NONE with a diagnostic. */
static size_t read_formula(program_reader *p, const isocast_tree_node *node, const char *what,
                           isocast_dimension dimension, bool any) {
    isocast_formula *formula =
        isocast_reader_formula(p->reader, node, (isocast_names){p->names, p->name_count}, what);
    if (formula != NULL && !take_lookups(p, formula, formula->root)) {
        isocast_formula_free(formula);
        formula = NULL;
    }
    return add_formula(
        p, (isocast_schedule_formula){
               .formula = formula, .what = what, .dimension = dimension, .any_dimension = any});
}

static size_t read_count(program_reader *p, const isocast_tree_node *node, const char *what) {
    return read_formula(p, node, what, isocast_dimension_count, false);
}

/* The formula of a step under its key. */
static size_t read_step_formula(program_reader *p, const isocast_tree_node *node,
                                isocast_step_formula which) {
    static const char *const what[ISOCAST_STEP_FORMULAS] = {[ISOCAST_FORMULA_CONDITION] =
                                                                "a condition",
                                                            [ISOCAST_FORMULA_FLOP] = "work",
                                                            [ISOCAST_FORMULA_BYTES] = "bytes",
                                                            [ISOCAST_FORMULA_ROOT] = "root",
                                                            [ISOCAST_FORMULA_TO] = "to",
                                                            [ISOCAST_FORMULA_FROM] = "from",
                                                            [ISOCAST_FORMULA_BY] = "by"};
    isocast_dimension dimension =
        which == ISOCAST_FORMULA_FLOP    ? isocast_dimension_of(ISOCAST_BASE_FLOP)
        : which == ISOCAST_FORMULA_BYTES ? isocast_dimension_of(ISOCAST_BASE_BYTE)
                                         : isocast_dimension_count;
    return read_formula(p, node, what[which], dimension, false);
}

/* ---- grids, shares, let ---- */

static void read_grid(program_reader *p, const isocast_tree_node *node, isocast_span span) {
    isocast_schedule *s = p->schedule;
    if (!isocast_reader_expect(p->reader, node, ISOCAST_TREE_MAPPING, "grid") ||
        !GROW(p, s->grids, s->grid_count, s->grid_room)) {
        return;
    }
    isocast_grid grid = {.span = span, .first_axis = s->axis_count};
    if (s->axis_count + node->count > ISOCAST_SCHEDULE_AXES_MAX) {
        isocast_reader_refuse(p->reader, node->span, "join some of them",
                              "the grids of a program have at most %d axes",
                              ISOCAST_SCHEDULE_AXES_MAX);
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        size_t extent = read_count(p, &node->entries[i].value, "the length of an axis");
        size_t local = declare(p, &node->entries[i].key, ISOCAST_LOCAL_AXIS);
        if (extent == ISOCAST_SCHEDULE_NONE || local == ISOCAST_SCHEDULE_NONE ||
            !GROW(p, s->axes, s->axis_count, s->axis_room)) {
            return;
        }
        s->locals[local].item = s->axis_count;
        s->axes[s->axis_count++] = (isocast_schedule_axis){local, extent, s->grid_count};
        grid.axis_count++;
    }
    if (node->count == 0) {
        isocast_reader_refuse(p->reader, node->span, "write grid: {y: grid_rows(p), x: ...}",
                              "the grid has no axis");
        return;
    }
    s->grids[s->grid_count++] = grid;
}

/* The axis of a name, NONE with a diagnostic where it is none. */
static size_t axis_of(program_reader *p, const isocast_tree_node *node) {
    isocast_schedule *s = p->schedule;
    if (!isocast_reader_expect(p->reader, node, ISOCAST_TREE_SCALAR, "an axis")) {
        return ISOCAST_SCHEDULE_NONE;
    }
    const char *names[ISOCAST_SCHEDULE_AXES_MAX];
    for (size_t i = 0; i < s->axis_count; i++) {
        names[i] = s->locals[s->axes[i].local].name;
        if (strcmp(names[i], node->text) == 0) {
            return i;
        }
    }
    isocast_buffer hint = {0};
    if (s->axis_count == 0) {
        isocast_buffer_puts(&hint, "name the axes before: - grid: {y: grid_rows(p), x: "
                                   "p/grid_rows(p)}");
    } else {
        isocast_nearest_hint(&hint, node->text, names, s->axis_count, "axes");
    }
    isocast_diagnostics_rely(p->reader->diagnostics, &hint);
    isocast_reader_refuse(p->reader, node->span, hint.text, "no grid has an axis '%s'", node->text);
    isocast_buffer_free(&hint);
    return ISOCAST_SCHEDULE_NONE;
}

/* The same in one grid with those named before: *grid, NONE at the first. */
static size_t next_axis_of(program_reader *p, const isocast_tree_node *node, size_t *grid) {
    size_t axis = axis_of(p, node);
    size_t its = axis != ISOCAST_SCHEDULE_NONE ? p->schedule->axes[axis].grid : *grid;
    if (*grid != ISOCAST_SCHEDULE_NONE && its != *grid) {
        isocast_reader_refuse(p->reader, node->span, "take axes of one grid",
                              "'%s' is an axis of another grid", node->text);
        return ISOCAST_SCHEDULE_NONE;
    }
    *grid = its;
    return axis;
}

/* rows: N, or rows: {items: N, by: turns, along: x} */
static void read_share(program_reader *p, const isocast_tree_entry *entry) {
    static const char *const keys[] = {"items", "by", "along"};
    isocast_schedule *s = p->schedule;
    const isocast_tree_node *items = &entry->value;
    isocast_share share = {.axis = ISOCAST_SCHEDULE_NONE, .span = entry->key.span};
    if (items->kind == ISOCAST_TREE_MAPPING) {
        isocast_reader_known_keys(p->reader, items, "a share", keys, 3);
        const isocast_tree_node *by = isocast_reader_find(p->reader, items, "by", false, "");
        const isocast_tree_node *along = isocast_reader_find(p->reader, items, "along", false, "");
        items = isocast_reader_find(p->reader, items, "items", true, "a share");
        share.axis = along != NULL ? axis_of(p, along) : share.axis;
        share.in_turns =
            by != NULL && by->kind == ISOCAST_TREE_SCALAR && strcmp(by->text, "turns") == 0;
        if (by != NULL && !share.in_turns &&
            (by->kind != ISOCAST_TREE_SCALAR || strcmp(by->text, "blocks") != 0)) {
            isocast_reader_refuse(p->reader, by->span, "write by: blocks or by: turns",
                                  "items are dealt out in blocks, or in turns");
        }
    }
    share.items =
        items != NULL ? read_count(p, items, "the items of a share") : ISOCAST_SCHEDULE_NONE;
    share.local = declare(p, &entry->key, ISOCAST_LOCAL_SHARE);
    char *first = NULL;
    if (share.items == ISOCAST_SCHEDULE_NONE || share.local == ISOCAST_SCHEDULE_NONE ||
        !GROW(p, s->shares, s->share_count, s->share_room)) {
        return;
    }
    if (asprintf(&first, "%s.first", entry->key.text) < 0) {
        isocast_reader_fail(p->reader);
        return;
    }
    s->locals[share.local].item = s->share_count;
    size_t local = add_local(p, first, ISOCAST_LOCAL_FIRST, entry->key.span);
    if (local != ISOCAST_SCHEDULE_NONE) {
        s->locals[local].item = s->share_count;
        s->shares[s->share_count++] = share;
    }
}

static void read_let(program_reader *p, const isocast_tree_entry *entry) {
    size_t formula = read_formula(p, &entry->value, entry->key.text, isocast_dimension_count, true);
    size_t local =
        formula == ISOCAST_SCHEDULE_NONE ? formula : declare(p, &entry->key, ISOCAST_LOCAL_LET);
    if (local != ISOCAST_SCHEDULE_NONE) {
        p->schedule->locals[local].formula = formula;
        p->schedule->formulas[formula].what = p->schedule->locals[local].name;
    }
}

static void read_entries(program_reader *p, const isocast_tree_node *node, const char *what,
                         void (*read)(program_reader *, const isocast_tree_entry *)) {
    bool is_mapping = isocast_reader_expect(p->reader, node, ISOCAST_TREE_MAPPING, what);
    for (size_t i = 0; is_mapping && i < node->count; i++) {
        read(p, &node->entries[i]);
    }
}

/* ---- steps ---- */

/* The bytes of the source that a scalar has, with blanks for ends of lines: places in it are places
 * in the source, also where the scalar is folded over several lines. NULL where memory is short. */
static char *source_of(const program_reader *p, const isocast_tree_node *node) {
    size_t length = node->span.end - node->span.begin;
    char *text = strndup(p->reader->source->text + node->span.begin, length);
    for (char *at = text; at != NULL && *at != '\0'; at++) {
        *at = isspace((unsigned char)*at) ? ' ' : *at;
    }
    return text;
}

/* Bytes `begin` to `end` of a scalar as a node of its own, without the blanks around them. all: of
 * the source. */
static isocast_tree_node part_of(const isocast_tree_node *whole, const char *all, char *text,
                                 size_t begin, size_t end) {
    while (begin < end && all[begin] == ' ') {
        begin++;
    }
    while (end > begin && all[end - 1] == ' ') {
        end--;
    }
    memcpy(text, all + begin, end - begin);
    text[end - begin] = '\0';
    size_t at = whole->span.begin;
    return (isocast_tree_node){.kind = ISOCAST_TREE_SCALAR,
                               .span = {at + begin, at + end},
                               .verbatim = whole->verbatim,
                               .text = text};
}

/* i = 0..N-2, or i = N-1..0 by -1 */
static void read_loop(program_reader *p, const isocast_tree_node *node, isocast_step *step) {
    if (!isocast_reader_expect(p->reader, node, ISOCAST_TREE_SCALAR, "for")) {
        return;
    }
    char *text = source_of(p, node);
    size_t length = text != NULL ? strlen(text) : 0;
    const char *equals = text != NULL ? strchr(text, '=') : NULL;
    const char *dots = equals != NULL ? strstr(equals, "..") : NULL;
    const char *by = dots != NULL ? strstr(dots, " by ") : NULL;
    char *copy = malloc(length + 1);
    if (copy == NULL || text == NULL) {
        isocast_reader_fail(p->reader);
    } else if (dots == NULL || !node->verbatim) {
        isocast_reader_refuse(p->reader, node->span, "write for: i = 0..N-1",
                              "a loop needs a counter and the numbers that it goes through");
    } else {
        size_t end = by != NULL ? (size_t)(by - text) : length;
        size_t first = (size_t)(equals - text) + 1;
        size_t last = (size_t)(dots - text) + 2;
        isocast_tree_node part = part_of(node, text, copy, first, last - 2);
        step->formulas[ISOCAST_FORMULA_FIRST] = read_count(p, &part, "the start of a loop");
        part = part_of(node, text, copy, last, end);
        step->formulas[ISOCAST_FORMULA_LAST] = read_count(p, &part, "the end of a loop");
        if (by != NULL) {
            part = part_of(node, text, copy, end + 4, length);
            step->formulas[ISOCAST_FORMULA_STRIDE] = read_count(p, &part, "the stride of a loop");
        }
        part = part_of(node, text, copy, 0, first - 1);
        step->local = declare(p, &part, ISOCAST_LOCAL_COUNTER);
    }
    free(copy);
    free(text);
}

/* The steps under a key, which see what they name themselves; that ends with them. */
static void read_block(program_reader *p, const isocast_tree_node *mapping, const char *key,
                       bool required, isocast_steps *out) {
    const isocast_tree_node *node =
        isocast_reader_find(p->reader, mapping, key, required, "this step");
    size_t visible = p->visible;
    if (node != NULL && p->depth == ISOCAST_SCHEDULE_DEPTH_MAX) {
        isocast_reader_refuse(p->reader, node->span, "join loops or conditions",
                              "steps are nested too deeply: at most %d levels",
                              ISOCAST_SCHEDULE_DEPTH_MAX);
    } else if (node != NULL) {
        p->depth++;
        read_steps(p, node, out);
        p->depth--;
    }
    p->visible = visible;
}

static size_t group_of(program_reader *p, const isocast_tree_node *node) {
    isocast_schedule *s = p->schedule;
    bool many = node->kind == ISOCAST_TREE_SEQUENCE;
    bool *along = isocast_reader_allocate(p->reader, s->axis_count, sizeof *along);
    size_t grid = ISOCAST_SCHEDULE_NONE;
    bool sound = along != NULL;
    for (size_t i = 0; sound && i < (many ? node->count : 1); i++) {
        size_t axis = next_axis_of(p, many ? &node->items[i] : node, &grid);
        sound = axis != ISOCAST_SCHEDULE_NONE;
        if (sound) {
            along[axis] = true;
        }
    }
    if (!sound || grid == ISOCAST_SCHEDULE_NONE) {
        free(along);
        return 0;
    }
    size_t at = 1;
    for (; at < s->group_count; at++) {
        /* Grids stand before the steps, but not before all of them. */
        bool same = s->groups[at].grid == grid;
        const isocast_grid *g = &s->grids[grid];
        for (size_t i = g->first_axis; same && i < g->first_axis + g->axis_count; i++) {
            same = s->groups[at].along[i] == along[i];
        }
        if (same) {
            free(along);
            return at;
        }
    }
    if (!GROW(p, s->groups, s->group_count, s->group_room)) {
        free(along);
        return 0;
    }
    s->groups[s->group_count] = (isocast_group){along, grid};
    return s->group_count++;
}

/* by: 1, or by: {x: 1, y: -1} */
static void read_by(program_reader *p, const isocast_tree_node *node, isocast_step *step) {
    if (node->kind != ISOCAST_TREE_MAPPING) {
        step->formulas[ISOCAST_FORMULA_BY] = read_step_formula(p, node, ISOCAST_FORMULA_BY);
        return;
    }
    isocast_schedule *s = p->schedule;
    step->by = isocast_reader_allocate(p->reader, s->axis_count, sizeof *step->by);
    for (size_t i = 0; step->by != NULL && i < s->axis_count; i++) {
        step->by[i] = ISOCAST_SCHEDULE_NONE;
    }
    size_t grid = ISOCAST_SCHEDULE_NONE;
    for (size_t i = 0; step->by != NULL && i < node->count; i++) {
        size_t axis = next_axis_of(p, &node->entries[i].key, &grid);
        if (axis != ISOCAST_SCHEDULE_NONE) {
            step->grid = grid;
            step->by[axis] = read_step_formula(p, &node->entries[i].value, ISOCAST_FORMULA_BY);
        }
    }
    if (node->count == 0) {
        isocast_reader_refuse(p->reader, node->span, "write by: {x: 1}", "by has no axis");
    }
}

/* Says that a step lacks a key (NULL: its value), and how it is written. */
static void refuse_lack(program_reader *p, const isocast_step *step, const char *key) {
    const isocast_step_kind *kind = step->kind;
    bool rooted = (kind->needed & 1U << ISOCAST_FORMULA_ROOT) != 0;
    char hint[96];
    snprintf(hint, sizeof hint, "write %s%s", kind->example != NULL ? kind->example : kind->word,
             kind->example != NULL ? ""
             : rooted              ? ": {root: 0, bytes: 8 B * N}"
                                   : ": {bytes: 8 B * N}");
    isocast_reader_refuse(p->reader, step->span, hint,
                          key != NULL ? "%s needs the key '%s'" : "%s needs a value", kind->word,
                          key);
}

/* A formula of a step: that of bytes which each pair has for itself knows for whom they are. */
static size_t read_amount(program_reader *p, const isocast_tree_node *node,
                          isocast_step_formula formula, isocast_step *step) {
    static const char other[] = "other";
    size_t visible = p->visible;
    if (formula == ISOCAST_FORMULA_BYTES && isocast_step_has_pairs(step->kind) &&
        may_name(p, other, node->span)) {
        step->local = add_local(p, strdup(other), ISOCAST_LOCAL_OTHER, node->span);
    }
    size_t made = read_step_formula(p, node, formula);
    p->visible = visible;
    return made;
}

/* The keys of a communication, in its mapping. */
static void read_keys(program_reader *p, const isocast_tree_node *node, isocast_step *step) {
    const isocast_step_kind *kind = step->kind;
    const char *keys[ISOCAST_STEP_FORMULAS + 2];
    size_t count = 0;
    for (isocast_step_formula i = ISOCAST_FORMULA_FLOP; i < ISOCAST_STEP_FORMULAS; i++) {
        if ((kind->needed & 1U << i) != 0) {
            keys[count++] = isocast_step_formula_key(i);
        }
    }
    bool shifts = kind->role == ISOCAST_STEP_SHIFT;
    bool passes = kind->role == ISOCAST_STEP_PASS;
    bool collective = kind->role == ISOCAST_STEP_COLLECTIVE;
    bool fence = collective && kind->collective == ISOCAST_COLLECTIVE_win_fence; /* of all */
    const char *option = shifts ? "ends" : passes ? "receive" : "along";
    if ((collective && !fence) || shifts || passes) {
        keys[count++] = option;
    }
    const isocast_tree_entry *name = isocast_tree_find(node, "name");
    if (name != NULL) {
        isocast_reader_refuse(p->reader, name->key.span, "it stands in a line of its own below",
                              "the name of a step is no part of %s: {...}", kind->word);
    } else {
        isocast_reader_known_keys(p->reader, node, kind->word, keys, count);
    }
    const isocast_tree_entry *given = isocast_tree_find(node, option);
    bool is_set = given != NULL && given->value.kind == ISOCAST_TREE_SCALAR &&
                  strcmp(given->value.text, shifts ? "open" : "ahead") == 0;
    if (collective && given != NULL) {
        step->group = group_of(p, &given->value);
    }
    step->is_open = shifts && is_set;
    step->is_ahead = passes && is_set;
    if ((shifts || passes) && given != NULL && !is_set) {
        isocast_reader_refuse(p->reader, given->value.span,
                              shifts ? "write ends: open, or leave it out for a ring"
                                     : "write receive: ahead, or leave it out",
                              shifts ? "ends can be open" : "receive can be ahead");
    }
    if (step->is_ahead && !p->in_turns) {
        isocast_reader_refuse(p->reader, given->value.span,
                              "put the pass in a loop, or leave it out",
                              "receive: ahead is about the next turn of the loop that the pass "
                              "stands in, and it stands in none");
    }
    for (isocast_step_formula i = ISOCAST_FORMULA_FLOP; i < ISOCAST_STEP_FORMULAS; i++) {
        const char *key = isocast_step_formula_key(i);
        const isocast_tree_entry *entry = isocast_tree_find(node, key);
        if ((kind->needed & 1U << i) == 0) {
            continue;
        }
        bool is_any =
            entry != NULL && i == ISOCAST_FORMULA_FROM && kind->role == ISOCAST_STEP_RECEIVE &&
            entry->value.kind == ISOCAST_TREE_SCALAR && strcmp(entry->value.text, "any") == 0;
        step->from_any = step->from_any || is_any;
        if (entry == NULL) {
            refuse_lack(p, step, key);
        } else if (i == ISOCAST_FORMULA_BY) {
            read_by(p, &entry->value, step);
        } else if (!is_any) {
            step->formulas[i] = read_amount(p, &entry->value, i, step);
        }
    }
}

/* What a step says of itself: a mapping of keys, or its one formula. */
static void read_value(program_reader *p, const isocast_tree_node *node, isocast_step *step) {
    const isocast_step_kind *kind = step->kind;
    bool is_empty = node == NULL || (node->kind == ISOCAST_TREE_SCALAR && node->text[0] == '\0');
    if (is_empty && kind->needed == 0) {
        return;
    }
    if (!is_empty && node->kind == ISOCAST_TREE_SCALAR &&
        kind->short_formula != ISOCAST_FORMULA_BY) {
        step->formulas[kind->short_formula] = read_amount(p, node, kind->short_formula, step);
    } else if (kind->needed == 0 && node->kind != ISOCAST_TREE_MAPPING) {
        isocast_reader_refuse(p->reader, node->span, "leave it out, or write {along: x}",
                              "%s has no value of its own", kind->word);
    } else if (is_empty || node->kind != ISOCAST_TREE_MAPPING) {
        bool is_short = kind->short_formula != ISOCAST_FORMULA_BY;
        refuse_lack(p, step, is_short ? NULL : isocast_step_formula_key(ISOCAST_FORMULA_BYTES));
    } else {
        read_keys(p, node, step);
    }
}

static size_t find_handle(const isocast_schedule *s, const char *name) {
    size_t at = 0;
    while (at < s->handle_count && strcmp(s->handles[at], name) != 0) {
        at++;
    }
    return at;
}

static void read_handle(program_reader *p, const isocast_tree_node *node, isocast_step *step) {
    isocast_schedule *s = p->schedule;
    char *name = isocast_reader_text(p->reader, node, step->kind->word);
    if (name == NULL) {
        return;
    }
    size_t at = find_handle(s, name);
    bool is_new = at == s->handle_count && GROW(p, s->handles, at, s->handle_room);
    if (is_new) {
        s->handles[s->handle_count++] = name;
    } else {
        free(name);
    }
    step->handle = at < s->handle_count ? at : ISOCAST_SCHEDULE_NONE;
}

/* Which steps have two lists of others: `do` and `else`. */
static bool has_branches(isocast_step_role role) {
    return role == ISOCAST_STEP_IF || role == ISOCAST_STEP_AT;
}

/* Which steps have a list of others: `do`. */
static bool has_body(isocast_step_role role) {
    return has_branches(role) || role == ISOCAST_STEP_FOR || role == ISOCAST_STEP_START ||
           role == ISOCAST_STEP_PASS;
}

/* What a step gives names to. */
static void read_declaration(program_reader *p, const isocast_tree_node *node, isocast_step *step) {
    switch (step->kind->role) {
    case ISOCAST_STEP_LET:
        read_entries(p, node, "let", read_let);
        break;
    case ISOCAST_STEP_GRID:
        read_grid(p, node, step->span);
        break;
    default:
        read_entries(p, node, "share", read_share);
        break;
    }
}

static void read_one(program_reader *p, const isocast_tree_node *item,
                     const isocast_tree_node *value, isocast_step *step) {
    isocast_step_role role = step->kind->role;
    if (value == NULL && role != ISOCAST_STEP_COLLECTIVE) {
        refuse_lack(p, step, NULL);
        return;
    }
    if (p->in_start && isocast_step_kind_is_at_once(step->kind)) {
        isocast_reader_refuse(
            p->reader, step->span, "put it between start and finish, where it overlaps",
            "%s cannot be started: it has ended when the next step begins", step->kind->word);
    }
    if (role == ISOCAST_STEP_GRID || role == ISOCAST_STEP_SHARE || role == ISOCAST_STEP_LET) {
        if (role != ISOCAST_STEP_LET && p->depth > 0) {
            isocast_reader_refuse(p->reader, step->span, "put it before the first loop",
                                  "%s stands outside of all other steps", step->kind->word);
        } else {
            read_declaration(p, value, step);
        }
        return;
    }
    size_t visible = p->visible;
    if (role == ISOCAST_STEP_FOR) {
        read_loop(p, value, step);
    } else if (role == ISOCAST_STEP_START || role == ISOCAST_STEP_FINISH) {
        read_handle(p, value, step);
    } else {
        read_value(p, value, step);
    }
    if (has_body(role)) {
        bool in_start = p->in_start;
        bool in_turns = p->in_turns;
        p->in_start = in_start || role == ISOCAST_STEP_START;
        p->in_turns = role == ISOCAST_STEP_FOR;
        read_block(p, item, "do", role != ISOCAST_STEP_PASS, &step->body);
        if (has_branches(role)) {
            read_block(p, item, "else", false, &step->other);
        }
        p->in_start = in_start;
        p->in_turns = in_turns;
    }
    /* A counter and look-ups end with the step. */
    p->visible = visible;
}

/* The kind that the keys of an item name; NULL with a diagnostic. */
static const isocast_step_kind *kind_of(program_reader *p, const isocast_tree_node *item,
                                        const isocast_tree_node **key,
                                        const isocast_tree_node **value) {
    const isocast_step_kind *found = NULL;
    if (item->kind == ISOCAST_TREE_SCALAR) {
        *key = item;
        *value = NULL;
        found = isocast_step_kind_find(item->text);
    }
    for (size_t i = 0; item->kind == ISOCAST_TREE_MAPPING && i < item->count; i++) {
        const isocast_step_kind *kind = isocast_step_kind_find(item->entries[i].key.text);
        if (kind != NULL && found != NULL) {
            isocast_reader_refuse(p->reader, item->entries[i].key.span,
                                  "begin a step of its own with -",
                                  "a step is one thing, and this is '%s' already", found->word);
            return NULL;
        }
        if (kind != NULL) {
            found = kind;
            *key = &item->entries[i].key;
            *value = &item->entries[i].value;
        }
    }
    if (found != NULL) {
        return found;
    }
    const isocast_tree_node *what =
        item->kind == ISOCAST_TREE_MAPPING && item->count > 0 ? &item->entries[0].key : item;
    const char *text = what->text != NULL && what->text[0] != '\0' ? what->text : "this";
    isocast_buffer hint = {0};
    size_t count = 0;
    const char *const *words = isocast_step_words(&count);
    isocast_nearest_hint(&hint, text, words, count, "steps");
    isocast_diagnostics_rely(p->reader->diagnostics, &hint);
    isocast_reader_refuse(p->reader, what->span, hint.text,
                          what->text == text ? "'%s' is not a step" : "%s is not a step", text);
    isocast_buffer_free(&hint);
    return NULL;
}

static void read_step(program_reader *p, const isocast_tree_node *item, isocast_step *step) {
    const isocast_tree_node *key = NULL;
    const isocast_tree_node *value = NULL;
    step->kind = kind_of(p, item, &key, &value);
    step->group = 0;
    step->handle = step->local = ISOCAST_SCHEDULE_NONE;
    for (size_t i = 0; i < ISOCAST_STEP_FORMULAS; i++) {
        step->formulas[i] = ISOCAST_SCHEDULE_NONE;
    }
    if (step->kind == NULL) {
        return;
    }
    step->span = key->span;
    bool has_tag = step->kind->role == ISOCAST_STEP_SHIFT || step->kind->role == ISOCAST_STEP_PASS;
    step->tag = has_tag ? p->schedule->tag_count++ : 0;
    if (item->kind == ISOCAST_TREE_MAPPING) {
        isocast_step_role role = step->kind->role;
        const char *keys[] = {step->kind->word, "name", "do", "else"};
        size_t lists = has_branches(role) ? 2 : has_body(role);
        isocast_reader_known_keys(p->reader, item, "a step", keys, 2 + lists);
        const isocast_tree_entry *name = isocast_tree_find(item, "name");
        step->name =
            name != NULL ? isocast_reader_text(p->reader, &name->value, "a step's name") : NULL;
    }
    read_one(p, item, value, step);
}

static void read_steps(program_reader *p, const isocast_tree_node *node, isocast_steps *out) {
    isocast_schedule *s = p->schedule;
    if (node->kind == ISOCAST_TREE_MAPPING) {
        isocast_reader_refuse(p->reader, node->span, "begin each step with -",
                              "steps are a list, this is a mapping");
        return;
    }
    if (!isocast_reader_expect(p->reader, node, ISOCAST_TREE_SEQUENCE, "steps")) {
        return;
    }
    s->step_count += node->count;
    if (s->step_count > ISOCAST_SCHEDULE_STEPS_MAX) {
        isocast_reader_refuse(p->reader, node->span, "use loops", "a program has at most %d steps",
                              ISOCAST_SCHEDULE_STEPS_MAX);
        return;
    }
    out->items = isocast_reader_allocate(p->reader, node->count, sizeof *out->items);
    for (size_t i = 0; out->items != NULL && i < node->count; i++) {
        read_step(p, &node->items[i], &out->items[i]);
        out->count++;
    }
}

/* What is started must be finished in the same list of steps, once. */
static void check_handles(program_reader *p, const isocast_steps *steps) {
    for (size_t i = 0; i < steps->count; i++) {
        const isocast_step *step = &steps->items[i];
        if (step->kind == NULL) {
            continue;
        }
        check_handles(p, &step->body);
        check_handles(p, &step->other);
        if (step->handle == ISOCAST_SCHEDULE_NONE) {
            continue;
        }
        bool starts = step->kind->role == ISOCAST_STEP_START;
        bool met = false;
        for (size_t k = starts ? i + 1 : 0; k < (starts ? steps->count : i); k++) {
            const isocast_step *other = &steps->items[k];
            bool same = other->kind != NULL && other->handle == step->handle;
            met = same ? (other->kind->role == ISOCAST_STEP_START) != starts : met;
            if (same && starts) {
                break;
            }
        }
        if (!met) {
            isocast_reader_refuse(p->reader, step->span,
                                  starts ? "write - finish: NAME behind it, in the same list"
                                         : "write - start: NAME before it, in the same list",
                                  "'%s' is %s", p->schedule->handles[step->handle],
                                  starts
                                      ? "not finished before it is started again or the list ends"
                                      : "not started");
        }
    }
}

isocast_schedule *isocast_schedule_read(isocast_reader *reader, const isocast_tree_node *node,
                                        isocast_names declared, const char *(*hint)(const char *)) {
    isocast_schedule *schedule = isocast_reader_allocate(reader, 1, sizeof *schedule);
    program_reader p = {
        .reader = reader, .schedule = schedule, .hint = hint, .visible = ISOCAST_SCHEDULE_NONE};
    if (schedule == NULL) {
        return NULL;
    }
    schedule->source = reader->source;
    schedule->tag_count = 1;
    for (size_t i = 0; i < declared.count && GROW(&p, p.names, i, p.name_room); i++) {
        p.names[p.name_count++] = declared.items[i];
        p.declared_count++;
    }
    isocast_span nowhere = {node->span.begin, node->span.begin};
    for (size_t i = 0; i < 2; i++) {
        const char *name = i == 0 ? "rank" : "sender";
        if (is_declared(&p, name)) {
            isocast_reader_refuse(reader, nowhere, "take another name for it in this file",
                                  "'%s' has a meaning of its own in a program", name);
        }
    }
    char *rank = strdup("rank");
    char *sender = strdup("sender");
    if (rank == NULL || sender == NULL) {
        isocast_reader_fail(reader);
    }
    bool begun = add_local(&p, rank, ISOCAST_LOCAL_RANK, nowhere) != ISOCAST_SCHEDULE_NONE;
    begun &= add_local(&p, sender, ISOCAST_LOCAL_SENDER, nowhere) != ISOCAST_SCHEDULE_NONE;
    begun = begun && GROW(&p, schedule->groups, 0, schedule->group_room);
    if (begun) {
        schedule->group_count = 1;
        read_steps(&p, node, &schedule->steps);
        check_handles(&p, &schedule->steps);
    }
    free(p.names);
    return schedule;
}
