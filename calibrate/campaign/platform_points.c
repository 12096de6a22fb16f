#include "platform_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/solve/sensitivity.h"
#include "model/spec/machine_load.h"
#include "platform_launches.h"
#include "simulation.h"

/* Where a cell of two sizes has more of T than this, it is looked into. */
static const double share_least = 0.001;

struct campaign_platform_points {
    campaign_points_request request;
    campaign_places places;
    campaign_launches launches;
};

isocast_status campaign_points_create(const campaign_points_request *request,
                                      campaign_platform_points **out) {
    campaign_platform_points *points = calloc(1, sizeof *points);
    if (points == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    points->request = *request;
    points->places = (campaign_places){.platform = request->platform, .version = request->version};
    points->launches = (campaign_launches){.probe = request->probe,
                                           .cache = request->cache,
                                           .listener = request->listener,
                                           .budget = request->budget,
                                           .places = &points->places};
    campaign_places_begin(&points->places);
    isocast_status status = campaign_launches_begin(&points->launches);
    if (status != ISOCAST_OK) {
        campaign_points_free(points);
        return status;
    }
    *out = points;
    return ISOCAST_OK;
}

void campaign_points_free(campaign_platform_points *points) {
    if (points != NULL) {
        campaign_places_free(&points->places);
        free(points);
    }
}

size_t campaign_points_launches(const campaign_platform_points *points) {
    return points->launches.count;
}

size_t campaign_points_cached(const campaign_platform_points *points) {
    return points->launches.cached;
}

isocast_status campaign_points_write(const campaign_platform_points *points, isocast_buffer *out) {
    campaign_places_write(&points->places, NULL, out);
    return out->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

isocast_status campaign_points_simulate(campaign_platform_points *points, bool *news) {
    return campaign_launches_run(&points->launches, news);
}

/* The place of a call: the system's, or that of its parts. */
static isocast_status find_place(campaign_platform_points *points, size_t whole,
                                 const isocast_called *call, const char *name, size_t *out) {
    const isocast_algorithm *algorithm = points->request.algorithm;
    const isocast_system *system = points->places.items[whole].system[0];
    if (call->processes == system->p && call->share == system->p_node) {
        *out = whole;
        return ISOCAST_OK;
    }
    if (call->processes > system->p || !(call->share > 0)) {
        return campaign_fail(points->request.listener, ISOCAST_ARGUMENT,
                             "%s calls %s on %g processes, %g on a node, where the system %s has "
                             "%.0f\n    hint: correct the call in the algorithm file",
                             algorithm->name, name, call->processes, call->share, system->name,
                             system->p);
    }
    return campaign_places_find_part(&points->places, whole, algorithm->kernel, call->processes,
                                     call->share, points->request.listener, out);
}

/* Wants each operation that T leads to. */
static isocast_status want_operations(campaign_platform_points *points, const isocast_model *model,
                                      size_t whole, double N, const double *other_sizes) {
    const isocast_machine *machine = isocast_model_machine(model);
    const isocast_system *system = points->places.items[whole].system[0];
    isocast_called *calls = NULL;
    size_t count = 0;
    isocast_status status = isocast_model_called(model, system, N, other_sizes, &calls, &count);
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        const char *name = machine->operations[calls[i].operation].name;
        size_t operation = isocast_known_operation_index(name);
        /* Who is alone sends nothing; who has no number of processes yet gets it with N. */
        if (operation == ISOCAST_KNOWN_OPERATIONS || !(calls[i].processes > 1)) {
            continue;
        }
        size_t at = 0;
        status = find_place(points, whole, &calls[i], name, &at);
        if (status == ISOCAST_OK) {
            points->places.items[at].curves[operation].wanted = true;
        }
    }
    free(calls);
    return status;
}

/* The machine whose parameters are the times of one system at the sizes of all. */
static isocast_status read_machine(const campaign_platform_points *points, const campaign_place *at,
                                   isocast_diagnostics *diagnostics, isocast_machine **out) {
    isocast_buffer text = {0};
    campaign_places_write(&points->places, at, &text);
    isocast_status status = text.failed ? ISOCAST_NO_MEMORY
                                        : isocast_machine_read_text("machine", text.text,
                                                                    text.length, diagnostics, out);
    isocast_buffer_free(&text);
    return status;
}

/* Wants the cells of a curve by the shares of T that the times at their ends have; shares: [sizes +
 * 1], with that of the end of the straight line. */
static void want_cells(campaign_curve *c, const double *shares) {
    size_t last = c->grid.count - 1;
    for (size_t k = 0; k < last; k++) {
        double share = fabs(shares[k]) + fabs(shares[k + 1]);
        share += k + 1 == last ? fabs(shares[k + 2]) : 0;
        /* What has no value may be anything. */
        c->cell_wanted[k] = c->cell_wanted[k] || !(share <= share_least);
    }
}

static void want_by_change(const isocast_machine *machine, const isocast_change *change,
                           campaign_place *at) {
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        const isocast_known_operation *known = &isocast_known_operations[i];
        campaign_curve *c = &at->curves[i];
        char name[CAMPAIGN_CURVE_NAME_MAX];
        campaign_curve_name(known, at, name);
        for (size_t k = 0; k < machine->operation_count && c->grid.count > 1; k++) {
            const isocast_operation *operation = &machine->operations[k];
            if (strcmp(operation->name, name) != 0 ||
                operation->parameter_count != c->grid.count + 1) {
                continue;
            }
            double shares[CAMPAIGN_GRID_MAX + 1] = {0};
            for (size_t n = 0; n < operation->parameter_count; n++) {
                size_t parameter = operation->first_parameter + n;
                shares[n] = change->by_parameters[parameter] * machine->parameters[parameter].value;
            }
            want_cells(c, shares);
        }
    }
}

