/* isocast measure: runs a kernel on systems and sizes, or on sizes up to where a wanted
 * speed-efficiency is met, and keeps every row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/campaign/kernel_run.h"
#include "calibrate/campaign/run_plan.h"
#include "campaign.h"
#include "cli/options/exit.h"
#include "cli/options/launcher_option.h"
#include "cli/options/load.h"
#include "cli/options/locate.h"
#include "cli/options/options.h"
#include "cli/options/prediction_options.h"
#include "cli/options/word_option.h"
#include "cli/output/output.h"
#include "command.h"
#include "measure_find.h"
#include "measure_own.h"

static const cli_usage usage = {
    .command = "measure",
    .arguments = "[KERNEL|ALGORITHM]",
    .summary =
        "Runs a kernel, the program of an algorithm file, or with --command any MPI program, on "
        "systems and sizes, in random order, "
        "and adds a row to RUNS.csv for "
        "each repetition. Rows that the file has already are not measured again, so the same "
        "command goes on where it was interrupted. With --find it scales N on each system until "
        "the runs show the wanted speed-efficiency, and prints the sizes with their psi. Where "
        "an algorithm is valid for some sizes only, the nearest of these are measured instead of "
        "others, and the command says so.",
    .details = "With --find the search goes through --sizes upwards, doubles up to 64 times the "
               "largest of them, what fits into memory or what --limit allows, and closes in on E; "
               "-o is RUNS.csv, the table goes to standard output. Status ok; above: E is not "
               "reached up to the largest N; below: E is over the wanted one at the smallest N; "
               "jump: E leaps over the wanted one from one N to the next.\n"
               "\n"
               "The words of --command are parted by blanks; quotes keep them, and no shell looks "
               "at them. {N} and {p} stand for the size and the number of processes, {NAME} for "
               "a value of --set; with --algorithm the size may also have its name there, such "
               "as {n}. {px} and {py} are the sides of the grid that MPI_Dims_create makes of p "
               "processes, the longer one first; with {pz} it has three dimensions. On a platform "
               "the program is one that 'isocast cc' built.\n"
               "\n"
               "Examples:\n"
               "  isocast measure ge --machine here.yaml --systems 1,2 -o runs.csv\n"
               "  isocast measure ge --machine here.yaml --sizes 100..500+100 -o runs.csv\n"
               "  isocast measure ge --machine here.yaml --find E=0.3 -o found.csv\n"
               "  isocast measure farm.yaml --platform ethernet-128 --systems 4,16 -o runs.csv\n"
               "  isocast measure --command './jacobi {N} 100' --machine here.yaml -o runs.csv",
    .output =
        "the RUNS.csv to add rows to, each as soon as it is measured. This option is required, "
        "and takes a file",
    .fewest = 0,
    .most = 1,
    .words = 1};

/* s; where no run shows the wanted E, the search would else go on for hours. */
static const double longest_usual = 60;

/* The command line, and what it names. */
typedef struct command_line {
    cli_call call;
    const char *machine_name;
    const char *marked_speed; /* of --marked-speed; NULL: not given */
    const char *systems_text;
    const char *sizes_text;
    cli_find_question find;
    bool oversubscribe;
    bool keep_sizes;
    const char *kernel_name;
    long repetitions;
    bool calm; /* more of them where something else slowed some */
    campaign_kernel_setup setup;
    campaign_run_file runs;
    cli_campaign campaign;
    isocast_diagnostics diagnostics; /* of the campaign */
    const char *platform_name;       /* NULL: real runs */
    isocast_platform *platform;
    campaign_simulation simulation;
    cli_own_program own;
    campaign_steps steps;
    char *program;             /* isocast-kernel or isocast-schedule, or the simulated one */
    const char *launcher_text; /* a name or a command; NULL: the default */
    cli_launcher launcher;
    cli_loaded loaded;        /* the machine; for a search also the algorithm */
    isocast_system **systems; /* [system_count] */
    size_t system_count;
    double *sizes; /* [size_count] */
    size_t size_count;
} command_line;

