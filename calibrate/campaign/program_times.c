#include "program_times.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_run.h"
#include "model/spec/algorithm_load.h"
#include "simgrid.h"
#include "simulation.h"

/* s of a message, of an action, and of a start: what simulating one takes, and counting it. */
static const double simulated_message = 2e-5;
static const double simulated_start = 0.5;
static const double simulated_process = 0.001;
static const double counted_message = 5e-6;
static const double action_seconds = 1e-6;
static const double simulated_most = 512; /* processes */

static void take_reported(const campaign_event *event, void *context) {
    campaign_program *o = context;
    if (event->kind == CAMPAIGN_PROBLEM || event->kind == CAMPAIGN_WARNING) {
        isocast_buffer_free(&o->reported);
        isocast_buffer_puts(&o->reported, event->text);
    }
}

static bool asks_to_stop(void *context) {
    const campaign_program *o = context;
    return campaign_must_stop(o->request.launches->listener);
}

isocast_status campaign_program_begin(const campaign_program_request *request,
                                      campaign_program *o) {
    const campaign_launches *launches = request->launches;
    const char *const programs[] = {request->simulated, request->quick};
    o->request = *request;
    o->listener = (campaign_listener){take_reported, asks_to_stop, o};
    for (int k = 0; k < 2; k++) {
        o->simulations[k] =
            (campaign_simulation){.platform = launches->places->platform, .quick = k == 1};
        if (SHA256File(programs[k], o->sha256[k]) == NULL) {
            return campaign_fail(launches->listener, ISOCAST_IO, "cannot read %s: %s", programs[k],
                                 strerror(errno));
        }
    }
    return ISOCAST_OK;
}

void campaign_program_free(campaign_program *o) {
    for (int k = 0; k < 2; k++) {
        campaign_simulation_free(&o->simulations[k]);
    }
    campaign_steps_free(&o->steps);
    isocast_algorithm_free(o->algorithm);
    isocast_diagnostics_clear(&o->diagnostics);
    isocast_buffer_free(&o->reported);
}

/* The program with all sizes but the first, as whoever executes it takes it. */
static isocast_status load_steps(campaign_program *o) {
    const campaign_steps *given = o->request.steps;
    if (o->algorithm != NULL) {
        return ISOCAST_OK;
    }
    isocast_status status = isocast_algorithm_load(given->path, &o->diagnostics, &o->algorithm);
    size_t further = given->algorithm->size_count - 1;
    for (size_t i = 0; i < given->setting_count + further && status == ISOCAST_OK; i++) {
        isocast_buffer text = {0};
        isocast_setting set = {0};
        if (i < given->setting_count) {
            isocast_buffer_puts(&text, given->words.items[i]);
        } else {
            size_t k = i - given->setting_count;
            isocast_buffer_printf(&text, "%s=%.17g", given->algorithm->sizes[k + 1].name,
                                  o->other_sizes != NULL ? o->other_sizes[k] : NAN);
        }
        status = text.failed ? ISOCAST_NO_MEMORY
                             : isocast_setting_apply("--set", text.text, o->algorithm, NULL,
                                                     &o->diagnostics, &set);
        if (status == ISOCAST_OK && !campaign_steps_set(&o->steps, &set)) {
            status = ISOCAST_NO_MEMORY;
        }
        free(set.name);
        isocast_buffer_free(&text);
    }
    o->steps.path = status == ISOCAST_OK ? strdup(given->path) : NULL;
    status = status == ISOCAST_OK && o->steps.path == NULL ? ISOCAST_NO_MEMORY : status;
    o->steps.algorithm = o->algorithm;
    o->steps.diagnostics = &o->diagnostics;
    return status;
}

isocast_status campaign_program_rehearse(campaign_program *o, const isocast_system *system,
                                         double N, double seconds, isocast_rehearsal *out) {
    double longest = 0;
    isocast_status status = load_steps(o);
    o->steps.actions_most = fmax(seconds, 0) / (2 * action_seconds + counted_message);
    return status == ISOCAST_OK
               ? campaign_steps_rehearse(&o->steps, &o->listener, system, N, 0, out, &longest)
               : status;
}

