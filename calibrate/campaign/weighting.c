#include "weighting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/fit/fit.h"
#include "kernels/kernel_table.h"
#include "machine_result.h"
#include "model/solve/sensitivity.h"

static const double weight_least = 0.05;
static const double sizes[] = {128, 512, 2048};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* Makes a machine of the samples so far: it is written and read like the machine file. */
static isocast_machine *machine_of(const campaign_weighting *e, const samples *s, const fit *f) {
    double m_found;
    double t_c =
        fit_reference_time(s, kernel_names[KERNEL_BENCHMARK], CAMPAIGN_BENCHMARK_BYTES, &m_found);
    machine_file file = {.name = "so far",
                         .date = "now",
                         .version = "so far",
                         .command = "",
                         .benchmark = "",
                         .processors = e->processors,
                         .marked_speed = 1 / t_c,
                         .t_c = t_c,
                         .others = NAN,
                         .memory_bandwidth = NAN,
                         .node_bandwidth = NAN,
                         .samples_file = "",
                         .samples_sha256 = "",
                         .environment = NULL};
    isocast_machine *machine = NULL;
    (void)campaign_machine_of(&file, f, &machine);
    return machine;
}

/* The item whose operation a parameter belongs to: the longest name that starts the operation's, as
 * parts of one are fitted as NAME_part. */
static campaign_measurable *item_of(campaign_selection *w, const char *operation) {
    campaign_measurable *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < w->count; i++) {
        size_t length = strlen(w->items[i].name);
        if (w->items[i].wanted && length > longest &&
            strncmp(w->items[i].name, operation, length) == 0) {
            best = &w->items[i];
            longest = length;
        }
    }
    return best;
}

/* Adds g' Cov g of each operation's own parameters to its item of `variance`, [w->count]. */
static void add_variances(const isocast_machine *machine, const isocast_operation *operations,
                          size_t count, const double *gradient, campaign_selection *w,
                          double *variance) {
    for (size_t k = 0; k < count; k++) {
        const campaign_measurable *item = item_of(w, operations[k].name);
        size_t first = operations[k].first_parameter;
        size_t end = item != NULL ? first + operations[k].parameter_count : first;
        for (size_t i = first; i < end; i++) {
            for (size_t j = first; j < end; j++) {
                variance[item - w->items] +=
                    gradient[i] * isocast_machine_covariance(machine, i, j) * gradient[j];
            }
        }
    }
}

static bool sum_variances(const campaign_weighting *e, const isocast_machine *machine,
                          campaign_selection *w, double *variance) {
    isocast_diagnostics diagnostics = {0};
    isocast_model *model = NULL;
    double *gradient = calloc(machine->parameter_count + 1, sizeof *gradient);
    bool good = gradient != NULL &&
                isocast_model_create(e->algorithm, machine, &diagnostics, &model) == ISOCAST_OK;
    for (size_t i = 0; good && i < e->process_count; i++) {
        char text[32];
        isocast_system *system = NULL;
        snprintf(text, sizeof text, "%.0f", e->processes[i]);
        good = isocast_system_named(machine, e->algorithm->kernel, "--processes", text, NULL,
                                    &system) == ISOCAST_OK;
        for (size_t k = 0; good && k < SIZES; k++) {
            double N = fmin(fmax(sizes[k], e->algorithm->sizes[0].min), e->algorithm->sizes[0].max);
            double T = NAN;
            good = isocast_time_gradient(model, system, N, &T, gradient) == ISOCAST_OK;
            if (good && T > 0) {
                add_variances(machine, machine->operations, machine->operation_count, gradient, w,
                              variance);
                add_variances(machine, machine->compute, machine->compute_count, gradient, w,
                              variance);
            }
        }
        isocast_system_free(system);
    }
    free(gradient);
    isocast_model_free(model);
    isocast_diagnostics_clear(&diagnostics);
    return good;
}

static bool set_weights(campaign_selection *w, const double *variance) {
    double largest = 0;
    for (size_t i = 0; i < w->count; i++) {
        largest = fmax(largest, w->items[i].wanted ? variance[i] : 0);
    }
    for (size_t i = 0; i < w->count && largest > 0; i++) {
        w->items[i].weight = fmax(sqrt(fmax(variance[i], 0) / largest), weight_least);
    }
    return largest > 0 && isfinite(largest);
}

bool campaign_weighting_apply(const campaign_weighting *e, const samples *s,
                              campaign_selection *w) {
    fit f = {0};
    double variance[CAMPAIGN_SELECTION_MAX] = {0};
    /* Further sizes would have to be asked for. */
    if (e->algorithm->size_count != 1 || fit_samples(s, NULL, &f) != ISOCAST_OK) {
        return false;
    }
    isocast_machine *machine = machine_of(e, s, &f);
    bool good = machine != NULL && sum_variances(e, machine, w, variance);
    isocast_machine_free(machine);
    fit_free(&f);
    return good && set_weights(w, variance);
}
