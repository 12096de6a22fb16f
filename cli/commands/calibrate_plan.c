#include "calibrate_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibrate/campaign/simulated_launches.h"
#include "calibrate/campaign/simulation.h"
#include "calibrate_choice.h"
#include "cli/options/exit.h"
#include "cli/options/locate.h"
#include "cli/options/prediction_values.h"
#include "cli/options/system_size.h"
#include "model/spec/system.h"
#include "simulated.h"

int cli_calibration_exit(cli_calibration *c, isocast_status status) {
    return cli_campaign_exit(&c->campaign, &c->diagnostics, status);
}

static int read_systems(cli_calibration *c) {
    int loaded = cli_load_platform(c->platform_name, c->common.quiet, &c->platform);
    if (loaded != CLI_EXIT_OK) {
        return loaded;
    }
    c->simulation.platform = c->platform;
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        isocast_systems_parse(c->platform->hardware, NULL, "--systems", c->systems_text,
                              &diagnostics, &c->systems, &c->system_count);
    status = cli_diagnostics_tell(&diagnostics, c->common.quiet, status);
    for (size_t i = 0; i < c->system_count; i++) {
        const isocast_system *system = c->systems[i];
        bool sends = system->p >= 2 || cli_own_program_asked(&c->kernel.own);
        if (!sends) {
            return cli_usage_error(
                c->usage, "system %s has one process: there are no messages to time", system->name);
        }
        int size = cli_system_size_check(c->usage, system, c->platform->hardware);
        if (size != CLI_EXIT_OK) {
            return size;
        }
        /* Before samples are begun. */
        isocast_status fits = campaign_simulation_check(system, &c->campaign.listener);
        fits = fits == ISOCAST_OK ? campaign_memory_check(system->p, &c->campaign.listener) : fits;
        if (fits != ISOCAST_OK) {
            return cli_calibration_exit(c, fits);
        }
    }
    return status == ISOCAST_INVALID ? CLI_EXIT_USAGE : cli_exit_of(status);
}

static int read_processes(cli_calibration *c) {
    int read = cli_numbers_read("--processes", c->processes_text, &c->processes,
                                &c->request.process_count);
    if (read != CLI_EXIT_OK) {
        return read;
    }
    c->request.processes = c->processes;
    for (size_t i = 0; i < c->request.process_count; i++) {
        double p = c->processes[i];
        if (p < 1 || p != floor(p) || p > 1e6) {
            return cli_usage_error(c->usage, "%g is not a number of processes", p);
        }
        if (campaign_site_is_oversubscribed(&c->request.site, p) && !c->oversubscribe) {
            return cli_usage_error(c->usage,
                                   "%g processes on %ld processors would measure the scheduler; "
                                   "--oversubscribe does it all the same, and labels the result",
                                   p, campaign_site_processors(&c->request.site));
        }
    }
    return CLI_EXIT_OK;
}

/* The probe of real machines. */
static int locate_probe(char **out) {
    *out = cli_locate_program("isocast-probe");
    if (*out == NULL) {
        return cli_locate_fail("calibrate",
                               "the program isocast-probe is not installed beside isocast");
    }
    return CLI_EXIT_OK;
}

static int find_probe(cli_calibration *c) {
    int status = c->platform_name != NULL
                     ? cli_simulated_program(c->usage, "isocast-probe-simulated", &c->probe)
                     : locate_probe(&c->probe);
    c->request.site.probe = c->probe;
    return status;
}

/* The algorithm of --for, and the program that --command runs of it. */
static int load_algorithm(cli_calibration *c) {
    int status = c->algorithm_name != NULL
                     ? cli_load_apart(c->algorithm_name, NULL, c->common.quiet, &c->loaded)
                     : CLI_EXIT_OK;
    return status == CLI_EXIT_OK && cli_own_program_asked(&c->kernel.own)
               ? cli_kernel_calibration_read(c->usage, c->common.output, c->platform_name != NULL,
                                             c->common.quiet, &c->loaded, &c->kernel)
               : status;
}

