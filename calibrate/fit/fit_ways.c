#include "fit_ways.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit_called.h"
#include "fit_kinds.h"
#include "fit_network.h"
#include "fit_pattern.h"
#include "fit_placement.h"
#include "fit_sizes.h"
#include "fit_ways_table.h"
#include "model/base/known_operation.h"

bool fit_ways_known(const fit_ways *ways) {
    const fit_network_map *map = ways->map;
    bool few =
        map != NULL && (fit_network_is_mixed(map) || map->processors <= FIT_WAYS_PROCESSORS_MOST);
    if (!few || !fit_pattern_known(ways->name)) {
        return false;
    }
    /* On a plain switch messages meet on the links of nodes alone, which the terms of laws tell
     * well, and predictions take a tenth of the time. What they tell badly are butterflies, what a
     * library sends, and nodes that are not alike. */
    fit_kind kind = fit_kind_of(ways->name);
    return map->topology != FIT_TOPOLOGY_SWITCHED || kind == FIT_KIND_BUTTERFLY ||
           fit_network_is_mixed(map) || fit_pattern_is_of_lines(ways->name);
}

bool fit_ways_placed(const fit_ways *ways, const fit_summary *item) {
    if (!fit_network_is_mixed(ways->map)) {
        return fit_summary_is_regular(item);
    }
    int p = (int)item->p;
    fit_placed places = {0};
    bool placed = fit_placed_make(p, &places) &&
                  fit_placement_measured(ways->map, p, item->nodes, item->p_node, &places);
    fit_placed_free(&places);
    return placed;
}

void fit_ways_measure(fit_ways *ways, const fit_summary *item, fit_point *point) {
    fit_sizes sizes = fit_sizes_of(ways->name);
    double longest = fit_size_bytes(&sizes.items[0], item->m, item->p);
    const fit_regimes *b = fit_ways_regimes(ways);
    double argument = longest > 0 ? item->m / longest : 0;
    int regime = fit_regime_at(b, argument * longest, item->p);
    bool kept = ways->p == item->p && ways->nodes == item->nodes && ways->p_node == item->p_node &&
                ways->regime == regime;
    if (!kept) {
        fit_ways_find(ways, item->p, item->nodes, item->p_node, regime);
    }
    const fit_lengths *lengths = &ways->lengths;
    double latency = fit_link_latency(ways->times, longest);
    double bytes = fit_link_transfer(ways->times, longest);
    point->latency = -latency * fit_lengths_saving(lengths->savings, bytes / latency);
    point->transfer = 0;
    for (size_t k = 0; k < sizes.count; k++) {
        double message = fit_size_bytes(&sizes.items[k], item->m, item->p);
        point->latency += lengths->links[k] * fit_link_latency(ways->times, message);
        point->transfer += lengths->loads[k] * fit_link_transfer(ways->times, message);
    }
}

/* All tables of an operation, or of it in lines: [regime][processes of a node]. */
typedef struct tables {
    fit_ways *ways;
    char name[FIT_NAME_MAX]; /* "T_bcast_x" */
    fit_ways_table *items;   /* [regimes->count + 1][placements] */
    const fit_regimes *regimes;
    int placements; /* processes of a node up to its processors; of a mix, which grows as a whole, 1
                     */
    int first, last;  /* of these that are written */
    const char *key;  /* over which tables are: processes of all */
    const char *node; /* processes of a node */
    bool saves;
    bool has_lines; /* calls in lines have tables of their own */
} tables;

/* How lines along an axis are told from others, and over what their tables are: processes of the
 * system whose grid has such lines, or of a square grid that has. Lines of x are those that fill
 * their nodes. */
typedef struct line {
    const char *ending;
    const char *key;
} line;

static const line lines[FIT_AXES] = {
    [FIT_AXIS_ALL] = {"", "p"},
    [FIT_AXIS_X] = {"_x", "if(p*grid_rows(p_all) == p_all and p^2 <= 2*p_all, p_all, p^2)"},
    [FIT_AXIS_Y] = {"_y", "if(p == grid_rows(p_all) and p_all <= 2*p^2, p_all, p^2)"}};

static const fit_ways_table *table_of(const tables *all, int regime, int each) {
    return &all->items[regime * all->placements + each - 1];
}

