/* isocast calibrate: runs the probe through the launcher, keeps its samples, fits a machine file.
 */
#include <errno.h>
#include <math.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "exit.h"
#include "fit.h"
#include "launcher.h"
#include "load.h"
#include "locate.h"
#include "machine_file.h"
#include "node.h"
#include "options.h"
#include "output.h"
#include "samples.h"
#include "simulation.h"
#include "system.h"

static const cli_usage usage = {
    .command = "calibrate",
    .arguments = "",
    .summary = "Measures communication and the kernels' time per flop on this machine and writes a "
               "machine file; the raw samples go to a file beside it.",
    .details = "Examples:\n"
               "  isocast calibrate -o here.yaml\n"
               "  isocast calibrate --platform sunwulf --systems C2,C4,C8 -o simulated.yaml\n"
               "  isocast calibrate --processes 1,2 --launches 8 --budget 60s -o here.yaml",
    .fewest = 0,
    .most = 0};

/* Message sizes, bytes: powers of two and sizes between, as libraries switch at both. */
static const char message_sizes[] = "8,64,256,768,1024,2048,3000,4096,6000,8192,12000,16384,24000,"
                                    "32768,65536,100000,262144,1048576,4194304,16777216,33554432";
/* Problem sizes of the kernels: from the first cache to several times the last one. */
static const char problem_sizes[] = "32,48,64,96,128,192,256,384,512,640,768,1024,1280,1536,1792,"
                                    "2048";
/* Working set at which the marked speed is read: N = 1024 on one process. */
static const double benchmark_bytes = 8.0 * 1024 * 1025;
/* Seconds that a launch needs besides measuring. */
static const double launch_seconds = 0.5;

typedef struct calibration {
    cli_common common;
    const char *samples_path;
    const char *processes_text;
    const char *launcher;
    const char *name;
    long launches;
    long seed;
    double budget; /* s */
    bool oversubscribe;
    const char *platform_name; /* NULL: this machine */
    const char *systems_text;
    cli_simulation simulation;
    isocast_system **systems; /* [system_count], of the platform */
    size_t system_count;
    double *processes; /* [process_count] */
    size_t process_count;
    node_description node;
    char *probe;
    samples samples;
    FILE *file; /* the samples as they come */
    char part_path[4096];
    char final_path[4096];
    char plans_path[4096]; /* what a launch finds out of transforms, for the next */
    bool file_failed;
    char date[32];
    double others; /* share of the processors that other programs used meanwhile; NAN unknown */
} calibration;

static bool take_line(const char *line, void *context) {
    calibration *c = context;
    samples_line kind = samples_add_line(&c->samples, line);
    if (kind == SAMPLES_LINE_BAD || kind == SAMPLES_LINE_NO_MEMORY) {
        fprintf(stderr, "isocast calibrate: the probe wrote a line that is no sample: %s\n", line);
        return false;
    }
    bool new = kind == SAMPLES_LINE_ROW || kind == SAMPLES_LINE_ENVIRONMENT;
    if (new &&fprintf(c->file, "%s\n", line) < 0) {
        c->file_failed = true;
        return false;
    }
    return true;
}

static int tell_launch(launcher_status status, int exit_code, const launcher_message *message) {
    switch (status) {
    case LAUNCHER_OK:
        return CLI_EXIT_OK;
    case LAUNCHER_MISSING:
        fprintf(stderr, "isocast calibrate: %s\n", message->text);
        break;
    case LAUNCHER_INTERRUPTED:
        fprintf(stderr, "isocast calibrate: interrupted\n");
        break;
    case LAUNCHER_TIMEOUT:
        fprintf(stderr, "isocast calibrate: the probe did not end in time\n");
        break;
    case LAUNCHER_FAILED:
        fprintf(stderr, "isocast calibrate: the probe ended with exit status %d\n%s", exit_code,
                message->text);
        break;
    case LAUNCHER_STOPPED:
        break;
    case LAUNCHER_SYSTEM:
        fprintf(stderr, "isocast calibrate: cannot start the probe: %s\n", message->text);
        break;
    }
    return CLI_EXIT_SYSTEM;
}