double campaign_program_cost(const isocast_rehearsal *r, const isocast_system *system,
                             bool counted) {
    /* A collective operation takes a process some rounds. */
    double messages = r->all.messages + r->all.calls * (1 + log2(system->p));
    return counted ? counted_message * messages
           : system->p > simulated_most
               ? INFINITY
               : simulated_start + simulated_process * system->p + simulated_message * messages;
}

/* All that T depends on. */
static isocast_status name_run(const campaign_program *o, const isocast_system *system, double N,
                               bool counted, isocast_buffer *key) {
    const isocast_platform *platform = o->request.launches->places->platform;
    const isocast_source *source = o->algorithm->tree->source;
    campaign_launches_put_origin(o->request.launches, o->request.launches->places->version, key);
    double stretch = 1;
    if (campaign_steps_stretch(o->algorithm, platform->hardware, system, N, &stretch) !=
        ISOCAST_OK) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_buffer_printf(key, "schedule %s N %.0f stretch %.9g\n", o->sha256[counted], N, stretch);
    for (size_t i = 0; i < o->steps.setting_count; i++) {
        isocast_buffer_printf(key, "%s\n", o->steps.words.items[i]);
    }
    isocast_buffer_append(key, source->text, source->length);
    if (counted) {
        simgrid_write_quick(platform, system, key);
    } else {
        simgrid_write_platform(platform, system, key);
        simgrid_write_hosts(platform, system, key);
    }
    return key->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

static isocast_status launch(campaign_program *o, const isocast_system *system, double N,
                             bool counted, double seconds, double *T) {
    const isocast_platform *platform = o->request.launches->places->platform;
    campaign_kernel_setup setup = {.listener = &o->listener,
                                   .program = counted ? o->request.quick : o->request.simulated,
                                   .seed = 1,
                                   .machine = platform->hardware,
                                   .steps = &o->steps,
                                   .algorithm = o->algorithm,
                                   .simulation = &o->simulations[counted],
                                   .timeout = seconds};
    snprintf(setup.kernel.name, sizeof setup.kernel.name, "%s", o->algorithm->name);
    snprintf(setup.kernel.algorithm, sizeof setup.kernel.algorithm, "%s", o->algorithm->name);
    campaign_kernel_row row;
    o->launches++;
    isocast_status status = campaign_kernel_launch(&setup, NULL, system, N, 1, &row);
    *T = status == ISOCAST_OK ? campaign_kernel_value(&row, "T") : NAN;
    return status;
}

isocast_status campaign_program_time(campaign_program *o, const isocast_system *system, double N,
                                     bool counted, double seconds, double *T) {
    const campaign_point_cache *cache = o->request.launches->cache;
    campaign_size_times known = {0};
    isocast_buffer key = {0};
    isocast_status status = load_steps(o);
    status = status == ISOCAST_OK ? name_run(o, system, N, counted, &key) : status;
    status = status == ISOCAST_OK ? campaign_point_cache_find(cache, key.text, &known) : status;
    if (status == ISOCAST_OK && known.count > 0) {
        *T = known.rows[0].seconds;
        o->cached++;
    } else if (status == ISOCAST_OK && seconds > 0) {
        status = launch(o, system, N, counted, seconds, T);
        if (status == ISOCAST_OK && *T > 0 && campaign_size_times_add(&known, N, *T)) {
            campaign_point_cache_keep(cache, key.text, &known);
        }
    }
    campaign_size_times_free(&known);
    isocast_buffer_free(&key);
    return status;
}

bool campaign_program_failed(isocast_status status) {
    return status != ISOCAST_OK && status != ISOCAST_NO_MEMORY && status != ISOCAST_INTERRUPTED;
}

void campaign_program_take_reason(campaign_program *o, char *out, size_t size) {
    isocast_buffer rendered = {0};
    if (o->diagnostics.count > 0) {
        isocast_diagnostics_render(&o->diagnostics, &rendered);
    }
    const char *text = rendered.text != NULL      ? rendered.text
                       : o->reported.text != NULL ? o->reported.text
                                                  : "it failed";
    snprintf(out, size, "%.*s", (int)strcspn(text, "\n"), text);
    isocast_buffer_free(&rendered);
    isocast_diagnostics_clear(&o->diagnostics);
    isocast_buffer_free(&o->reported);
}