/* Wants the sizes that T at N hangs on. */
static isocast_status want_sizes(campaign_platform_points *points, const isocast_system *system,
                                 double N, const double *other_sizes, const campaign_place *at) {
    isocast_diagnostics diagnostics = {0};
    isocast_machine *machine = NULL;
    isocast_model *model = NULL;
    isocast_sensitivity found = {0};
    isocast_status status = read_machine(points, at, &diagnostics, &machine);
    if (status == ISOCAST_OK) {
        status = isocast_model_create(points->request.algorithm, machine, &diagnostics, &model);
    }
    isocast_effort effort = isocast_effort_of(1);
    if (status == ISOCAST_OK) {
        isocast_sensitivity_request request = {.model = model,
                                               .system = system,
                                               .N = N,
                                               .other_sizes = other_sizes,
                                               .effort = &effort};
        status = isocast_sensitivity_find(&request, &found);
    }
    if (status == ISOCAST_OK) {
        for (size_t i = 0; i < points->places.count; i++) {
            if (campaign_place_is_beside(&points->places.items[i], at)) {
                want_by_change(machine, &found.of_T, &points->places.items[i]);
            }
        }
    }
    isocast_sensitivity_free(&found);
    isocast_model_free(model);
    if (machine != NULL) {
        isocast_machine_free(machine);
    }
    isocast_diagnostics_clear(&diagnostics);
    return status;
}

/* Whether all that is wanted of a system was simulated. */
static bool is_known(const campaign_platform_points *points, const campaign_place *of) {
    for (size_t k = 0; k < points->places.count; k++) {
        const campaign_place *at = &points->places.items[k];
        for (size_t i = 0; campaign_place_is_beside(at, of) && i < ISOCAST_KNOWN_OPERATIONS; i++) {
            if (at->curves[i].wanted && !at->curves[i].known) {
                return false;
            }
        }
    }
    return true;
}

isocast_status campaign_points_need(campaign_platform_points *points, const isocast_model *model,
                                    const isocast_system *system, double N,
                                    const double *other_sizes) {
    if (system->p < 2) {
        return ISOCAST_OK;
    }
    if (system->beyond_machine) {
        return campaign_fail(points->request.listener, ISOCAST_ARGUMENT,
                             "system %s has more processes than the platform has processors",
                             system->name);
    }
    size_t whole = 0;
    isocast_status status = campaign_simulation_check(system, points->request.listener);
    if (status == ISOCAST_OK) {
        status = campaign_places_find(&points->places, system, points->request.algorithm->kernel,
                                      points->request.listener, &whole);
    }
    if (status == ISOCAST_OK) {
        status = want_operations(points, model, whole, N, other_sizes);
    }
    if (status != ISOCAST_OK || !isfinite(N)) {
        return status;
    }
    const campaign_place *at = &points->places.items[whole];
    return is_known(points, at) ? want_sizes(points, system, N, other_sizes, at) : ISOCAST_OK;
}