static bool is_oversubscribed(const calibration *c, double processes) {
    return processes > (double)c->node.processors;
}

static int launch_probe(calibration *c, long launch, double processes, double seconds) {
    char launch_text[32];
    char budget_text[32];
    char seed_text[32];
    snprintf(launch_text, sizeof launch_text, "%ld", launch);
    snprintf(budget_text, sizeof budget_text, "%.3f", seconds);
    snprintf(seed_text, sizeof seed_text, "%ld", c->seed);
    const char *command[] = {c->probe,      "--launch", launch_text,   "--budget",    budget_text,
                             "--seed",      seed_text,  "--sizes",     message_sizes, "--problems",
                             problem_sizes, "--plans",  c->plans_path, NULL,          NULL};
    if (is_oversubscribed(c, processes)) {
        command[sizeof command / sizeof command[0] - 2] = "--oversubscribed";
    }
    launcher_request request = {.launcher = c->launcher,
                                .processes = (long)processes,
                                .command = command,
                                .timeout = 60 + 20 * seconds,
                                .line = take_line,
                                .context = c};
    int exit_code = 0;
    launcher_message message;
    launcher_status status = launcher_run(&request, &exit_code, &message);
    return tell_launch(status, exit_code, &message);
}

/* Simulated sizes go to where time is proportional to them, so that many processes have room. */
static const char simulated_sizes[] = "8,32,64,128,256,512,768,1024,1536,2048,3072,4096,6144,8192,"
                                      "12288,16384,20480,24576,28672,32768,"
                                      "49152,65536,131072,262144,524288,1048576,2097152,4194304";

/* Fewer processes than a system has, on its first ones: powers of two, as libraries choose other
 * algorithms there, and counts between. */
static const char simulated_counts[] = "2,3,4,5,6,7,8,9,11,12,13,15,16";

/* Nodes that count as one where what is near matters; processes that share a node come first. */
static double together_of(const calibration *c) {
    const isocast_platform *platform = c->simulation.platform;
    return platform->hardware->classes[0].processors > 1 ? 1 : platform->network.together;
}

static int launch_simulated_probe(calibration *c, const isocast_system *system, double in_group,
                                  const char *counts) {
    int status = cli_simulation_prepare(&c->simulation, system, in_group);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    char together[32];
    snprintf(together, sizeof together, "%.0f", together_of(c));
    const char *command[] = {c->probe,        "--launch",    "0",        "--budget",
                             "1",             "--seed",      "1",        "--sizes",
                             simulated_sizes, "--simulated", "--counts", counts,
                             "--together",    together,      NULL};
    launcher_request request = {.launcher = c->simulation.launcher,
                                .processes = (long)system->p,
                                .command = command,
                                .line = take_line,
                                .context = c};
    int exit_code = 0;
    launcher_message message;
    launcher_status ended = launcher_run(&request, &exit_code, &message);
    return tell_launch(ended, exit_code, &message);
}

/* On nodes of several processors as many processes as were asked for are also packed: what passes
 * between nodes and within them takes different times. Powers of two on a node, and all nodes of
 * one class. */
static int measure_packed(calibration *c, const isocast_system *largest) {
    const isocast_machine *hardware = c->simulation.platform->hardware;
    const isocast_node_class *class = &hardware->classes[0];
    int status = CLI_EXIT_OK;
    double most = fmin(class->processors, largest->p);
    for (double each = 2;
         hardware->class_count == 1 && class->count > 1 && each <= most && status == CLI_EXIT_OK;
         each *= 2) {
        char text[64];
        snprintf(text, sizeof text, "%.0fx%.0f", each,
                 fmin(floor(largest->p / each), class->count));
        isocast_diagnostics diagnostics = {0};
        isocast_system **packed = NULL;
        size_t count = 0;
        isocast_status parsed =
            isocast_systems_parse(hardware, "placement", text, &diagnostics, &packed, &count);
        cli_diagnostics_tell(&diagnostics, c->common.quiet);
        status = parsed == ISOCAST_OK ? launch_simulated_probe(c, packed[0], 0, simulated_counts)
                                      : cli_exit_of(parsed);
        isocast_systems_free(packed, count);
    }
    return status;
}

