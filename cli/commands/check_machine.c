#include "check_machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "calibrate/campaign/recheck_measure.h"
#include "campaign.h"
#include "cli/options/exit.h"
#include "cli/options/launcher_option.h"
#include "cli/options/load.h"
#include "cli/options/locate.h"
#include "cli/report/report_recheck.h"
#include "interrupt.h"
#include "model/spec/machine_load.h"

static int load_machine(const cli_machine_check *a, isocast_machine **out) {
    char *path = NULL;
    int located = cli_locate_spec(CLI_SPEC_MACHINE, a->machine_name, &path);
    if (located != CLI_EXIT_OK) {
        return located;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_machine_load(path, &diagnostics, out);
    status = cli_diagnostics_tell(&diagnostics, a->common->quiet, status);
    free(path);
    return cli_exit_of(status);
}

/* The table, where it can be told whether the file holds; else why not. */
static int write_result(const cli_machine_check *a, const isocast_machine *machine,
                        const campaign_recheck *result) {
    switch (result->verdict) {
    case CAMPAIGN_RECHECK_NOT_COVERED:
        fputs("isocast check: the machine file has no operation that was measured now within the "
              "sizes and processes that it covers\n",
              stderr);
        return CLI_EXIT_SYSTEM;
    case CAMPAIGN_RECHECK_UNSTEADY:
        fputs("isocast check: launches differ so much, now or in the file, that it is not known; "
              "measure when the machine is quiet\n",
              stderr);
        return CLI_EXIT_SYSTEM;
    case CAMPAIGN_RECHECK_HOLDS:
    case CAMPAIGN_RECHECK_FAILS:
        break;
    }
    cli_report *table = cli_report_recheck(result, machine);
    int status = cli_reports_write(&table, 1, a->common);
    if (status == CLI_EXIT_OK && result->verdict == CAMPAIGN_RECHECK_FAILS) {
        fprintf(stderr,
                "isocast check: %zu of %zu points are outside their bands: %s no longer describes "
                "this machine\n",
                result->outside, result->telling, a->machine_name);
        status = CLI_EXIT_CHECK_FAILED;
    }
    return status;
}

static int report(const cli_machine_check *a, const isocast_machine *machine, const samples *s) {
    campaign_recheck result;
    int status = cli_exit_of(campaign_recheck_make(machine, s, &result));
    if (status == CLI_EXIT_OK) {
        status = write_result(a, machine, &result);
    }
    campaign_recheck_free(&result);
    return status;
}

static int measure(const cli_machine_check *a, const char *probe, const isocast_machine *machine,
                   const cli_launcher *launcher) {
    cli_campaign campaign;
    cli_campaign_begin(a->usage->command, a->common->quiet, &campaign);
    campaign_site site = {
        .probe = probe, .launcher = launcher->command, .processors = launcher->processors};
    node_describe(&site.node);
    campaign_recorder recorder = {.listener = &campaign.listener, .file = {.file = -1}};
    cli_interrupts_catch();
    isocast_status measured =
        campaign_recheck_measure(machine, &site, a->budget, a->started, &recorder);
    isocast_diagnostics diagnostics = {0};
    int status = cli_campaign_exit(&campaign, &diagnostics, measured);
    if (measured == ISOCAST_ARGUMENT) {
        status =
            cli_usage_error(a->usage, "--against-machine: %s has no operation that can be measured",
                            a->machine_name);
    }
    if (status == CLI_EXIT_OK) {
        status = report(a, machine, &recorder.samples);
    }
    campaign_recorder_free(&recorder);
    return status;
}

int cli_check_machine(const cli_machine_check *a) {
    isocast_machine *machine = NULL;
    int status = load_machine(a, &machine);
    if (status == CLI_EXIT_OK && machine->simulated) {
        status = cli_usage_error(a->usage,
                                 "--against-machine: %s was calibrated in simulation, and says "
                                 "nothing of this machine",
                                 a->machine_name);
    }
    char *probe = cli_locate_program("isocast-probe");
    if (status == CLI_EXIT_OK && probe == NULL) {
        status =
            cli_locate_fail("check", "the program isocast-probe is not installed beside isocast");
    }
    cli_launcher launcher = {0};
    if (status == CLI_EXIT_OK) {
        status = cli_launcher_find(a->usage, a->launcher, &launcher);
    }
    if (status == CLI_EXIT_OK) {
        status = measure(a, probe, machine, &launcher);
    }
    cli_launcher_free(&launcher);
    free(probe);
    if (machine != NULL) {
        isocast_machine_free(machine);
    }
    return status;
}
