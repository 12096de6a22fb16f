#include "kernel_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launcher.h"
#include "model/base/csv.h"

enum { LINE_MAX = 1024, LIST_TIMEOUT = 30 /* s */ };

/* The exit status of a kernel for which a size does not fit into memory. The kernel tells this,
 * with the sizes, before it allocates anything. */
enum { KERNEL_EXIT_MEMORY = 5 };

/* Milliseconds that a kernel spends on warm-up runs before the run that counts. */
static const char warm_up_time[] = "100";

/* The columns of a kernel's row, from zero. */
enum { COLUMN_MACHINE = 1, COLUMN_P = 3, COLUMN_T = 6 };

/* The most bytes of a name on a command line. A name only helps people to recognise a process
 * there. */
enum { PLAIN_NAME_MAX = 64 };

/* What is read from the lines of one launch. */
typedef struct received {
    char header[LINE_MAX];
    char row[LINE_MAX];
} received;

static bool take_row(const char *line, void *context) {
    received *r = context;
    char *target = r->header[0] == '\0' ? r->header : r->row;
    snprintf(target, LINE_MAX, "%s", line);
    return true;
}

/* A line of isocast-kernel --list: name, algorithm and summary, with tabs between them. */
static bool take_kernel(const char *line, void *context) {
    campaign_kernel_list *list = context;
    campaign_kernel kernel = {.name = ""};
    if (list->count < CAMPAIGN_KERNELS_MAX &&
        sscanf(line, "%63[^\t]\t%63[^\t]", kernel.name, kernel.algorithm) == 2) {
        list->items[list->count++] = kernel;
    }
    return true;
}

/* `runs`: the path of the runs file; NULL where there is none yet. */
static isocast_status tell_interrupt(const campaign_listener *listener, const char *runs) {
    return campaign_fail(listener, ISOCAST_INTERRUPTED,
                         "interrupted; finished rows are kept in %s, the same command goes on from "
                         "there",
                         runs != NULL ? runs : "the file");
}

static isocast_status tell_failure(const campaign_listener *listener, const char *runs,
                                   isocast_status status, const launcher_end *end) {
    if (status == ISOCAST_NO_MEMORY) {
        return status;
    }
    if (status == ISOCAST_INTERRUPTED) {
        return tell_interrupt(listener, runs);
    }
    if (end->cause == LAUNCHER_TIMEOUT) {
        return campaign_fail(listener, status, "the kernel did not end in time");
    }
    if (end->cause == LAUNCHER_FAILED) {
        return campaign_fail(listener, status, "the kernel ended with exit status %d\n%s",
                             end->exit_code, end->text);
    }
    return campaign_fail(listener, status, "%s", end->text);
}

isocast_status campaign_kernels_list(const char *program, const campaign_listener *listener,
                                     campaign_kernel_list *out) {
    const char *command[] = {program, "--list", NULL};
    launcher_request request = {.alone = true,
                                .processes = 1,
                                .command = command,
                                .timeout = LIST_TIMEOUT,
                                .line = take_kernel,
                                .context = out};
    launcher_end end;
    isocast_status status = launcher_run(&request, &end);
    return status == ISOCAST_OK ? ISOCAST_OK : tell_failure(listener, NULL, status, &end);
}

const campaign_kernel *campaign_kernels_find(const campaign_kernel_list *list, const char *name) {
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].name, name) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}

/* Whether a run of the user's program had the same settings as the runs of this command. */
static bool has_settings(const campaign_kernel_setup *setup, const isocast_runs *runs,
                         const isocast_run *row) {
    for (size_t i = 0; setup->own != NULL && i < setup->own->setting_count; i++) {
        const campaign_setting *setting = &setup->own->settings[i];
        bool same = false;
        for (size_t k = 0; k < runs->other_count && !same; k++) {
            same = strcmp(runs->other_names[k], setting->name) == 0 &&
                   row->others[k] == setting->value;
        }
        if (!same) {
            return false;
        }
    }
    return true;
}

