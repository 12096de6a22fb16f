#include "kernel_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/csv.h"

/* The exit status of a kernel for which a size does not fit into memory. The kernel states this,
 * with the sizes, before it allocates anything. */
enum { KERNEL_EXIT_MEMORY = 5 };

/* Milliseconds that a kernel spends on warm-up runs before the run that counts. */
enum { WARM_UP_TIME = 100 };

/* The first column of a kernel's row behind the names, from zero. */
enum { COLUMN_P = 3 };

static bool take_row(const char *line, void *context) {
    campaign_kernel_row *r = context;
    char *target = r->header[0] == '\0' ? r->header : r->row;
    snprintf(target, CAMPAIGN_ROW_MAX, "%s", line);
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

/* `runs`: the path of the runs file; NULL where there is none. */
static isocast_status report_interrupt(const campaign_listener *listener, const char *runs) {
    return runs == NULL
               ? campaign_fail(listener, ISOCAST_INTERRUPTED, "interrupted")
               : campaign_fail(listener, ISOCAST_INTERRUPTED,
                               "interrupted; finished rows are kept in %s, the same command goes "
                               "on from there",
                               runs);
}

isocast_status campaign_kernels_list(const char *program, const campaign_listener *listener,
                                     campaign_kernel_list *out) {
    launcher_end end;
    isocast_status status = launcher_ask(program, "--list", take_kernel, out, &end);
    return launcher_fail(listener, "isocast-kernel", status, &end, "");
}

const campaign_kernel *campaign_kernels_find(const campaign_kernel_list *list, const char *name) {
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].name, name) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}

/* The settings of what is run: each has a column. */
static const campaign_setting *settings_of(const campaign_kernel_setup *setup, size_t *count) {
    *count = setup->own != NULL     ? setup->own->setting_count
             : setup->steps != NULL ? setup->steps->setting_count
                                    : 0;
    return setup->own != NULL     ? setup->own->settings
           : setup->steps != NULL ? setup->steps->settings
                                  : NULL;
}

