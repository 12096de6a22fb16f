#include "simulated_launches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibrate/samples/environment.h"

/* Where sizes begin to be refined. They go to where time is proportional to them, so that many
 * processes have room. */
static const char simulated_sizes[] = "8,32,64,128,256,512,768,1024,1536,2048,3072,4096,6144,8192,"
                                      "12288,16384,20480,24576,28672,32768,"
                                      "49152,65536,131072,262144,524288,1048576,2097152,4194304";

/* Fewer processes than a system has, on its first ones: powers of two, as libraries choose other
 * algorithms there, and counts between. */
static const char simulated_counts[] = "2,3,4,5,6,7,8,9,11,12,13,15,16";
static const double counts_most = 16;
/* Few, where a launch only has to show how the nodes of processes matter. */
static const char few_counts[] = "3,5,7";
static const double few_most = 8;
/* Where none are wanted. */
static const char no_counts[] = "1";

typedef struct campaign {
    const char *probe;
    const char *weights; /* of what is measured; NULL: all that is usual */
    double budget;       /* s, of all launches together; infinite: none */
    campaign_simulation *simulation;
    campaign_recorder *recorder;
    isocast_diagnostics *diagnostics;
} campaign;

/* The samples show which library has the messages of collective operations. */
static isocast_status note_library(const campaign *c) {
    const isocast_network *network = &c->simulation->platform->network;
    char line[ENVIRONMENT_LINE_MAX];
    if (network->collectives == ISOCAST_COLLECTIVES_MPICH) {
        return ISOCAST_OK;
    }
    environment_write(ENVIRONMENT_COLLECTIVES, isocast_collectives_name(network->collectives),
                      line);
    return campaign_recorder_add(c->recorder, line);
}

static isocast_status fail_budget(const campaign *c, const isocast_system *system) {
    return campaign_fail(c->recorder->listener, ISOCAST_PROGRAM,
                         "the simulations do not end within the budget of %.3g s: it ended in "
                         "launch %zu, on %s\n    hint: give more --budget, or smaller systems",
                         c->budget, c->recorder->progress.launch + 1, system->name);
}

static isocast_status launch(const campaign *c, const isocast_system *system, const char *counts) {
    isocast_status status =
        campaign_simulation_prepare(c->simulation, system, c->recorder->listener);
    if (status != ISOCAST_OK) {
        return status;
    }
    launcher_words words = {0};
    launcher_words_add(&words, c->probe);
    launcher_words_put(&words, "--launch 0 --budget 1 --seed 1 --simulated");
    launcher_words_option(&words, "--sizes", simulated_sizes);
    launcher_words_option(&words, "--counts", counts);
    launcher_words_option(&words, "--weights", c->weights);
    launcher_request request =
        campaign_simulation_request(c->simulation, NULL, system, words.items);
    request.line = campaign_recorder_take_line;
    request.alive = campaign_recorder_report_progress;
    request.context = c->recorder;
    double left = c->recorder->progress.started + c->budget - campaign_clock();
    request.timeout = isfinite(left) ? left : 0;
    launcher_end end = {.cause = LAUNCHER_TIMEOUT};
    campaign_recorder_begin_launch(c->recorder);
    status = words.failed ? ISOCAST_NO_MEMORY
             : left > 0   ? launcher_run(&request, &end)
                          : ISOCAST_PROGRAM;
    launcher_words_free(&words);
    if (status == ISOCAST_PROGRAM && end.cause == LAUNCHER_TIMEOUT) {
        return fail_budget(c, system);
    }
    c->recorder->progress.launch++;
    return campaign_probe_end(c->recorder, status, &end);
}

/* A system as `text` writes it. */
static isocast_status launch_text(const campaign *c, const char *text, const char *counts) {
    isocast_system *system = NULL;
    isocast_status status = isocast_system_named(c->simulation->platform->hardware, NULL,
                                                 "placement", text, c->diagnostics, &system);
    if (status == ISOCAST_OK) {
        status = launch(c, system, counts);
    }
    isocast_system_free(system);
    return status;
}

static isocast_status launch_placement(const campaign *c, double each, double nodes,
                                       const char *counts) {
    char text[64];
    snprintf(text, sizeof text, "%.0fx%.0f", each, nodes);
    return launch_text(c, text, counts);
}

static const isocast_node_class *class_of(const campaign *c, const isocast_system *system,
                                          size_t entry) {
    return &c->simulation->platform->hardware->classes[system->classes[entry]];
}

/* Adds a set of a class to a mix. */
static void put_set(isocast_buffer *mix, const char *name, double each, double nodes) {
    if (each > 0 && nodes > 0) {
        isocast_buffer_printf(mix, "%s%s:%.0fx%.0f", mix->length > 0 ? "+" : "", name, each, nodes);
    }
}

