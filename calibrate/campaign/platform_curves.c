#include "platform_curves.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/fit/machine_file.h"
#include "calibrate/fit/machine_text.h"
#include "calibrate/fit/platform_text.h"
#include "model/base/array.h"
#include "model/spec/platform_compute.h"

/* Sizes that every operation is simulated at: 8 B and four times as much each. */
static const double size_least = 8;
static const double size_factor = 4;
/* Up to this, or so many times the last size at which a platform's messages change: beyond it
 * single sizes are simulated alone, and times grow by a straight line. */
static const double size_straight = 8388608;
static const double beyond_switch = 4;
/* B; the end of the straight line. */
static const double size_end = 1e15;
/* Relative: numbers of formulas that are nearer to each other are the same. */
static const double share_agrees = 1e-9;

static bool is_simulated(const isocast_known_operation *known) {
    return known->measurement != ISOCAST_OPERATION_UNMEASURED &&
           known->kind != ISOCAST_OPERATION_WORK;
}

bool campaign_operation_is_sized(const isocast_known_operation *known) {
    return known->argument != ISOCAST_ARGUMENT_NONE;
}

bool campaign_operation_can_be_of(const isocast_known_operation *known, double size, double p) {
    bool to_each = known->argument == ISOCAST_ARGUMENT_BYTES_EACH;
    return size <= campaign_grid_size(CAMPAIGN_GRID_MAX - 1) && size * (to_each ? p : 1) <= INT_MAX;
}

double campaign_grid_size(size_t k) {
    return size_least * pow(size_factor, (double)k);
}

/* How many sizes there are. */
static size_t grid_of(const isocast_network *network) {
    const isocast_factors *by_size[] = {&network->latency_factor, &network->bandwidth_factor,
                                        &network->receive_overhead, &network->receive_bandwidth};
    double last = fmin(network->eager_limit, 1e300);
    for (size_t i = 0; i < sizeof by_size / sizeof by_size[0]; i++) {
        size_t count = by_size[i]->count;
        last = count > 0 ? fmax(last, by_size[i]->sizes[count - 1]) : last;
    }
    size_t count = 2;
    while (count < CAMPAIGN_GRID_MAX &&
           campaign_grid_size(count - 1) < fmax(size_straight, beyond_switch * last)) {
        count++;
    }
    return count;
}

void campaign_places_begin(campaign_places *places) {
    places->grid = grid_of(&places->platform->network);
}

static void free_place(campaign_place *at) {
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        campaign_size_times_free(&at->curves[i].grid);
        campaign_size_times_free(&at->curves[i].factors);
        for (size_t k = 0; k < CAMPAIGN_GRID_MAX; k++) {
            campaign_size_times_free(&at->curves[i].cells[k]);
            campaign_size_times_free(&at->curves[i].points[k]);
            campaign_size_times_free(&at->curves[i].points_wanted[k]);
        }
    }
    isocast_system_free(at->system);
}

void campaign_places_free(campaign_places *places) {
    for (size_t i = 0; i < places->count; i++) {
        free_place(&places->items[i]);
    }
    free(places->items);
}

/* What a formula can state systems by. */
static bool look_alike(const isocast_system *a, const isocast_system *b) {
    return a->p == b->p && a->nodes == b->nodes && a->p_node == b->p_node &&
           a->p_node_max == b->p_node_max;
}

bool campaign_place_is_beside(const campaign_place *a, const campaign_place *b) {
    return strcmp(a->system->name, b->system->name) == 0;
}

double campaign_place_processes(const campaign_place *at) {
    return ceil(at->processes * (1 - share_agrees));
}

double campaign_place_stride(const campaign_place *at) {
    bool together = !at->part || at->share >= campaign_place_processes(at) * (1 - share_agrees);
    return together ? 1 : fmax(1, round(at->system->p_node / at->share));
}

void campaign_curve_name(const isocast_known_operation *known, const campaign_place *at,
                         char *out) {
    const isocast_system *system = at->system;
    snprintf(out, CAMPAIGN_CURVE_NAME_MAX, "%s_p%.0f_nodes%.0f_%.0f", known->name, system->p,
             system->nodes, system->p_node);
    if (system->p_node_max != system->p_node) {
        size_t used = strlen(out);
        snprintf(out + used, CAMPAIGN_CURVE_NAME_MAX - used, "_%.0f", system->p_node_max);
    }
    if (at->part) {
        size_t used = strlen(out);
        snprintf(out + used, CAMPAIGN_CURVE_NAME_MAX - used, "_parts%.0f_%.0f",
                 campaign_place_processes(at), campaign_place_stride(at));
    }
}

static bool is_meant(const campaign_place *at, const campaign_place *only) {
    return only == NULL || campaign_place_is_beside(at, only);
}

