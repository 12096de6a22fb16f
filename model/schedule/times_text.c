#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "times_state.h"

/* A formula whose names are replaced. */
typedef struct replaced {
    isocast_times_maker *maker;
    size_t formula;
} replaced;

void isocast_times_give_up(isocast_times_maker *m, isocast_span span) {
    if (m->status == ISOCAST_OK) {
        isocast_diagnostics_add(m->diagnostics, ISOCAST_ERROR, m->schedule->source, span,
                                "write overhead: by hand, or fewer steps, or define: what comes "
                                "again",
                                "the program is too long to make formulas of its steps");
        m->status = ISOCAST_INVALID;
    }
}

size_t isocast_times_local(const isocast_times_maker *m, size_t formula, const char *name) {
    return isocast_schedule_find_local(m->schedule, m->schedule->formulas[formula].locals, name);
}

/* A name or a number. */
static bool is_atom(const char *text) {
    bool found = true;
    for (const char *c = text; *c != '\0'; c++) {
        found = found && (isalnum((unsigned char)*c) || *c == '_' || *c == '.');
    }
    return found;
}

/* In brackets, unless it is a name or a number. */
static void put_atom(const char *text, isocast_buffer *out) {
    isocast_buffer_printf(out, is_atom(text) ? "%s" : "(%s)", text);
}

static void put_atom_of(isocast_times_maker *m, size_t formula, isocast_buffer *out) {
    char *text = isocast_times_text(m, formula);
    put_atom(text != NULL ? text : "0", out);
    free(text);
}

void isocast_times_put_extent(isocast_times_maker *m, size_t axis, isocast_buffer *out) {
    if (axis == ISOCAST_SCHEDULE_NONE) {
        isocast_buffer_puts(out, "p");
    } else {
        put_atom_of(m, m->schedule->axes[axis].extent, out);
    }
}

void isocast_times_put_stride(isocast_times_maker *m, size_t axis, isocast_buffer *out) {
    const isocast_grid *grid = &m->schedule->grids[m->schedule->axes[axis].grid];
    size_t end = grid->first_axis + grid->axis_count;
    for (size_t i = axis + 1; i < end; i++) {
        isocast_buffer_puts(out, i > axis + 1 ? "*" : "");
        isocast_times_put_extent(m, i, out);
    }
}

void isocast_times_put_size(isocast_times_maker *m, const isocast_group *group,
                            isocast_buffer *out) {
    bool is_first = true;
    for (size_t i = 0; group->along != NULL && i < m->schedule->grids[group->grid].axis_count;
         i++) {
        size_t axis = m->schedule->grids[group->grid].first_axis + i;
        if (group->along[axis]) {
            isocast_buffer_puts(out, is_first ? "" : "*");
            isocast_times_put_extent(m, axis, out);
            is_first = false;
        }
    }
    isocast_buffer_puts(out, is_first ? "p" : "");
}

void isocast_times_put_share(isocast_times_maker *m, const isocast_group *group,
                             isocast_buffer *out) {
    const isocast_grid *grid = &m->schedule->grids[group->grid];
    size_t end = grid->first_axis + grid->axis_count;
    bool is_first = true;
    /* The axis that runs fastest may have a process on every so many nodes only. */
    for (size_t i = end; i-- > grid->first_axis;) {
        if (!group->along[i]) {
            continue;
        }
        isocast_buffer_puts(out, is_first ? "min(" : "*max(1, min(");
        isocast_times_put_extent(m, i, out);
        isocast_buffer_puts(out, i + 1 < end ? ", p_node/(" : ", p_node");
        isocast_times_put_stride(m, i, out);
        isocast_buffer_puts(out, i + 1 < end ? "))" : ")");
        isocast_buffer_puts(out, is_first ? "" : ")");
        is_first = false;
    }
}

/* Items of a share for one part: as if they could be split, or the most that one has. */
static void put_items(isocast_times_maker *m, const isocast_share *share, bool whole,
                      isocast_buffer *out) {
    isocast_buffer_puts(out, whole ? "ceil(" : "(");
    put_atom_of(m, share->items, out);
    isocast_buffer_puts(out, "/");
    isocast_times_put_extent(m, share->axis, out);
    isocast_buffer_puts(out, ")");
}

/* Items from a number on, for one part. Loops go through all of them: the most that one has is
 * 1/2 - 1/(2 parts) more than the mean then, and a sum of that has no steps. */
