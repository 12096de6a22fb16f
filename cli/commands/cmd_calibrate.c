/* isocast calibrate: runs the probe through the launcher, keeps its samples, fits a machine file.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/campaign/calibration.h"
#include "cli/campaign/calibration_result.h"
#include "cli/campaign/calibration_simulated.h"
#include "cli/campaign/emphasis.h"
#include "cli/campaign/interrupt.h"
#include "cli/campaign/simulation.h"
#include "cli/campaign/wanted.h"
#include "cli/options/exit.h"
#include "cli/options/launchers.h"
#include "cli/options/load.h"
#include "cli/options/locate.h"
#include "cli/options/options.h"
#include "command.h"
#include "model/base/text.h"
#include "model/spec/system.h"

static const cli_usage usage = {
    .command = "calibrate",
    .arguments = "",
    .summary = "Measures communication and the kernels' time per flop on this machine and writes a "
               "machine file; the raw samples go to a file beside it.",
    .details = "Examples:\n"
               "  isocast calibrate -o here.yaml\n"
               "  isocast calibrate --platform sunwulf --systems C2,C4,C8 -o simulated.yaml\n"
               "  isocast calibrate --processes 1,2 --launches 8 --budget 60s -o here.yaml",
    .output = "the machine file to write, which appears whole or not at all; must be given, and be "
              "a file; samples go beside it",
    .fewest = 0,
    .most = 0};

typedef struct calibration {
    cli_common common;
    const char *samples_path;
    const char *processes_text;
    const char *name;
    bool resume;
    bool oversubscribe;
    const char *platform_name; /* NULL: this machine */
    const char *systems_text;
    cli_simulation simulation;
    isocast_system **systems; /* [system_count], of the platform */
    size_t system_count;
    double *processes; /* [m.process_count] */
    cli_calibration m;
    const char *operations_text; /* NULL: the usual */
    const char *algorithm_name;  /* of --for; NULL: for no algorithm */
    cli_wanted wanted;
    cli_loaded loaded; /* the algorithm of --for */
    cli_emphasis emphasis;
    const char *launcher_text; /* a name or a command; NULL: the default */
    cli_launcher launcher;
    char *weights;
    char *probe;
    char date[32];
} calibration;