isocast_status campaign_curve_plain_rows(const campaign_curve *c, bool details,
                                         campaign_size_times *out) {
    campaign_size_times rows = {0};
    bool added = campaign_size_times_insert_all(&rows, c->grid.rows, c->grid.count);
    for (size_t k = 0; k < c->grid.count && added; k++) {
        const campaign_size_times *points = &c->points[k];
        const campaign_size_times *cell = &c->cells[k]; /* with the sizes at its ends */
        size_t inner = details && cell->count > 2 ? cell->count - 2 : 0;
        added = campaign_size_times_insert_all(&rows, points->rows, points->count) &&
                campaign_size_times_insert_all(&rows, inner > 0 ? cell->rows + 1 : NULL, inner);
    }
    if (added && rows.count > 0) {
        const campaign_size_time last = rows.rows[rows.count - 1];
        double seconds = last.seconds;
        if (rows.count > 1) {
            const campaign_size_time before = rows.rows[rows.count - 2];
            double rise = fmax(last.seconds - before.seconds, 0);
            seconds += rise / (last.m - before.m) * (size_end - last.m);
        }
        added = campaign_size_times_add(&rows, size_end, seconds);
    }
    if (!added) {
        campaign_size_times_free(&rows);
        return ISOCAST_NO_MEMORY;
    }
    *out = rows;
    return ISOCAST_OK;
}

isocast_status campaign_curve_rows(const campaign_curve *c, bool details,
                                   campaign_size_times *out) {
    isocast_status status = campaign_curve_plain_rows(c, details, out);
    for (size_t i = 0; status == ISOCAST_OK && c->factors.count > 0 && i < out->count; i++) {
        out->rows[i].seconds *= campaign_size_times_at(&c->factors, out->rows[i].m);
    }
    return status;
}

/* All rows of a curve; `details`: with those between the sizes of all. */
static void put_rows(const campaign_curve *c, bool details, isocast_buffer *out) {
    campaign_size_times rows = {0};
    if (campaign_curve_rows(c, details, &rows) != ISOCAST_OK) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < rows.count; i++) {
        isocast_buffer_printf(out, "      %.17g B: %.17g s\n", rows.rows[i].m,
                              rows.rows[i].seconds);
    }
    campaign_size_times_free(&rows);
}

/* Times that come from elsewhere share an error. */
static void put_level(const campaign_place *at, const campaign_curve *c, isocast_buffer *out) {
    double error = at->executed ? 0 : hypot(c->error, c->misfit);
    isocast_buffer_puts(out, "    level: 1");
    if (error > 0) {
        isocast_buffer_printf(out, " ± %.4g %%", 100 * error);
    }
    isocast_buffer_puts(out, "\n");
}

static void put_place(const isocast_known_operation *known, const campaign_place *at,
                      const campaign_curve *c, bool leveled, isocast_buffer *out) {
    char name[CAMPAIGN_CURVE_NAME_MAX];
    campaign_curve_name(known, at, name);
    if (!campaign_operation_is_sized(known)) {
        campaign_size_times rows = {0};
        out->failed = out->failed || campaign_curve_rows(c, false, &rows) != ISOCAST_OK;
        isocast_buffer_printf(out, "  %s: %.17g s\n", name,
                              rows.count > 0 ? rows.rows[0].seconds : 0);
        campaign_size_times_free(&rows);
        return;
    }
    isocast_buffer_printf(out, "  %s:\n    axis: m\n", name);
    if (leveled) {
        put_level(at, c, out);
    }
    isocast_buffer_puts(out, "    table:\n");
    put_rows(c, leveled, out);
}

/* The condition under which a call is one of this place. Shares are quotients, which are no whole
 * numbers. */
static void put_condition(const campaign_place *at, isocast_buffer *out) {
    const isocast_system *system = at->system;
    isocast_buffer_printf(out, "p == %.17g and p_all == %.0f and p_node_max == %.0f", at->processes,
                          system->p, system->p_node_max);
    if (at->part) {
        isocast_buffer_printf(out, " and p_node > %.17g and p_node < %.17g",
                              at->share * (1 - share_agrees), at->share * (1 + share_agrees));
    } else {
        isocast_buffer_printf(out, " and nodes == %.0f and p_node == %.0f", system->nodes,
                              system->p_node);
    }
}