/* The nodes of a platform are its machine; its speeds share out the work. */
static int load_platform(command_line *c) {
    int status = cli_load_platform(c->platform_name, c->call.common.quiet, &c->platform);
    if (status == CLI_EXIT_OK) {
        c->simulation.platform = c->platform;
        c->setup.simulation = &c->simulation;
        c->setup.machine = c->platform->hardware;
        campaign_simulation_report_plain(c->platform, c->setup.listener);
        if (cli_own_program_asked(&c->own)) {
            c->simulation.own_speed =
                cli_own_program_speed(&usage, &c->own, c->platform->hardware, c->call.common.quiet);
        }
    }
    return status;
}

static int load_machine_file(command_line *c) {
    if (c->machine_name == NULL) {
        return cli_usage_error(
            &usage, "--machine is needed: its marked speeds divide the work among the processes; "
                    "'isocast calibrate -o here.yaml' makes one for this machine");
    }
    int status = cli_load_machine(c->machine_name, c->call.common.quiet, &c->loaded);
    c->setup.machine = c->loaded.machine;
    return status;
}

/* What --set gives is the machine's here: kernels have no parameters, and the settings of a program
 * of the user's own are words of its command. */
static int load_machine(command_line *c) {
    int status = c->platform_name != NULL ? load_platform(c) : load_machine_file(c);
    if (status != CLI_EXIT_OK || cli_own_program_asked(&c->own)) {
        return status;
    }
    cli_loaded machine = {.machine = c->loaded.machine, .platform = c->platform};
    const cli_settings settings = {.set = c->own.settings};
    status = cli_apply_settings(&settings, &machine);
    cli_settings_free(&machine);
    return status;
}

static int check_sizes(const command_line *c) {
    for (size_t i = 0; i < c->size_count; i++) {
        if (c->sizes[i] < 1 || c->sizes[i] != floor(c->sizes[i]) ||
            c->sizes[i] > CLI_MEASURE_N_MAX) {
            return cli_usage_error(&usage, "a size must be a whole number from 1 on, not %g",
                                   c->sizes[i]);
        }
    }
    return CLI_EXIT_OK;
}

static int apply_marked_speed(command_line *c) {
    const isocast_algorithm *algorithm = c->loaded.algorithm;
    const char *of_algorithm = algorithm != NULL ? algorithm->kernel : NULL;
    const cli_marked_speed_subject subject = {
        .machine = c->loaded.machine,
        .algorithm = algorithm,
        .kernel = cli_own_program_asked(&c->own) ? of_algorithm : c->setup.kernel.name,
        .of_platform = c->platform_name != NULL};
    return cli_marked_speed_apply(c->marked_speed, &c->own.settings, &subject);
}

/* The kernel's algorithm by name: its work is what E is about, and it shows which sizes it is valid
 * for. */
static int load_algorithm(command_line *c) {
    bool own = cli_own_program_asked(&c->own);
    const char *name = own ? c->own.algorithm : c->setup.kernel.algorithm;
    if (c->setup.steps != NULL) {
        return CLI_EXIT_OK; /* it is there already */
    }
    if (name == NULL) {
        return own ? cli_own_program_apply(&usage, &c->own, false, NULL) : CLI_EXIT_OK;
    }
    int loaded = cli_load_algorithm(name, c->call.common.quiet, &c->loaded);
    if (loaded != CLI_EXIT_OK) {
        return own || c->loaded.algorithm_path != NULL ? loaded : CLI_EXIT_SYSTEM;
    }
    if (own) {
        snprintf(c->setup.kernel.algorithm, sizeof c->setup.kernel.algorithm, "%s",
                 c->loaded.algorithm->name);
        return cli_own_program_apply(&usage, &c->own, c->find.text != NULL, c->loaded.algorithm);
    }
    return CLI_EXIT_OK;
}

/* The sizes that are measured: simulated arithmetic takes the time of its flops at any size. */
static isocast_valid valid_sizes(const command_line *c) {
    bool any = c->keep_sizes || c->platform_name != NULL || c->loaded.algorithm == NULL;
    return any ? (isocast_valid){.factor_count = 0} : c->loaded.algorithm->sizes[0].valid;
}

static bool is_among(const double *sizes, size_t count, double N) {
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        found = sizes[i] == N;
    }
    return found;
}