static bool is_of(const campaign_kernel_setup *setup, const isocast_run *row) {
    return (row->algorithm == NULL || strcmp(row->algorithm, setup->kernel.algorithm) == 0) &&
           (row->machine == NULL || strcmp(row->machine, setup->machine->name) == 0);
}

double campaign_kernel_known(const campaign_kernel_setup *setup, const campaign_run_file *file,
                             const isocast_system *system, double N, long repetition) {
    const isocast_runs *runs = file->runs;
    for (size_t i = 0; runs != NULL && i < runs->count; i++) {
        const isocast_run *row = &runs->rows[i];
        if (row->N == N && row->repetition == (double)repetition &&
            strcmp(row->system, system->name) == 0 && is_of(setup, row) &&
            has_settings(setup, runs, row)) {
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

/* The name as it can pass any launcher: one word that is no option and no pattern, because the
 * launcher may be a shell script that splits its words again. write_row() puts the name itself into
 * the row. */
static void make_plain(const char *name, char plain[PLAIN_NAME_MAX]) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    size_t length = 0;
    for (; name[length] != '\0' && length + 1 < PLAIN_NAME_MAX; length++) {
        bool stays = strchr(letters, name[length]) != NULL ||
                     (length > 0 && strchr("-.+:", name[length]) != NULL);
        plain[length] = stays ? name[length] : '_';
    }
    plain[length] = '\0';
}

/* Every run is a launch of its own, because launches differ more than runs of one launch do. */
static isocast_status launch(const campaign_kernel_setup *setup, const isocast_system *system,
                             const char *speeds, double N, long repetition, received *r,
                             launcher_end *end) {
    char N_text[32];
    char repetition_text[32];
    char seed_text[32];
    snprintf(N_text, sizeof N_text, "%.0f", N);
    snprintf(repetition_text, sizeof repetition_text, "%ld", repetition);
    snprintf(seed_text, sizeof seed_text, "%ld", setup->seed);
    char system_name[PLAIN_NAME_MAX];
    char machine_name[PLAIN_NAME_MAX];
    make_plain(system->name, system_name);
    make_plain(setup->machine->name, machine_name);
    const char *command[] = {setup->program,
                             setup->kernel.name,
                             "-n",
                             N_text,
                             "--header",
                             "--speeds",
                             speeds,
                             "--first-repetition",
                             repetition_text,
                             setup->simulation != NULL ? "--warm-up" : "--warm-up-time",
                             setup->simulation != NULL ? "0" : warm_up_time,
                             "--seed",
                             seed_text,
                             "--system",
                             system_name,
                             "--machine",
                             machine_name,
                             NULL};
    launcher_request request = {
        .launcher = setup->simulation != NULL ? setup->simulation->launcher : setup->launcher,
        .processes = (long)system->p,
        .nodes = (long)system->nodes,
        .command = command,
        .temporary = setup->simulation != NULL ? setup->simulation->folder : NULL,
        .line = take_row,
        .context = r};
    return launcher_run(&request, end);
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

static bool is_oversubscribed(const campaign_kernel_setup *setup, const isocast_system *system) {
    return setup->simulation == NULL && system->p > (double)setup->processors;
}

/* The kernel's row with the names of machine and system as they are. */
static void write_row(const campaign_kernel_setup *setup, const isocast_system *system,
                      const char *row, isocast_buffer *out) {
    const char *names = from_column(row, COLUMN_MACHINE);
    isocast_buffer_append(out, row, (size_t)(names - row));
    isocast_csv_write(setup->machine->name, out);
    isocast_buffer_puts(out, ",");
    isocast_csv_write(system->name, out);
    isocast_buffer_printf(out, ",%s,%d", from_column(row, COLUMN_P),
                          is_oversubscribed(setup, system));
}

static isocast_status keep_row(const campaign_kernel_setup *setup, campaign_run_file *runs,
                               const isocast_system *system, const received *r, double *T) {
    double seconds = time_of(r->row);
    if (isnan(seconds)) {
        return campaign_fail(setup->listener, ISOCAST_PROGRAM,
                             "the kernel ended well, but gave no time: '%s'", r->row);
    }
    isocast_buffer header = {0};
    isocast_buffer row = {0};
    isocast_buffer_printf(&header, "%s,oversubscribed", r->header);
    write_row(setup, system, r->row, &row);
    isocast_status status = header.failed || row.failed
                                ? ISOCAST_NO_MEMORY
                                : campaign_run_file_append(runs, header.text, row.text);
    isocast_buffer_free(&header);
    isocast_buffer_free(&row);
    if (status == ISOCAST_OK) {
        *T = seconds;
    }
    return status;
}

/* The row of a run of the user's program. Each of its settings has a column. */
static isocast_status keep_own_row(const campaign_kernel_setup *setup, campaign_run_file *runs,
                                   const isocast_system *system, double N, long repetition,
                                   double T) {
    isocast_buffer header = {0};
    isocast_buffer row = {0};
    isocast_buffer_puts(&header, "algorithm,machine,system,p,N,repetition,T");
    isocast_csv_write(setup->kernel.algorithm, &row);
    isocast_buffer_puts(&row, ",");
    isocast_csv_write(setup->machine->name, &row);
    isocast_buffer_puts(&row, ",");
    isocast_csv_write(system->name, &row);
    isocast_buffer_printf(&row, ",%.0f,%.15g,%ld,%.9g", system->p, N, repetition, T);
    for (size_t i = 0; i < setup->own->setting_count; i++) {
        isocast_buffer_puts(&header, ",");
        isocast_csv_write(setup->own->settings[i].name, &header);
        isocast_buffer_printf(&row, ",%.15g", setup->own->settings[i].value);
    }
    isocast_buffer_puts(&header, ",oversubscribed");
    isocast_buffer_printf(&row, ",%d", is_oversubscribed(setup, system));
    isocast_status status = header.failed || row.failed
                                ? ISOCAST_NO_MEMORY
                                : campaign_run_file_append(runs, header.text, row.text);
    isocast_buffer_free(&header);
    isocast_buffer_free(&row);
    return status;
}

static isocast_status run_own(const campaign_kernel_setup *setup, campaign_run_file *runs,
                              const isocast_system *system, double N, long repetition, double *T) {
    double seconds = NAN;
    isocast_status status = campaign_own_program_run(setup->own, setup->listener, setup->launcher,
                                                     setup->simulation, system, N, &seconds);
    if (status == ISOCAST_OK && !isnan(seconds)) {
        status = keep_own_row(setup, runs, system, N, repetition, seconds);
    }
    if (status == ISOCAST_OK) {
        *T = seconds;
    }
    return status;
}

isocast_status campaign_kernel_run(const campaign_kernel_setup *setup, campaign_run_file *runs,
                                   const isocast_system *system, double N, long repetition,
                                   double *T) {
    if (campaign_must_stop(setup->listener)) {
        return tell_interrupt(setup->listener, runs->path);
    }
    if (setup->simulation != NULL) {
        isocast_status prepared =
            campaign_simulation_prepare(setup->simulation, system, 0, setup->listener);
        if (prepared != ISOCAST_OK) {
            return prepared;
        }
    }
    if (setup->own != NULL) {
        return run_own(setup, runs, system, N, repetition, T);
    }
    char *speeds = speeds_of(system);
    if (speeds == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    received r = {.header = ""};
    launcher_end end;
    isocast_status status = launch(setup, system, speeds, N, repetition, &r, &end);
    free(speeds);
    if (end.cause == LAUNCHER_FAILED && end.exit_code == KERNEL_EXIT_MEMORY) {
        campaign_tell(setup->listener, CAMPAIGN_WARNING, "on %s: %s", system->name, end.text);
        *T = NAN;
        return ISOCAST_OK;
    }
    return status == ISOCAST_OK ? keep_row(setup, runs, system, &r, T)
                                : tell_failure(setup->listener, runs->path, status, &end);
}
