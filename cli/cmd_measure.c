/* isocast measure: runs a kernel on systems and sizes, one launch a repetition, and keeps every
 * row. */
#include <errno.h>
#include <fcntl.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "exit.h"
#include "launcher.h"
#include "load.h"
#include "locate.h"
#include "node.h"
#include "options.h"
#include "runs.h"
#include "system.h"

static const cli_usage usage = {
    .command = "measure",
    .arguments = "KERNEL",
    .summary =
        "Runs a kernel on systems and sizes, in random order, and adds a row to RUNS.csv for "
        "each repetition. Rows that the file has already are not measured again.",
    .details = "Examples:\n"
               "  isocast measure ge --machine here.yaml --systems 1,2 -o runs.csv\n"
               "  isocast measure ge --machine here.yaml --sizes 100..500+100 -o runs.csv",
    .fewest = 1,
    .most = 1};

enum { NAME_MOST = 64, LINE_MOST = 1024 };

/* Milliseconds of runs before the one that counts. */
static const char warm_up_time[] = "100";

typedef struct measurement {
    cli_common common;
    const char *machine_name;
    const char *systems_text;
    const char *sizes_text;
    const char *launcher;
    long repetitions;
    long seed;
    bool oversubscribe;
    const char *kernel;
    char algorithm[NAME_MOST]; /* of the kernel */
    char *program;             /* isocast-kernel */
    isocast_machine *machine;
    isocast_system **systems; /* [system_count] */
    size_t system_count;
    double *sizes; /* [size_count] */
    size_t size_count;
    node_description node;
    int file;
} measurement;

/* One run that is still to be made. */
typedef struct pending {
    const isocast_system *system;
    double N;
    long repetition;
} pending;

/* What the lines of one launch become. */
typedef struct received {
    char header[LINE_MOST];
    char row[LINE_MOST];
    char names[LINE_MOST]; /* of all kernels, for messages */
    measurement *measurement;
    bool found;
} received;

static bool take_row(const char *line, void *context) {
    received *r = context;
    char *target = r->header[0] == '\0' ? r->header : r->row;
    snprintf(target, LINE_MOST, "%s", line);
    return true;
}

/* A line of isocast-kernel --list: name, algorithm, summary, parted by tabs. */
static bool take_kernel(const char *line, void *context) {
    received *r = context;
    char name[NAME_MOST] = "";
    char algorithm[NAME_MOST] = "";
    if (sscanf(line, "%63[^\t]\t%63[^\t]", name, algorithm) == 2) {
        size_t used = strlen(r->names);
        snprintf(r->names + used, sizeof r->names - used, "%s%s", used > 0 ? ", " : "", name);
        if (strcmp(name, r->measurement->kernel) == 0) {
            memcpy(r->measurement->algorithm, algorithm, sizeof algorithm);
            r->found = true;
        }
    }
    return true;
}

static int tell_failure(launcher_status status, int exit_code, const launcher_message *message) {
    switch (status) {
    case LAUNCHER_OK:
    case LAUNCHER_STOPPED:
        return CLI_EXIT_OK;
    case LAUNCHER_INTERRUPTED:
        fputs("isocast measure: interrupted; finished rows are kept, the same command goes on\n",
              stderr);
        return CLI_EXIT_SYSTEM;
    case LAUNCHER_TIMEOUT:
        fputs("isocast measure: the kernel did not end in time\n", stderr);
        return CLI_EXIT_SYSTEM;
    case LAUNCHER_FAILED:
        fprintf(stderr,
                "isocast measure: the kernel ended with exit status %d; finished rows are kept\n%s",
                exit_code, message->text);
        return CLI_EXIT_SYSTEM;
    case LAUNCHER_MISSING:
    case LAUNCHER_SYSTEM:
        fprintf(stderr, "isocast measure: %s\n", message->text);
        return CLI_EXIT_SYSTEM;
    }
    return CLI_EXIT_SYSTEM;
}

/* Looks the kernel up in the program's own list, which needs no MPI launcher. */
static int find_kernel(measurement *m) {
    m->program = cli_locate_program("isocast-kernel");
    if (m->program == NULL) {
        fputs("isocast measure: the program isocast-kernel is not installed beside isocast\n",
              stderr);
        return CLI_EXIT_SYSTEM;
    }
    received r = {.measurement = m};
    const char *command[] = {"--list", NULL};
    launcher_request request = {.launcher = m->program,
                                .processes = 1,
                                .command = command,
                                .timeout = 30,
                                .line = take_kernel,
                                .context = &r};
    int exit_code;
    launcher_message message;
    launcher_status status = launcher_run(&request, &exit_code, &message);
    if (status != LAUNCHER_OK) {
        return tell_failure(status, exit_code, &message);
    }
    return r.found ? CLI_EXIT_OK
                   : cli_usage_error(&usage, "there is no kernel '%s'; there are: %s", m->kernel,
                                     r.names);
}