/* Puts the nearest valid sizes in the place of others, each once, and says so. */
static int round_sizes(command_line *c) {
    if (c->loaded.algorithm == NULL) {
        return CLI_EXIT_OK;
    }
    const isocast_size *size = &c->loaded.algorithm->sizes[0];
    isocast_valid valid = valid_sizes(c);
    isocast_buffer changed = {0};
    size_t kept = 0;
    for (size_t i = 0; i < c->size_count; i++) {
        double N = c->sizes[i];
        if (!isocast_valid_holds(&valid, N)) {
            double new =
                isocast_valid_nearer(isocast_valid_nearest(&valid, N, size->min, size->max), N);
            isocast_buffer_printf(&changed, "%s%.0f instead of %.0f",
                                  changed.length > 0 ? ", " : "", new, N);
            N = new;
        }
        if (!is_among(c->sizes, kept, N)) {
            c->sizes[kept++] = N;
        }
    }
    c->size_count = kept;
    bool unreported = false; /* for want of memory */
    if (changed.length > 0 && !c->call.common.quiet) {
        isocast_buffer which = {0};
        isocast_valid_describe(&valid, &which);
        unreported = which.failed;
        if (!unreported) {
            fprintf(stderr,
                    "isocast measure: predictions of %s hold only for %s: N = %s is measured "
                    "(--keep-sizes measures the sizes as given)\n",
                    c->setup.kernel.name, which.text, changed.text);
        }
        isocast_buffer_free(&which);
    }
    bool failed = changed.failed || unreported;
    isocast_buffer_free(&changed);
    return failed ? cli_exit_of(ISOCAST_NO_MEMORY) : CLI_EXIT_OK;
}

/* Whether the launcher can put the processes where the system says; a platform always can. */
static int check_placement(const command_line *c, const isocast_system *system) {
    isocast_buffer why = {0};
    bool possible =
        c->platform_name != NULL || campaign_placement_possible(system, c->setup.launcher, &why);
    int status =
        possible ? CLI_EXIT_OK : cli_usage_error(&usage, "%s", why.text != NULL ? why.text : "");
    isocast_buffer_free(&why);
    return status;
}

static int check_systems(const command_line *c) {
    for (size_t i = 0; i < c->system_count; i++) {
        const isocast_system *system = c->systems[i];
        int placed = check_placement(c, system);
        if (placed != CLI_EXIT_OK) {
            return placed;
        }
        int size = c->platform_name != NULL
                       ? cli_system_size_check(&usage, system, c->platform->hardware)
                       : CLI_EXIT_OK;
        if (size != CLI_EXIT_OK) {
            return size;
        }
        if (c->platform_name == NULL && system->p > (double)c->setup.processors &&
            !c->oversubscribe) {
            return cli_usage_error(
                &usage,
                "system %s has %g processes, this machine %ld processors: that "
                "would measure the scheduler; --oversubscribe measures it all the "
                "same, and labels every row",
                system->name, system->p, c->setup.processors);
        }
    }
    return CLI_EXIT_OK;
}

static int read_lists(command_line *c) {
    char all[32];
    snprintf(all, sizeof all, c->setup.processors > 1 ? "1,%ld" : "%ld", c->setup.processors);
    const char *systems = c->systems_text != NULL ? c->systems_text : all;
    int checked = cli_systems_read("--systems", systems, c->setup.machine,
                                   c->setup.own == NULL ? c->setup.kernel.name : NULL, &c->systems,
                                   &c->system_count);
    CLI_THEN(checked, cli_numbers_read("--sizes", c->sizes_text, &c->sizes, &c->size_count));
    CLI_THEN(checked, check_sizes(c));
    CLI_THEN(checked, check_systems(c));
    CLI_THEN(checked, round_sizes(c));
    /* --find goes through sizes that keep the rules by itself. */
    const cli_measure_points points = {(const isocast_system *const *)c->systems, c->system_count,
                                       c->sizes, c->find.text != NULL ? 0 : c->size_count};
    return checked == CLI_EXIT_OK && !c->keep_sizes && c->loaded.algorithm != NULL
               ? cli_measure_check_rules(&usage, c->loaded.algorithm, &points)
               : checked;
}

static int exit_of(command_line *c, isocast_status status) {
    return cli_campaign_exit(&c->campaign, &c->diagnostics, status);
}

static int measure_all(command_line *c) {
    campaign_run_points points = {.systems = c->systems,
                                  .system_count = c->system_count,
                                  .sizes = c->sizes,
                                  .size_count = c->size_count,
                                  .repetitions = (size_t)c->repetitions,
                                  .most = c->calm ? CAMPAIGN_CALM_MOST : 0};
    return exit_of(c, campaign_runs_make(&c->setup, &c->runs, &points, NULL));
}