static int read_systems(calibration *c) {
    int loaded = cli_simulation_load(c->platform_name, c->common.quiet, &c->simulation);
    if (loaded != CLI_EXIT_OK) {
        return loaded;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        isocast_systems_parse(c->simulation.platform->hardware, "--systems", c->systems_text,
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

static int read_processes(calibration *c) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_numbers_parse("--processes", c->processes_text, &diagnostics,
                                                  &c->processes, &c->m.process_count);
    if (status != ISOCAST_OK) {
        isocast_buffer text = {0};
        isocast_diagnostics_render(&diagnostics, &text);
        fputs(text.text != NULL ? text.text : "", stderr);
        isocast_buffer_free(&text);
        isocast_diagnostics_clear(&diagnostics);
        return CLI_EXIT_USAGE;
    }
    c->m.processes = c->processes;
    for (size_t i = 0; i < c->m.process_count; i++) {
        double p = c->processes[i];
        if (p < 1 || p != floor(p) || p > 1e6) {
            return cli_usage_error(&usage, "%g is no number of processes", p);
        }
        if (cli_calibration_is_oversubscribed(&c->m, p) && !c->oversubscribe) {
            return cli_usage_error(&usage,
                                   "%g processes on %ld processors would measure the scheduler; "
                                   "--oversubscribe does it all the same, and labels the result",
                                   p, c->m.processors > 0 ? c->m.processors : c->m.node.processors);
        }
    }
    return CLI_EXIT_OK;
}

static bool ends_in(const char *text, const char *ending) {
    size_t length = strlen(text);
    return length >= strlen(ending) && strcmp(text + length - strlen(ending), ending) == 0;
}

/* The samples' file: beside the machine file, unless --samples names another. */
static int open_samples(calibration *c) {
    const char *output = c->common.output;
    char path[4096];
    if (c->samples_path != NULL) {
        snprintf(path, sizeof path, "%s", c->samples_path);
    } else {
        int stem = (int)strlen(output) - (ends_in(output, ".yaml") ? (int)strlen(".yaml") : 0);
        snprintf(path, sizeof path, "%.*s.samples.csv", stem, output);
    }
    snprintf(c->m.plans_path, sizeof c->m.plans_path, "%.4080s.plans", path);
    return cli_sample_file_open(path, c->resume, &c->m.samples, &c->m.file);
}

/* What a calibration that goes on must have in common with the one that was interrupted. */
static int note_plan(calibration *c) {
    static const char key[] = "# plan: ";
    char plan[1024];
    snprintf(plan, sizeof plan, "%s%s %s; seed %ld; %s", key,
             c->platform_name != NULL ? c->platform_name : "processes",
             c->platform_name != NULL ? c->systems_text : c->processes_text, c->m.seed,
             c->algorithm_name != NULL    ? c->algorithm_name
             : c->operations_text != NULL ? c->operations_text
                                          : "usual operations");
    const char *before = c->m.samples.environment;
    before = before != NULL ? strstr(before, key) : NULL;
    size_t length = before != NULL ? strcspn(before, "\n") : 0;
    if (before != NULL && (length != strlen(plan) || strncmp(before, plan, length) != 0)) {
        return cli_usage_error(&usage, "--resume: the calibration to go on with has %.*s, not %s",
                               (int)(length - strlen(key)), before + strlen(key),
                               plan + strlen(key));
    }
    return cli_calibration_take_line(plan, &c->m) ? CLI_EXIT_OK : CLI_EXIT_SYSTEM;
}

/* What the samples were measured on and how, at the head of their file. */
static int note_environment(calibration *c, const char *command) {
    char seed[32];
    snprintf(seed, sizeof seed, "%ld", c->m.seed);
    const struct {
        const char *key;
        const char *value;
    } facts[] = {{"isocast", ISOCAST_VERSION},
                 {"date", c->date},
                 {"command", command},
                 {"seed", seed},
                 {"processor", c->m.node.model},
                 {"system", c->m.node.kernel},
                 {"governor", c->m.node.governor},
                 {"launcher", c->m.launcher != NULL ? c->m.launcher : LAUNCHER_DEFAULT}};
    bool written = true;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        char line[1024];
        snprintf(line, sizeof line, "# %s: %s", facts[i].key, facts[i].value);
        if (facts[i].value[0] != '\0') {
            written = cli_calibration_take_line(line, &c->m) && written;
        }
    }
    return written ? CLI_EXIT_OK : CLI_EXIT_SYSTEM;
}

static bool was_oversubscribed(const calibration *c) {
    for (size_t i = 0; i < c->m.process_count; i++) {
        if (cli_calibration_is_oversubscribed(&c->m, c->processes[i])) {
            return true;
        }
    }
    return false;
}

static int write_machine(calibration *c, const char *command) {
    char host[64] = "here";
    gethostname(host, sizeof host - 1);
    const isocast_platform *platform = c->simulation.platform;
    const char *otherwise = platform != NULL ? platform->hardware->name : host;
    cli_calibration_facts facts = {.output = c->common.output,
                                   .name = c->name != NULL ? c->name : otherwise,
                                   .date = c->date,
                                   .command = command,
                                   .platform = platform,
                                   .system_count = c->system_count,
                                   .oversubscribed = was_oversubscribed(c)};
    return cli_calibration_write(&c->m, &facts);
}

static int find_probe(calibration *c) {
    bool simulated = c->platform_name != NULL;
    c->probe = cli_locate_program(simulated ? "isocast-probe-simulated" : "isocast-probe");
    c->m.probe = c->probe;
    if (c->probe == NULL) {
        fputs(simulated ? "isocast calibrate: isocast-probe-simulated is not there: isocast was "
                          "built without SimGrid (package libsimgrid-dev)\n"
                        : "isocast calibrate: the program isocast-probe is not installed beside "
                          "isocast\n",
              stderr);
        return CLI_EXIT_SYSTEM;
    }
    return CLI_EXIT_OK;
}

/* After each round of launches: more of the next to what the prediction is least sure of. */
static void reweigh(cli_calibration *m, void *context) {
    calibration *c = context;
    bool failed;
    if (cli_emphasis_weigh(&c->emphasis, &m->samples, &c->wanted)) {
        char *weights = cli_wanted_weights(&c->wanted, &failed);
        if (!failed) {
            free(c->weights);
            c->weights = weights;
            m->weights = weights;
        }
    }
}

static int choose_algorithm(calibration *c) {
    int status = cli_load_apart(c->algorithm_name, NULL, c->common.quiet, &c->loaded);
    if (status == CLI_EXIT_OK) {
        status = cli_wanted_algorithm(&usage, c->loaded.algorithm, &c->wanted);
        c->emphasis = (cli_emphasis){.algorithm = c->loaded.algorithm,
                                     .processes = c->m.processes,
                                     .process_count = c->m.process_count,
                                     .processors = c->m.node.processors};
        c->m.reweigh = reweigh;
        c->m.reweigh_context = c;
    }
    return status;
}

static int choose_operations(calibration *c) {
    if (c->operations_text == NULL && c->algorithm_name == NULL) {
        return CLI_EXIT_OK;
    }
    int status = cli_wanted_ask(c->probe, &c->wanted);
    if (status == CLI_EXIT_OK) {
        status = c->algorithm_name != NULL
                     ? choose_algorithm(c)
                     : cli_wanted_list(&usage, c->operations_text, &c->wanted);
    }
    bool failed = false;
    if (status == CLI_EXIT_OK) {
        c->m.extent = cli_wanted_extent(&c->wanted);
        c->weights = cli_wanted_weights(&c->wanted, &failed);
        c->m.weights = c->weights;
    }
    return failed ? cli_exit_of(ISOCAST_NO_MEMORY) : status;
}

/* Whatever ends the measuring, what it gave is kept. */
static int measure(calibration *c, const char *command) {
    time_t now = time(NULL);
    struct tm utc;
    strftime(c->date, sizeof c->date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    cli_interrupts_catch();
    int status = note_plan(c);
    if (status == CLI_EXIT_OK) {
        status = note_environment(c, command);
    }
    if (status == CLI_EXIT_OK) {
        status = c->platform_name != NULL
                     ? cli_calibration_simulate(&c->m, &c->simulation, c->systems, c->system_count)
                     : cli_calibration_measure(&c->m);
    }
    unlink(c->m.plans_path);
    if (status == CLI_EXIT_OK) {
        status = cli_sample_file_finish(&c->m.file);
    } else if (status != CLI_EXIT_USAGE) {
        cli_sample_file_keep(&c->m.file);
    }
    return status;
}

/* The budget is a promise; where it was not kept the user learns why. */
static void tell_budget(const calibration *c) {
    static const double kept_within = 1.1;
    double taken = cli_calibration_clock() - c->m.started;
    if (c->platform_name == NULL && !c->resume && taken > kept_within * c->m.budget &&
        c->m.launches_now > 0) {
        fprintf(
            stderr,
            "isocast calibrate: took %.0f s of a budget of %.0f s: %zu launches do not fit into "
            "it; give more time or fewer --launches\n",
            taken, c->m.budget, c->m.launches_now);
    }
}

static int run(calibration *c, const char *command) {
    node_describe(&c->m.node);
    int status = cli_launcher_find(&usage, c->launcher_text, &c->launcher);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    c->m.launcher = c->launcher.command;
    c->m.processors = c->launcher.processors;
    long processors = c->m.processors > 0 ? c->m.processors : c->m.node.processors;
    char all[32];
    snprintf(all, sizeof all, processors > 1 ? "1,%ld" : "%ld", processors);
    c->processes_text = c->processes_text != NULL ? c->processes_text : all;
    status = c->platform_name != NULL ? read_systems(c) : read_processes(c);
    if (status == CLI_EXIT_OK) {
        status = find_probe(c);
    }
    if (status == CLI_EXIT_OK) {
        status = choose_operations(c);
    }
    if (status == CLI_EXIT_OK) {
        status = open_samples(c);
    }
    if (status == CLI_EXIT_OK) {
        status = measure(c, command);
    }
    if (status == CLI_EXIT_OK) {
        status = write_machine(c, command);
    }
    tell_budget(c);
    return status;
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
static int check_options(const calibration *c, long *launches) {
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
    if (simulated && (c->algorithm_name != NULL || c->operations_text != NULL)) {
        return cli_usage_error(&usage, "a simulation measures all that is usual, once");
    }
    if (simulated && c->resume) {
        return cli_usage_error(&usage, "a simulation takes seconds; --resume is for measuring");
    }
    if (*launches == 0 || !(c->m.budget > 0)) {
        return cli_usage_error(&usage, "--launches and --budget must be above 0");
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
    calibration c = {.m = {.seed = 1,
                           .budget = 60,
                           .started = cli_calibration_clock(),
                           .others = NAN,
                           .file = {.file = -1}}};
    long launches = -1;
    const cli_option options[] = {
        {"--processes", 0, CLI_OPTION_TEXT, "LIST",
         "numbers of processes to measure with (1 and all processors)", &c.processes_text},
        {"--platform", 0, CLI_OPTION_INPUT, "PLATFORM",
         "calibrate this platform in simulation, instead of this machine", &c.platform_name},
        {"--systems", 0, CLI_OPTION_TEXT, "LIST", "systems of the platform to simulate",
         &c.systems_text},
        {"--for", 0, CLI_OPTION_INPUT, "ALGORITHM",
         "measure what this algorithm's formulas need, most where its prediction is least sure",
         &c.algorithm_name},
        {"--operations", 0, CLI_OPTION_TEXT, "LIST",
         "operations and kernels to measure: names, usual (those that the shipped algorithms "
         "need), all (usual)",
         &c.operations_text},
        {"--launches", 0, CLI_OPTION_COUNT, "K",
         "independent launches; their spread is part of every error (as many as fit the budget)",
         &launches},
        {"--budget", 0, CLI_OPTION_TIME, "TIME", "time that the whole command takes (60s)",
         &c.m.budget},
        {"--seed", 0, CLI_OPTION_COUNT, "S", "of the order of measuring (1)", &c.m.seed},
        {"--samples", 0, CLI_OPTION_OUTPUT, "FILE",
         "where the raw samples go (beside the machine file)", &c.samples_path},
        {"--launcher", 0, CLI_OPTION_TEXT, "LAUNCHER",
         "starts MPI programs: mpich, slurm or another name of specs/launchers.yaml, or a command "
         "in which {processes} is their number (mpich)",
         &c.launcher_text},
        {"--name", 0, CLI_OPTION_TEXT, "NAME", "of the machine (this host's name)", &c.name},
        {"--resume", 0, CLI_OPTION_FLAG, NULL,
         "go on with a calibration that was interrupted, with the same other options", &c.resume},
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
        c.m.quiet = c.common.quiet;
        status = check_options(&c, &launches);
    }
    if (parsed == CLI_PARSE_GO_ON && status == CLI_EXIT_OK) {
        c.m.launches = launches;
        status = command != NULL ? run(&c, command) : cli_exit_of(ISOCAST_NO_MEMORY);
    }
    free(positional);
    free(command);
    free(c.weights);
    cli_launcher_free(&c.launcher);
    cli_loaded_free(&c.loaded);
    free(c.probe);
    free(c.processes);
    isocast_systems_free(c.systems, c.system_count);
    cli_simulation_free(&c.simulation);
    cli_sample_file_close(&c.m.file);
    samples_free(&c.m.samples);
    return status;
}
