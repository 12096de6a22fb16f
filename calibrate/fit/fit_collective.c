#include "fit_collective.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit_called.h"
#include "fit_chosen.h"
#include "fit_kinds.h"
#include "fit_misses.h"
#include "fit_text.h"
#include "machine_text.h"
#include "model/base/known_operation.h"

static double value_of(const fit_ranges *ranges, const fit_place *place) {
    return ranges->items[place->range].coefficient[place->term];
}

/* The covariance of the coefficients, shape [coefficients][coefficients]. A launch shifts all of
 * its times together: the launches of a placement those of the placement, and what all launches of
 * a minute share all times, which adds a fully correlated part. */
static void find_covariance(const fit_request *request, const fit_chosen *own, double *covariance) {
    fit_place places[FIT_COEFFICIENTS_MAX];
    const fit_ranges *ranges = &own->ranges;
    size_t all = fit_ranges_places(ranges, places);
    fit_ranges_scatter(own->points, own->count, ranges, covariance);
    if (request->placement_variance > 0) {
        fit_ranges_add_shared(own->points, own->count, ranges, request->placement_variance,
                              covariance);
    }
    for (size_t i = 0; i < all * all; i++) {
        const fit_place *row = &places[i / all];
        const fit_place *column = &places[i % all];
        if (row->range == column->range) {
            covariance[i] +=
                value_of(ranges, row) * value_of(ranges, column) * request->launch_variance;
        }
    }
}

static void note_errors(fit_operation *operation, const fit_chosen *own) {
    for (size_t k = 0; k < own->count; k++) {
        const fit_point *at = &own->points[k];
        double seconds = fit_corrected_time(&own->ranges, own->corrections, at);
        double error = fabs(seconds / at->seconds - 1);
        operation->mean_error += error; /* made a mean once all placements are in */
        operation->max_error = fmax(operation->max_error, error);
    }
}

static bool assumes_growth(const fit_facts *facts) {
    return facts->kind != FIT_KIND_SINGLE && !facts->learnt;
}

/* Fits the points of one placement and adds to the newest operation. */
static isocast_status fit_points(fit *f, const fit_request *request, size_t indent,
                                 const fit_summary *items, size_t count, fit_misses *misses) {
    fit_chosen own = {0};
    isocast_status status = fit_chosen_find(request, items, count, &own);
    if (status == ISOCAST_OK) {
        const char *known = fit_parts_formula(own.facts.kind, own.facts.messages);
        /* Other placements of as many processes would need other corrections. */
        if (own.facts.learnt && !own.facts.varied && known[0] == '\0') {
            fit_corrections_learn(&own.ranges, own.points, count, request->placement_variance,
                                  own.corrections);
        }
        fit_operation *operation = &f->operations[f->operation_count];
        operation->growth_assumed = operation->growth_assumed || assumes_growth(&own.facts);
        operation->ranges += own.ranges.count;
        note_errors(operation, &own);
        status = fit_misses_add(request, items, count, &own, misses);
    }
    if (status == ISOCAST_OK) {
        fit_operation *operation = &f->operations[f->operation_count];
        const char *known = fit_parts_formula(own.facts.kind, own.facts.messages);
        if (known[0] != '\0') {
            isocast_buffer_printf(&operation->body, "%*splus: %s\n", (int)indent, "", known);
        }
        double covariance[FIT_COEFFICIENTS_MAX * FIT_COEFFICIENTS_MAX];
        find_covariance(request, &own, covariance);
        fit_ranges_text text = {.ranges = &own.ranges,
                                .covariance = covariance,
                                .corrections = (const fit_correction(*)[2])own.corrections};
        fit_put_ranges(&text, indent, &operation->body);
    }
    fit_chosen_free(&own);
    return status;
}

/* The counts of processes, each of which gets a table; gives their number. */
static size_t list_counts(const fit_summary *items, size_t count, double counts[FIT_COUNTS_MAX]) {
    size_t listed = 0;
    for (size_t k = 0; k < count && listed < FIT_COUNTS_MAX; k++) {
        if (listed == 0 || items[k].p > counts[listed - 1]) {
            counts[listed++] = items[k].p;
        }
    }
    return listed;
}

static void put_cell(machine_flow *flow, double m, double seconds) {
    enum { DIGITS = 5 };
    machine_text_size(&flow->item, nearbyint(m));
    isocast_buffer_puts(&flow->item, ": ");
    machine_text_value(&flow->item, seconds, "s", DIGITS, machine_text_step(seconds, "s"));
    machine_flow_next(flow);
}

/* What is left of one count's times without the allgather, as straight lines between the sizes
 * measured, and proportional to m beyond them. */
