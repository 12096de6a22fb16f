/* isocast measure: runs a kernel on systems and sizes, or on sizes up to where a wanted
 * speed-efficiency is met, and keeps every row. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/campaign/find.h"
#include "cli/campaign/measurement.h"
#include "cli/campaign/progress.h"
#include "cli/options/exit.h"
#include "cli/options/launchers.h"
#include "cli/options/load.h"
#include "cli/options/locate.h"
#include "cli/options/number.h"
#include "cli/options/options.h"
#include "cli/output/json_text.h"
#include "cli/output/provenance.h"
#include "cli/report/report_find.h"
#include "command.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/machine_load.h"

static const cli_usage usage = {
    .command = "measure",
    .arguments = "KERNEL",
    .summary =
        "Runs a kernel on systems and sizes, in random order, and adds a row to RUNS.csv for "
        "each repetition. Rows that the file has already are not measured again, so the same "
        "command goes on where it was interrupted. With --find it scales N on each system until "
        "the runs show the wanted speed-efficiency, and prints the sizes with their psi. Where "
        "an algorithm is valid for some sizes only, the nearest of these are measured instead of "
        "others, and the command says so.",
    .details = "With --find the search goes through --sizes upwards, doubles up to 64 times the "
               "largest of them or what fits into memory, and closes in on E; -o is RUNS.csv, the "
               "table goes to standard output. Status ok; above: E is not reached up to the "
               "largest N; below: E is over the wanted one at the smallest N.\n"
               "\n"
               "Examples:\n"
               "  isocast measure ge --machine here.yaml --systems 1,2 -o runs.csv\n"
               "  isocast measure ge --machine here.yaml --sizes 100..500+100 -o runs.csv\n"
               "  isocast measure ge --machine here.yaml --find E=0.3 -o found.csv",
    .output = "the RUNS.csv to add rows to, each as soon as it is measured; must be given, "
              "and be a file",
    .fewest = 1,
    .most = 1,
    .words = 1};

/* A search goes on to this many times the largest size that was named. */
static const double find_beyond = 64;
static const double N_most = 2e9;

/* The command line, and what it names. */
typedef struct command_line {
    int argc;
    char **argv;
    cli_common common;
    const char *machine_name;
    const char *systems_text;
    const char *sizes_text;
    const char *find_text; /* NULL: no search */
    double target;         /* E of --find */
    double tolerance;
    bool oversubscribe;
    bool keep_sizes;
    cli_measurement m;
    const char *platform_name; /* NULL: real runs */
    cli_simulation simulation;
    const char *launcher_text; /* a name or a command; NULL: the default */
    cli_launcher launcher;
    cli_loaded loaded;        /* the machine; for a search also the algorithm */
    isocast_system **systems; /* [system_count] */
    size_t system_count;
    double *sizes; /* [size_count] */
    size_t size_count;
} command_line;

/* One run that is still to be made. */
typedef struct pending {
    const isocast_system *system;
    double N;
    long repetition;
} pending;

/* The nodes of a platform are its machine; its speeds share out the work. */
static int load_platform(command_line *c) {
    int status = cli_simulation_load(c->platform_name, c->common.quiet, &c->simulation);
    if (status == CLI_EXIT_OK) {
        c->m.machine = c->simulation.platform->hardware;
    }
    return status;
}

