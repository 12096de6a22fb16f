#include "simulation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/campaign/simgrid.h"
#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/locate.h"
#include "cli/output/output.h"
#include "model/spec/platform_load.h"

int cli_simulation_load(const char *name, bool quiet, cli_simulation *out) {
    int located = cli_locate_spec(CLI_SPEC_PLATFORM, name, &out->path);
    if (located != CLI_EXIT_OK) {
        return located;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_platform_load(out->path, &diagnostics, &out->platform);
    status = cli_diagnostics_tell(&diagnostics, quiet, status);
    return cli_exit_of(status);
}

int cli_simulation_check(const isocast_system *system) {
    if (system->p <= SIMGRID_PROCESSES_MOST) {
        return CLI_EXIT_OK;
    }
    fprintf(stderr,
            "isocast: the system has %.0f processes; files for the simulator are written for at "
            "most %d\n    hint: name a smaller system\n",
            system->p, SIMGRID_PROCESSES_MOST);
    return CLI_EXIT_USAGE;
}

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";

static int make_folder(cli_simulation *simulation) {
    if (simulation->folder[0] != '\0') {
        return CLI_EXIT_OK;
    }
    const char *temporary = getenv("TMPDIR");
    /* smpirun, a shell script, parts its options at blanks and expands patterns in them. */
    bool fits = temporary != NULL && temporary[0] == '/' && strlen(temporary) < 32 &&
                strspn(temporary, plain) == strlen(temporary);
    snprintf(simulation->folder, sizeof simulation->folder, "%s/isocast-platform-XXXXXX",
             fits ? temporary : "/tmp");
    if (mkdtemp(simulation->folder) == NULL) {
        fprintf(stderr, "isocast: cannot make a temporary folder: %s\n", strerror(errno));
        simulation->folder[0] = '\0';
        return CLI_EXIT_SYSTEM;
    }
    return CLI_EXIT_OK;
}

int cli_simulation_prepare(cli_simulation *simulation, const isocast_system *system,
                           double in_group) {
    int status = cli_simulation_check(system);
    if (status == CLI_EXIT_OK) {
        status = make_folder(simulation);
    }
    if (status != CLI_EXIT_OK) {
        return status;
    }
    char platform_path[128];
    char hosts_path[128];
    snprintf(platform_path, sizeof platform_path, "%s/platform.xml", simulation->folder);
    snprintf(hosts_path, sizeof hosts_path, "%s/hosts", simulation->folder);
    isocast_buffer text = {0};
    simgrid_write_platform(simulation->platform, system, &text);
    status = cli_output_write_text(platform_path, &text);
    if (status == CLI_EXIT_OK) {
        simgrid_write_hosts(simulation->platform, system, in_group, &text);
        status = cli_output_write_text(hosts_path, &text);
    }
    if (status == CLI_EXIT_OK) {
        simgrid_write_command(system, platform_path, hosts_path, &text);
        free(simulation->launcher);
        simulation->launcher = isocast_buffer_take(&text);
        status = simulation->launcher != NULL ? status : cli_exit_of(ISOCAST_NO_MEMORY);
    }
    return status;
}

void cli_simulation_free(cli_simulation *simulation) {
    static const char *const names[] = {"platform.xml", "hosts"};
    for (size_t i = 0; simulation->folder[0] != '\0' && i < sizeof names / sizeof names[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", simulation->folder, names[i]);
        unlink(path);
    }
    if (simulation->folder[0] != '\0') {
        rmdir(simulation->folder);
    }
    isocast_platform_free(simulation->platform);
    free(simulation->path);
    free(simulation->launcher);
    *simulation = (cli_simulation){0};
}
