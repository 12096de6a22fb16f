#include "calibrate_measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calibrate/campaign/algorithm_misfit.h"
#include "calibrate/campaign/machine_result.h"
#include "calibrate/campaign/simulated_launches.h"
#include "calibrate_choice.h"
#include "cli/options/exit.h"
#include "cli/options/locate.h"
#include "cli/output/output.h"
#include "interrupt.h"

/* The samples' file: beside the machine file, unless --samples names another. */
static int open_samples(cli_calibration *c) {
    isocast_buffer path = {0};
    if (c->samples_path != NULL) {
        isocast_buffer_puts(&path, c->samples_path);
    } else {
        cli_beside_output(c->common.output, c->usage->beside, &path);
    }
    snprintf(c->plans_path, sizeof c->plans_path, "%.4080s.plans",
             path.text != NULL ? path.text : "");
    c->request.plans = c->plans_path;
    isocast_status opened =
        path.failed
            ? ISOCAST_NO_MEMORY
            : campaign_sample_file_open(path.text, c->resume, &c->campaign.listener,
                                        &c->diagnostics, &c->recorder.samples, &c->recorder.file);
    isocast_buffer_free(&path);
    return cli_calibration_exit(c, opened);
}

/* What a calibration that goes on must have in common with the one that was interrupted. */
static int note_plan(cli_calibration *c) {
    char plan[1024];
    snprintf(plan, sizeof plan, "%s %s; seed %ld; %s",
             c->platform_name != NULL ? c->platform_name : "processes",
             c->platform_name != NULL ? c->systems_text : c->processes_text, c->request.seed,
             c->algorithm_name != NULL    ? c->algorithm_name
             : c->operations_text != NULL ? c->operations_text
                                          : "usual operations");
    isocast_buffer earlier = {0};
    isocast_status noted = campaign_recorder_note_plan(&c->recorder, plan, &earlier);
    int status = cli_calibration_exit(c, noted);
    if (noted == ISOCAST_ARGUMENT) {
        status = cli_usage_error(c->usage, "--resume: the calibration to go on with has %s, not %s",
                                 earlier.text != NULL ? earlier.text : "", plan);
    }
    isocast_buffer_free(&earlier);
    return status;
}

/* What the samples were measured on and how, at the head of their file. */
static int note_environment(cli_calibration *c) {
    const campaign_site *site = &c->request.site;
    char seed[32];
    snprintf(seed, sizeof seed, "%ld", c->request.seed);
    const struct {
        const char *key;
        const char *value;
    } facts[] = {{"isocast", ISOCAST_VERSION},
                 {"date", c->date},
                 {"command", c->command},
                 {"seed", seed},
                 {"processor", site->node.model},
                 {"system", site->node.kernel},
                 {"governor", site->node.governor},
                 {"launcher", site->launcher != NULL ? site->launcher : LAUNCHER_DEFAULT}};
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < sizeof facts / sizeof facts[0]; i++) {
        status = campaign_recorder_note(&c->recorder, facts[i].key, facts[i].value);
    }
    return cli_calibration_exit(c, status);
}

static bool was_oversubscribed(const cli_calibration *c) {
    for (size_t i = 0; i < c->request.process_count; i++) {
        if (campaign_site_is_oversubscribed(&c->request.site, c->processes[i])) {
            return true;
        }
    }
    return false;
}

/* Of a simulated platform: runs of the kernel of --for tell what its formulas miss. */
static isocast_status append_misfit(cli_calibration *c, isocast_buffer *text) {
    char *lister = cli_locate_program("isocast-kernel");
    char *program = cli_locate_program("isocast-kernel-simulated");
    const campaign_misfit_request request = {.lister = lister,
                                             .program = program,
                                             .algorithm = c->loaded.algorithm,
                                             .simulation = &c->simulation,
                                             .systems = c->systems,
                                             .count = c->system_count,
                                             .systems_text = c->systems_text,
                                             .name = c->common.output,
                                             .seed = c->request.seed,
                                             .listener = &c->campaign.listener};
    bool runs =
        lister != NULL && program != NULL && c->platform != NULL && c->loaded.algorithm != NULL;
    isocast_status status =
        runs ? campaign_algorithm_misfit_append(&request, &c->diagnostics, text) : ISOCAST_OK;
    free(lister);
    free(program);
    return status;
}