/* The operation itself: which place it is. On other systems it has no value. */
static void put_choice(const campaign_places *places, size_t operation, const campaign_place *only,
                       isocast_buffer *out) {
    const isocast_known_operation *known = &isocast_known_operations[operation];
    double least = INFINITY;
    double most = 0;
    size_t choices = 0;
    isocast_buffer_printf(out, "  %s:\n    formula: \"", known->name);
    for (size_t i = 0; i < places->count; i++) {
        const campaign_place *at = &places->items[i];
        if (at->curves[operation].grid.count == 0 || !is_meant(at, only)) {
            continue;
        }
        char name[CAMPAIGN_CURVE_NAME_MAX];
        campaign_curve_name(known, at, name);
        isocast_buffer_puts(out, "if(");
        put_condition(at, out);
        isocast_buffer_printf(out, ", %s(%s), ", name,
                              campaign_operation_is_sized(known) ? "m" : "");
        const campaign_curve *c = &at->curves[operation];
        double simulated =
            c->elsewhere ? fmin(fmax(c->simulated, 1), at->processes) : at->processes;
        least = fmin(least, floor(simulated));
        most = fmax(most, ceil(simulated));
        choices++;
    }
    isocast_buffer_puts(out, "if(p == 1, 0 s, log(0*p)*(1 s))");
    for (size_t i = 0; i < choices; i++) {
        isocast_buffer_puts(out, ")");
    }
    isocast_buffer_puts(out, "\"\n");
    if (choices > 0) {
        isocast_buffer_printf(out, "    measured: {p: [%.0f, %.0f]}\n", least, most);
    }
}

void campaign_places_write(const campaign_places *places, const campaign_place *only,
                           isocast_buffer *out) {
    const isocast_machine *hardware = places->platform->hardware;
    machine_text_entry(out, "", "machine", hardware->name);
    isocast_buffer_printf(out, "source: \"simulated with isocast %s where the answer needs it\"\n",
                          places->version);
    isocast_buffer_puts(out, "benchmark: the speed that the platform file gives a processor\n");
    machine_file_put_hardware(hardware, out);
    isocast_buffer_puts(out, "operations:\n");
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        const isocast_known_operation *known = &isocast_known_operations[i];
        if (!is_simulated(known)) {
            continue;
        }
        put_choice(places, i, only, out);
        for (size_t k = 0; k < places->count; k++) {
            const campaign_place *at = &places->items[k];
            if (at->curves[i].grid.count > 0 && is_meant(at, only)) {
                put_place(known, at, &at->curves[i], only == NULL, out);
            }
        }
    }
    const char *const sections[] = {ISOCAST_PLATFORM_SECTIONS};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        platform_text_put_section(places->platform, sections[i], out);
    }
    isocast_buffer_puts(out, "calibration:\n  simulated: true\n");
}

/* Adds a place of a system, which the new place reads again. */
static isocast_status add_place(campaign_places *places, const char *system, const char *kernel,
                                campaign_place new, size_t *out) {
    isocast_status status = isocast_system_named(places->platform->hardware, kernel, "system",
                                                 system, NULL, &new.system);
    if (status == ISOCAST_OK && !isocast_array_grow((void **)&places->items, places->count,
                                                    &places->room, sizeof *places->items)) {
        isocast_system_free(new.system);
        status = ISOCAST_NO_MEMORY;
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    places->items[places->count] = new;
    *out = places->count++;
    return ISOCAST_OK;
}

static isocast_status fail_alike(const campaign_listener *listener, const char *one,
                                 const char *other) {
    return campaign_fail(listener, ISOCAST_ARGUMENT,
                         "%s and %s have as many processes on as many nodes, and formulas cannot "
                         "distinguish them\n    hint: predict them by two commands",
                         one, other);
}

isocast_status campaign_places_find(campaign_places *places, const isocast_system *system,
                                    const char *kernel, const campaign_listener *listener,
                                    size_t *out) {
    for (size_t i = 0; i < places->count; i++) {
        const isocast_system *known = places->items[i].system;
        if (places->items[i].part) {
            continue;
        }
        bool same = strcmp(known->name, system->name) == 0;
        isocast_status status =
            same ? ISOCAST_OK
                 : isocast_system_is_placed_as(places->platform->hardware, known, system, &same);
        if (same || status != ISOCAST_OK) {
            *out = i;
            return status;
        }
        if (look_alike(known, system)) {
            return fail_alike(listener, known->name, system->name);
        }
    }
    campaign_place new = {.processes = system->p, .share = system->p_node};
    return add_place(places, system->name, kernel, new, out);
}

static bool agree(double a, double b) {
    return fabs(a - b) <= share_agrees * fmax(fabs(a), fabs(b));
}

isocast_status campaign_places_find_part(campaign_places *places, size_t whole, const char *kernel,
                                         double processes, double share,
                                         const campaign_listener *listener, size_t *out) {
    const isocast_system *system = places->items[whole].system;
    for (size_t i = 0; i < places->count; i++) {
        const campaign_place *at = &places->items[i];
        if (!at->part || !agree(at->processes, processes) || !agree(at->share, share)) {
            continue;
        }
        const isocast_system *known = at->system;
        if (campaign_place_is_beside(at, &places->items[whole])) {
            *out = i;
            return ISOCAST_OK;
        }
        if (known->p == system->p && known->p_node_max == system->p_node_max) {
            return fail_alike(listener, known->name, system->name);
        }
    }
    campaign_place new = {.part = true, .processes = processes, .share = share};
    return add_place(places, system->name, kernel, new, out);
}