static int find_all(command_line *c) {
    const cli_find_request request = {.question = &c->find,
                                      .setup = &c->setup,
                                      .loaded = &c->loaded,
                                      .keep_sizes = c->keep_sizes,
                                      .valid = valid_sizes(c),
                                      .systems = c->systems,
                                      .system_count = c->system_count,
                                      .sizes = c->sizes,
                                      .size_count = c->size_count,
                                      .N_max = CLI_MEASURE_N_MAX,
                                      .longest = c->own.program.limit > 0 ? c->own.program.limit
                                                                          : longest_usual,
                                      .repetitions = c->repetitions,
                                      .most = c->calm ? CAMPAIGN_CALM_MOST : 0,
                                      .call = &c->call};
    return cli_find_run(&request, &c->campaign, &c->diagnostics, &c->runs);
}

static int find_program(command_line *c, const char *name, const char *without) {
    free(c->program);
    c->program = cli_locate_program(name);
    c->setup.program = c->program;
    return c->program != NULL ? CLI_EXIT_OK : cli_locate_lacks("measure", name, without);
}

static int refuse_kernel(const command_line *c, const campaign_kernel_list *list) {
    const char **names = calloc(list->count + 1, sizeof *names);
    for (size_t i = 0; i < list->count && names != NULL; i++) {
        names[i] = list->items[i].name;
    }
    const char *own = NULL;
    int status = names == NULL ? cli_exit_of(ISOCAST_NO_MEMORY)
                               : cli_locate_kernel(c->kernel_name, names, list->count, &own);
    if (status == CLI_EXIT_OK && own != NULL) {
        status = cli_usage_error(&usage, "'%s' is an algorithm; its kernel is '%s'", c->kernel_name,
                                 own);
    } else if (status == CLI_EXIT_OK) {
        status = cli_word_refuse(&usage, "KERNEL", c->kernel_name, names, list->count);
    }
    free(names);
    return status;
}

/* An algorithm with a program is what that says; one without is refused as no kernel. */
static int find_steps(command_line *c, const campaign_kernel_list *list) {
    int status = cli_steps_load(&usage, c->kernel_name, &c->own.settings, NULL,
                                c->call.common.quiet, &c->loaded, &c->steps);
    if (status != CLI_EXIT_OK || c->steps.algorithm == NULL) {
        return status != CLI_EXIT_OK ? status : refuse_kernel(c, list);
    }
    c->steps.diagnostics = &c->diagnostics;
    c->steps.limit = c->own.program.limit;
    c->setup.steps = &c->steps;
    c->setup.kernel = cli_steps_kernel(c->loaded.algorithm);
    return c->platform_name == NULL
               ? find_program(c, "isocast-schedule", CLI_WITHOUT_MPI)
               : find_program(c, "isocast-schedule-simulated", CLI_WITHOUT_SIMGRID);
}

/* The list is the real program's, which runs alone; the simulated one has the same kernels. */
static int find_kernel(command_line *c) {
    if (cli_own_program_asked(&c->own)) {
        c->setup.own = &c->own.program;
        return cli_own_program_read(&usage, &c->own, c->platform_name != NULL,
                                    c->call.common.output, &c->setup.kernel);
    }
    campaign_kernel_list list = {.count = 0};
    int status = find_program(c, "isocast-kernel", CLI_WITHOUT_MPI);
    CLI_THEN(status, exit_of(c, campaign_kernels_list(c->program, &c->campaign.listener, &list)));
    if (status != CLI_EXIT_OK) {
        return status;
    }
    const campaign_kernel *kernel = campaign_kernels_find(&list, c->kernel_name);
    if (kernel == NULL) {
        return cli_steps_named(c->kernel_name) ? find_steps(c, &list) : refuse_kernel(c, &list);
    }
    if (c->own.program.limit > 0 && c->find.text == NULL) {
        return cli_usage_error(&usage,
                               "--limit goes with --command or --find, or the program of an "
                               "algorithm file");
    }
    c->setup.kernel = *kernel;
    return c->platform_name == NULL
               ? CLI_EXIT_OK
               : find_program(c, "isocast-kernel-simulated", CLI_WITHOUT_SIMGRID);
}

