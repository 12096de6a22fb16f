/* isocast calibrate: runs the probe through the launcher, keeps its samples, fits a machine file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate_measure.h"
#include "calibrate_simulated.h"
#include "cli/options/exit.h"
#include "cli/output/output.h"
#include "command.h"
#include "model/base/text.h"

static const cli_usage usage = {
    .command = "calibrate",
    .arguments = "",
    .summary = "Measures communication and the kernels' time per flop on this machine and writes a "
               "machine file; the raw samples go to a file beside it.",
    .details = "Examples:\n"
               "  isocast calibrate -o here.yaml\n"
               "  isocast calibrate --platform sunwulf --systems C2,C4,C8 -o simulated.yaml\n"
               "  isocast calibrate --processes 1,2 --launches 8 --budget 60s -o here.yaml\n"
               "  isocast calibrate --command './jacobi {N}' --for jacobi.yaml \\\n"
               "      --sizes 400,800,1600 --machine here.yaml -o here.yaml\n"
               "  isocast calibrate --command './jacobi-simulated {N}' --for jacobi.yaml \\\n"
               "      --platform ethernet-128 --systems 16 -o with-jacobi.yaml\n"
               "  isocast calibrate --twin here.yaml -o here-twin.yaml",
    .output =
        "the machine file to write; it appears whole or not at all. This option is required, and "
        "takes a file. The samples go beside it",
    .beside = ".samples.csv",
    .fewest = 0,
    .most = 0};

/* s; simulations of what an algorithm calls may take as long as those of predict --platform. */
static const double budget_usual = 60;
static const double budget_simulated = 600;

static int run(cli_calibration *c) {
    if (c->twin.machine != NULL) {
        const cli_twin_setting setting = {&c->common, c->name, c->command, c->request.budget};
        return cli_twin_make(&usage, &c->twin, &setting);
    }
    if (c->platform_name != NULL && cli_own_program_asked(&c->kernel.own)) {
        return cli_calibration_add_simulated(c);
    }
    bool adds = c->kernel.machine_name != NULL;
    int status = adds ? cli_calibration_plan_program(c) : cli_calibration_plan(c);
    if (status == CLI_EXIT_OK && !adds) {
        status = cli_calibration_measure(c);
        cli_calibration_tell_budget(c);
    }
    return status == CLI_EXIT_OK ? cli_calibration_add_kernel(c) : status;
}

/* The command line as it was given, for the machine file. */
static char *join_arguments(int argc, char **argv) {
    isocast_buffer text = {0};
    isocast_buffer_puts(&text, "isocast");
    for (int i = 0; i < argc; i++) {
        isocast_buffer_printf(&text, " %s", argv[i]);
    }
    return isocast_buffer_take(&text);
}

/* *launches is below 0 where the option was not given, and becomes 0. */
static int check_options(const cli_calibration *c, long *launches) {
    bool simulated = c->platform_name != NULL;
    if (c->common.output == NULL || strcmp(c->common.output, "-") == 0) {
        return cli_usage_error(&usage, "-o MACHINE.yaml is needed: the samples go beside it");
    }
    if (simulated != (c->systems_text != NULL)) {
        return cli_usage_error(
            &usage,
            simulated ? "--platform also needs --systems: what to simulate, such as --systems 2,4,8"
                      : "--systems goes with --platform; a measurement takes --processes");
    }
    if (simulated && (c->processes_text != NULL || c->launcher_text != NULL)) {
        return cli_usage_error(&usage, "a simulation takes --systems, not --processes, and "
                                       "starts by itself");
    }
    if (c->algorithm_name != NULL && c->operations_text != NULL) {
        return cli_usage_error(&usage, "--for and --operations exclude each other");
    }
    if (simulated && c->resume) {
        return cli_usage_error(&usage, "a simulation takes seconds; --resume is for measuring");
    }
    if (*launches == 0 || !(c->request.budget > 0)) {
        return cli_usage_error(&usage, "--launches and --budget must be above 0");
    }
    bool measures = c->platform_name != NULL || c->processes_text != NULL ||
                    c->algorithm_name != NULL || c->operations_text != NULL ||
                    c->reference.text != NULL || c->samples_path != NULL || c->resume ||
                    c->launcher_text != NULL || c->oversubscribe || c->kernel.own.command != NULL ||
                    c->kernel.machine_name != NULL;
    if (c->twin.machine != NULL && measures) {
        return cli_usage_error(&usage, "--twin measures nothing: it goes with --name, --nodes, "
                                       "--budget, --cache and --no-cache alone");
    }
    int twin = cli_twin_check(&usage, &c->twin, simulated && c->kernel.own.command != NULL);
    if (twin != CLI_EXIT_OK) {
        return twin;
    }
    int kernel = cli_kernel_calibration_check(&usage, &c->kernel, c->algorithm_name,
                                              c->operations_text, c->platform_name);
    if (kernel != CLI_EXIT_OK) {
        return kernel;
    }
    *launches = *launches > 0 ? *launches : 0;
    unsigned code;
    size_t length = c->name != NULL ? strlen(c->name) : 0;
    if (length > 0 && isocast_text_find_control(c->name, length, &code) < length) {
        return cli_usage_error(&usage, "--name holds a control character");
    }
    return CLI_EXIT_OK;
}

