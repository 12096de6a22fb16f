/* isocast calibrate: runs the probe through the launcher, keeps its samples, fits a machine file.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calibrate/campaign/calibration.h"
#include "calibrate/campaign/machine_result.h"
#include "calibrate/campaign/simulated_launches.h"
#include "calibrate_choice.h"
#include "calibrate_kernel.h"
#include "calibrate_reference.h"
#include "calibrate_twin.h"
#include "campaign.h"
#include "cli/options/exit.h"
#include "cli/options/launcher_option.h"
#include "cli/options/load.h"
#include "cli/options/locate.h"
#include "cli/options/options.h"
#include "cli/output/output.h"
#include "command.h"
#include "interrupt.h"
#include "model/base/text.h"
#include "model/spec/system.h"
#include "simulated.h"

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
               "  isocast calibrate --twin here.yaml -o here-twin.yaml",
    .output =
        "the machine file to write; it appears whole or not at all. This option is required, and "
        "takes a file. The samples go beside it",
    .fewest = 0,
    .most = 0};

/* The command line, and what it names. */
typedef struct command_line {
    cli_common common;
    const char *samples_path;
    const char *processes_text;
    char all_processes[64]; /* the default */
    const char *name;
    bool resume;
    bool oversubscribe;
    const char *platform_name; /* NULL: this machine */
    const char *systems_text;
    isocast_platform *platform;
    campaign_simulation simulation;
    isocast_system **systems; /* [system_count], of the platform */
    size_t system_count;
    double *processes;           /* [request.process_count] */
    const char *operations_text; /* NULL: the usual */
    const char *algorithm_name;  /* of --for; NULL: for no algorithm */
    cli_loaded loaded;           /* the algorithm of --for */
    const char *launcher_text;   /* a name or a command; NULL: the default */
    cli_launcher launcher;
    char *probe;
    const char *command; /* the line as it was given, for the machine file */
    char date[32];
    char plans_path[4096];
    campaign_request request;
    campaign_selection selection;
    campaign_weighting weighting;
    cli_campaign campaign;
    isocast_diagnostics diagnostics; /* of the campaign */
    campaign_recorder recorder;
    double others; /* share of the processors that other programs used; NAN unknown */
    cli_reference reference;
    cli_kernel_calibration kernel;
    cli_twin twin;
} command_line;

static int exit_of(command_line *c, isocast_status status) {
    return cli_campaign_exit(&c->campaign, &c->diagnostics, status);
}

static int read_systems(command_line *c) {
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
        if (system->p < 2 || system->beyond_machine) {
            return cli_usage_error(&usage, "system %s has %s", system->name,
                                   system->p < 2
                                       ? "one process: there are no messages to time"
                                       : "more processes than the platform has processors");
        }
    }
    return status == ISOCAST_INVALID ? CLI_EXIT_USAGE : cli_exit_of(status);
}

static int read_processes(command_line *c) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_numbers_parse("--processes", c->processes_text, &diagnostics,
                                                  &c->processes, &c->request.process_count);
    if (status != ISOCAST_OK) {
        isocast_buffer text = {0};
        isocast_diagnostics_render(&diagnostics, &text);
        fputs(text.text != NULL ? text.text : "", stderr);
        isocast_buffer_free(&text);
        isocast_diagnostics_clear(&diagnostics);
        return CLI_EXIT_USAGE;
    }
    c->request.processes = c->processes;
    for (size_t i = 0; i < c->request.process_count; i++) {
        double p = c->processes[i];
        if (p < 1 || p != floor(p) || p > 1e6) {
            return cli_usage_error(&usage, "%g is not a number of processes", p);
        }
        if (campaign_site_is_oversubscribed(&c->request.site, p) && !c->oversubscribe) {
            return cli_usage_error(&usage,
                                   "%g processes on %ld processors would measure the scheduler; "
                                   "--oversubscribe does it all the same, and labels the result",
                                   p, campaign_site_processors(&c->request.site));
        }
    }
    return CLI_EXIT_OK;
}

static bool ends_in(const char *text, const char *ending) {
    size_t length = strlen(text);
    return length >= strlen(ending) && strcmp(text + length - strlen(ending), ending) == 0;
}

/* The samples' file: beside the machine file, unless --samples names another. */
static int open_samples(command_line *c) {
    const char *output = c->common.output;
    char path[4096];
    if (c->samples_path != NULL) {
        snprintf(path, sizeof path, "%s", c->samples_path);
    } else {
        int stem = (int)strlen(output) - (ends_in(output, ".yaml") ? (int)strlen(".yaml") : 0);
        snprintf(path, sizeof path, "%.*s.samples.csv", stem, output);
    }
    snprintf(c->plans_path, sizeof c->plans_path, "%.4080s.plans", path);
    c->request.plans = c->plans_path;
    return exit_of(c, campaign_sample_file_open(path, c->resume, &c->campaign.listener,
                                                &c->diagnostics, &c->recorder.samples,
                                                &c->recorder.file));
}

