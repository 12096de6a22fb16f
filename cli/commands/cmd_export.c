/* isocast export: a platform as other programs' files. */
#include <stdlib.h>
#include <string.h>

#include "calibrate/campaign/simgrid.h"
#include "calibrate/campaign/simulation.h"
#include "campaign.h"
#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/options.h"
#include "cli/options/system_size.h"
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
        simgrid_write_hosts(platform, system, 0, &outputs[1].text);
    }
    return cli_outputs_write(outputs, hosts != NULL ? 2 : 1);
}

static int check_size(const isocast_system *system, bool quiet) {
    cli_campaign campaign;
    isocast_diagnostics diagnostics = {0};
    cli_campaign_begin(usage.command, quiet, &campaign);
    return cli_campaign_exit(&campaign, &diagnostics,
                             campaign_simulation_check(system, &campaign.listener));
}

static int run(const char *name, const char *system_text, const char *hosts,
               const cli_settings *settings, const cli_common *common) {
    cli_loaded loaded = {0};
    int status = cli_load_platform(name, common->quiet, &loaded.platform);
    if (status == CLI_EXIT_OK) {
        status = cli_apply_settings(settings, &loaded);
    }
    if (status == CLI_EXIT_OK) {
        const isocast_platform *platform = loaded.platform;
        const isocast_machine *hardware = platform->hardware;
        char *whole = whole_machine(hardware);
        const char *text = system_text != NULL ? system_text : whole;
        isocast_diagnostics diagnostics = {0};
        isocast_system **systems = NULL;
        size_t count = 0;
        isocast_status parsed = text != NULL
                                    ? isocast_systems_parse(hardware, NULL, "--system", text,
                                                            &diagnostics, &systems, &count)
                                    : ISOCAST_NO_MEMORY;
        parsed = cli_diagnostics_tell(&diagnostics, common->quiet, parsed);
        status = parsed == ISOCAST_INVALID ? CLI_EXIT_USAGE : cli_exit_of(parsed);
        if (status == CLI_EXIT_OK && (systems == NULL || count != 1)) {
            status = cli_usage_error(&usage, "--system takes one system");
        } else if (status == CLI_EXIT_OK) {
            status = cli_system_size_check(&usage, systems[0], hardware);
            status = status == CLI_EXIT_OK ? check_size(systems[0], common->quiet) : status;
        }
        if (status == CLI_EXIT_OK && systems != NULL) {
            status = write_files(platform, systems[0], common->output, hosts);
        }
        isocast_systems_free(systems, count);
        free(whole);
    }
    cli_loaded_free(&loaded);
    return status;
}

int cmd_export(int argc, char **argv) {
    cli_common common = {0};
    const char *system = NULL;
    const char *hosts = NULL;
    cli_settings settings = {0};
    const cli_option options[] = {
        {"--system", 0, CLI_OPTION_TEXT, "SYSTEM",
         "write only the nodes that this system uses (default: all nodes)", &system},
        {"--hosts", 0, CLI_OPTION_OUTPUT, "FILE", "also write the host of each process to FILE",
         &hosts},
        CLI_SET_OPTION(&settings),
        {0}};
    const char **positional = NULL;
    size_t count = 0;
    cli_parse parsed = cli_options_parse(&usage, options, argc, argv, &common, &positional, &count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON && strcmp(positional[0], "simgrid") != 0) {
        status = cli_usage_error(&usage,
                                 "the first argument says what to write: simgrid, not '%s'; write "
                                 "isocast export simgrid PLATFORM",
                                 positional[0]);
    } else if (parsed == CLI_PARSE_GO_ON) {
        status = run(positional[1], system, hosts, &settings, &common);
    }
    free(settings.set.items);
    free(positional);
    return status;
}
