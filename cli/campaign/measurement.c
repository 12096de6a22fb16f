#include "measurement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/campaign/launcher.h"
#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/locate.h"
#include "interrupt.h"
#include "model/base/csv.h"
#include "progress.h"

enum { LINE_MOST = 1024 };

/* What the kernel ends with when a size does not fit into memory; it has said so, with the sizes,
 * before it allocated anything. */
enum { KERNEL_EXIT_MEMORY = 5 };

/* Milliseconds of runs before the one that counts. */
static const char warm_up_time[] = "100";

/* The columns of a kernel's row, from zero. */
enum { COLUMN_MACHINE = 1, COLUMN_P = 3, COLUMN_T = 6 };

/* Bytes of a name on a command line, which is more than anybody needs to know a process by. */
enum { PLAIN_NAME_MOST = 64 };

/* What the lines of one launch become. */
typedef struct received {
    char header[LINE_MOST];
    char row[LINE_MOST];
    char names[LINE_MOST]; /* of all kernels, for messages */
    cli_measurement *measurement;
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
    char name[CLI_KERNEL_NAME_MOST] = "";
    char algorithm[CLI_KERNEL_NAME_MOST] = "";
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

static int tell_interrupt(const cli_measurement *m) {
    cli_measurement_clear(m);
    fprintf(stderr,
            "isocast measure: interrupted; finished rows are kept in %s, the same command goes on "
            "from there\n",
            m->runs.path != NULL ? m->runs.path : "the file");
    return CLI_EXIT_SYSTEM;
}

static int tell_failure(const cli_measurement *m, launcher_status status, int exit_code,
                        const launcher_message *message) {
    if (status == LAUNCHER_INTERRUPTED) {
        return tell_interrupt(m);
    }
    cli_measurement_clear(m);
    if (status == LAUNCHER_TIMEOUT) {
        fputs("isocast measure: the kernel did not end in time\n", stderr);
    } else if (status == LAUNCHER_FAILED) {
        fprintf(stderr,
                "isocast measure: the kernel ended with exit status %d; finished rows are kept\n%s",
                exit_code, message->text);
    } else {
        fprintf(stderr, "isocast measure: %s\n", message->text);
    }
    return CLI_EXIT_SYSTEM;
}

/* The same kernels, built for the simulator; their list is the real program's, which runs alone. */
static int use_simulated_program(cli_measurement *m) {
    free(m->program);
    m->program = cli_locate_program("isocast-kernel-simulated");
    if (m->program == NULL) {
        fputs("isocast measure: isocast-kernel-simulated is not there: isocast was built without "
              "SimGrid (package libsimgrid-dev)\n",
              stderr);
        return CLI_EXIT_SYSTEM;
    }
    return CLI_EXIT_OK;
}

int cli_measurement_find_kernel(cli_measurement *m) {
    m->program = cli_locate_program("isocast-kernel");
    if (m->program == NULL) {
        fputs("isocast measure: the program isocast-kernel is not installed beside isocast\n",
              stderr);
        return CLI_EXIT_SYSTEM;
    }
    received r = {.measurement = m};
    const char *command[] = {m->program, "--list", NULL};
    launcher_request request = {.alone = true,
                                .processes = 1,
                                .command = command,
                                .timeout = 30,
                                .line = take_kernel,
                                .context = &r};
    int exit_code;
    launcher_message message;
    launcher_status status = launcher_run(&request, &exit_code, &message);
    if (status != LAUNCHER_OK) {
        return tell_failure(m, status, exit_code, &message);
    }
    if (r.found && m->simulation != NULL) {
        return use_simulated_program(m);
    }
    return r.found ? CLI_EXIT_OK
                   : cli_usage_error(m->usage, "there is no kernel '%s'; there are: %s", m->kernel,
                                     r.names);
}

int cli_measurement_begin(cli_measurement *m, const char *path) {
    cli_interrupts_catch();
    return cli_run_file_open(path, m->quiet, &m->runs);
}

void cli_measurement_end(cli_measurement *m) {
    cli_run_file_close(&m->runs);
    free(m->program);
}

static bool is_of(const cli_measurement *m, const isocast_run *row) {
    return (row->algorithm == NULL || strcmp(row->algorithm, m->algorithm) == 0) &&
           (row->machine == NULL || strcmp(row->machine, m->machine->name) == 0);
}

double cli_measurement_known(const cli_measurement *m, const isocast_system *system, double N,
                             long repetition) {
    const isocast_runs *runs = m->runs.runs;
    for (size_t i = 0; runs != NULL && i < runs->count; i++) {
        const isocast_run *row = &runs->rows[i];
        if (row->N == N && row->repetition == (double)repetition &&
            strcmp(row->system, system->name) == 0 && is_of(m, row)) {
            return row->T;
        }
    }
    return NAN;
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

/* A name as it goes through any launcher, which may be a shell script that parts its words anew:
 * one word that is no option and no pattern. The row gets the name itself here (write_row). */
static void make_plain(const char *name, char plain[PLAIN_NAME_MOST]) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    size_t length = 0;
    for (; name[length] != '\0' && length + 1 < PLAIN_NAME_MOST; length++) {
        bool stays = strchr(letters, name[length]) != NULL ||
                     (length > 0 && strchr("-.+:", name[length]) != NULL);
        plain[length] = stays ? name[length] : '_';
    }
    plain[length] = '\0';
}

/* A launch of its own for every run, as launches differ more than runs of one launch. */
static launcher_status launch(const cli_measurement *m, const isocast_system *system,
                              const char *speeds, double N, long repetition, received *r,
                              int *exit_code, launcher_message *message) {
    char N_text[32];
    char repetition_text[32];
    char seed_text[32];
    snprintf(N_text, sizeof N_text, "%.0f", N);
    snprintf(repetition_text, sizeof repetition_text, "%ld", repetition);
    snprintf(seed_text, sizeof seed_text, "%ld", m->seed);
    char system_name[PLAIN_NAME_MOST];
    char machine_name[PLAIN_NAME_MOST];
    make_plain(system->name, system_name);
    make_plain(m->machine->name, machine_name);
    const char *command[] = {m->program,
                             m->kernel,
                             "-n",
                             N_text,
                             "--header",
                             "--speeds",
                             speeds,
                             "--first-repetition",
                             repetition_text,
                             m->simulation != NULL ? "--warm-up" : "--warm-up-time",
                             m->simulation != NULL ? "0" : warm_up_time,
                             "--seed",
                             seed_text,
                             "--system",
                             system_name,
                             "--machine",
                             machine_name,
                             NULL};
    launcher_request request = {.launcher =
                                    m->simulation != NULL ? m->simulation->launcher : m->launcher,
                                .processes = (long)system->p,
                                .nodes = (long)system->nodes,
                                .command = command,
                                .temporary = m->simulation != NULL ? m->simulation->folder : NULL,
                                .line = take_row,
                                .context = r};
    return launcher_run(&request, exit_code, message);
}

static const char *from_column(const char *row, int column) {
    for (int i = 0; i < column; i++) {
        row += strcspn(row, ",");
        row += *row == ',';
    }
    return row;
}

/* NAN where there is none. */
static double time_of(const char *row) {
    row = from_column(row, COLUMN_T);
    char *end = NULL;
    double T = strtod(row, &end);
    return end != row && (*end == ',' || *end == '\0') && T > 0 ? T : NAN;
}

static bool is_oversubscribed(const cli_measurement *m, const isocast_system *system) {
    return m->simulation == NULL && system->p > (double)m->node.processors;
}

/* The kernel's row with the names of machine and system as they are. */
static void write_row(const cli_measurement *m, const isocast_system *system, const char *row,
                      isocast_buffer *out) {
    const char *names = from_column(row, COLUMN_MACHINE);
    isocast_buffer_append(out, row, (size_t)(names - row));
    isocast_csv_write(m->machine->name, out);
    isocast_buffer_puts(out, ",");
    isocast_csv_write(system->name, out);
    isocast_buffer_printf(out, ",%s,%d", from_column(row, COLUMN_P), is_oversubscribed(m, system));
}

static int keep_row(cli_measurement *m, const isocast_system *system, const received *r,
                    double *T) {
    *T = time_of(r->row);
    if (isnan(*T)) {
        cli_measurement_clear(m);
        fprintf(stderr, "isocast measure: the kernel ended well, but gave no time: '%s'\n", r->row);
        return CLI_EXIT_SYSTEM;
    }
    isocast_buffer header = {0};
    isocast_buffer row = {0};
    isocast_buffer_printf(&header, "%s,oversubscribed", r->header);
    write_row(m, system, r->row, &row);
    int status = header.failed || row.failed ? cli_exit_of(ISOCAST_NO_MEMORY)
                                             : cli_run_file_append(&m->runs, header.text, row.text);
    isocast_buffer_free(&header);
    isocast_buffer_free(&row);
    return status;
}

int cli_measurement_run(cli_measurement *m, const isocast_system *system, double N, long repetition,
                        double *T) {
    *T = NAN;
    if (cli_interrupts_came()) {
        return tell_interrupt(m);
    }
    if (m->simulation != NULL) {
        int prepared = cli_simulation_prepare(m->simulation, system, 0);
        if (prepared != CLI_EXIT_OK) {
            return prepared;
        }
    }
    char *speeds = speeds_of(system);
    if (speeds == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    received r = {.measurement = m};
    int exit_code;
    launcher_message message;
    launcher_status status = launch(m, system, speeds, N, repetition, &r, &exit_code, &message);
    free(speeds);
    if (status == LAUNCHER_FAILED && exit_code == KERNEL_EXIT_MEMORY) {
        cli_measurement_clear(m);
        fprintf(stderr, "isocast measure: on %s: %s", system->name, message.text);
        return CLI_EXIT_OK;
    }
    return status == LAUNCHER_OK ? keep_row(m, system, &r, T)
                                 : tell_failure(m, status, exit_code, &message);
}

bool cli_measurement_shows(const cli_measurement *m) {
    return !m->quiet && isatty(STDERR_FILENO);
}

void cli_measurement_clear(const cli_measurement *m) {
    if (cli_measurement_shows(m)) {
        cli_progress_clear();
    }
}