/* What a calibration that goes on must have in common with the one that was interrupted. */
static int note_plan(command_line *c) {
    char plan[1024];
    snprintf(plan, sizeof plan, "%s %s; seed %ld; %s",
             c->platform_name != NULL ? c->platform_name : "processes",
             c->platform_name != NULL ? c->systems_text : c->processes_text, c->request.seed,
             c->algorithm_name != NULL    ? c->algorithm_name
             : c->operations_text != NULL ? c->operations_text
                                          : "usual operations");
    isocast_buffer earlier = {0};
    isocast_status noted = campaign_recorder_note_plan(&c->recorder, plan, &earlier);
    int status = exit_of(c, noted);
    if (noted == ISOCAST_ARGUMENT) {
        status = cli_usage_error(&usage, "--resume: the calibration to go on with has %s, not %s",
                                 earlier.text != NULL ? earlier.text : "", plan);
    }
    isocast_buffer_free(&earlier);
    return status;
}

/* What the samples were measured on and how, at the head of their file. */
static int note_environment(command_line *c) {
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
    return exit_of(c, status);
}

static bool was_oversubscribed(const command_line *c) {
    for (size_t i = 0; i < c->request.process_count; i++) {
        if (campaign_site_is_oversubscribed(&c->request.site, c->processes[i])) {
            return true;
        }
    }
    return false;
}

