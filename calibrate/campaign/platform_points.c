#include "platform_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/solve/sensitivity.h"
#include "model/spec/machine_load.h"
#include "model/spec/operation_calls.h"
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

/* Wants each operation that T leads to. */
static isocast_status want_operations(campaign_platform_points *points, const isocast_model *model,
                                      campaign_place *at) {
    const isocast_machine *machine = isocast_model_machine(model);
    isocast_operation_calls calls = {0};
    isocast_status status = isocast_operation_calls_find(
        isocast_model_binding(model), points->request.algorithm, machine, &calls);
    for (size_t i = 0; i < calls.call_count && status == ISOCAST_OK; i++) {
        const char *name = machine->operations[calls.calls[i].operation].name;
        size_t operation = isocast_known_operation_index(name);
        if (operation == ISOCAST_KNOWN_OPERATIONS) {
            continue;
        }
        if (calls.calls[i].processes != ISOCAST_OPERATION_CALLS_SYSTEM) {
            status = campaign_fail(points->request.listener, ISOCAST_ARGUMENT,
                                   "%s calls %s on a part of the processes; --platform simulates "
                                   "operations on all of them only\n    hint: make a machine file: "
                                   "isocast calibrate --platform",
                                   points->request.algorithm->name, name);
        }
        at->curves[operation].wanted = true;
    }
    isocast_operation_calls_free(&calls);
    return status;
}

/* The machine whose parameters are the times of one place at the sizes of all. */
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
        campaign_curve_name(known, at->system[0], name);
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
static isocast_status want_sizes(const campaign_platform_points *points,
                                 const isocast_system *system, double N, const double *other_sizes,
                                 campaign_place *at) {
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
        want_by_change(machine, &found.of_T, at);
    }
    isocast_sensitivity_free(&found);
    isocast_model_free(model);
    if (machine != NULL) {
        isocast_machine_free(machine);
    }
    isocast_diagnostics_clear(&diagnostics);
    return status;
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
    campaign_place *at = NULL;
    isocast_status status = campaign_simulation_check(system, points->request.listener);
    if (status == ISOCAST_OK) {
        status = campaign_places_find(&points->places, system, points->request.algorithm->kernel,
                                      points->request.listener, &at);
    }
    if (status == ISOCAST_OK) {
        status = want_operations(points, model, at);
    }
    bool known = status == ISOCAST_OK;
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        known = known && (!at->curves[i].wanted || at->curves[i].known);
    }
    return known && isfinite(N) ? want_sizes(points, system, N, other_sizes, at) : status;
}