static int find_launcher(command_line *c) {
    int status = cli_launcher_find(&usage, c->launcher_text, &c->launcher);
    c->setup.launcher = c->launcher.command;
    c->setup.processors = cli_launcher_processors(&c->launcher);
    return status;
}

/* From here on signals end what is running, and are reported. */
static int open_runs(command_line *c) {
    cli_interrupts_catch();
    return exit_of(c, campaign_run_file_open(c->call.common.output, &c->campaign.listener,
                                             &c->diagnostics, &c->runs));
}

static int measure(command_line *c) {
    int (*const steps[])(command_line *) = {find_launcher, find_kernel,        load_algorithm,
                                            load_machine,  apply_marked_speed, read_lists,
                                            open_runs};
    int status = CLI_EXIT_OK;
    for (size_t i = 0; status == CLI_EXIT_OK && i < sizeof steps / sizeof steps[0]; i++) {
        status = steps[i](c);
    }
    c->setup.algorithm = c->loaded.algorithm;
    CLI_THEN(status, c->find.text != NULL ? find_all(c) : measure_all(c));
    if (status == CLI_EXIT_SYSTEM && !cli_interrupts_came() && !cli_output_reader_left() &&
        campaign_run_file_has_rows(&c->runs)) {
        fprintf(stderr, "isocast measure: finished rows are kept in %s\n", c->call.common.output);
    }
    return status;
}

static int check_options(command_line *c) {
    if (c->call.common.output == NULL || strcmp(c->call.common.output, "-") == 0) {
        return cli_usage_error(&usage,
                               "-o RUNS.csv is needed: rows are added as they are measured");
    }
    if (c->repetitions < 1) {
        return cli_usage_error(&usage, "--repetitions must be above 0");
    }
    if (c->own.program.limit == 0) {
        return cli_usage_error(&usage, "--limit must be above 0; without it no run is too long");
    }
    if (c->platform_name != NULL && c->machine_name != NULL) {
        return cli_usage_error(&usage, "--platform and --machine exclude each other");
    }
    if (c->platform_name != NULL && c->launcher_text != NULL) {
        return cli_usage_error(&usage,
                               "--platform and --launcher exclude each other: smpirun starts "
                               "simulated runs");
    }
    int own = cli_own_program_check(&usage, &c->own, c->kernel_name, c->platform_name != NULL,
                                    c->find.text != NULL);
    if (own != CLI_EXIT_OK) {
        return own;
    }
    if (c->platform_name != NULL && c->systems_text == NULL) {
        return cli_usage_error(
            &usage, "--platform also needs --systems: what to simulate, such as --systems 4,16");
    }
    return cli_find_read(&usage, &c->find);
}

static int run(void *context) {
    command_line *c = context;
    c->kernel_name = c->call.count > 0 ? c->call.positional[0] : NULL;
    cli_campaign_begin(&c->call, &c->campaign);
    c->setup.listener = &c->campaign.listener;
    /* Simulated times are the same in every run, but for what is computed in it. */
    c->repetitions = c->platform_name != NULL && c->own.command == NULL ? 1 : c->repetitions;
    int status = check_options(c);
    CLI_THEN(status, measure(c));
    free(c->sizes);
    free(c->find.targets);
    isocast_systems_free(c->systems, c->system_count);
    campaign_run_file_close(&c->runs);
    free(c->program);
    cli_own_program_free(&c->own);
    campaign_steps_free(&c->steps);
    cli_launcher_free(&c->launcher);
    campaign_simulation_free(&c->simulation);
    isocast_platform_free(c->platform);
    cli_loaded_free(&c->loaded);
    return status;
}