/* Where nodes that are numbered one after the other are near to each other, as many processes as
 * were asked for are also put further apart. */
static int measure_spread(calibration *c, const isocast_system *largest) {
    const isocast_machine *hardware = c->simulation.platform->hardware;
    double together = together_of(c);
    double groups = hardware->classes[0].count / together;
    int status = CLI_EXIT_OK;
    for (double each = 1; together > 1 && hardware->class_count == 1 && each < largest->p &&
                          each <= together && status == CLI_EXIT_OK;
         each *= 2) {
        bool fits = ceil(largest->p / each) <= groups;
        status = fits ? launch_simulated_probe(c, largest, each, simulated_counts) : CLI_EXIT_OK;
    }
    return status;
}

/* Simulated times are the same in every launch: one for each system. */
static int measure_simulated(calibration *c) {
    int status = CLI_EXIT_OK;
    c->others = NAN;
    const isocast_system *largest = c->systems[0];
    for (size_t i = 1; i < c->system_count; i++) {
        largest = c->systems[i]->p > largest->p ? c->systems[i] : largest;
    }
    for (size_t i = 0; i < c->system_count && status == CLI_EXIT_OK; i++) {
        status = launch_simulated_probe(c, c->systems[i], 0,
                                        c->systems[i] == largest ? simulated_counts : "1");
    }
    if (status == CLI_EXIT_OK) {
        status = measure_packed(c, largest);
    }
    return status == CLI_EXIT_OK ? measure_spread(c, largest) : status;
}

static void show_progress(const calibration *c, size_t done, size_t all, double start) {
    if (c->common.quiet || !isatty(STDERR_FILENO)) {
        return;
    }
    double left = c->budget * (double)(all - done) / (double)all;
    fprintf(stderr, "\rcalibrating: launch %zu of %zu, %.0f s so far, about %.0f s left \033[K",
            done + 1, all, (double)time(NULL) - start, left);
    if (done == all) {
        fputs("\r\033[K", stderr);
    }
}

/* Seconds of processor that the finished launches took. */
static double launched_seconds(void) {
    struct rusage usage_of_children;
    getrusage(RUSAGE_CHILDREN, &usage_of_children);
    const struct timeval *user = &usage_of_children.ru_utime;
    const struct timeval *system = &usage_of_children.ru_stime;
    return (double)(user->tv_sec + system->tv_sec) +
           1e-6 * (double)(user->tv_usec + system->tv_usec);
}

/* Every launch measures every point once, at each count of processes. */
static int measure(calibration *c) {
    size_t all = (size_t)c->launches * c->process_count;
    double seconds = fmax(c->budget / (double)all - launch_seconds, 0.5);
    double start = (double)time(NULL);
    double busy = node_busy_seconds() - launched_seconds();
    int status = CLI_EXIT_OK;
    for (size_t done = 0; done < all && status == CLI_EXIT_OK; done++) {
        show_progress(c, done, all, start);
        long launch = (long)(done / c->process_count);
        status = launch_probe(c, launch, c->processes[done % c->process_count], seconds);
    }
    show_progress(c, all, all, start);
    double taken = fmax((double)time(NULL) - start, 1);
    busy = node_busy_seconds() - launched_seconds() - busy;
    c->others = isnan(busy) ? NAN : fmax(busy, 0) / (taken * (double)c->node.processors);
    if (c->file_failed) {
        fprintf(stderr, "isocast calibrate: cannot write %s: %s\n", c->part_path, strerror(errno));
        status = CLI_EXIT_SYSTEM;
    }
    return status;
}