int cmd_calibrate(int argc, char **argv) {
    cli_calibration c = {.usage = &usage,
                         .request = {.seed = 1, .budget = NAN, .started = campaign_clock()},
                         .recorder = {.file = {.file = -1}},
                         .kernel = {.repetitions = -1},
                         .twin = {.nodes = -1},
                         .others = NAN};
    long launches = -1;
    const cli_option options[] = {
        {"--processes", 0, CLI_OPTION_TEXT, "LIST",
         "numbers of processes to measure with (default: 1, 2, 4 and so on, and all processors)",
         &c.processes_text},
        {"--platform", 0, CLI_OPTION_INPUT, "PLATFORM",
         "calibrate this platform in simulation, instead of this machine", &c.platform_name},
        {"--systems", 0, CLI_OPTION_TEXT, "LIST", "systems of the platform to simulate",
         &c.systems_text},
        {"--twin", 0, CLI_OPTION_INPUT, "MACHINE",
         "measure nothing: write a platform file that behaves in simulation as the timings of this "
         "machine file say, and compare it with formulas",
         &c.twin.machine},
        {"--nodes", 0, CLI_OPTION_COUNT, "N",
         "nodes of each class in the platform of --twin (default: 1024)", &c.twin.nodes},
        {"--cache", 0, CLI_OPTION_TEXT, "FOLDER",
         "with --twin, and with --command on a platform: keep simulated times there (default: "
         "isocast in $XDG_CACHE_HOME, or in ~/.cache)",
         &c.twin.cache},
        {"--no-cache", 0, CLI_OPTION_FLAG, NULL, "likewise: simulate all anew, and keep nothing",
         &c.twin.no_cache},
        {"--for", 0, CLI_OPTION_INPUT, "ALGORITHM",
         "measure what this algorithm's formulas need, and spend most time where its prediction is "
         "least certain; with --platform also what its formulas miss, by runs of its kernel",
         &c.algorithm_name},
        {"--command", 0, CLI_OPTION_TEXT, "COMMAND",
         "also run this MPI program of the algorithm of --for, on one process and more up to a "
         "full node, and keep the time per flop of its kernel; its time is not part of the budget. "
         "With --platform: run it in simulation on --systems, and write the platform file with "
         "that time per flop, and nothing else",
         &c.kernel.own.command},
        /* No CLI_OPTION_INPUT: -o may be the same file, which is only added to. */
        {"--machine", 0, CLI_OPTION_TEXT, "MACHINE",
         "with --command: add the time per flop to this machine file, and measure nothing else",
         &c.kernel.machine_name},
        {"--sizes", 0, CLI_OPTION_TEXT, "LIST",
         "sizes N to run --command with (default: 200..1600*2)", &c.kernel.sizes_text},
        {"--set", 0, CLI_OPTION_LIST, "NAME=VALUE",
         "what {NAME} stands for in --command, and the algorithm's size, parameter or definition "
         "of "
         "that name; may be given several times",
         &c.kernel.own.settings},
        {"--repetitions", 0, CLI_OPTION_COUNT, "R",
         "runs of --command at each size (default: 5, and up to 60 where something else slowed "
         "some)",
         &c.kernel.repetitions},
        {"--time", 0, CLI_OPTION_TEXT, "WHAT",
         "the time of --command, as in measure: run, region, or a regular expression (default: "
         "run)",
         &c.kernel.own.time},
        {"--folder", 0, CLI_OPTION_TEXT, "FOLDER",
         "folder that --command works in (default: this one)", &c.kernel.own.folder},
        {"--environment", 0, CLI_OPTION_LIST, "NAME=VALUE",
         "variable of the environment of --command; may be given several times",
         &c.kernel.own.environment},
        {"--own-speed", 0, CLI_OPTION_SPEED, "SPEED",
         "with --command and --platform: speed of this machine, as in measure (default: the "
         "platform's)",
         &c.kernel.own.speed},
        {"--operations", 0, CLI_OPTION_TEXT, "LIST",
         "operations and kernels to measure: names, usual (those that the shipped algorithms "
         "need), or all (default: usual)",
         &c.operations_text},
        {"--reference", 0, CLI_OPTION_TEXT, "SETS",
         "also measure R_f of these processor sets (1x2,2x1,1x2+2x1), with a reference program "
         "that does the same on every process; its time is not part of the budget",
         &c.reference.text},
        {"--ratio", 0, CLI_OPTION_NUMBER, "R",
         "flop that the reference program does for each byte that it sends (default: 100)",
         &c.reference.ratio},
        {"--launches", 0, CLI_OPTION_COUNT, "K",
         "independent launches; their spread is part of every error (default: as many as fit the "
         "budget)",
         &launches},
        {"--budget", 0, CLI_OPTION_TIME, "TIME",
         "how long the whole command takes; on a platform all simulations, which are ended then, "
         "with --command but those of the program (default: 60s; 10 min with --command on a "
         "platform; none with --platform alone)",
         &c.request.budget},
        {"--seed", 0, CLI_OPTION_COUNT, "S", "seed of the random order of measuring (default: 1)",
         &c.request.seed},
        {"--samples", 0, CLI_OPTION_OUTPUT, "FILE",
         "where the raw samples go (default: beside the machine file)", &c.samples_path},
        {"--launcher", 0, CLI_OPTION_TEXT, "LAUNCHER", CLI_LAUNCHER_HELP, &c.launcher_text},
        {"--name", 0, CLI_OPTION_TEXT, "NAME", "name of the machine (default: this host's name)",
         &c.name},
        {"--resume", 0, CLI_OPTION_FLAG, NULL,
         "go on with a calibration that was interrupted; give the same other options", &c.resume},
        {"--oversubscribe", 0, CLI_OPTION_FLAG, NULL,
         "allow more processes than processors; the file says so", &c.oversubscribe},
        {0}};
    char *command = join_arguments(argc, argv);
    const char **positional = NULL;
    size_t count = 0;
    cli_parse parsed =
        cli_options_parse(&usage, options, argc, argv, &c.common, &positional, &count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON) {
        cli_campaign_begin(usage.command, c.common.quiet, &c.campaign);
        c.recorder.listener = &c.campaign.listener;
        if (isnan(c.request.budget)) {
            bool runs_own = c.kernel.own.command != NULL;
            c.request.budget = c.platform_name == NULL ? budget_usual
                               : runs_own              ? budget_simulated
                                                       : INFINITY;
        }
        status = check_options(&c, &launches);
        status = status == CLI_EXIT_OK ? cli_output_check(c.common.output) : status;
    }
    if (parsed == CLI_PARSE_GO_ON && status == CLI_EXIT_OK) {
        c.request.launches = launches;
        c.command = command;
        status = command != NULL ? run(&c) : cli_exit_of(ISOCAST_NO_MEMORY);
    }
    free(positional);
    free(command);
    cli_calibration_free(&c);
    return status;
}