static int load_machine(measurement *m) {
    if (m->machine_name == NULL) {
        return cli_usage_error(&usage, "--machine is needed: its marked speeds share out the work; "
                                       "isocast calibrate makes one for this machine");
    }
    char *path = cli_locate_spec(CLI_SPEC_MACHINE, m->machine_name);
    if (path == NULL) {
        return CLI_EXIT_USAGE;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_machine_load(path, &diagnostics, &m->machine);
    free(path);
    cli_diagnostics_tell(&diagnostics, m->common.quiet);
    return cli_exit_of(status);
}

static int read_lists(measurement *m) {
    isocast_diagnostics diagnostics = {0};
    char all[32];
    snprintf(all, sizeof all, m->node.processors > 1 ? "1,%ld" : "%ld", m->node.processors);
    const char *systems = m->systems_text != NULL ? m->systems_text : all;
    isocast_status status = isocast_systems_parse(m->machine, "--systems", systems, &diagnostics,
                                                  &m->systems, &m->system_count);
    if (status == ISOCAST_OK) {
        status = isocast_numbers_parse("--sizes", m->sizes_text, &diagnostics, &m->sizes,
                                       &m->size_count);
    }
    cli_diagnostics_tell(&diagnostics, m->common.quiet);
    if (status != ISOCAST_OK) {
        return status == ISOCAST_INVALID ? CLI_EXIT_USAGE : cli_exit_of(status);
    }
    for (size_t i = 0; i < m->size_count; i++) {
        if (m->sizes[i] < 1 || m->sizes[i] != floor(m->sizes[i]) || m->sizes[i] > 2e9) {
            return cli_usage_error(&usage, "a size must be a whole number from 1 on, not %g",
                                   m->sizes[i]);
        }
    }
    for (size_t i = 0; i < m->system_count; i++) {
        if (m->systems[i]->p > (double)m->node.processors && !m->oversubscribe) {
            return cli_usage_error(&usage,
                                   "system %s has %g processes, this machine %ld processors: that "
                                   "would measure the scheduler; --oversubscribe does it all the "
                                   "same, and labels every row",
                                   m->systems[i]->name, m->systems[i]->p, m->node.processors);
        }
    }
    return CLI_EXIT_OK;
}

static bool is_measured(const measurement *m, const isocast_runs *runs, const pending *run) {
    for (size_t i = 0; runs != NULL && i < runs->count; i++) {
        const isocast_run *row = &runs->rows[i];
        if (row->N == run->N && row->repetition == (double)run->repetition &&
            strcmp(row->system, run->system->name) == 0 &&
            (row->algorithm == NULL || strcmp(row->algorithm, m->algorithm) == 0) &&
            (row->machine == NULL || strcmp(row->machine, m->machine->name) == 0)) {
            return true;
        }
    }
    return false;
}

/* What is left to do, in random order: drifts of the machine then hit all points alike. */
static pending *plan(const measurement *m, const isocast_runs *runs, size_t *count) {
    size_t most = m->system_count * m->size_count * (size_t)m->repetitions;
    pending *list = malloc((most + 1) * sizeof *list);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    *count = 0;
    for (size_t i = 0; list != NULL && i < most; i++) {
        size_t point = i / (size_t)m->repetitions;
        pending run = {m->systems[point / m->size_count], m->sizes[point % m->size_count],
                       (long)(i % (size_t)m->repetitions)};
        if (!is_measured(m, runs, &run)) {
            list[(*count)++] = run;
        }
    }
    if (list != NULL && random != NULL && *count > 0) {
        gsl_rng_set(random, (unsigned long)m->seed);
        gsl_ran_shuffle(random, list, *count, sizeof *list);
    }
    gsl_rng_free(random);
    return list;
}

/* Marked speeds of the processes in rank order: class after class, as the system lists them. */
static char *speeds_of(const isocast_system *system) {
    isocast_buffer text = {0};
    for (size_t i = 0; i < system->count; i++) {
        for (double k = 0; k < system->table.rows[ISOCAST_CLASS_PROCESSES][i]; k++) {
            isocast_buffer_printf(&text, "%s%.9g", text.length > 0 ? "," : "",
                                  system->table.rows[ISOCAST_CLASS_MARKED_SPEED][i]);
        }
    }
    return isocast_buffer_take(&text);
}

/* Appends whole lines, or nothing: what a full disk let through is cut off again. */
static int append(const measurement *m, const char *text) {
    off_t before = lseek(m->file, 0, SEEK_END);
    size_t length = strlen(text);
    ssize_t written = before < 0 ? -1 : write(m->file, text, length);
    if (written == (ssize_t)length && fsync(m->file) == 0) {
        return CLI_EXIT_OK;
    }
    int cause = written >= 0 && written < (ssize_t)length ? ENOSPC : errno;
    if (before >= 0 && ftruncate(m->file, before) != 0) {
        fprintf(stderr, "isocast measure: a part of a row stays at the end of %s\n",
                m->common.output);
    }
    fprintf(stderr, "isocast measure: cannot write %s: %s\n", m->common.output, strerror(cause));
    return CLI_EXIT_SYSTEM;
}

/* A launch of its own for every run, as launches differ more than runs of one launch. */
static int run_one(measurement *m, const pending *run, bool with_header) {
    char N[32];
    char repetition[32];
    char seed[32];
    snprintf(N, sizeof N, "%.0f", run->N);
    snprintf(repetition, sizeof repetition, "%ld", run->repetition);
    snprintf(seed, sizeof seed, "%ld", m->seed);
    char *speeds = speeds_of(run->system);
    if (speeds == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    const char *command[] = {m->program,
                             m->kernel,
                             "-n",
                             N,
                             "--header",
                             "--speeds",
                             speeds,
                             "--first-repetition",
                             repetition,
                             "--warm-up-time",
                             warm_up_time,
                             "--seed",
                             seed,
                             "--system",
                             run->system->name,
                             "--machine",
                             m->machine->name,
                             NULL};
    received r = {.measurement = m};
    launcher_request request = {.launcher = m->launcher,
                                .processes = (long)run->system->p,
                                .command = command,
                                .line = take_row,
                                .context = &r};
    int exit_code;
    launcher_message message;
    launcher_status status = launcher_run(&request, &exit_code, &message);
    free(speeds);
    if (status != LAUNCHER_OK) {
        return tell_failure(status, exit_code, &message);
    }
    bool crowded = run->system->p > (double)m->node.processors;
    isocast_buffer text = {0};
    if (with_header) {
        isocast_buffer_printf(&text, "%s,oversubscribed\n", r.header);
    }
    isocast_buffer_printf(&text, "%s,%d\n", r.row, crowded);
    int appended = text.failed ? cli_exit_of(ISOCAST_NO_MEMORY) : append(m, text.text);
    isocast_buffer_free(&text);
    return appended;
}

static void show_progress(const measurement *m, size_t done, size_t all, double started) {
    if (m->common.quiet || !isatty(STDERR_FILENO)) {
        return;
    }
    double so_far = (double)time(NULL) - started;
    if (done == 0) {
        fprintf(stderr, "\rmeasuring: run 1 of %zu\033[K", all);
    } else {
        fprintf(stderr, "\rmeasuring: run %zu of %zu, about %.0f s left\033[K",
                done < all ? done + 1 : all, all, so_far / (double)done * (double)(all - done));
    }
    if (done == all) {
        fputs("\r\033[K", stderr);
    }
}

/* Opens the file and reads what it has; a row that was cut off by a crash is cut off for good. */
static int open_runs(measurement *m, isocast_runs **runs) {
    const char *path = m->common.output;
    m->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    off_t size = m->file < 0 ? -1 : lseek(m->file, 0, SEEK_END);
    if (size < 0) {
        fprintf(stderr, "isocast measure: cannot write %s: %s\n", path, strerror(errno));
        return CLI_EXIT_SYSTEM;
    }
    char last = '\n';
    off_t end = size;
    while (end > 0 && pread(m->file, &last, 1, end - 1) == 1 && last != '\n') {
        end--;
    }
    if (end < size) {
        fprintf(stderr, "isocast measure: %s ends in half a row, which is measured again\n", path);
        if (ftruncate(m->file, end) != 0) {
            fprintf(stderr, "isocast measure: cannot write %s: %s\n", path, strerror(errno));
            return CLI_EXIT_SYSTEM;
        }
    }
    if (end == 0) {
        return CLI_EXIT_OK;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_runs_load(path, &diagnostics, runs);
    cli_diagnostics_tell(&diagnostics, m->common.quiet);
    return cli_exit_of(status);
}

/* Rows of other columns cannot be added to a file. The kernel's columns are known after its first
 * run. */
static bool columns_agree(const isocast_runs *runs) {
    size_t length = strlen(runs->header);
    const char *ending = "oversubscribed";
    return strncmp(runs->header, "algorithm,machine,system,p,N,repetition,T", 41) == 0 &&
           length > strlen(ending) && strcmp(runs->header + length - strlen(ending), ending) == 0;
}

static int run_all(measurement *m) {
    isocast_runs *runs = NULL;
    int status = open_runs(m, &runs);
    if (status == CLI_EXIT_OK && runs != NULL && !columns_agree(runs)) {
        fprintf(stderr,
                "isocast measure: %s has other columns than the kernel's rows; name another "
                "file\n",
                m->common.output);
        status = CLI_EXIT_INVALID;
    }
    size_t count = 0;
    pending *list = status == CLI_EXIT_OK ? plan(m, runs, &count) : NULL;
    bool has_header = runs != NULL;
    double started = (double)time(NULL);
    for (size_t i = 0; status == CLI_EXIT_OK && i < count; i++) {
        show_progress(m, i, count, started);
        status = run_one(m, &list[i], !has_header);
        has_header = true;
    }
    if (status == CLI_EXIT_OK) {
        show_progress(m, count, count, started);
        size_t all = m->system_count * m->size_count * (size_t)m->repetitions;
        if (!m->common.quiet) {
            fprintf(stderr, "isocast measure: %zu runs added to %s, %zu were there already\n",
                    count, m->common.output, all - count);
        }
    }
    free(list);
    isocast_runs_free(runs);
    if (m->file >= 0) {
        close(m->file);
    }
    return status;
}

static int run(measurement *m) {
    node_describe(&m->node);
    int status = find_kernel(m);
    if (status == CLI_EXIT_OK) {
        status = load_machine(m);
    }
    if (status == CLI_EXIT_OK) {
        status = read_lists(m);
    }
    return status == CLI_EXIT_OK ? run_all(m) : status;
}

int cmd_measure(int argc, char **argv) {
    measurement m = {.repetitions = 5, .seed = 1, .sizes_text = "200..1600*2", .file = -1};
    const cli_option options[] = {
        {"--machine", 0, CLI_OPTION_TEXT, "MACHINE",
         "machine file whose marked speeds share out the work", &m.machine_name},
        {"--systems", 0, CLI_OPTION_TEXT, "LIST",
         "systems of the machine (one process, and all processors)", &m.systems_text},
        {"--sizes", 0, CLI_OPTION_TEXT, "LIST", "problem sizes N (200..1600*2)", &m.sizes_text},
        {"--repetitions", 0, CLI_OPTION_COUNT, "R", "launches of each (5)", &m.repetitions},
        {"--seed", 0, CLI_OPTION_COUNT, "S", "of the order and the input (1)", &m.seed},
        {"--launcher", 0, CLI_OPTION_TEXT, "COMMAND",
         "starts MPI programs; {p} is the number of processes (mpiexec.mpich -n {p})", &m.launcher},
        {"--oversubscribe", 0, CLI_OPTION_FLAG, NULL,
         "allow more processes than processors; every row says so", &m.oversubscribe},
        {0}};
    const char **positional = NULL;
    size_t count = 0;
    cli_parse parsed =
        cli_options_parse(&usage, options, argc, argv, &m.common, &positional, &count);
    int status = parsed == CLI_PARSE_USAGE_ERROR ? CLI_EXIT_USAGE : CLI_EXIT_OK;
    if (parsed == CLI_PARSE_GO_ON &&
        (m.common.output == NULL || strcmp(m.common.output, "-") == 0)) {
        status =
            cli_usage_error(&usage, "-o RUNS.csv is needed: rows are added as they are measured");
    } else if (parsed == CLI_PARSE_GO_ON && m.repetitions < 1) {
        status = cli_usage_error(&usage, "--repetitions must be above 0");
    } else if (parsed == CLI_PARSE_GO_ON) {
        m.kernel = positional[0];
        status = run(&m);
    }
    free(positional);
    free(m.program);
    free(m.sizes);
    isocast_systems_free(m.systems, m.system_count);
    isocast_machine_free(m.machine);
    return status;
}