/* Fits the samples, writes the machine file, and then tells what came out. */
static int write_machine(command_line *c) {
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
    int status = exit_of(c, campaign_machine_fit(&c->recorder, c->platform != NULL, &machine));
    if (status == CLI_EXIT_OK) {
        campaign_machine_write(&machine, &facts, &c->recorder, &text);
        status = exit_of(c, cli_reference_append(&c->reference, &c->campaign.listener, &text));
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

/* Adds the time per flop of the user's program to the machine file: that of --machine, or the one
 * that was just written, which stays where the program fails. */
static int add_kernel(command_line *c) {
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
        status =
            exit_of(c, cli_kernel_calibration_measure(&c->kernel, &at, &c->diagnostics, &text));
    }
    if (status == CLI_EXIT_OK) {
        return cli_output_write_text(c->common.output, &text);
    }
    isocast_buffer_free(&text);
    return status;
}

static int find_probe(command_line *c) {
    int status = CLI_EXIT_OK;
    if (c->platform_name != NULL) {
        status = cli_simulated_probe(&usage, &c->probe);
    } else if ((c->probe = cli_locate_program("isocast-probe")) == NULL) {
        fputs("isocast calibrate: the program isocast-probe is not installed beside isocast\n",
              stderr);
        status = CLI_EXIT_SYSTEM;
    }
    c->request.site.probe = c->probe;
    return status;
}

/* The algorithm of --for, and the program that --command runs of it. */
static int load_algorithm(command_line *c) {
    int status = c->algorithm_name != NULL
                     ? cli_load_apart(c->algorithm_name, NULL, c->common.quiet, &c->loaded)
                     : CLI_EXIT_OK;
    return status == CLI_EXIT_OK && cli_own_program_asked(&c->kernel.own)
               ? cli_kernel_calibration_read(&usage, c->common.output, c->common.quiet, &c->loaded,
                                             &c->kernel)
               : status;
}

static int choose_for_algorithm(command_line *c) {
    const isocast_algorithm *algorithm = c->loaded.algorithm;
    isocast_status wanted = campaign_selection_want_algorithm(&c->selection, algorithm);
    if (c->platform_name == NULL && !cli_own_program_asked(&c->kernel.own)) {
        cli_choice_tell_kernel(&c->selection, algorithm, &c->campaign.listener);
    }
    if (wanted != ISOCAST_OK && !cli_own_program_asked(&c->kernel.own)) {
        return cli_usage_error(&usage,
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
static int list_measurables(command_line *c) {
    bool simulated = c->platform_name != NULL;
    char *probe = cli_locate_program("isocast-probe");
    if (probe == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    int status = exit_of(c, campaign_probe_list(probe, &c->campaign.listener, &c->selection));
    free(probe);
    if (status == CLI_EXIT_OK && simulated) {
        campaign_selection_simulate(&c->selection, campaign_counts_messages(c->platform),
                                    c->platform->hardware->class_count > 1);
    }
    return status;
}

static int choose_operations(command_line *c) {
    if (c->operations_text == NULL && c->algorithm_name == NULL) {
        return CLI_EXIT_OK;
    }
    int status = list_measurables(c);
    c->request.selection = &c->selection;
    if (status == CLI_EXIT_OK) {
        status = c->algorithm_name != NULL
                     ? choose_for_algorithm(c)
                     : cli_choice_by_names(&usage, c->operations_text, &c->selection);
    }
    return status;
}

static isocast_status measure_samples(command_line *c) {
    return c->platform != NULL
               ? campaign_calibrate_simulated(c->probe, c->request.selection, &c->simulation,
                                              c->systems, c->system_count, &c->recorder,
                                              &c->diagnostics)
               : campaign_calibrate(&c->request, &c->recorder, &c->others);
}

/* Whatever ends the measuring, what it gave is kept. */
static int measure(command_line *c) {
    time_t now = time(NULL);
    struct tm utc;
    strftime(c->date, sizeof c->date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    cli_interrupts_catch();
    int status = note_plan(c);
    if (status == CLI_EXIT_OK) {
        status = note_environment(c);
    }
    if (status == CLI_EXIT_OK) {
        status = exit_of(c, measure_samples(c));
    }
    unlink(c->plans_path);
    if (status == CLI_EXIT_OK) {
        status = exit_of(c, campaign_sample_file_finish(&c->recorder.file));
    } else if (status != CLI_EXIT_USAGE) {
        campaign_sample_file_keep(&c->recorder.file);
    }
    return status;
}

/* The budget is a promise; where it was not kept the user learns why. */
static void tell_budget(const command_line *c) {
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

static int find_launcher(command_line *c) {
    campaign_site *site = &c->request.site;
    node_describe(&site->node);
    int status = cli_launcher_find(&usage, c->launcher_text, &c->launcher);
    site->launcher = c->launcher.command;
    site->processors = c->launcher.processors;
    return status;
}

static int read_counts(command_line *c) {
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

static int read_reference(command_line *c) {
    return cli_reference_read(&usage, &c->request.site,
                              c->platform != NULL ? c->platform->hardware : NULL, c->oversubscribe,
                              &c->reference);
}

static int measure_reference(command_line *c) {
    return exit_of(c, cli_reference_measure(&c->request.site,
                                            c->platform != NULL ? &c->simulation : NULL,
                                            &c->campaign.listener, &c->reference));
}

typedef int step(command_line *c);

/* The steps, up to the first that fails. */
static int follow(command_line *c, step *const *steps, size_t count) {
    int status = CLI_EXIT_OK;
    for (size_t i = 0; status == CLI_EXIT_OK && i < count; i++) {
        status = steps[i](c);
    }
    return status;
}

static int run(command_line *c) {
    if (c->twin.machine != NULL) {
        const cli_twin_setting setting = {&c->common, c->name, c->command, c->request.budget};
        return cli_twin_make(&usage, &c->twin, &setting);
    }
    step *const machine[] = {find_launcher,     read_counts,       load_algorithm, read_reference,
                             find_probe,        choose_operations, open_samples,   measure,
                             measure_reference, write_machine};
    step *const program[] = {find_launcher, read_counts, load_algorithm};
    if (c->kernel.machine_name != NULL) {
        int status = follow(c, program, sizeof program / sizeof program[0]);
        return status == CLI_EXIT_OK ? add_kernel(c) : status;
    }
    int status = follow(c, machine, sizeof machine / sizeof machine[0]);
    tell_budget(c);
    return status == CLI_EXIT_OK ? add_kernel(c) : status;
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
static int check_options(const command_line *c, long *launches) {
    bool simulated = c->platform_name != NULL;
    if (c->common.output == NULL || strcmp(c->common.output, "-") == 0) {
        return cli_usage_error(&usage, "-o MACHINE.yaml is needed: the samples go beside it");
    }
    if (simulated != (c->systems_text != NULL)) {
        return cli_usage_error(&usage, "--platform and --systems go together");
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
    int twin = cli_twin_check(&usage, &c->twin);
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
    command_line c = {.request = {.seed = 1, .budget = 60, .started = campaign_clock()},
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
         "with --twin: keep simulated times there (default: isocast in $XDG_CACHE_HOME, or in "
         "~/.cache)",
         &c.twin.cache},
        {"--no-cache", 0, CLI_OPTION_FLAG, NULL, "with --twin: simulate all anew, and keep nothing",
         &c.twin.no_cache},
        {"--for", 0, CLI_OPTION_INPUT, "ALGORITHM",
         "measure what this algorithm's formulas need, and spend most time where its prediction is "
         "least certain",
         &c.algorithm_name},
        {"--command", 0, CLI_OPTION_TEXT, "COMMAND",
         "also run this MPI program of the algorithm of --for, on one process and more up to a "
         "full "
         "node, and keep the time per flop of its kernel; its time is not part of the budget",
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
         "runs of --command at each size (default: 5, and up to 25 where something else slowed "
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
        {"--budget", 0, CLI_OPTION_TIME, "TIME", "how long the whole command takes (default: 60s)",
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
        status = check_options(&c, &launches);
    }
    if (parsed == CLI_PARSE_GO_ON && status == CLI_EXIT_OK) {
        c.request.launches = launches;
        c.command = command;
        status = command != NULL ? run(&c) : cli_exit_of(ISOCAST_NO_MEMORY);
    }
    free(positional);
    free(command);
    cli_launcher_free(&c.launcher);
    cli_reference_free(&c.reference);
    cli_kernel_calibration_free(&c.kernel);
    cli_loaded_free(&c.loaded);
    free(c.probe);
    free(c.processes);
    isocast_systems_free(c.systems, c.system_count);
    campaign_simulation_free(&c.simulation);
    isocast_platform_free(c.platform);
    campaign_recorder_free(&c.recorder);
    return status;
}
