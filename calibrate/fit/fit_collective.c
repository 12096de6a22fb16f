#include "fit_collective.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit_chosen.h"
#include "fit_gathering.h"
#include "fit_kinds.h"
#include "fit_misses.h"
#include "fit_reduction.h"
#include "fit_sizes.h"
#include "fit_telling.h"
#include "fit_text.h"
#include "fit_ways.h"
#include "machine_text.h"
#include "model/base/known_operation.h"
#include "model/base/operation_name.h"

static double value_of(const fit_ranges *ranges, const fit_place *place) {
    return ranges->items[place->range].coefficient[place->term];
}

/* The prefix of the names of a part of an operation, and the blanks before its lines. */
typedef struct section {
    const char *prefix;
    size_t indent;
} section;

/* Adds the coefficients. Coefficients of different ranges are not correlated. */
static bool add_coefficients(fit *f, fit_covariances *c, const fit_ranges *ranges,
                             const double *covariance, const char *prefix) {
    fit_place places[FIT_COEFFICIENTS_MAX];
    size_t all = fit_ranges_places(ranges, places);
    size_t first = f->parameter_count;
    for (size_t i = 0; i < all; i++) {
        char name[FIT_NAME_MAX];
        fit_coefficient_name(ranges, prefix, &places[i], name, sizeof name);
        if (fit_add_parameter(f, name, fit_law_unit(ranges->law, places[i].term),
                              value_of(ranges, &places[i]), f->operation_count) < 0) {
            return false;
        }
    }
    for (size_t i = 0; i < all * all; i++) {
        if (places[i / all].range == places[i % all].range &&
            !fit_add_covariance(c, first + i / all, first + i % all, covariance[i])) {
            return false;
        }
    }
    return true;
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

/* Messages of a place depend on the processes of a node, which placements tell. */
static bool assumes_growth(const fit_facts *facts) {
    bool placed = facts->kind == FIT_KIND_NODE_SINGLE && facts->varied;
    return facts->kind != FIT_KIND_SINGLE && !placed && !facts->learnt && !facts->ways;
}

/* Fits the points of one placement and adds to the newest operation. */
static isocast_status fit_points(fit *f, fit_covariances *c, const fit_request *request,
                                 const section *at, const fit_summary *items, size_t count,
                                 fit_misses *misses) {
    fit_chosen own = {0};
    isocast_status status = fit_chosen_find(request, items, count, &own);
    if (status == ISOCAST_OK) {
        const char *known = fit_parts_formula(own.facts.kind, own.facts.messages);
        /* Other placements of as many processes would need other corrections. */
        if (own.facts.learnt && !own.facts.varied && !own.facts.ways && known[0] == '\0') {
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
            isocast_buffer_printf(&operation->body, "%*splus: %s\n", (int)at->indent, "", known);
        }
        double covariance[FIT_COEFFICIENTS_MAX * FIT_COEFFICIENTS_MAX];
        find_covariance(request, &own, covariance);
        fit_ranges_text text = {.ranges = &own.ranges,
                                .covariance = covariance,
                                .corrections = (const fit_correction(*)[2])own.corrections,
                                .size = own.facts.ways ? NULL
                                                       : fit_sizes_of(request->name).items[0].text};
        fit_put_ranges(&text, at->indent, &operation->body);
        status = add_coefficients(f, c, &own.ranges, covariance, at->prefix) ? ISOCAST_OK
                                                                             : ISOCAST_NO_MEMORY;
    }
    fit_chosen_free(&own);
    return status;
}

static fit_broadcast_algorithm algorithm_of(fit_broadcast_rules rules, const fit_summary *item) {
    return fit_broadcast_kind(rules,
                              &(fit_broadcast_call){item->p, item->nodes, item->p_node, item->m});
}

/* What is known of the rules before anything is fitted. Nodes that count as one have one process
 * each, so that all nodes of a simulation are alike. */
static fit_broadcast_rules known_rules(const fit_request *request) {
    if (!request->simgrid) {
        return FIT_RULES_MPICH;
    }
    return request->grouped ? FIT_RULES_TREE : FIT_RULES_SIMGRID;
}

/* Which rules the library has. Those of a simulation are known. Elsewhere it is found whether
 * powers of two go on with the tree where MPICH would scatter: a tree fitted to all fewer processes
 * and to them then tells their times. `room` is for as many items. Errors: NO_MEMORY. */
static isocast_status find_rules(const fit_request *request, const fit_summary *items, size_t count,
                                 fit_summary *room, fit_broadcast_rules *rules) {
    static const double telling = 0.05;
    if (request->simgrid) {
        *rules = known_rules(request);
        return ISOCAST_OK;
    }
    size_t used = 0;
    for (size_t k = 0; k < count; k++) {
        if (items[k].nodes > 1 &&
            algorithm_of(FIT_RULES_MPICH_TREE, &items[k]) == FIT_BROADCAST_TREE) {
            room[used++] = items[k];
        }
    }
    char name[FIT_NAME_MAX];
    snprintf(name, sizeof name, "%.24s%s", request->name,
             fit_broadcast_endings[FIT_BROADCAST_TREE]);
    fit_request tree = *request;
    tree.name = name;
    fit_chosen own = {0};
    double errors = 0;
    double points = 0;
    isocast_status status = used > 0 ? fit_chosen_find(&tree, room, used, &own) : ISOCAST_NUMERIC;
    for (size_t k = 0; status == ISOCAST_OK && k < used; k++) {
        if (fit_broadcast_depends(own.points[k].p, own.points[k].m)) {
            double seconds = fit_ranges_time(&own.ranges, &own.points[k]);
            errors += fabs(seconds / own.points[k].seconds - 1);
            points++;
        }
    }
    bool keeps = points > 0 && own.facts.learnt && errors / points < telling;
    *rules = keeps ? FIT_RULES_MPICH_TREE : FIT_RULES_MPICH;
    fit_chosen_free(&own);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
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
static isocast_status fit_blocks(fit *f, fit_covariances *c, const fit_request *request,
                                 const section *at, const fit_summary *items, size_t count) {
    fit_kind kind = fit_kind_of(request->name);
    fit_operation *operation = &f->operations[f->operation_count];
    isocast_buffer *body = &operation->body;
    double counts[FIT_COUNTS_MAX];
    size_t tables = list_counts(items, count, counts);
    double variance = request->launch_variance + request->placement_variance;
    char name[FIT_NAME_MAX];
    snprintf(name, sizeof name, "%.60s_level", at->prefix);
    long index = fit_add_parameter(f, name, "", 1, f->operation_count);
    if (index < 0 || !fit_add_covariance(c, (size_t)index, (size_t)index, variance)) {
        return ISOCAST_NO_MEMORY;
    }
    double deepest = tables > 0 ? ceil(log2(counts[tables - 1])) : 0;
    int indent = (int)at->indent;
    isocast_buffer_printf(body, "%*splus: %s + max(0, ceil(log2(p)) - %g)*T_sendrecv(m/p)\n",
                          indent, "", fit_parts_formula(kind, true), deepest);
    isocast_buffer_printf(body, "%*slevel: ", indent, "");
    machine_text_number(body, &(machine_number){1, sqrt(variance), ""}, 0);
    isocast_buffer_printf(body, "\n%*saxis: m\n%*stables:\n", indent, "", indent, "");
    for (size_t i = 0; i < tables; i++) {
        put_table(body, request, kind, items, count, counts[i], at->indent + 2);
    }
    operation->ranges += tables;
    return ISOCAST_OK;
}

static isocast_status fit_placement(fit *f, fit_covariances *c, const fit_request *request,
                                    const section *at, const fit_summary *items, size_t count,
                                    fit_misses *misses) {
    if (count == 0) {
        return ISOCAST_INVALID;
    }
    fit_kind kind = fit_kind_of(request->name);
    bool in_blocks = kind == FIT_KIND_RING || kind == FIT_KIND_SCATTER || kind == FIT_KIND_DOUBLING;
    bool steps_known = fit_part_of(request->parts->shift, items[0].nodes == 1)->count > 0;
    return in_blocks && steps_known ? fit_blocks(f, c, request, at, items, count)
                                    : fit_points(f, c, request, at, items, count, misses);
}

/* Those on one node, or those on several, or all where their ways are counted; gives their number.
 */
static size_t pick_placement(const fit_request *request, const fit_summary *items, size_t count,
                             bool one_node, fit_summary *out) {
    size_t picked = 0;
    bool all = fit_request_counts(request);
    for (size_t k = 0; k < count; k++) {
        if (all || (items[k].nodes == 1) == one_node) {
            out[picked++] = items[k];
        }
    }
    return picked;
}

/* A message operation: T_x in p and m, apart for processes on one node and on several. */
static isocast_status fit_message(fit *f, fit_covariances *c, const fit_request *request,
                                  const fit_summary *measured, size_t count) {
    fit_summary *items = malloc(count * sizeof *items);
    fit_summary *own = malloc(count * sizeof *own);
    fit_operation *operation = fit_new_operation(f, request->name, false);
    if (items == NULL || own == NULL || operation == NULL) {
        free(items);
        free(own);
        return ISOCAST_NO_MEMORY;
    }
    fit_note_range(operation, measured, count);
    memcpy(items, measured, count * sizeof *items);
    count = fit_keep_telling(request, items, count);
    section at = {.prefix = isocast_operation_stem(request->name), .indent = FIT_BODY_INDENT};
    fit_misses misses = {0};
    size_t on_one = pick_placement(request, items, count, true, own);
    bool both = on_one > 0 && on_one < count;
    isocast_status status = ISOCAST_OK;
    if (both) {
        char prefix[FIT_NAME_MAX];
        snprintf(prefix, sizeof prefix, "%.60s_node", at.prefix);
        isocast_buffer_printf(&operation->body, "%*sone_node:\n", FIT_BODY_INDENT, "");
        at.indent += 2;
        status = fit_placement(f, c, request, &(section){prefix, at.indent}, own, on_one, &misses);
        isocast_buffer_printf(&operation->body, "%*sseveral_nodes:\n", FIT_BODY_INDENT, "");
    }
    size_t rest = pick_placement(request, items, count, on_one == count, own);
    if (status == ISOCAST_OK) {
        status = fit_placement(f, c, request, &at, own, rest, &misses);
    }
    free(items);
    free(own);
    operation->mean_error /= (double)count;
    operation->misfit = fit_misses_misfit(&misses);
    operation->drift = fit_misses_drift(&misses);
    bool tables =
        strstr(operation->body.text != NULL ? operation->body.text : "", "tables:") != NULL;
    snprintf(operation->form, sizeof operation->form,
             tables ? "%zu table%s over %s%s%s" : "%zu range%s of %s%s%s", operation->ranges,
             operation->ranges == 1 ? "" : "s", fit_sizes_of(request->name).items[0].text,
             fit_request_counts(request) ? "; ways counted on the platform's links"
             : fit_kind_of(request->name) == FIT_KIND_SINGLE ? "; does not depend on p"
             : operation->growth_assumed ? "; growth with p assumed, not measured"
                                         : "; terms chosen by the corrected Akaike criterion",
             both ? "; one node and several apart" : "");
    status = status == ISOCAST_OK && operation->body.failed ? ISOCAST_NO_MEMORY : status;
    f->operation_count++;
    fit_ways ways = fit_request_ways(request);
    return status == ISOCAST_OK && fit_request_counts(request) ? fit_ways_add(&ways, f) : status;
}

/* With a process on each node both ways are trees of the processes, as where nodes differ. */
static bool tells_tree(const fit_summary *item) {
    fit_broadcast_call uneven = {item->p, item->nodes, 0, item->m};
    return item->nodes == item->p &&
           fit_broadcast_kind(FIT_RULES_SIMGRID, &uneven) == FIT_BROADCAST_TREE;
}

/* An operation's part of its own, with an ending to its name, from the items that it has; nothing
 * without any. */
static isocast_status fit_part(fit *f, fit_covariances *c, const fit_request *request,
                               const char *ending, const fit_summary *items, size_t count) {
    char name[FIT_NAME_MAX];
    snprintf(name, sizeof name, "%.24s%s", request->name, ending);
    fit_request part = *request;
    part.name = name;
    return count > 0 ? fit_message(f, c, &part, items, count) : ISOCAST_OK;
}

/* A broadcast: each of the library's algorithms that was seen as an operation of its own, and which
 * of them is taken where. */
static isocast_status fit_broadcast(fit *f, fit_covariances *c, const fit_request *request,
                                    const fit_summary *items, size_t count) {
    const char *name = request->name;
    bool seen[FIT_BROADCASTS] = {false};
    fit_summary *own = malloc(count * sizeof *own);
    isocast_status status = own != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    fit_broadcast_rules rules = FIT_RULES_MPICH;
    if (status == ISOCAST_OK) {
        status = find_rules(request, items, count, own, &rules);
    }
    for (int kind = 0; kind < FIT_BROADCASTS && status == ISOCAST_OK; kind++) {
        size_t own_count = 0;
        for (size_t k = 0; k < count; k++) {
            if (algorithm_of(rules, &items[k]) == (fit_broadcast_algorithm)kind ||
                (kind == FIT_BROADCAST_TREE && rules == FIT_RULES_SIMGRID &&
                 tells_tree(&items[k]))) {
                own[own_count++] = items[k];
            }
        }
        seen[kind] = own_count > 0;
        status = fit_part(f, c, request, fit_broadcast_endings[kind], own, own_count);
    }
    free(own);
    fit_operation *operation = status == ISOCAST_OK ? fit_new_operation(f, name, false) : NULL;
    if (operation == NULL) {
        return status != ISOCAST_OK ? status : ISOCAST_NO_MEMORY;
    }
    fit_note_range(operation, items, count);
    isocast_buffer_printf(&operation->body, "%*sformula: ", FIT_BODY_INDENT, "");
    fit_broadcast_choice(name, rules, seen, &operation->body);
    isocast_buffer_puts(&operation->body, "\n");
    snprintf(operation->form, sizeof operation->form, "the algorithm that %s chooses there",
             request->simgrid ? "SimGrid" : "MPICH");
    f->operation_count++;
    return operation->body.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

/* What an operation that has two laws is made of. */
typedef struct halves {
    bool (*is_first)(const fit_summary *item);
    const char *(*ending)(bool is_first);
    void (*choice)(const char *name, const bool seen[2], isocast_buffer *out);
    const char *form; /* in words */
} halves;

/* Each of the two that was seen as an operation of its own, and which of them is taken where. */
static isocast_status fit_halves(fit *f, fit_covariances *c, const fit_request *request,
                                 const halves *h, const fit_summary *items, size_t count) {
    bool seen[2] = {false};
    fit_summary *own = malloc(count * sizeof *own);
    isocast_status status = own != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (int part = 0; part < 2 && status == ISOCAST_OK; part++) {
        size_t own_count = 0;
        for (size_t k = 0; k < count; k++) {
            if (h->is_first(&items[k]) == (part == 0)) {
                own[own_count++] = items[k];
            }
        }
        seen[part] = own_count > 0;
        status = fit_part(f, c, request, h->ending(part == 0), own, own_count);
    }
    free(own);
    fit_operation *operation =
        status == ISOCAST_OK ? fit_new_operation(f, request->name, false) : NULL;
    if (operation == NULL) {
        return status != ISOCAST_OK ? status : ISOCAST_NO_MEMORY;
    }
    fit_note_range(operation, items, count);
    isocast_buffer_printf(&operation->body, "%*sformula: ", FIT_BODY_INDENT, "");
    h->choice(request->name, seen, &operation->body);
    isocast_buffer_puts(&operation->body, "\n");
    snprintf(operation->form, sizeof operation->form, "%s", h->form);
    f->operation_count++;
    return operation->body.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

static bool is_short_reduction(const fit_summary *item) {
    return item->m < fit_reduction_short_below;
}

static void put_reduction(const char *name, const bool seen[2], isocast_buffer *out) {
    isocast_buffer_printf(out, "if(m < %.0f B, %s%s(m, p), %s%s(m, p))", fit_reduction_short_below,
                          name, fit_reduction_ending(seen[0]), name,
                          fit_reduction_ending(!seen[1]));
}

/* Short messages are counted. */
static const halves reduction = {is_short_reduction, fit_reduction_ending, put_reduction,
                                 "short messages and long ones apart"};

static bool doubles(const fit_summary *item) {
    return fit_gathering_doubles(item->p, item->m);
}

static const halves gathering = {doubles, fit_gathering_ending, fit_gathering_choice,
                                 "the algorithm that MPICH chooses there"};

/* Whether its short messages are counted. */
static bool is_counted_reduction(const fit_request *request) {
    bool is_short;
    return fit_reduction_of(request->name, &is_short) != NULL && fit_request_counts(request);
}

/* Whether more was measured than a tree. */
static bool has_algorithms(const fit_request *request, const fit_summary *items, size_t count) {
    const char *name = request->name;
    fit_broadcast_rules rules = known_rules(request);
    bool beyond = false;
    for (size_t k = 0; k < count; k++) {
        beyond = beyond || algorithm_of(rules, &items[k]) != FIT_BROADCAST_TREE;
    }
    const isocast_known_operation *known = isocast_known_operation_find(name);
    return beyond && known != NULL && known->kind == ISOCAST_OPERATION_BROADCAST;
}

isocast_status fit_collective(fit *f, fit_covariances *c, const fit_request *request,
                              const fit_summary *items, size_t count) {
    if (is_counted_reduction(request)) {
        return fit_halves(f, c, request, &reduction, items, count);
    }
    if (fit_gathering_is(request->name)) {
        return fit_halves(f, c, request, &gathering, items, count);
    }
    return has_algorithms(request, items, count) ? fit_broadcast(f, c, request, items, count)
                                                 : fit_message(f, c, request, items, count);
}