static void put_table(isocast_buffer *body, const fit_request *request, fit_kind kind,
                      const fit_summary *items, size_t count, double p, size_t indent) {
    const fit_summary *last = NULL;
    double left = 0;
    isocast_buffer_printf(body, "%*s%g: ", (int)indent, "", p);
    machine_flow flow = machine_flow_begin(body, '{', indent + 2);
    for (size_t k = 0; k < count; k++) {
        if (items[k].p == p && (last == NULL || items[k].m > last->m)) {
            last = &items[k];
            left = fmax(last->seconds - fit_parts_known(request->parts, kind, last), 0);
            put_cell(&flow, last->m, left);
        }
    }
    static const double beyond = 1000;
    put_cell(&flow, beyond * (last != NULL ? last->m : 1), beyond * left);
    machine_flow_end(&flow);
    isocast_buffer_puts(body, "\n");
}

/* A broadcast in blocks: the allgather from its steps, and tables of what the scatter before it
 * takes at some counts of processes. More processes have deeper trees, for the blocks that are at
 * their ends. The items are of one placement, sorted by p and m. */
static void fit_blocks(fit *f, const fit_request *request, size_t indent, const fit_summary *items,
                       size_t count) {
    fit_kind kind = fit_kind_of(request->name);
    fit_operation *operation = &f->operations[f->operation_count];
    isocast_buffer *body = &operation->body;
    double counts[FIT_COUNTS_MAX];
    size_t tables = list_counts(items, count, counts);
    double variance = request->launch_variance + request->placement_variance;
    double deepest = tables > 0 ? ceil(log2(counts[tables - 1])) : 0;
    isocast_buffer_printf(body, "%*splus: %s + max(0, ceil(log2(p)) - %g)*T_sendrecv(m/p)\n",
                          (int)indent, "", fit_parts_formula(kind, true), deepest);
    isocast_buffer_printf(body, "%*slevel: ", (int)indent, "");
    machine_text_number(body, &(machine_number){1, sqrt(variance), "", true}, 0);
    isocast_buffer_printf(body, "\n%*saxis: m\n%*stables:\n", (int)indent, "", (int)indent, "");
    for (size_t i = 0; i < tables; i++) {
        put_table(body, request, kind, items, count, counts[i], indent + 2);
    }
    operation->ranges += tables;
}

static isocast_status fit_placement(fit *f, const fit_request *request, size_t indent,
                                    const fit_summary *items, size_t count, fit_misses *misses) {
    if (count == 0) {
        return ISOCAST_INVALID;
    }
    fit_kind kind = fit_kind_of(request->name);
    bool in_blocks = kind == FIT_KIND_RING || kind == FIT_KIND_DOUBLING;
    bool steps_known = fit_part_of(request->parts->shift, items[0].nodes == 1)->count > 0;
    if (in_blocks && steps_known) {
        fit_blocks(f, request, indent, items, count);
        return ISOCAST_OK;
    }
    return fit_points(f, request, indent, items, count, misses);
}

/* Those on one node, or those on several; gives their number. */
static size_t pick_placement(const fit_summary *items, size_t count, bool one_node,
                             fit_summary *out) {
    size_t picked = 0;
    for (size_t k = 0; k < count; k++) {
        if ((items[k].nodes == 1) == one_node) {
            out[picked++] = items[k];
        }
    }
    return picked;
}

/* A message operation: T_x in p and m, apart for processes on one node and on several. */
static isocast_status fit_message(fit *f, const fit_request *request, const fit_summary *measured,
                                  size_t count) {
    fit_summary *items = malloc((count + 1) * sizeof *items);
    fit_summary *own = malloc((count + 1) * sizeof *own);
    fit_operation *operation = fit_new_operation(f, request->name, false);
    if (items == NULL || own == NULL || operation == NULL) {
        free(items);
        free(own);
        return ISOCAST_NO_MEMORY;
    }
    fit_note_range(operation, measured, count);
    memcpy(items, measured, count * sizeof *items);
    size_t indent = FIT_BODY_INDENT;
    fit_misses misses = {0};
    size_t on_one = pick_placement(items, count, true, own);
    bool both = on_one > 0 && on_one < count;
    isocast_status status = ISOCAST_OK;
    if (both) {
        isocast_buffer_printf(&operation->body, "%*sone_node:\n", FIT_BODY_INDENT, "");
        indent += 2;
        status = fit_placement(f, request, indent, own, on_one, &misses);
        isocast_buffer_printf(&operation->body, "%*sseveral_nodes:\n", FIT_BODY_INDENT, "");
    }
    size_t rest = pick_placement(items, count, on_one == count, own);
    if (status == ISOCAST_OK) {
        status = fit_placement(f, request, indent, own, rest, &misses);
    }
    free(items);
    free(own);
    operation->mean_error /= (double)count;
    operation->misfit = fit_misses_misfit(&misses);
    operation->drift = fit_misses_drift(&misses);
    bool tables =
        strstr(operation->body.text != NULL ? operation->body.text : "", "tables:") != NULL;
    snprintf(operation->form, sizeof operation->form,
             tables ? "%zu table%s over m%s%s" : "%zu range%s of m%s%s", operation->ranges,
             operation->ranges == 1 ? "" : "s",
             fit_kind_of(request->name) == FIT_KIND_SINGLE ? "; does not depend on p"
             : operation->growth_assumed                   ? "; growth with p assumed, not measured"
                                         : "; terms chosen by the corrected Akaike criterion",
             both ? "; one node and several apart" : "");
    f->operation_count++;
    return status == ISOCAST_OK && operation->body.failed ? ISOCAST_NO_MEMORY : status;
}