static void put_left(isocast_times_maker *m, const isocast_share *share, const char *left,
                     isocast_buffer *out) {
    isocast_buffer count = {0};
    char *items = isocast_times_text(m, share->items);
    size_t length = items != NULL ? strlen(items) : 0;
    if (items != NULL && strncmp(left, items, length) == 0 &&
        strncmp(left + length, " - ", 3) == 0 && is_atom(left + length + 3)) {
        /* N - (N - left) is what is left. */
        isocast_buffer_puts(&count, left + length + 3);
    } else {
        put_atom_of(m, share->items, &count);
        isocast_buffer_puts(&count, " - ");
        put_atom(left, &count);
    }
    if (m->whole) {
        isocast_buffer_puts(&count, " + (");
        isocast_times_put_extent(m, share->axis, &count);
        isocast_buffer_puts(&count, " - 1)/2");
    }
    isocast_buffer_puts(out, "(");
    put_atom(count.text != NULL ? count.text : "0", out);
    isocast_buffer_puts(out, "/");
    isocast_times_put_extent(m, share->axis, out);
    isocast_buffer_puts(out, ")");
    m->status = count.failed ? ISOCAST_NO_MEMORY : m->status;
    isocast_buffer_free(&count);
    free(items);
}

static void put_lookup(isocast_times_maker *m, const isocast_local *local, isocast_buffer *out) {
    const isocast_share *share = &m->schedule->shares[local->item];
    char *items = isocast_times_text(m, share->items);
    /* Of another process it does not count which one that is. */
    char *argument = items != NULL && local->lookup != ISOCAST_LOOKUP_OF
                         ? isocast_times_text(m, local->formula)
                         : NULL;
    if (m->status != ISOCAST_OK) {
        isocast_buffer_puts(out, "0");
    } else if (local->lookup == ISOCAST_LOOKUP_LEFT) {
        put_left(m, share, argument, out);
    } else if (local->lookup == ISOCAST_LOOKUP_OF && share->axis != ISOCAST_SCHEDULE_NONE) {
        /* Of all together there are no more than items. */
        put_items(m, share, false, out);
    } else if (local->lookup == ISOCAST_LOOKUP_OF) {
        /* One that is not process 0, by marked speed. */
        isocast_buffer_printf(out, "if(p > 1, (%s)*(1 - C_j/C)/(p - 1), %s)", items, items);
    } else {
        isocast_buffer_printf(out, share->in_turns ? "mod(%s, " : "floor((%s)*", argument);
        isocast_times_put_extent(m, share->axis, out);
        isocast_buffer_puts(out, share->in_turns ? ")" : "/(");
        isocast_buffer_puts(out, share->in_turns ? "" : items);
        isocast_buffer_puts(out, share->in_turns ? "" : "))");
    }
    free(argument);
    free(items);
}

static bool replace(void *context, const char *name, isocast_buffer *out) {
    const replaced *r = context;
    isocast_times_maker *m = r->maker;
    size_t at = isocast_times_local(m, r->formula, name);
    if (at == ISOCAST_SCHEDULE_NONE) {
        return false;
    }
    if (out->length > ISOCAST_FORMULA_LENGTH_MAX || m->status != ISOCAST_OK) {
        isocast_times_give_up(m, m->schedule->formulas[r->formula].formula->span);
        return true;
    }
    const isocast_local *local = &m->schedule->locals[at];
    switch (local->kind) {
    case ISOCAST_LOCAL_LET:
        put_atom_of(m, local->formula, out);
        return true;
    case ISOCAST_LOCAL_SHARE:
        put_items(m, &m->schedule->shares[local->item], m->whole, out);
        return true;
    case ISOCAST_LOCAL_FIRST: {
        const isocast_share *share = &m->schedule->shares[local->item];
        size_t place =
            share->axis == ISOCAST_SCHEDULE_NONE ? 0 : m->schedule->axes[share->axis].local;
        const char *value = m->values[place];
        isocast_buffer_puts(out, "(");
        put_atom(value != NULL ? value : "0", out);
        isocast_buffer_puts(out, "*");
        put_items(m, share, m->whole, out);
        isocast_buffer_puts(out, ")");
        return true;
    }
    case ISOCAST_LOCAL_LOOKUP:
        put_lookup(m, local, out);
        return true;
    case ISOCAST_LOCAL_COUNTER:
        put_atom(m->values[at] != NULL ? m->values[at] : name, out);
        return true;
    default:
        put_atom(m->values[at] != NULL ? m->values[at] : "0", out);
        return true;
    }
}

void isocast_times_put_node(isocast_times_maker *m, size_t formula,
                            const isocast_formula_node *node, isocast_buffer *out) {
    replaced r = {m, formula};
    isocast_formula_format_replaced(node, replace, &r, out);
}

void isocast_times_put(isocast_times_maker *m, size_t formula, isocast_buffer *out) {
    isocast_times_put_node(m, formula, m->schedule->formulas[formula].formula->root, out);
}

char *isocast_times_text(isocast_times_maker *m, size_t formula) {
    isocast_buffer out = {0};
    isocast_times_put(m, formula, &out);
    char *text = isocast_buffer_take(&out);
    if (text == NULL) {
        m->status = ISOCAST_NO_MEMORY;
    }
    return text;
}