int cmd_measure(int argc, char **argv) {
    command_line c = {.sizes_text = "200..1600*2",
                      .find = {.tolerance = 0.01},
                      .own = {.program = {.limit = -1}}, /* none */
                      .repetitions = 5,
                      .setup = {.seed = 1},
                      .runs = {.file = -1}};
    const cli_option options[] = {
        {"--command", 0, CLI_OPTION_TEXT, "COMMAND",
         "measure this MPI program in the place of a kernel", &c.own.command},
        {"--set", 0, CLI_OPTION_LIST, "NAME=VALUE",
         "with --command: what {NAME} stands for in it, and the size, parameter or definition of "
         "that name in --algorithm; with the program of an algorithm file: likewise; with that or "
         "a kernel: a value in place of the machine file's, such as "
         "node.marked_speed; may be given several times",
         &c.own.settings},
        CLI_MARKED_SPEED_OPTION(&c.marked_speed),
        {"--time", 0, CLI_OPTION_TEXT, "WHAT",
         "the time of --command: run (MPI_Init to MPI_Finalize), region (MPI_Pcontrol(1) to "
         "MPI_Pcontrol(0)), or a regular expression whose last group finds it in the output, in s "
         "(default: run)",
         &c.own.time},
        {"--algorithm", 0, CLI_OPTION_INPUT, "ALGORITHM",
         "specification of --command: its name stands in the rows, its work is what --find is "
         "about (default: the program's name)",
         &c.own.algorithm},
        {"--folder", 0, CLI_OPTION_TEXT, "FOLDER",
         "folder that --command works in (default: this one)", &c.own.folder},
        {"--environment", 0, CLI_OPTION_LIST, "NAME=VALUE",
         "variable of the environment of --command; may be given several times",
         &c.own.environment},
        {"--limit", 0, CLI_OPTION_TIME, "TIME",
         "longest time of a run of --command; a size that takes longer is left out (default: "
         "none). Of the program of an algorithm file: what a process may compute in a run, before "
         "which it is refused (default there: 1h). "
         "With --find no run is begun that would take longer (default there: 60s)",
         &c.own.program.limit},
        {"--own-speed", 0, CLI_OPTION_SPEED, "SPEED",
         "speed of this machine for --command on a platform, where computing takes its processor "
         "time here times this speed over the platform's, in flop/s (default: the platform's)",
         &c.own.speed},
        {"--machine", 0, CLI_OPTION_INPUT, "MACHINE",
         "machine file; its marked speeds divide the work among the processes", &c.machine_name},
        {"--platform", 0, CLI_OPTION_INPUT, "PLATFORM",
         "simulate the runs on this platform, instead of --machine", &c.platform_name},
        {"--systems", 0, CLI_OPTION_TEXT, "LIST",
         "systems of the machine (default: one process, and all processors)", &c.systems_text},
        {"--sizes", 0, CLI_OPTION_TEXT, "LIST", "problem sizes N (default: 200..1600*2)",
         &c.sizes_text},
        {"--keep-sizes", 0, CLI_OPTION_FLAG, NULL,
         "measure the sizes as given, even those that the kernel's algorithm is not valid for",
         &c.keep_sizes},
        {"--repetitions", 0, CLI_OPTION_COUNT, "R", "runs of each size on each system (default: 5)",
         &c.repetitions},
        {"--calm", 0, CLI_OPTION_FLAG, NULL,
         "go on, up to 60 runs of a size, until R of them took at most 1.25 times as long as the "
         "shortest; validate has the same option. With --find the search also returns to its sizes "
         "later, as what slows a machine for some seconds slows all runs of a size",
         &c.calm},
        {"--find", 0, CLI_OPTION_SHARES, "E=NUMBER",
         "scale N on each system until the runs show this speed-efficiency E = W/(T C), with T the "
         "median of the repetitions; several by commas, as E=0.2,0.4; speed=SPEED with --metric "
         "isospeed",
         &c.find.text},
        {"--metric", 0, CLI_OPTION_TEXT, "METRIC",
         "what --find holds: isospeed-e, isospeed, isoefficiency, latency or time-scale; the last "
         "three also run each size on one process (default: isospeed-e)",
         &c.find.metric_name},
        {"--tolerance", 0, CLI_OPTION_NUMBER, "SHARE",
         "how far E may be from it, relative (default: 0.01)", &c.find.tolerance},
        {"--seed", 0, CLI_OPTION_COUNT, "S", "seed of the order and of the input (default: 1)",
         &c.setup.seed},
        {"--launcher", 0, CLI_OPTION_TEXT, "LAUNCHER", CLI_LAUNCHER_HELP, &c.launcher_text},
        {"--oversubscribe", 0, CLI_OPTION_FLAG, NULL,
         "allow more processes than processors; every row says so", &c.oversubscribe},
        {0}};
    return cli_call_run(&usage, options, argc, argv, &c.call, run, &c);
}