/* Items of an operation whose algorithm the library chooses. */
typedef struct called {
    isocast_collective_operation operation;
    const isocast_collective_choice **rows; /* [count], of the library's table */
    const isocast_collective_choice **seen; /* [seen_count], the first of each algorithm */
    size_t seen_count;
} called;

static bool is_same(const isocast_collective_choice *a, const isocast_collective_choice *b) {
    return a->algorithm == b->algorithm;
}

/* False where the library's table says nothing of an
 * item, or memory is short; free both lists. */
static bool find_called(const fit_request *request, const fit_summary *items, size_t count,
                        called *out) {
    out->rows = malloc((count + 1) * sizeof *out->rows);
    out->seen = malloc((count + 1) * sizeof *out->seen);
    out->seen_count = 0;
    const isocast_known_operation *operation = isocast_known_operation_find(request->name);
    bool known = operation != NULL && operation->argument != ISOCAST_ARGUMENT_NONE &&
                 fit_called_find(request->name, &out->operation) && out->rows != NULL &&
                 out->seen != NULL;
    for (size_t k = 0; k < count && known; k++) {
        out->rows[k] = fit_called_choice(request->library, out->operation, &items[k]);
        known = out->rows[k] != NULL;
        size_t at = 0;
        while (known && at < out->seen_count && !is_same(out->seen[at], out->rows[k])) {
            at++;
        }
        if (known && at == out->seen_count) {
            out->seen[out->seen_count++] = out->rows[k];
        }
    }
    return known;
}

/* The name of an operation's part that has one algorithm. */
static void name_part(const char *name, const isocast_collective_choice *row,
                      char out[FIT_NAME_MAX]) {
    snprintf(out, FIT_NAME_MAX, "%.40s%s", name, fit_called_ending(row));
}

/* Where the algorithm depends on the size alone, ranges of sizes state it as well; but the law of a
 * broadcast by its name alone is that of a tree. */
static bool has_parts(const called *own, const char *name, const fit_summary *items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            bool alike = items[i].m == items[k].m && (items[i].nodes > 1) == (items[k].nodes > 1);
            if (alike && !is_same(own->rows[i], own->rows[k])) {
                return true;
            }
        }
    }
    char first[FIT_NAME_MAX];
    name_part(name, own->seen[0], first);
    bool tree = own->seen_count == 1 && fit_kind_of(first) == FIT_KIND_TREE;
    return fit_kind_of(name) == FIT_KIND_TREE && !tree;
}

/* Each algorithm that was seen as an operation of its own, and which of them is taken where. */
static isocast_status fit_algorithms(fit *f, const fit_request *request, const called *all,
                                     const fit_summary *items, size_t count) {
    const char *name = request->name;
    fit_summary *own = malloc(count * sizeof *own);
    isocast_status status = own != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t i = 0; i < all->seen_count && status == ISOCAST_OK; i++) {
        size_t own_count = 0;
        for (size_t k = 0; k < count; k++) {
            if (is_same(all->rows[k], all->seen[i])) {
                own[own_count++] = items[k];
            }
        }
        char whole[FIT_NAME_MAX];
        name_part(name, all->seen[i], whole);
        fit_request part = *request;
        part.name = whole;
        status = fit_message(f, &part, own, own_count);
    }
    free(own);
    fit_operation *operation = status == ISOCAST_OK ? fit_new_operation(f, name, false) : NULL;
    if (operation == NULL) {
        return status != ISOCAST_OK ? status : ISOCAST_NO_MEMORY;
    }
    fit_note_range(operation, items, count);
    isocast_buffer_printf(&operation->body, "%*sformula: ", FIT_BODY_INDENT, "");
    fit_called_text(request->library, all->operation, name, all->seen, all->seen_count,
                    &operation->body);
    isocast_buffer_puts(&operation->body, "\n");
    snprintf(operation->form, sizeof operation->form, "the algorithm that %s chooses there",
             isocast_collectives_title(request->library));
    f->operation_count++;
    return operation->body.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

isocast_status fit_collective(fit *f, const fit_request *request, const fit_summary *items,
                              size_t count) {
    called own = {0};
    bool apart =
        find_called(request, items, count, &own) && has_parts(&own, request->name, items, count);
    isocast_status status = apart ? fit_algorithms(f, request, &own, items, count)
                                  : fit_message(f, request, items, count);
    free(own.rows);
    free(own.seen);
    return status;
}
