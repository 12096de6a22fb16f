#include "calibration_simulated.h"

#include <math.h>
#include <stdio.h>

#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "model/spec/system.h"

/* Where sizes begin to be refined. They go to where time is proportional to them, so that many
 * processes have room. */
static const char simulated_sizes[] = "8,32,64,128,256,512,768,1024,1536,2048,3072,4096,6144,8192,"
                                      "12288,16384,20480,24576,28672,32768,"
                                      "49152,65536,131072,262144,524288,1048576,2097152,4194304";

/* Fewer processes than a system has, on its first ones: powers of two, as libraries choose other
 * algorithms there, and counts between. */
static const char simulated_counts[] = "2,3,4,5,6,7,8,9,11,12,13,15,16";
static const double counts_most = 16;
/* Where none are wanted. */
static const char no_counts[] = "1";

typedef struct campaign {
    cli_calibration *m;
    cli_simulation *simulation;
} campaign;

/* Nodes that count as one where what is near matters; processes that share a node come first. */
static double together_of(const isocast_platform *platform) {
    return platform->hardware->classes[0].processors > 1 ? 1 : platform->network.together;
}

static int launch(const campaign *c, const isocast_system *system, double in_group,
                  const char *counts) {
    int status = cli_simulation_prepare(c->simulation, system, in_group);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    char together[32];
    snprintf(together, sizeof together, "%.0f", together_of(c->simulation->platform));
    const char *command[] = {c->m->probe, "--launch", "0",          "--budget",      "1",
                             "--seed",    "1",        "--sizes",    simulated_sizes, "--simulated",
                             "--counts",  counts,     "--together", together,        NULL};
    launcher_request request = {.launcher = c->simulation->launcher,
                                .processes = (long)system->p,
                                .command = command,
                                .temporary = c->simulation->folder,
                                .line = cli_calibration_take_line,
                                .context = c->m};
    int exit_code = 0;
    launcher_message message;
    launcher_status ended = launcher_run(&request, &exit_code, &message);
    return cli_calibration_tell_launch(c->m, ended, exit_code, &message);
}

/* On nodes of several processors as many processes as were asked for are also packed: what passes
 * between nodes and within them takes different times. Powers of two on a node, and all nodes of
 * one class. */
static int measure_packed(const campaign *c, const isocast_system *largest) {
    const isocast_machine *hardware = c->simulation->platform->hardware;
    const isocast_node_class *class = &hardware->classes[0];
    int status = CLI_EXIT_OK;
    double most = fmin(class->processors, largest->p);
    for (double each = 2;
         hardware->class_count == 1 && class->count > 1 && each <= most && status == CLI_EXIT_OK;
         each *= 2) {
        char text[64];
        snprintf(text, sizeof text, "%.0fx%.0f", each,
                 fmin(floor(largest->p / each), class->count));
        isocast_diagnostics diagnostics = {0};
        isocast_system **packed = NULL;
        size_t count = 0;
        isocast_status parsed =
            isocast_systems_parse(hardware, "placement", text, &diagnostics, &packed, &count);
        parsed = cli_diagnostics_tell(&diagnostics, c->m->quiet, parsed);
        status =
            parsed == ISOCAST_OK ? launch(c, packed[0], 0, simulated_counts) : cli_exit_of(parsed);
        isocast_systems_free(packed, count);
    }
    return status;
}

/* Where nodes that are numbered one after the other are near to each other, as many processes as
 * were asked for are also put further apart. */
static int measure_spread(const campaign *c, const isocast_system *largest) {
    const isocast_machine *hardware = c->simulation->platform->hardware;
    double together = together_of(c->simulation->platform);
    double groups = hardware->classes[0].count / together;
    int status = CLI_EXIT_OK;
    for (double each = 1; together > 1 && hardware->class_count == 1 && each < largest->p &&
                          each <= together && status == CLI_EXIT_OK;
         each *= 2) {
        bool fits = ceil(largest->p / each) <= groups;
        status = fits ? launch(c, largest, each, simulated_counts) : CLI_EXIT_OK;
    }
    return status;
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

int cli_calibration_simulate(cli_calibration *m, cli_simulation *simulation,
                             isocast_system *const *systems, size_t count) {
    campaign c = {m, simulation};
    int status = CLI_EXIT_OK;
    m->others = NAN;
    const isocast_system *host = host_of_counts(systems, count);
    for (size_t i = 0; i < count && status == CLI_EXIT_OK; i++) {
        status = launch(&c, systems[i], 0, systems[i] == host ? simulated_counts : no_counts);
    }
    if (status == CLI_EXIT_OK) {
        status = measure_packed(&c, host);
    }
    return status == CLI_EXIT_OK ? measure_spread(&c, host) : status;
}
