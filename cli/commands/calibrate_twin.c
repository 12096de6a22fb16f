#include "calibrate_twin.h"

#include <stdlib.h>

#include "calibrate/campaign/twin.h"
#include "campaign.h"
#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/locate.h"
#include "cli/output/output.h"
#include "cli/output/render.h"
#include "cli/report/report_twin.h"
#include "interrupt.h"
#include "model/spec/machine_load.h"
#include "simulated.h"

/* So many nodes of each class the platform has, where nothing else is asked for: those that a
 * prediction does not use cost nothing. */
static const long nodes_usual = 1024;

/* A twin on its way. */
typedef struct command {
    const cli_twin *options;
    const cli_twin_setting *setting;
    cli_campaign campaign;
    cli_loaded loaded; /* the machine */
    char *probe;
    campaign_point_cache cache;
    campaign_twin_timings timings;
    campaign_twin twin;
    isocast_diagnostics diagnostics;
} command;

int cli_twin_check(const cli_usage *usage, const cli_twin *twin, bool simulates) {
    if (twin->machine == NULL && twin->nodes >= 0) {
        return cli_usage_error(usage, "--nodes goes with --twin");
    }
    if (twin->machine == NULL && !simulates && cli_cache_given(twin->cache, twin->no_cache)) {
        return cli_usage_error(usage, "--cache and --no-cache go with --twin, and with --command "
                                      "on a platform");
    }
    return twin->nodes != 0 ? cli_cache_check(usage, twin->cache, twin->no_cache)
                            : cli_usage_error(usage, "--nodes must be above 0");
}

static int load(const cli_usage *usage, command *c) {
    bool quiet = c->setting->common->quiet;
    isocast_status status = ISOCAST_OK;
    int located = cli_locate_spec(CLI_SPEC_MACHINE, c->options->machine, &c->loaded.machine_path);
    if (located != CLI_EXIT_OK) {
        return located;
    }
    status = isocast_machine_load(c->loaded.machine_path, &c->diagnostics, &c->loaded.machine);
    if (status == ISOCAST_OK) {
        status = campaign_twin_timings_load(c->loaded.machine, c->loaded.machine_path,
                                            &c->diagnostics, &c->timings);
    }
    status = cli_diagnostics_tell(&c->diagnostics, quiet, status);
    return status == ISOCAST_OK ? cli_simulated_program(usage, "isocast-probe-simulated", &c->probe)
                                : cli_exit_of(status);
}

static int make(command *c) {
    const isocast_machine *machine = c->loaded.machine;
    isocast_buffer name = {0};
    isocast_buffer_printf(&name, "%s-twin", machine->name);
    if (name.failed) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    long nodes = c->options->nodes > 0 ? c->options->nodes : nodes_usual;
    const campaign_twin_request request = {.machine = machine,
                                           .timings = &c->timings,
                                           .probe = c->probe,
                                           .version = ISOCAST_VERSION,
                                           .command = c->setting->command,
                                           .source = c->loaded.machine_path,
                                           .name = c->setting->name != NULL ? c->setting->name
                                                                            : name.text,
                                           .cache = &c->cache,
                                           .listener = &c->campaign.listener,
                                           .budget = c->setting->budget,
                                           .nodes = (double)nodes};
    cli_interrupts_catch();
    cli_cache_open(c->options->cache, c->options->no_cache, &c->campaign.listener, &c->cache);
    isocast_status status = campaign_twin_make(&request, &c->twin);
    isocast_buffer_free(&name);
    return cli_campaign_exit(&c->campaign, &c->diagnostics,
                             status == ISOCAST_ARGUMENT ? ISOCAST_INVALID : status);
}

static int write(command *c) {
    cli_output outputs[2] = {{.path = c->setting->common->output, .text = c->twin.text}, {0}};
    c->twin.text = (isocast_buffer){0};
    cli_report *report = cli_report_twin(&c->twin, c->loaded.machine);
    cli_reports_render(&report, 1, c->setting->common, &outputs[1].text);
    return cli_outputs_write(outputs, 2);
}

int cli_twin_make(const cli_usage *usage, const cli_twin *twin, const cli_twin_setting *setting) {
    command c = {.options = twin, .setting = setting};
    cli_campaign_begin(usage->command, setting->common->quiet, &c.campaign);
    int status = load(usage, &c);
    if (status == CLI_EXIT_OK) {
        status = make(&c);
    }
    if (status == CLI_EXIT_OK) {
        status = write(&c);
    }
    campaign_twin_free(&c.twin);
    campaign_twin_timings_free(&c.timings);
    cli_loaded_free(&c.loaded);
    free(c.probe);
    return status;
}