/* A buffer without anything in it has no text. */
static bool is_same_text(const isocast_buffer *a, const isocast_buffer *b) {
    if (a->text == NULL || b->text == NULL) {
        return a->text == b->text;
    }
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* "if(p_node <= 1, ..., ...)": a text for each number of processes on a node from the first on.
 * Numbers that have the same one as the next are not told apart. Frees the texts. */
static void put_by_node(const tables *all, isocast_buffer *texts, int count, isocast_buffer *out) {
    int chosen = 0;
    for (int k = 0; k < count; k++) {
        out->failed = out->failed || texts[k].failed;
    }
    for (int k = 0; k + 1 < count && !out->failed; k++) {
        if (!is_same_text(&texts[k], &texts[k + 1])) {
            isocast_buffer_printf(out, "if(%s <= %d, %s, ", all->node, all->first + k,
                                  texts[k].text);
            chosen++;
        }
    }
    isocast_buffer_puts(out, out->failed ? "" : texts[count - 1].text);
    for (; chosen > 0; chosen--) {
        isocast_buffer_puts(out, ")");
    }
    for (int k = 0; k < count; k++) {
        isocast_buffer_free(&texts[k]);
    }
}

/* The longest message, as formulas have it. */
static const char *longest_of(const tables *all) {
    return fit_sizes_of(all->ways->name).items[0].text;
}

/* A column of the tables of a regime. */
static void put_placements(const tables *all, int regime, int column, isocast_buffer *out) {
    isocast_buffer columns[FIT_WAYS_PROCESSORS_MOST] = {{0}};
    for (int each = all->first; each <= all->last; each++) {
        fit_ways_table_put(table_of(all, regime, each), column, all->key,
                           &columns[each - all->first]);
    }
    put_by_node(all, columns, all->last - all->first + 1, out);
}

/* A column of all tables: if(m < 65536 B, ..., ...). Regimes that have the same one as the next are
 * not told apart. */
static void put_choice(const tables *all, int column, isocast_buffer *out) {
    isocast_buffer parts[FIT_BORDERS_MAX + 1] = {{0}};
    int last = all->regimes->count;
    int chosen = 0;
    for (int regime = 0; regime <= last; regime++) {
        put_placements(all, regime, column, &parts[regime]);
        out->failed = out->failed || parts[regime].failed;
    }
    for (int regime = 0; regime < last && !out->failed; regime++) {
        if (!is_same_text(&parts[regime], &parts[regime + 1])) {
            isocast_buffer_puts(out, "if(");
            fit_border_put(all->regimes, regime, out);
            isocast_buffer_printf(out, ", %s, ", parts[regime].text);
            chosen++;
        }
    }
    isocast_buffer_puts(out, out->failed ? "" : parts[last].text);
    for (; chosen > 0; chosen--) {
        isocast_buffer_puts(out, ")");
    }
    for (int regime = 0; regime <= last; regime++) {
        isocast_buffer_free(&parts[regime]);
    }
}

/* Whether some of the messages are of a size. */
static bool has_any(const tables *all, int column) {
    for (int k = 0; k <= all->regimes->count; k++) {
        for (int each = all->first; each <= all->last; each++) {
            const fit_ways_table *t = table_of(all, k, each);
            for (size_t i = 0; i < t->count; i++) {
                if (t->values[column][i] > 0) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Whether a column tells the same as the one before it, everywhere. */
static bool is_repeated(const tables *all, int column) {
    for (int k = 0; k <= all->regimes->count; k++) {
        for (int each = all->first; each <= all->last; each++) {
            if (!fit_ways_table_is_alike(table_of(all, k, each), column, column - 1)) {
                return false;
            }
        }
    }
    return true;
}

/* Goes on with ", 0.125, ..." and so on, and ends a table over `ratios`; nothing changes behind
 * it. At least so many of them are written. shape: [count]. */
static void put_points(const tables *all, int column, const double *ratios, int least, int count,
                       isocast_buffer *out) {
    while (count > least && is_repeated(all, column + count - 1)) {
        count--;
    }
    for (int i = 0; i < count; i++) {
        isocast_buffer_printf(out, ", %.6g, ", ratios[i]);
        put_choice(all, column + i, out);
    }
    isocast_buffer_puts(out, ")");
}

/* What is saved, over the time of a message's bytes in latencies. */
static void put_saving(const tables *all, isocast_buffer *out) {
    const char *longest = longest_of(all);
    isocast_buffer_printf(out,
                          "T_link_latency(%s)*interpolate(T_link_transfer(%s)/T_link_latency(%s)"
                          ", 0, 0",
                          longest, longest, longest);
    put_points(all, FIT_WAYS_COLUMN_SAVINGS, fit_saving_ratios, 1, FIT_SAVINGS, out);
}

/* Begins an operation, whose formula is appended to its body; NULL where memory is short. */
static isocast_buffer *begin(fit *f, const char *name, const char *ending) {
    char whole[FIT_NAME_MAX];
    snprintf(whole, sizeof whole, "%.32s%.47s", name, ending);
    fit_operation *operation = fit_new_operation(f, whole, false);
    if (operation == NULL) {
        return NULL;
    }
    operation->counted = true;
    f->operation_count++;
    isocast_buffer_printf(&operation->body, "%*sformula: ", FIT_BODY_INDENT, "");
    return &operation->body;
}

/* "(lengths)*T_link_latency(m/p) + ...": what messages of each size take. */
static void put_sum(const tables *all, const char *of_link, int column, isocast_buffer *out) {
    fit_sizes sizes = fit_sizes_of(all->ways->name);
    isocast_buffer_puts(out, sizes.count > 1 ? "(" : "");
    for (size_t k = 0; k < sizes.count; k++) {
        if (k == 0 || has_any(all, column + (int)k)) {
            isocast_buffer_printf(out, "%s%s(%s)*", k > 0 ? " + " : "", of_link,
                                  sizes.items[k].text);
            put_choice(all, column + (int)k, out);
        }
    }
    isocast_buffer_puts(out, sizes.count > 1 ? ")" : "");
}

/* Where the newest operation is written like one before it, refers to that one; gives the name of
 * the operation that has the formula. */
static const char *refer(fit *f) {
    fit_operation *newest = &f->operations[f->operation_count - 1];
    for (size_t i = 0; i + 1 < f->operation_count; i++) {
        const fit_operation *other = &f->operations[i];
        if (other->counted && !newest->body.failed && is_same_text(&other->body, &newest->body)) {
            isocast_buffer_free(&newest->body);
            isocast_buffer_printf(&newest->body, "%*sformula: %s(m, p)\n", FIT_BODY_INDENT, "",
                                  other->name);
            return other->name;
        }
    }
    return newest->name;
}

/* Adds an operation that a column of the tables is. `saving` is the name of what is taken off; NULL
 * where it is nothing. Gives the name of the operation that has the formula; NULL where memory is
 * short. */
static const char *add_operation(const tables *all, const char *ending, int column,
                                 const char *saving, fit *f) {
    isocast_buffer *body = begin(f, all->name, ending);
    if (body == NULL) {
        return NULL;
    }
    bool dispatches = all->has_lines && column < FIT_WAYS_COLUMN_SAVINGS;
    if (dispatches) {
        isocast_buffer_printf(body,
                              "if(p < p_all, if(p_node >= min(p, p_node_max), %s%s%s(m, p), "
                              "%s%s%s(m, p)), ",
                              all->name, lines[FIT_AXIS_X].ending, ending, all->name,
                              lines[FIT_AXIS_Y].ending, ending);
    }
    if (column >= FIT_WAYS_COLUMN_SAVINGS) {
        put_saving(all, body);
    } else {
        put_sum(all, column == FIT_WAYS_COLUMN_LOADS ? "T_link_transfer" : "T_link_latency", column,
                body);
    }
    if (saving != NULL) {
        isocast_buffer_printf(body, " - %s(m, p)", saving);
    }
    isocast_buffer_puts(body, dispatches ? ")\n" : "\n");
    return body->failed ? NULL : refer(f);
}

/* Adds an operation that is what is saved; each number of processes on a node has one of its own,
 * as formulas have a limit. Gives the name of the operation to call; NULL where memory is short. */
static const char *add_savings(const tables *all, const char *ending, int column, fit *f) {
    if (all->placements == 1) {
        return add_operation(all, ending, column, NULL, f);
    }
    isocast_buffer calls[FIT_WAYS_PROCESSORS_MOST] = {{0}};
    bool room = true;
    for (int each = 1; each <= all->placements && room; each++) {
        tables one = *all;
        one.first = one.last = each;
        char numbered[48];
        snprintf(numbered, sizeof numbered, "%s_%d", ending, each);
        const char *name = add_operation(&one, numbered, column, NULL, f);
        room = name != NULL;
        isocast_buffer_printf(&calls[each - 1], "%s(m, p)", room ? name : "");
    }
    isocast_buffer *body = room ? begin(f, all->name, ending) : NULL;
    isocast_buffer unwritten = {0};
    put_by_node(all, calls, all->placements, body != NULL ? body : &unwritten);
    isocast_buffer_free(&unwritten);
    if (body == NULL) {
        return NULL;
    }
    isocast_buffer_puts(body, "\n");
    return body->failed ? NULL : refer(f);
}

/* Adds both times, the one less what is saved. */
static bool add_times(const tables *all, fit *f) {
    /* The name is copied, as operations move where one more is added. */
    char saving[FIT_NAME_MAX] = "";
    if (all->saves) {
        const char *name = add_savings(all, "_saving", FIT_WAYS_COLUMN_SAVINGS, f);
        snprintf(saving, sizeof saving, "%s", name != NULL ? name : "");
        if (name == NULL) {
            return false;
        }
    }
    if (add_operation(all, "_latency", FIT_WAYS_COLUMN_LINKS, all->saves ? saving : NULL, f) ==
        NULL) {
        return false;
    }
    return add_operation(all, "_transfer", FIT_WAYS_COLUMN_LOADS, NULL, f) != NULL;
}

/* "if(m < 248 B, 2e-05 s, ...)": what a link takes of a message, by its size. */
static void put_link(const fit_link_times *times, const double *values, const char *unit,
                     isocast_buffer *out) {
    for (size_t r = 0; r < times->count; r++) {
        if (r + 1 < times->count) {
            isocast_buffer_printf(out, "if(m < %.0f B, ", times->from[r + 1]);
        }
        isocast_buffer_printf(out, "%.7g %s%s", values[r], unit, r + 1 < times->count ? ", " : "");
    }
    for (size_t r = 1; r < times->count; r++) {
        isocast_buffer_puts(out, ")");
    }
    isocast_buffer_puts(out, "\n");
}

/* What a link takes of a message, which all counted operations call. */
static bool add_link(const fit_link_times *times, fit *f) {
    static const char latency[] = "T_link_latency";
    for (size_t i = 0; i < f->operation_count; i++) {
        if (strcmp(f->operations[i].name, latency) == 0) {
            return true;
        }
    }
    isocast_buffer *body = begin(f, latency, "");
    if (body == NULL) {
        return false;
    }
    put_link(times, times->latency, "s", body);
    isocast_buffer *of_bytes = begin(f, "T_link_transfer", "");
    if (of_bytes == NULL) {
        return false;
    }
    isocast_buffer_printf(of_bytes, "(m + %.0f B)*", FIT_NETWORK_ENVELOPE);
    put_link(times, times->byte, "s/B", of_bytes);
    return !of_bytes->failed;
}

/* Where few processes have no lines with so many on a node, those with more on it stand for them.
 * False where none have. */
static bool fill_gaps(tables *all) {
    bool there = true;
    for (int k = (all->regimes->count + 1) * all->placements; k-- > 0;) {
        bool last = k % all->placements == all->placements - 1;
        if (all->items[k].count == 0 && !last) {
            all->items[k] = all->items[k + 1];
        }
        there = there && all->items[k].count > 0;
    }
    return there;
}

/* Adds what lines along an axis take, or all processes. `there`: whether there are such lines. */
static isocast_status add_axis(const fit_ways *ways, fit_axis axis, bool has_lines, bool *there,
                               fit *f) {
    bool mixed = fit_network_is_mixed(ways->map);
    int placements = mixed ? 1 : ways->map->processors;
    fit_ways own = *ways;
    own.axis = axis;
    const fit_regimes *b = fit_ways_regimes(&own);
    int count = (b->count + 1) * placements;
    tables all = {.ways = &own,
                  .items = calloc((size_t)count, sizeof *all.items),
                  .regimes = b,
                  .placements = placements,
                  .first = 1,
                  .last = placements,
                  .key = lines[axis].key,
                  .node = axis == FIT_AXIS_ALL ? "p_node" : "p_node_max",
                  .has_lines = has_lines};
    snprintf(all.name, sizeof all.name, "%.24s%s", ways->name, lines[axis].ending);
    for (int k = 0; k < count && all.items != NULL; k++) {
        fit_ways_table_find(&own, k % placements + 1, k / placements,
                            k >= placements ? &all.items[k - placements] : NULL, &all.items[k]);
        all.saves = all.saves || all.items[k].saves;
    }
    *there = all.items != NULL && fill_gaps(&all);
    bool room = all.items != NULL && (!*there || add_times(&all, f));
    free(all.items);
    return room ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

isocast_status fit_ways_add(const fit_ways *ways, fit *f) {
    bool has_lines = fit_pattern_is_of_lines(ways->name);
    bool there = true;
    isocast_status status = add_link(ways->times, f) ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (int axis = FIT_AXIS_X; axis < FIT_AXES && has_lines && status == ISOCAST_OK; axis++) {
        status = add_axis(ways, (fit_axis)axis, false, &has_lines, f);
    }
    if (status == ISOCAST_OK) {
        status = add_axis(ways, FIT_AXIS_ALL, has_lines, &there, f);
    }
    return status == ISOCAST_OK && !there ? ISOCAST_NO_MEMORY : status;
}
