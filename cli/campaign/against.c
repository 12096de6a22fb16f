#include "against.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration.h"
#include "cli/options/exit.h"
#include "cli/options/launchers.h"
#include "cli/options/load.h"
#include "cli/options/locate.h"
#include "interrupt.h"
#include "model/spec/machine_load.h"
#include "recheck.h"
#include "wanted.h"

/* Sizes that show latency, the middle and bandwidth; problems in caches and out of them. */
static const char message_sizes[] = "64,4096,65536,1048576";
static const char problem_sizes[] = "128,512,1024";
enum { LAUNCHES = 4 };

static int load_machine(const cli_against *a, isocast_machine **out) {
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

static bool has_name(const isocast_operation *list, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* What the file has and the probe can measure. */
static int choose(const cli_against *a, const char *probe, const isocast_machine *machine,
                  cli_wanted *wanted) {
    size_t count = 0;
    int status = cli_wanted_ask(probe, wanted);
    for (size_t i = 0; status == CLI_EXIT_OK && i < wanted->count; i++) {
        cli_measurable *item = &wanted->items[i];
        bool kernel = item->kind == CLI_MEASURABLE_KERNEL;
        /* A triad is known at one working set, which none of the sizes here is; what is left of a
         * message when its sender is free may be next to nothing, so a ratio tells nothing. */
        const isocast_known_operation *known = isocast_known_operation_find(item->name);
        bool compares = kernel ? strcmp(item->name, kernel_names[KERNEL_BANDWIDTH]) != 0
                               : known == NULL || !known->is_rest;
        item->wanted =
            compares &&
            has_name(kernel ? machine->compute : machine->operations,
                     kernel ? machine->compute_count : machine->operation_count, item->name);
        count += item->wanted;
    }
    wanted->all_usual = false;
    return status != CLI_EXIT_OK || count > 0
               ? status
               : cli_usage_error(a->usage,
                                 "--against-machine: %s has no operation that can be measured",
                                 a->machine_name);
}

/* The most processes that the file was measured with, where it says so, and this machine has. */
static double most_processes(const isocast_machine *machine, long processors) {
    double most = 0;
    for (size_t i = 0; i < machine->operation_count; i++) {
        most = machine->operations[i].p_max > most ? machine->operations[i].p_max : most;
    }
    return most > 0 ? fmin(most, (double)processors) : (double)processors;
}

static int report(const cli_against *a, const isocast_machine *machine, const samples *s) {
    cli_recheck result;
    int status = cli_recheck_make(machine, s, &result);
    if (status == CLI_EXIT_OK) {
        cli_report *table = cli_report_recheck(&result, machine);
        status = cli_reports_write(&table, 1, a->common);
        cli_report_free(table);
    }
    if (status == CLI_EXIT_OK && !result.agrees) {
        fprintf(stderr,
                "isocast check: %zu of %zu points are outside their bands: %s no longer describes "
                "this machine\n",
                result.outside, result.telling, a->machine_name);
        status = CLI_EXIT_CHECK_FAILED;
    }
    cli_recheck_free(&result);
    return status;
}

static int measure(const cli_against *a, const char *probe, const isocast_machine *machine,
                   const cli_launcher *launcher) {
    cli_wanted wanted;
    int status = choose(a, probe, machine, &wanted);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    bool failed;
    char *weights = cli_wanted_weights(&wanted, &failed);
    cli_calibration c = {.command = "check",
                         .quiet = a->common->quiet,
                         .launcher = launcher->command,
                         .processors = launcher->processors,
                         .probe = probe,
                         .launches = LAUNCHES,
                         .seed = 1,
                         .budget = a->budget,
                         .started = a->started,
                         .weights = weights,
                         .sizes = message_sizes,
                         .problems = problem_sizes,
                         .file = {.file = -1}};
    node_describe(&c.node);
    double processes[] = {
        1, most_processes(machine, c.processors > 0 ? c.processors : c.node.processors)};
    c.processes = processes;
    c.process_count = processes[1] > 1 ? 2 : 1;
    cli_interrupts_catch();
    status = failed ? cli_exit_of(ISOCAST_NO_MEMORY) : cli_calibration_measure(&c);
    if (status == CLI_EXIT_OK) {
        status = report(a, machine, &c.samples);
    }
    samples_free(&c.samples);
    free(weights);
    return status;
}

int cli_against_run(const cli_against *a) {
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
        fputs("isocast check: the program isocast-probe is not installed beside isocast\n", stderr);
        status = CLI_EXIT_SYSTEM;
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