/* Fits the samples, writes the machine file, and then tells what came out. */
static int write_machine(cli_calibration *c) {
    char host[64] = "here";
    gethostname(host, sizeof host - 1);
    const char *otherwise = c->platform != NULL ? c->platform->hardware->name : host;
    campaign_machine_facts facts = {.name = c->name != NULL ? c->name : otherwise,
                                    .date = c->date,
                                    .version = ISOCAST_VERSION,
                                    .command = c->command,
                                    .node = c->request.site.node,
                                    .platform = c->platform,
                                    .system_count = c->system_count,
                                    .seed = c->request.seed,
                                    .oversubscribed = was_oversubscribed(c),
                                    .others = c->others};
    campaign_machine machine = {.t_c = NAN};
    isocast_buffer text = {0};
    int status =
        cli_calibration_exit(c, campaign_machine_fit(&c->recorder, c->platform != NULL, &machine));
    if (status == CLI_EXIT_OK) {
        campaign_machine_write(&machine, &facts, &c->recorder, &text);
        status = cli_calibration_exit(
            c, cli_reference_append(&c->reference, &c->campaign.listener, &text));
    }
    if (status == CLI_EXIT_OK) {
        status = cli_calibration_exit(c, append_misfit(c, &text));
    }
    if (status == CLI_EXIT_OK) {
        status = cli_output_write_text(c->common.output, &text);
    }
    if (status == CLI_EXIT_OK) {
        campaign_machine_tell(&machine, &facts, &c->recorder);
        if (c->algorithm_name != NULL) {
            cli_choice_tell_unmeasured(&c->selection, c->loaded.algorithm, &machine.fit,
                                       &c->campaign.listener);
        }
    }
    campaign_machine_free(&machine);
    return status;
}

int cli_calibration_add_kernel(cli_calibration *c) {
    if (!cli_own_program_asked(&c->kernel.own)) {
        return CLI_EXIT_OK;
    }
    const cli_kernel_site at = {.site = &c->request.site,
                                .listener = &c->campaign.listener,
                                .algorithm = c->loaded.algorithm,
                                .processes = c->processes,
                                .count = c->request.process_count,
                                .seed = c->request.seed};
    isocast_buffer text = {0};
    cli_interrupts_catch();
    int status = cli_kernel_calibration_load(&c->kernel, c->common.output, c->common.quiet, &text);
    if (status == CLI_EXIT_OK) {
        status = cli_calibration_exit(
            c, cli_kernel_calibration_measure(&c->kernel, &at, &c->diagnostics, &text));
    }
    if (status == CLI_EXIT_OK) {
        return cli_output_write_text(c->common.output, &text);
    }
    isocast_buffer_free(&text);
    return status;
}

static isocast_status measure_samples(cli_calibration *c) {
    return c->platform != NULL
               ? campaign_calibrate_simulated(c->probe, c->request.selection, c->request.budget,
                                              &c->simulation, c->systems, c->system_count,
                                              &c->recorder, &c->diagnostics)
               : campaign_calibrate(&c->request, &c->recorder, &c->others);
}

/* Whatever ends the measuring, what it gave is kept. */
static int measure(cli_calibration *c) {
    time_t now = time(NULL);
    struct tm utc;
    strftime(c->date, sizeof c->date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    cli_interrupts_catch();
    int status = note_plan(c);
    if (status == CLI_EXIT_OK) {
        status = note_environment(c);
    }
    if (status == CLI_EXIT_OK) {
        status = cli_calibration_exit(c, measure_samples(c));
    }
    unlink(c->plans_path);
    if (status == CLI_EXIT_OK) {
        status = cli_calibration_exit(c, campaign_sample_file_finish(&c->recorder.file));
    } else if (status != CLI_EXIT_USAGE) {
        campaign_sample_file_keep(&c->recorder.file);
    }
    return status;
}

/* The budget is a promise; where it was not kept the user learns why. */
void cli_calibration_tell_budget(const cli_calibration *c) {
    static const double kept_within = 1.1;
    double taken = campaign_clock() - c->request.started;
    size_t launches = c->recorder.progress.launches;
    if (c->platform_name == NULL && !c->resume && taken > kept_within * c->request.budget &&
        launches > 0) {
        fprintf(
            stderr,
            "isocast calibrate: took %.0f s of a budget of %.0f s: %zu launches do not fit into "
            "it; give more time or fewer --launches\n",
            taken, c->request.budget, launches);
    }
}

static int measure_reference(cli_calibration *c) {
    return cli_calibration_exit(
        c, cli_reference_measure(&c->request.site, c->platform != NULL ? &c->simulation : NULL,
                                 &c->campaign.listener, &c->reference));
}

int cli_calibration_measure(cli_calibration *c) {
    int status = open_samples(c);
    if (status == CLI_EXIT_OK) {
        status = measure(c);
    }
    bool measured = status == CLI_EXIT_OK;
    if (measured) {
        status = measure_reference(c);
    }
    status = status == CLI_EXIT_OK ? write_machine(c) : status;
    if (measured && status != CLI_EXIT_OK) {
        fprintf(stderr, "isocast calibrate: the samples are in %s\n", c->recorder.file.path);
    }
    return status;
}
