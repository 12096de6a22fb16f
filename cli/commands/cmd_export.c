/* isocast export: a platform as other programs' files. */
#include <stdlib.h>
#include <string.h>

#include "calibrate/campaign/simgrid.h"
#include "calibrate/campaign/simulation.h"
#include "campaign.h"
#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/options.h"
#include "cli/output/output.h"
#include "command.h"

static const cli_usage usage = {
    .command = "export",
    .arguments = "simgrid PLATFORM",
    .summary = "Writes a platform, or the part of it that a system uses, as SimGrid's XML, and the "
               "host of each process as a host file.",
    .details = "Examples:\n"
               "  isocast export simgrid sunwulf --system C8 -o sunwulf.xml --hosts hosts\n"
               "  isocast export simgrid fat-tree-128 -o fat-tree.xml",
    .fewest = 2,
    .most = 2,
    .words = 1};

/* All processors of all nodes, class after class. */
static char *whole_machine(const isocast_machine *hardware) {
    isocast_buffer text = {0};
    for (size_t i = 0; i < hardware->class_count; i++) {
        const isocast_node_class *class = &hardware->classes[i];
        isocast_buffer_printf(&text, "%s%s:%.0f", i > 0 ? "+" : "", class->name,
                              class->count * class->processors);
    }
    return isocast_buffer_take(&text);
}

static int write_files(const isocast_platform *platform, const isocast_system *system,
                       const char *output, const char *hosts) {
    cli_output outputs[2] = {{.path = output}, {.path = hosts}};
    simgrid_write_platform(platform, system, &outputs[0].text);
    if (hosts != NULL) {
        simgrid_write_hosts(platform, system, &outputs[1].text);
    }
    return cli_outputs_write(outputs, hosts != NULL ? 2 : 1);
}

/* The command line. */
typedef struct command_line {
    cli_call call;
    const char *system; /* NULL: all nodes */
    const char *hosts;
    cli_settings settings;
} command_line;

static int check_size(const command_line *c, const isocast_system *system) {
    cli_campaign campaign;
    isocast_diagnostics diagnostics = {0};
    cli_campaign_begin(&c->call, &campaign);
    return cli_campaign_exit(&campaign, &diagnostics,
                             campaign_simulation_check(system, &campaign.listener));
}

static int export_system(const command_line *c, const isocast_platform *platform) {
    char *whole = whole_machine(platform->hardware);
    isocast_system **systems = NULL;
    size_t count = 0;
    int status = whole == NULL ? cli_exit_of(ISOCAST_NO_MEMORY)
                               : cli_systems_read("--system", c->system != NULL ? c->system : whole,
                                                  platform->hardware, NULL, &systems, &count);
    if (status == CLI_EXIT_OK && (systems == NULL || count != 1)) {
        status = cli_usage_error(&usage, "--system takes one system");
    } else if (status == CLI_EXIT_OK) {
        status = cli_system_size_check(&usage, systems[0], platform->hardware);
        CLI_THEN(status, check_size(c, systems[0]));
        CLI_THEN(status, write_files(platform, systems[0], c->call.common.output, c->hosts));
    }
    isocast_systems_free(systems, count);
    free(whole);
    return status;
}

static int run(void *context) {
    const command_line *c = context;
    const char *what = c->call.positional[0];
    if (strcmp(what, "simgrid") != 0) {
        return cli_usage_error(&usage,
                               "the first argument says what to write: simgrid, not '%s'; write "
                               "isocast export simgrid PLATFORM",
                               what);
    }
    cli_loaded loaded = {0};
    int status = cli_load_platform(c->call.positional[1], c->call.common.quiet, &loaded.platform);
    CLI_THEN(status, cli_apply_settings(&c->settings, &loaded));
    CLI_THEN(status, export_system(c, loaded.platform));
    cli_loaded_free(&loaded);
    return status;
}

int cmd_export(int argc, char **argv) {
    command_line c = {0};
    const cli_option options[] = {
        {"--system", 0, CLI_OPTION_TEXT, "SYSTEM",
         "write only the nodes that this system uses (default: all nodes)", &c.system},
        {"--hosts", 0, CLI_OPTION_OUTPUT, "FILE", "also write the host of each process to FILE",
         &c.hosts},
        CLI_SET_OPTION(&c.settings),
        {0}};
    return cli_call_run(&usage, options, argc, argv, &c.call, run, &c);
}