static int load_machine(command_line *c) {
    if (c->platform_name != NULL) {
        return load_platform(c);
    }
    if (c->machine_name == NULL) {
        return cli_usage_error(&usage,
                               "--machine is needed: its marked speeds share out the work; "
                               "'isocast calibrate -o here.yaml' makes one for this machine");
    }
    int located = cli_locate_spec(CLI_SPEC_MACHINE, c->machine_name, &c->loaded.machine_path);
    if (located != CLI_EXIT_OK) {
        return located;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        isocast_machine_load(c->loaded.machine_path, &diagnostics, &c->loaded.machine);
    status = cli_diagnostics_tell(&diagnostics, c->common.quiet, status);
    c->m.machine = c->loaded.machine;
    return cli_exit_of(status);
}

static int check_sizes(const command_line *c) {
    for (size_t i = 0; i < c->size_count; i++) {
        if (c->sizes[i] < 1 || c->sizes[i] != floor(c->sizes[i]) || c->sizes[i] > N_most) {
            return cli_usage_error(&usage, "a size must be a whole number from 1 on, not %g",
                                   c->sizes[i]);
        }
    }
    return CLI_EXIT_OK;
}

/* The kernel's algorithm by name: its work is what E is about, and it tells which sizes it is valid
 * for. */
static int load_algorithm(command_line *c) {
    int located = cli_locate_spec(CLI_SPEC_ALGORITHM, c->m.algorithm, &c->loaded.algorithm_path);
    if (located != CLI_EXIT_OK) {
        return CLI_EXIT_SYSTEM;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        isocast_algorithm_load(c->loaded.algorithm_path, &diagnostics, &c->loaded.algorithm);
    status = cli_diagnostics_tell(&diagnostics, c->common.quiet, status);
    return cli_exit_of(status);
}

/* The sizes that are measured: simulated arithmetic takes the time of its flops at any size. */
static isocast_valid valid_sizes(const command_line *c) {
    bool any = c->keep_sizes || c->platform_name != NULL;
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
    if (changed.length > 0 && !c->common.quiet) {
        isocast_buffer which = {0};
        isocast_valid_describe(&valid, &which);
        fprintf(stderr,
                "isocast measure: predictions of %s hold only for %s: N = %s is measured "
                "(--keep-sizes measures the sizes as given)\n",
                c->m.kernel, which.text != NULL ? which.text : "", changed.text);
        isocast_buffer_free(&which);
    }
    bool failed = changed.failed;
    isocast_buffer_free(&changed);
    return failed ? cli_exit_of(ISOCAST_NO_MEMORY) : CLI_EXIT_OK;
}

static int check_systems(const command_line *c) {
    for (size_t i = 0; i < c->system_count; i++) {
        const isocast_system *system = c->systems[i];
        if (c->platform_name != NULL && system->beyond_machine) {
            return cli_usage_error(&usage,
                                   "system %s takes more processors or nodes than the platform "
                                   "has",
                                   system->name);
        }
        if (c->platform_name == NULL && system->p > (double)c->m.node.processors &&
            !c->oversubscribe) {
            return cli_usage_error(&usage,
                                   "system %s has %g processes, this machine %ld processors: that "
                                   "would measure the scheduler; --oversubscribe does it all the "
                                   "same, and labels every row",
                                   system->name, system->p, c->m.node.processors);
        }
    }
    return CLI_EXIT_OK;
}

static int read_lists(command_line *c) {
    isocast_diagnostics diagnostics = {0};
    char all[32];
    snprintf(all, sizeof all, c->m.node.processors > 1 ? "1,%ld" : "%ld", c->m.node.processors);
    const char *systems = c->systems_text != NULL ? c->systems_text : all;
    isocast_status status = isocast_systems_parse(c->m.machine, "--systems", systems, &diagnostics,
                                                  &c->systems, &c->system_count);
    if (status == ISOCAST_OK) {
        status = isocast_numbers_parse("--sizes", c->sizes_text, &diagnostics, &c->sizes,
                                       &c->size_count);
    }
    status = cli_diagnostics_tell(&diagnostics, c->common.quiet, status);
    if (status != ISOCAST_OK) {
        return status == ISOCAST_INVALID ? CLI_EXIT_USAGE : cli_exit_of(status);
    }
    int checked = check_sizes(c);
    checked = checked == CLI_EXIT_OK ? check_systems(c) : checked;
    return checked == CLI_EXIT_OK ? round_sizes(c) : checked;
}

/* What is left to do, in random order: drifts of the machine then hit all points alike. NULL where
 * memory is short. */
static pending *plan(const command_line *c, size_t *count) {
    size_t repetitions = (size_t)c->m.repetitions;
    size_t most = c->system_count * c->size_count * repetitions;
    pending *list = malloc((most + 1) * sizeof *list);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    *count = 0;
    for (size_t i = 0; list != NULL && i < most; i++) {
        size_t point = i / repetitions;
        pending run = {c->systems[point / c->size_count], c->sizes[point % c->size_count],
                       (long)(i % repetitions)};
        if (isnan(cli_measurement_known(&c->m, run.system, run.N, run.repetition))) {
            list[(*count)++] = run;
        }
    }
    if (random == NULL) {
        free(list);
        return NULL;
    }
    gsl_rng_set(random, (unsigned long)c->m.seed);
    if (list != NULL && *count > 0) {
        gsl_ran_shuffle(random, list, *count, sizeof *list);
    }
    gsl_rng_free(random);
    return list;
}

static void show_progress(const cli_measurement *m, size_t done, size_t all, double started) {
    if (!cli_measurement_shows(m)) {
        return;
    }
    double so_far = (double)time(NULL) - started;
    if (done == 0) {
        cli_progress_show("measuring: run 1 of %zu", all);
    } else {
        cli_progress_show("measuring: run %zu of %zu, about %.0f s left", done + 1, all,
                          so_far / (double)done * (double)(all - done));
    }
}

/* Drops the other runs of a point that does not fit into memory; gives how many are left. */
static size_t drop_point(pending *list, size_t first, size_t count, const pending *refused) {
    size_t kept = first;
    for (size_t i = first; i < count; i++) {
        if (list[i].system != refused->system || list[i].N != refused->N) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

/* Makes the runs of the plan. A size that does not fit is told and left out; the rest goes on. */
static int run_plan(command_line *c, pending *list, size_t planned) {
    size_t count = planned;
    size_t added = 0;
    int status = CLI_EXIT_OK;
    double started = (double)time(NULL);
    for (size_t i = 0; status == CLI_EXIT_OK && i < count; i++) {
        double T;
        show_progress(&c->m, i, count, started);
        status = cli_measurement_run(&c->m, list[i].system, list[i].N, list[i].repetition, &T);
        added += status == CLI_EXIT_OK && !isnan(T);
        if (status == CLI_EXIT_OK && isnan(T)) {
            pending refused = list[i];
            count = drop_point(list, i + 1, count, &refused);
        }
    }
    if (status != CLI_EXIT_OK) {
        return status;
    }
    cli_measurement_clear(&c->m);
    size_t all = c->system_count * c->size_count * (size_t)c->m.repetitions;
    if (!c->common.quiet) {
        fprintf(stderr, "isocast measure: %zu runs added to %s, %zu were there already\n", added,
                c->common.output, all - planned);
    }
    if (added < planned) {
        fprintf(stderr, "isocast measure: %zu runs were left out: they do not fit into memory\n",
                planned - added);
        return CLI_EXIT_SYSTEM;
    }
    return CLI_EXIT_OK;
}

static int measure_all(command_line *c) {
    size_t count = 0;
    pending *list = plan(c, &count);
    int status = list != NULL ? run_plan(c, list, count) : cli_exit_of(ISOCAST_NO_MEMORY);
    free(list);
    return status;
}

static int make_work(const command_line *c, isocast_work **work) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_work_create(c->loaded.algorithm, &diagnostics, work);
    status = cli_diagnostics_tell(&diagnostics, c->common.quiet, status);
    return cli_exit_of(status);
}

/* The table goes to standard output: -o is the runs file. */
static int write_found(const command_line *c, const isocast_search *search,
                       const cli_find_row *rows) {
    cli_common common = c->common;
    common.output = NULL;
    cli_find_subject subject = {.algorithm = c->loaded.algorithm,
                                .machine = c->m.machine,
                                .kernel = c->m.kernel,
                                .runs_name = c->common.output,
                                .search = *search,
                                .repetitions = c->m.repetitions};
    if (strcmp(common.format, "json") == 0) {
        json_t *provenance = cli_provenance(c->argc, c->argv, &c->loaded);
        return cli_json_write(cli_json_find(&subject, rows, c->system_count, provenance), &common);
    }
    cli_report *report = cli_report_find(&subject, rows, c->system_count);
    int status = cli_reports_write(&report, 1, &common);
    cli_report_free(report);
    return status;
}

static isocast_search search_of(const command_line *c) {
    isocast_search search = {.target = c->target,
                             .tolerance = c->tolerance,
                             .first = c->sizes[0],
                             .most = c->sizes[0],
                             .sizes = c->sizes,
                             .size_count = c->size_count,
                             .valid = valid_sizes(c)};
    for (size_t i = 1; i < c->size_count; i++) {
        search.first = fmin(search.first, c->sizes[i]);
        search.most = fmax(search.most, c->sizes[i]);
    }
    search.most = fmin(search.most * find_beyond, N_most);
    return search;
}

static int find_all(command_line *c) {
    isocast_work *work = NULL;
    cli_find_row *rows = calloc(c->system_count, sizeof *rows);
    if (rows == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    int status = make_work(c, &work);
    cli_find_request request = {.search = search_of(c),
                                .work = work,
                                .systems = c->systems,
                                .system_count = c->system_count};
    if (status == CLI_EXIT_OK) {
        status = cli_find(&c->m, &request, rows);
    }
    if (status == CLI_EXIT_OK) {
        status = write_found(c, &request.search, rows);
    }
    for (size_t i = 0; status == CLI_EXIT_OK && i < c->system_count; i++) {
        status = rows[i].state == ISOCAST_SEARCH_FOUND ? status : CLI_EXIT_NO_SOLUTION;
    }
    isocast_work_free(work);
    free(rows);
    return status;
}

static int run(command_line *c) {
    node_describe(&c->m.node);
    int status = cli_launcher_find(&usage, c->launcher_text, &c->launcher);
    c->m.launcher = c->launcher.command;
    if (c->launcher.processors > 0) {
        c->m.node.processors = c->launcher.processors;
    }
    if (status == CLI_EXIT_OK) {
        status = cli_measurement_find_kernel(&c->m);
    }
    if (status == CLI_EXIT_OK) {
        status = load_algorithm(c);
    }
    if (status == CLI_EXIT_OK) {
        status = load_machine(c);
    }
    if (status == CLI_EXIT_OK) {
        status = read_lists(c);
    }
    if (status == CLI_EXIT_OK) {
        status = cli_measurement_begin(&c->m, c->common.output);
    }
    if (status == CLI_EXIT_OK) {
        status = c->find_text != NULL ? find_all(c) : measure_all(c);
    }
    return status;
}

/* "E=0.3". */
static bool read_target(command_line *c) {
    return c->find_text == NULL ||
           (strncmp(c->find_text, "E=", 2) == 0 && cli_number_parse(c->find_text + 2, &c->target) &&
            c->target > 0);
}

static int check_options(command_line *c) {
    if (c->common.output == NULL || strcmp(c->common.output, "-") == 0) {
        return cli_usage_error(&usage,
                               "-o RUNS.csv is needed: rows are added as they are measured");
    }
    if (c->m.repetitions < 1) {
        return cli_usage_error(&usage, "--repetitions must be above 0");
    }
    if (c->platform_name != NULL && c->machine_name != NULL) {
        return cli_usage_error(&usage, "--platform and --machine exclude each other");
    }
    if (c->platform_name != NULL && c->launcher_text != NULL) {
        return cli_usage_error(&usage,
                               "--platform and --launcher exclude each other: smpirun starts "
                               "simulated runs");
    }
    if (c->platform_name != NULL && c->systems_text == NULL) {
        return cli_usage_error(&usage, "--platform needs --systems");
    }
    if (!read_target(c)) {
        return cli_usage_error(&usage,
                               "--find takes a speed-efficiency above 0, such as E=0.3, not '%s'",
                               c->find_text);
    }
    if (!(c->tolerance >= 0 && c->tolerance < 1)) {
        return cli_usage_error(&usage, "--tolerance is a share from 0 to below 1, not %g",
                               c->tolerance);
    }
    return CLI_EXIT_OK;
}

int cmd_measure(int argc, char **argv) {
    command_line c = {.argc = argc,
                      .argv = argv,
                      .sizes_text = "200..1600*2",
                      .tolerance = 0.01,
                      .m = {.usage = &usage, .repetitions = 5, .seed = 1, .runs = {.file = -1}}};
    const cli_option options[] = {
        {"--machine", 0, CLI_OPTION_INPUT, "MACHINE",
         "machine file whose marked speeds share out the work", &c.machine_name},
        {"--platform", 0, CLI_OPTION_INPUT, "PLATFORM",
         "simulate the runs on this platform, instead of --machine", &c.platform_name},
        {"--systems", 0, CLI_OPTION_TEXT, "LIST",
         "systems of the machine (one process, and all processors)", &c.systems_text},
        {"--sizes", 0, CLI_OPTION_TEXT, "LIST", "problem sizes N (200..1600*2)", &c.sizes_text},
        {"--keep-sizes", 0, CLI_OPTION_FLAG, NULL,
         "measure the sizes as given, also those that the kernel's algorithm is not valid for",
         &c.keep_sizes},
        {"--repetitions", 0, CLI_OPTION_COUNT, "R", "launches of each (5)", &c.m.repetitions},
        {"--find", 0, CLI_OPTION_TEXT, "E=NUMBER",
         "scale N on each system until the runs show this speed-efficiency E = W/(T C), with T the "
         "median of the repetitions",
         &c.find_text},
        {"--tolerance", 0, CLI_OPTION_NUMBER, "SHARE", "how far from it E may be, relative (0.01)",
         &c.tolerance},
        {"--seed", 0, CLI_OPTION_COUNT, "S", "of the order and the input (1)", &c.m.seed},
        {"--launcher", 0, CLI_OPTION_TEXT, "LAUNCHER",
         "starts MPI programs: mpich, slurm or another name of specs/launchers.yaml, or a command "
         "in which {processes} is their number (mpich)",
         &c.launcher_text},
        {"--oversubscribe", 0, CLI_OPTION_FLAG, NULL,
         "allow more processes than processors; every row says so", &c.oversubscribe},
        {0}};
    const char **positional = NULL;
    size_t count = 0;
    cli_parse parsed =
        cli_options_parse(&usage, options, argc, argv, &c.common, &positional, &count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON) {
        c.m.kernel = positional[0];
        c.m.quiet = c.common.quiet;
        if (c.platform_name != NULL) {
            c.m.simulation = &c.simulation;
            /* Simulated times are the same in every run. */
            c.m.repetitions = 1;
        }
        status = check_options(&c);
        status = status == CLI_EXIT_OK ? run(&c) : status;
    }
    free(positional);
    free(c.sizes);
    isocast_systems_free(c.systems, c.system_count);
    cli_measurement_end(&c.m);
    cli_launcher_free(&c.launcher);
    cli_simulation_free(&c.simulation);
    cli_loaded_free(&c.loaded);
    return status;
}