/* Whether a run had the same settings as the runs of this command. */
static bool has_settings(const campaign_kernel_setup *setup, const isocast_runs *runs,
                         const isocast_run *row) {
    size_t count = 0;
    const campaign_setting *settings = settings_of(setup, &count);
    for (size_t i = 0; i < count; i++) {
        const campaign_setting *setting = &settings[i];
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

/* Marked speeds of the processes in rank order: class after class, as the system lists them. One
 * where all are alike, as a word of a command line may not be of any length. */
static char *speeds_of(const isocast_system *system) {
    isocast_buffer text = {0};
    if (system->count == 1) {
        isocast_buffer_printf(&text, "%.9g", system->table.rows[ISOCAST_CLASS_MARKED_SPEED][0]);
        return isocast_buffer_take(&text);
    }
    for (size_t i = 0; i < system->count; i++) {
        for (double k = 0; k < system->table.rows[ISOCAST_CLASS_PROCESSES][i]; k++) {
            isocast_buffer_printf(&text, "%s%.9g", text.length > 0 ? "," : "",
                                  system->table.rows[ISOCAST_CLASS_MARKED_SPEED][i]);
        }
    }
    return isocast_buffer_take(&text);
}

/* Rehearses the program of an algorithm file, and adds what isocast-schedule has to know. */
static isocast_status add_steps(const campaign_kernel_setup *setup, const isocast_system *system,
                                double N, launcher_words *words, double *longest) {
    const campaign_steps *steps = setup->steps;
    isocast_rehearsal rehearsal;
    double time_per_flop = 0;
    isocast_status status = ISOCAST_OK;
    bool by_loop = setup->simulation != NULL || steps->as_the_loop;
    if (!by_loop) {
        status = campaign_steps_time_per_flop(steps->algorithm, setup->machine, system, N,
                                              &time_per_flop);
    }
    if (status == ISOCAST_OK) {
        double taken = setup->simulation == NULL && by_loop ? CAMPAIGN_STEPS_LOOP : time_per_flop;
        status =
            campaign_steps_rehearse(steps, setup->listener, system, N, taken, &rehearsal, longest);
    }
    launcher_words_put(words, "--nodes %.0f --time-per-flop %.9g", system->nodes, time_per_flop);
    for (size_t i = 0; i < steps->setting_count; i++) {
        launcher_words_option(words, "--set", steps->words.items[i]);
    }
    return status;
}

/* Every run is a launch of its own, because launches differ more than runs of one launch do.
 * *launched: it was started, and *end shows how it ended. */
static isocast_status launch(const campaign_kernel_setup *setup, const isocast_system *system,
                             double N, long repetition, campaign_kernel_row *r, launcher_end *end,
                             bool *launched) {
    const campaign_simulation *simulation = setup->simulation;
    bool quick = simulation != NULL && simulation->quick;
    double stretch = 1;
    double longest = 0;
    launcher_words words = {0};
    char *speeds = speeds_of(system);
    isocast_status status = speeds != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK && simulation != NULL) {
        status = campaign_steps_stretch(setup->algorithm, setup->machine, system, N, &stretch);
    }
    launcher_words_add(&words, setup->program);
    if (quick) {
        launcher_words_add(&words, simulation->network);
    }
    launcher_words_add(&words, setup->steps != NULL ? setup->steps->path : setup->kernel.name);
    launcher_words_put(&words, "-n %.0f --header --first-repetition %ld --seed %ld", N, repetition,
                       setup->seed);
    launcher_words_option(&words, "--speeds", speeds);
    if (simulation != NULL) {
        launcher_words_put(&words, "--warm-up 0 --stretch %.9g", stretch);
    } else {
        launcher_words_put(&words, "--warm-up-time %d", WARM_UP_TIME);
    }
    if (status == ISOCAST_OK && setup->steps != NULL) {
        status = add_steps(setup, system, N, &words, &longest);
    }
    status = status == ISOCAST_OK && words.failed ? ISOCAST_NO_MEMORY : status;
    launcher_request request =
        campaign_simulation_request(simulation, setup->launcher, system, words.items);
    request.timeout = setup->timeout > 0 ? setup->timeout : longest;
    request.line = take_row;
    request.context = r;
    *launched = status == ISOCAST_OK;
    status = *launched ? launcher_run(&request, end) : status;
    launcher_words_free(&words);
    free(speeds);
    return status;
}

static const char *from_column(const char *row, int column) {
    for (int i = 0; i < column; i++) {
        row += strcspn(row, ",");
        row += *row == ',';
    }
    return row;
}

/* The kernels quote no name of a column, and get plain names of machines and systems. */
double campaign_kernel_value(const campaign_kernel_row *row, const char *name) {
    size_t length = strlen(name);
    const char *at = row->header;
    int column = 0;
    for (; *at != '\0' && (strcspn(at, ",") != length || strncmp(at, name, length) != 0);
         column++) {
        at = from_column(at, 1);
    }
    const char *text = *at != '\0' ? from_column(row->row, column) : "";
    char *end = NULL;
    double value = strtod(text, &end);
    return end != text && (*end == ',' || *end == '\0') ? value : NAN;
}

/* NAN where there is none. */
static double time_of(const campaign_kernel_row *row) {
    double T = campaign_kernel_value(row, "T");
    return T > 0 ? T : NAN;
}

static bool is_oversubscribed(const campaign_kernel_setup *setup, const isocast_system *system) {
    return setup->simulation == NULL && system->p > (double)setup->processors;
}

/* Adds a row: the names of algorithm, machine and system, then the columns from p on with their
 * values, and those of the settings. */
static isocast_status keep_row(const campaign_kernel_setup *setup, campaign_run_file *runs,
                               const isocast_system *system, const char *columns,
                               const char *values) {
    const char *const names[] = {setup->kernel.algorithm, setup->machine->name, system->name};
    isocast_buffer header = {0};
    isocast_buffer row = {0};
    size_t count = 0;
    const campaign_setting *settings = settings_of(setup, &count);
    isocast_buffer_printf(&header, "algorithm,machine,system,%s", columns);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        isocast_csv_write(names[i], &row);
        isocast_buffer_puts(&row, ",");
    }
    isocast_buffer_puts(&row, values);
    for (size_t i = 0; i < count; i++) {
        isocast_buffer_puts(&header, ",");
        isocast_csv_write(settings[i].name, &header);
        isocast_buffer_printf(&row, ",%.15g", settings[i].value);
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

/* Refuses to go on after a signal, and writes the simulator's files. */
static isocast_status prepare(const campaign_kernel_setup *setup, const char *runs,
                              const isocast_system *system) {
    if (campaign_must_stop(setup->listener)) {
        return report_interrupt(setup->listener, runs);
    }
    return setup->simulation == NULL
               ? ISOCAST_OK
               : campaign_simulation_prepare(setup->simulation, system, setup->listener);
}

static isocast_status run_own(const campaign_kernel_setup *setup, campaign_run_file *runs,
                              const isocast_system *system, double N, long repetition, double *T) {
    double seconds = NAN;
    char values[128];
    isocast_status status = prepare(setup, runs->path, system);
    if (status == ISOCAST_OK) {
        status = campaign_own_program_run(setup->own, setup->listener, setup->launcher,
                                          setup->simulation, system, N, &seconds);
    }
    if (status == ISOCAST_OK && !isnan(seconds)) {
        snprintf(values, sizeof values, "%.0f,%.15g,%ld,%.9g", system->p, N, repetition, seconds);
        status = keep_row(setup, runs, system, "p,N,repetition,T", values);
    }
    if (status == ISOCAST_OK) {
        *T = seconds;
    }
    return status;
}

isocast_status campaign_kernel_launch(const campaign_kernel_setup *setup, const char *runs,
                                      const isocast_system *system, double N, long repetition,
                                      campaign_kernel_row *row) {
    *row = (campaign_kernel_row){.header = ""};
    isocast_status status = prepare(setup, runs, system);
    launcher_end end = {.cause = LAUNCHER_NO_CAUSE};
    bool launched = false;
    if (status == ISOCAST_OK) {
        status = launch(setup, system, N, repetition, row, &end, &launched);
    }
    if (!launched) {
        return status;
    }
    if (end.cause == LAUNCHER_FAILED && end.exit_code == KERNEL_EXIT_MEMORY) {
        campaign_report(setup->listener, CAMPAIGN_WARNING, "on %s: %s", system->name, end.text);
        row->row[0] = '\0';
        return ISOCAST_OK;
    }
    if (status == ISOCAST_OK && isnan(time_of(row))) {
        return campaign_fail(setup->listener, ISOCAST_PROGRAM,
                             "the kernel ended well, but gave no time: '%s'\n%s", row->row,
                             end.text);
    }
    return status == ISOCAST_INTERRUPTED
               ? report_interrupt(setup->listener, runs)
               : launcher_fail(setup->listener, "the kernel", status, &end, "");
}

isocast_status campaign_kernel_run(const campaign_kernel_setup *setup, campaign_run_file *runs,
                                   const isocast_system *system, double N, long repetition,
                                   double *T) {
    if (setup->own != NULL) {
        return run_own(setup, runs, system, N, repetition, T);
    }
    campaign_kernel_row row;
    isocast_status status = campaign_kernel_launch(setup, runs->path, system, N, repetition, &row);
    if (status != ISOCAST_OK) {
        return status;
    }
    *T = time_of(&row);
    return row.row[0] == '\0' ? ISOCAST_OK
                              : keep_row(setup, runs, system, from_column(row.header, COLUMN_P),
                                         from_column(row.row, COLUMN_P));
}

static bool is_placed(const isocast_system *system) {
    for (size_t i = 0; i < system->count; i++) {
        if (system->placed[i]) {
            return true;
        }
    }
    return false;
}

static bool is_even(const isocast_system *system) {
    for (size_t i = 1; i < system->count; i++) {
        if (system->each[i] != system->each[0]) {
            return false;
        }
    }
    return true;
}

static bool is_reported(const char *launcher) {
    return launcher != NULL &&
           (strstr(launcher, "{nodes}") != NULL || strstr(launcher, "{per_node}") != NULL);
}

bool campaign_placement_possible(const isocast_system *system, const char *launcher,
                                 isocast_buffer *why) {
    if (!is_placed(system) || system->nodes == 1) {
        return true;
    }
    if (!is_even(system)) {
        isocast_buffer_printf(why,
                              "system %s has different numbers of processes on its nodes, and no "
                              "launcher takes that; --platform simulates it",
                              system->name);
        return false;
    }
    if (!is_reported(launcher)) {
        isocast_buffer_printf(why,
                              "system %s has %.10g nodes, and the launcher does not say how many "
                              "processes run on each: name one with {nodes} or {per_node} by "
                              "--launcher, such as 'srun -N {nodes} -n {p}'",
                              system->name, system->nodes);
        return false;
    }
    return true;
}