/* The processes of each class of a small mix on as many nodes as there are for them, and then the
 * class with the most processors on one node: a mix fills its nodes, so that it alone would not
 * show what it takes where processes share no node. Nodes that were given stay. */
static isocast_status measure_mix(const campaign *c, const isocast_system *small) {
    isocast_buffer mix = {0};
    isocast_buffer one = {0};
    const isocast_node_class *most = class_of(c, small, 0);
    bool spreads = false;
    bool given = false;
    for (size_t i = 0; i < small->count; i++) {
        const isocast_node_class *class = class_of(c, small, i);
        double p = small->table.rows[ISOCAST_CLASS_PROCESSES][i];
        double each = ceil(p / class->count);
        double full = floor(p / each);
        spreads = spreads || each < small->each[i];
        given = given || small->placed[i];
        put_set(&mix, class->name, each, full);
        put_set(&mix, class->name, p - each * full, 1);
        most = class->processors > most->processors ? class : most;
    }
    put_set(&one, most->name, fmin(most->processors, small->p), 1);
    bool failed = mix.failed || one.failed;
    isocast_status status = failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK && spreads && !given) {
        status = launch_text(c, mix.text, few_counts);
    }
    if (status == ISOCAST_OK && most->processors > 1) {
        status = launch_text(c, one.text, no_counts);
    }
    isocast_buffer_free(&mix);
    isocast_buffer_free(&one);
    return status;
}

/* On nodes of several processors as many processes as were asked for are also put on nodes by ones
 * and other powers of two, and all nodes of one class: what passes between nodes and within them
 * takes different times. Messages between two processes are timed on all processes of a launch
 * only, so one launch has a single node, even where that has room for fewer processes than were
 * asked for. */
static isocast_status measure_packed(const campaign *c, const isocast_system *largest) {
    const isocast_machine *hardware = c->simulation->platform->hardware;
    const isocast_node_class *class = &hardware->classes[0];
    isocast_status status = ISOCAST_OK;
    double most = fmin(class->processors, largest->p);
    bool packs = class->count > 1 && most > 1;
    bool within = largest->nodes == 1;
    for (double each = 1; packs && each <= most && status == ISOCAST_OK; each *= 2) {
        double nodes = fmin(floor(largest->p / each), class->count);
        bool known = largest->count == 1 && each == largest->p_node && nodes == largest->nodes;
        within = within || nodes == 1;
        status = known ? ISOCAST_OK : launch_placement(c, each, nodes, simulated_counts);
    }
    return packs && !within && status == ISOCAST_OK ? launch_placement(c, most, 1, no_counts)
                                                    : status;
}

/* The smallest system that has room for all smaller counts, or the largest there is. */
static const isocast_system *host_of_counts(isocast_system *const *systems, size_t count) {
    const isocast_system *host = systems[0];
    for (size_t i = 1; i < count; i++) {
        bool better = host->p < counts_most
                          ? systems[i]->p > host->p
                          : systems[i]->p >= counts_most && systems[i]->p < host->p;
        host = better ? systems[i] : host;
    }
    return host;
}

/* The largest system that is small; the host of counts where none is. */
static const isocast_system *small_mix(isocast_system *const *systems, size_t count) {
    const isocast_system *mix = NULL;
    for (size_t i = 0; i < count; i++) {
        bool better = systems[i]->p <= few_most && (mix == NULL || systems[i]->p > mix->p);
        mix = better ? systems[i] : mix;
    }
    return mix != NULL ? mix : host_of_counts(systems, count);
}

static isocast_status launch_all(const campaign *c, isocast_system *const *systems, size_t count) {
    isocast_status status = ISOCAST_OK;
    const isocast_system *host = host_of_counts(systems, count);
    bool mixed = c->simulation->platform->hardware->class_count > 1;
    c->recorder->progress = (campaign_progress){.started = campaign_clock()};
    status = note_library(c);
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        status = launch(c, systems[i], systems[i] == host ? simulated_counts : no_counts);
    }
    if (status == ISOCAST_OK) {
        status = mixed ? measure_mix(c, small_mix(systems, count)) : measure_packed(c, host);
    }
    return status;
}

isocast_status campaign_calibrate_simulated(const char *probe, const campaign_selection *selection,
                                            double budget, campaign_simulation *simulation,
                                            isocast_system *const *systems, size_t count,
                                            campaign_recorder *recorder,
                                            isocast_diagnostics *diagnostics) {
    char *weights = NULL;
    isocast_status status =
        selection != NULL ? campaign_selection_weights(selection, &weights) : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        campaign c = {probe, weights, budget, simulation, recorder, diagnostics};
        status = launch_all(&c, systems, count);
    }
    free(weights);
    return status;
}