static int read_systems(calibration *c) {
    int loaded = cli_simulation_load(c->platform_name, c->common.quiet, &c->simulation);
    if (loaded != CLI_EXIT_OK) {
        return loaded;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        isocast_systems_parse(c->simulation.platform->hardware, "--systems", c->systems_text,
                              &diagnostics, &c->systems, &c->system_count);
    cli_diagnostics_tell(&diagnostics, c->common.quiet);
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
                                                  &c->processes, &c->process_count);
    if (status != ISOCAST_OK) {
        isocast_buffer text = {0};
        isocast_diagnostics_render(&diagnostics, &text);
        fputs(text.text != NULL ? text.text : "", stderr);
        isocast_buffer_free(&text);
        isocast_diagnostics_free(&diagnostics);
        return CLI_EXIT_USAGE;
    }
    for (size_t i = 0; i < c->process_count; i++) {
        double p = c->processes[i];
        if (p < 1 || p != floor(p) || p > 1e6) {
            return cli_usage_error(&usage, "%g is no number of processes", p);
        }
        if (is_oversubscribed(c, p) && !c->oversubscribe) {
            return cli_usage_error(&usage,
                                   "%g processes on %ld processors would measure the scheduler; "
                                   "--oversubscribe does it all the same, and labels the result",
                                   p, c->node.processors);
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
    if (c->samples_path != NULL) {
        snprintf(c->final_path, sizeof c->final_path, "%s", c->samples_path);
    } else {
        int stem = (int)strlen(output) - (ends_in(output, ".yaml") ? (int)strlen(".yaml") : 0);
        snprintf(c->final_path, sizeof c->final_path, "%.*s.samples.csv", stem, output);
    }
    snprintf(c->part_path, sizeof c->part_path, "%.4080s.part", c->final_path);
    snprintf(c->plans_path, sizeof c->plans_path, "%.4080s.plans", c->final_path);
    c->file = fopen(c->part_path, "w");
    if (c->file == NULL || fprintf(c->file, "%s\n", SAMPLES_HEADER) < 0) {
        fprintf(stderr, "isocast calibrate: cannot write %s: %s\n", c->part_path, strerror(errno));
        return CLI_EXIT_SYSTEM;
    }
    return CLI_EXIT_OK;
}

/* The file gets its name when all is there. */
static int finish_samples(calibration *c, bool complete) {
    bool written = fflush(c->file) == 0 && fsync(fileno(c->file)) == 0;
    written = fclose(c->file) == 0 && written;
    c->file = NULL;
    if (!complete) {
        fprintf(stderr, "isocast calibrate: what was measured is kept in %s\n", c->part_path);
        return CLI_EXIT_SYSTEM;
    }
    if (!written || rename(c->part_path, c->final_path) != 0) {
        fprintf(stderr, "isocast calibrate: cannot write %s: %s\n", c->final_path, strerror(errno));
        return CLI_EXIT_SYSTEM;
    }
    return CLI_EXIT_OK;
}

/* What the samples were measured on and how, at the head of their file. */
static int note_environment(calibration *c, const char *command) {
    char seed[32];
    snprintf(seed, sizeof seed, "%ld", c->seed);
    const struct {
        const char *key;
        const char *value;
    } facts[] = {{"isocast", ISOCAST_VERSION},
                 {"date", c->date},
                 {"command", command},
                 {"seed", seed},
                 {"processor", c->node.model},
                 {"system", c->node.kernel},
                 {"governor", c->node.governor},
                 {"launcher", c->launcher != NULL ? c->launcher : LAUNCHER_DEFAULT}};
    bool written = true;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        char line[1024];
        snprintf(line, sizeof line, "# %s: %s", facts[i].key, facts[i].value);
        if (facts[i].value[0] != '\0') {
            written = take_line(line, c) && written;
        }
    }
    return written ? CLI_EXIT_OK : CLI_EXIT_SYSTEM;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool was_oversubscribed(const calibration *c) {
    for (size_t i = 0; i < c->process_count; i++) {
        if (is_oversubscribed(c, c->processes[i])) {
            return true;
        }
    }
    return false;
}

/* Predictions are no steadier than what they are made from. */
static void tell_unsteady(const fit *f) {
    static const double unsteady = 0.2;
    const fit_operation *worst = &f->operations[0];
    for (size_t i = 1; i < f->operation_count; i++) {
        const fit_operation *operation = &f->operations[i];
        /* What is left of a message when its sender is free may be next to nothing. */
        if (operation->sigma_launch > worst->sigma_launch &&
            strcmp(operation->name, "T_recv") != 0) {
            worst = operation;
        }
    }
    if (worst->sigma_launch > unsteady) {
        fprintf(stderr,
                "isocast calibrate: %s differs by %.0f %% from launch to launch: what it takes "
                "changes while the machine runs, and predictions that use it are no surer\n",
                worst->name, 100 * worst->sigma_launch);
    }
}

static int write_machine(calibration *c, const char *command) {
    fit f = {0};
    fit_status status = fit_samples(&c->samples, &f);
    if (status != FIT_OK) {
        fprintf(stderr, "isocast calibrate: %s\n",
                status == FIT_NO_SAMPLES ? "the probe gave no samples" : "out of memory");
        return CLI_EXIT_SYSTEM;
    }
    const isocast_platform *platform = c->simulation.platform;
    double m_found = NAN;
    double t_c =
        platform != NULL ? NAN : fit_reference_time(&c->samples, "ge", benchmark_bytes, &m_found);
    char benchmark[128];
    snprintf(benchmark, sizeof benchmark,
             platform != NULL ? "the speed that the platform file gives a processor"
                              : "Gaussian elimination's update on one process, working set %.3g MB",
             m_found * 1e-6);
    char sha256[SHA256_DIGEST_STRING_LENGTH] = "";
    SHA256File(c->final_path, sha256);
    char host[64] = "here";
    gethostname(host, sizeof host - 1);
    const char *otherwise = platform != NULL ? platform->hardware->name : host;
    machine_file file = {.name = c->name != NULL ? c->name : otherwise,
                         .date = c->date,
                         .version = ISOCAST_VERSION,
                         .command = command,
                         .benchmark = benchmark,
                         .platform = platform,
                         .processors = c->node.processors,
                         .marked_speed = 1 / t_c,
                         .memory = c->node.memory,
                         .t_c = t_c,
                         .seed = (unsigned long)c->seed,
                         .oversubscribed = was_oversubscribed(c),
                         .others = c->others,
                         .samples_file = base_name(c->final_path),
                         .samples_sha256 = sha256,
                         .environment = c->samples.environment};
    isocast_buffer text = {0};
    machine_file_write(&file, &f, &text);
    int written = cli_output_write_text(c->common.output, &text);
    if (written == CLI_EXIT_OK && platform != NULL && !c->common.quiet) {
        fprintf(stderr, "isocast calibrate: %zu samples of %zu simulated systems in %s\n",
                c->samples.count, c->system_count, c->final_path);
    } else if (written == CLI_EXIT_OK && !c->common.quiet) {
        fprintf(stderr,
                "isocast calibrate: %zu samples in %s; marked speed %.4g Mflop/s a processor; "
                "launches differ by %.1f %%, calls within one by %.1f %%\n",
                c->samples.count, c->final_path, 1e-6 / t_c, 100 * f.sigma_launch,
                100 * f.sigma_within);
        tell_unsteady(&f);
        if (c->others > MACHINE_FILE_QUIET) {
            fprintf(stderr,
                    "isocast calibrate: other programs used %.0f %% of the processors meanwhile; "
                    "calibrate again when the machine is quiet\n",
                    100 * c->others);
        }
    }
    fit_free(&f);
    return written;
}

static int run(calibration *c, const char *command) {
    node_describe(&c->node);
    char all[32];
    snprintf(all, sizeof all, c->node.processors > 1 ? "1,%ld" : "%ld", c->node.processors);
    c->processes_text = c->processes_text != NULL ? c->processes_text : all;
    bool simulated = c->platform_name != NULL;
    int status = simulated ? read_systems(c) : read_processes(c);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    c->probe = cli_locate_program(simulated ? "isocast-probe-simulated" : "isocast-probe");
    if (c->probe == NULL) {
        fputs(simulated ? "isocast calibrate: isocast-probe-simulated is not there: isocast was "
                          "built without SimGrid (package libsimgrid-dev)\n"
                        : "isocast calibrate: the program isocast-probe is not installed beside "
                          "isocast\n",
              stderr);
        return CLI_EXIT_SYSTEM;
    }
    status = open_samples(c);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    time_t now = time(NULL);
    struct tm utc;
    strftime(c->date, sizeof c->date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    status = note_environment(c, command);
    if (status == CLI_EXIT_OK) {
        status = simulated ? measure_simulated(c) : measure(c);
    }
    unlink(c->plans_path);
    int kept = finish_samples(c, status == CLI_EXIT_OK);
    if (status == CLI_EXIT_OK) {
        status = kept;
    }
    return status == CLI_EXIT_OK ? write_machine(c, command) : status;
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

int cmd_calibrate(int argc, char **argv) {
    calibration c = {.launches = 8, .seed = 1, .budget = 60};
    const cli_option options[] = {
        {"--processes", 0, CLI_OPTION_TEXT, "LIST",
         "numbers of processes to measure with (1 and all processors)", &c.processes_text},
        {"--platform", 0, CLI_OPTION_TEXT, "PLATFORM",
         "calibrate this platform in simulation, instead of this machine", &c.platform_name},
        {"--systems", 0, CLI_OPTION_TEXT, "LIST", "systems of the platform to simulate",
         &c.systems_text},
        {"--launches", 0, CLI_OPTION_COUNT, "K",
         "independent launches; their spread is part of every error (8)", &c.launches},
        {"--budget", 0, CLI_OPTION_TIME, "TIME", "time to spend on measuring (60s)", &c.budget},
        {"--seed", 0, CLI_OPTION_COUNT, "S", "of the order of measuring (1)", &c.seed},
        {"--samples", 0, CLI_OPTION_TEXT, "FILE",
         "where the raw samples go (beside the machine file)", &c.samples_path},
        {"--launcher", 0, CLI_OPTION_TEXT, "COMMAND",
         "starts MPI programs; {p} is the number of processes (mpiexec.mpich -n {p})", &c.launcher},
        {"--name", 0, CLI_OPTION_TEXT, "NAME", "of the machine (this host's name)", &c.name},
        {"--oversubscribe", 0, CLI_OPTION_FLAG, NULL,
         "allow more processes than processors; the file says so", &c.oversubscribe},
        {0}};
    char *command = join_arguments(argc, argv);
    const char **positional = NULL;
    size_t count = 0;
    cli_parse parsed =
        cli_options_parse(&usage, options, argc, argv, &c.common, &positional, &count);
    int status = parsed == CLI_PARSE_USAGE_ERROR ? CLI_EXIT_USAGE : CLI_EXIT_OK;
    if (parsed == CLI_PARSE_GO_ON &&
        (c.common.output == NULL || strcmp(c.common.output, "-") == 0)) {
        status = cli_usage_error(&usage, "-o MACHINE.yaml is needed: the samples go beside it");
    } else if (parsed == CLI_PARSE_GO_ON && (c.platform_name == NULL) != (c.systems_text == NULL)) {
        status = cli_usage_error(&usage, "--platform and --systems go together");
    } else if (parsed == CLI_PARSE_GO_ON && c.platform_name != NULL &&
               (c.processes_text != NULL || c.launcher != NULL)) {
        status = cli_usage_error(&usage, "a simulation takes --systems, not --processes, and "
                                         "starts by itself");
    } else if (parsed == CLI_PARSE_GO_ON && (c.launches < 1 || !(c.budget > 0))) {
        status = cli_usage_error(&usage, "--launches and --budget must be above 0");
    } else if (parsed == CLI_PARSE_GO_ON) {
        status = command != NULL ? run(&c, command) : CLI_EXIT_SYSTEM;
    }
    free(positional);
    free(command);
    free(c.probe);
    free(c.processes);
    isocast_systems_free(c.systems, c.system_count);
    cli_simulation_free(&c.simulation);
    samples_free(&c.samples);
    return status;
}