static int choose_for_algorithm(cli_calibration *c) {
    const isocast_algorithm *algorithm = c->loaded.algorithm;
    isocast_status wanted = campaign_selection_want_algorithm(&c->selection, algorithm);
    if (isocast_status_is_of_system(wanted)) {
        return cli_exit_of(wanted);
    }
    if (c->platform_name == NULL && !cli_own_program_asked(&c->kernel.own)) {
        cli_choice_tell_kernel(&c->selection, algorithm, &c->campaign.listener);
    }
    if (wanted != ISOCAST_OK && !cli_own_program_asked(&c->kernel.own)) {
        return cli_usage_error(c->usage,
                               "--for: the formulas of %s call no operation that can be measured, "
                               "and it names no kernel",
                               algorithm->name);
    }
    c->weighting = (campaign_weighting){.algorithm = algorithm,
                                        .processes = c->processes,
                                        .process_count = c->request.process_count,
                                        .processors = c->request.site.node.processors};
    c->request.weighting = &c->weighting;
    return CLI_EXIT_OK;
}

/* The simulator's probe runs under smpirun alone; that of real machines lists the same. */
static int list_measurables(cli_calibration *c) {
    bool simulated = c->platform_name != NULL;
    char *probe = NULL;
    int status = locate_probe(&probe);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    status =
        cli_calibration_exit(c, campaign_probe_list(probe, &c->campaign.listener, &c->selection));
    free(probe);
    if (status == CLI_EXIT_OK && simulated) {
        campaign_selection_simulate(&c->selection);
    }
    return status;
}

/* What is usual on a platform depends on it: its probe does not know. */
static int choose_operations(cli_calibration *c) {
    bool named = c->operations_text != NULL || c->algorithm_name != NULL;
    if (!named && c->platform_name == NULL) {
        return CLI_EXIT_OK;
    }
    int status = list_measurables(c);
    c->request.selection = &c->selection;
    if (status == CLI_EXIT_OK && named) {
        status = c->algorithm_name != NULL
                     ? choose_for_algorithm(c)
                     : cli_choice_by_names(c->usage, c->operations_text, &c->selection);
    }
    return status;
}

static int find_launcher(cli_calibration *c) {
    campaign_site *site = &c->request.site;
    node_describe(&site->node);
    int status = cli_launcher_find(c->usage, c->launcher_text, &c->launcher);
    site->launcher = c->launcher.command;
    site->processors = c->launcher.processors;
    return status;
}

static int read_counts(cli_calibration *c) {
    if (c->platform_name != NULL) {
        return read_systems(c);
    }
    long processors = campaign_site_processors(&c->request.site);
    if (processors > 2) {
        snprintf(c->all_processes, sizeof c->all_processes, "1..%ld*2,%ld", processors - 1,
                 processors);
    } else {
        snprintf(c->all_processes, sizeof c->all_processes, processors == 2 ? "1,%ld" : "%ld",
                 processors);
    }
    c->processes_text = c->processes_text != NULL ? c->processes_text : c->all_processes;
    return read_processes(c);
}

static int read_reference(cli_calibration *c) {
    return cli_reference_read(c->usage, &c->request.site,
                              c->platform != NULL ? c->platform->hardware : NULL, c->oversubscribe,
                              &c->reference);
}

typedef int step(cli_calibration *c);

/* The steps, up to the first that fails. */
static int follow(cli_calibration *c, step *const *steps, size_t count) {
    int status = CLI_EXIT_OK;
    for (size_t i = 0; status == CLI_EXIT_OK && i < count; i++) {
        status = steps[i](c);
    }
    return status;
}

int cli_calibration_plan(cli_calibration *c) {
    step *const steps[] = {find_launcher,  read_counts, load_algorithm,
                           read_reference, find_probe,  choose_operations};
    return follow(c, steps, sizeof steps / sizeof steps[0]);
}

int cli_calibration_plan_program(cli_calibration *c) {
    step *const steps[] = {find_launcher, read_counts, load_algorithm};
    return follow(c, steps, sizeof steps / sizeof steps[0]);
}

void cli_calibration_free(cli_calibration *c) {
    cli_launcher_free(&c->launcher);
    cli_reference_free(&c->reference);
    cli_kernel_calibration_free(&c->kernel);
    cli_loaded_free(&c->loaded);
    free(c->probe);
    free(c->processes);
    isocast_systems_free(c->systems, c->system_count);
    campaign_simulation_free(&c->simulation);
    isocast_platform_free(c->platform);
    campaign_recorder_free(&c->recorder);
}
