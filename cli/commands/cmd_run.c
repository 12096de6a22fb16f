/* isocast run: executes the program of an algorithm file on this machine. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "campaign.h"
#include "cli/options/exit.h"
#include "cli/options/launcher_option.h"
#include "cli/options/locate.h"
#include "cli/options/number.h"
#include "cli/output/render.h"
#include "cli/output/report.h"
#include "command.h"
#include "measure_own.h"
#include "model/spec/machine_load.h"

static const cli_usage usage = {
    .command = "run",
    .arguments = "ALGORITHM",
    .summary =
        "Executes the program of an algorithm file with MPI, step by step: it sends what the steps "
        "send, and computes for the time of their work. Prints T, and what was sent, which is "
        "compared with the formulas of the steps. A program that would wait forever, or whose "
        "messages do not fit each other, is refused before it starts.",
    .details =
        "T is the time of the slowest process, from a barrier on. Work takes the time of a "
        "loop of as many flop, or with --machine of the flop at the machine's time per flop "
        "for the algorithm's kernel. Shares are dealt out by the marked speeds of --machine, "
        "else evenly.\n"
        "\n"
        "Examples:\n"
        "  isocast run farm.yaml -n 4 --set N=1000\n"
        "  isocast run stencil.yaml --machine here.yaml -n 2 --set N=500 --format json",
    .output = "the result (default: standard output)",
    .fewest = 1,
    .most = 1,
    .words = 1};

typedef struct command_line {
    cli_call call;
    long processes; /* below 0: one for each processor */
    long repetitions;
    bool oversubscribe;
    bool keep_sizes;
    const char *machine_name;
    const char *launcher_text;
    cli_list settings;
    cli_launcher launcher;
    cli_campaign campaign;
    isocast_diagnostics diagnostics;
    campaign_kernel_setup setup;
    campaign_steps steps;
    cli_loaded loaded;
    isocast_system *system;
    char *program;
    double N;
    const char *size; /* its setting, "N=4096" */
} command_line;

static int exit_of(command_line *c, isocast_status status) {
    return cli_campaign_exit(&c->campaign, &c->diagnostics, status);
}

/* Processors of one speed, where no machine file says which there are. */
static int make_machine(command_line *c) {
    isocast_diagnostics diagnostics = {0};
    isocast_buffer text = {0};
    isocast_buffer_printf(&text,
                          "machine: here\nnodes: {node: {count: 1, processors: %ld, "
                          "marked_speed: 1 Gflop/s}}\n",
                          c->processes > c->setup.processors ? c->processes : c->setup.processors);
    isocast_status status = text.failed
                                ? ISOCAST_NO_MEMORY
                                : isocast_machine_read_text("here", text.text, text.length,
                                                            &diagnostics, &c->loaded.machine);
    isocast_buffer_free(&text);
    return cli_exit_with(&diagnostics, false, status);
}

static int find_processors(command_line *c) {
    int status = cli_launcher_find(&usage, c->launcher_text, &c->launcher);
    c->setup.launcher = c->launcher.command;
    c->setup.processors = cli_launcher_processors(&c->launcher);
    c->processes = c->processes < 0 ? c->setup.processors : c->processes;
    if (status == CLI_EXIT_OK && c->processes > c->setup.processors && !c->oversubscribe) {
        return cli_usage_error(&usage,
                               "%ld processes on %ld processors would measure the scheduler; "
                               "--oversubscribe runs them all the same",
                               c->processes, c->setup.processors);
    }
    return status;
}

/* The size is a setting like others for who writes the command line. */
static int take_size(command_line *c, const isocast_size *size) {
    const char *text = c->size;
    double least = fmax(size->min, 1);
    double most = fmin(size->max, CLI_MEASURE_N_MAX);
    bool read = text != NULL && cli_number_parse(strchr(text, '=') + 1, &c->N);
    if (text == NULL) {
        return cli_usage_error(&usage, "the size is missing: --set %s=NUMBER", size->name);
    }
    if (!read || c->N != floor(c->N) || c->N < least || c->N > most) {
        return cli_usage_error(&usage, "%s must be a whole number from %.0f to %.10g, not '%s'",
                               size->name, least, most, strchr(text, '=') + 1);
    }
    if (!c->keep_sizes && !isocast_valid_holds(&size->valid, c->N)) {
        isocast_buffer which = {0};
        isocast_valid_describe(&size->valid, &which);
        int status = cli_usage_error(&usage,
                                     "the program holds for %s, not for %s (--keep-sizes runs it "
                                     "all the same)",
                                     which.text != NULL ? which.text : "other sizes", text);
        isocast_buffer_free(&which);
        return status;
    }
    return CLI_EXIT_OK;
}

static int load(command_line *c, const char *name) {
    int status = cli_steps_load(&usage, name, &c->settings, &c->size, c->call.common.quiet,
                                &c->loaded, &c->steps);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    if (c->steps.algorithm == NULL) {
        return cli_usage_error(&usage,
                               "%s has no section program:, which says step by step what its "
                               "processes do",
                               c->loaded.algorithm->name);
    }
    if (c->settings.count > 0) {
        return cli_usage_error(&usage, "%s has no size, parameter or definition for '%s'",
                               c->loaded.algorithm->name, c->settings.items[0]);
    }
    c->steps.diagnostics = &c->diagnostics;
    c->setup.steps = &c->steps;
    c->setup.kernel = cli_steps_kernel(c->loaded.algorithm);
    return take_size(c, &c->loaded.algorithm->sizes[0]);
}

static int load_machine(command_line *c) {
    c->steps.as_the_loop = c->machine_name == NULL;
    int loaded = c->machine_name == NULL
                     ? make_machine(c)
                     : cli_load_machine(c->machine_name, c->call.common.quiet, &c->loaded);
    if (loaded != CLI_EXIT_OK) {
        return loaded;
    }
    c->setup.machine = c->loaded.machine;
    char text[32];
    snprintf(text, sizeof text, "%ld", c->processes);
    isocast_system **systems = NULL;
    size_t count = 0;
    int read =
        cli_systems_read("-n", text, c->loaded.machine, c->setup.kernel.name, &systems, &count);
    c->system = read == CLI_EXIT_OK ? systems[0] : NULL;
    free(systems);
    if (read != CLI_EXIT_OK) {
        return read;
    }
    const isocast_system *system = c->system;
    const cli_measure_points points = {&system, 1, &c->N, 1};
    return c->keep_sizes ? CLI_EXIT_OK
                         : cli_measure_check_rules(&usage, c->loaded.algorithm, &points);
}

/* ---- the result ---- */

/* Columns of a row of isocast-schedule, and of the report. */
static const cli_column columns[] = {
    {.name = "repetition", .kind = CLI_COLUMN_COUNT},
    {.name = "T", .unit = "s", .kind = CLI_COLUMN_NUMBER, .compared = 1},
    {.name = "T_work", .unit = "s", .kind = CLI_COLUMN_NUMBER, .compared = 1},
    {.name = "T_rest", .unit = "s", .kind = CLI_COLUMN_NUMBER, .compared = 1},
    {.name = "flop", .kind = CLI_COLUMN_NUMBER, .unit = "flop"},
    {.name = "messages", .kind = CLI_COLUMN_COUNT},
    {.name = "bytes", .kind = CLI_COLUMN_NUMBER, .unit = "B"},
    {.name = "calls", .kind = CLI_COLUMN_COUNT},
    {.name = "call_bytes", .heading = "bytes of calls", .kind = CLI_COLUMN_NUMBER, .unit = "B"},
    {.name = "mismatches", .kind = CLI_COLUMN_COUNT}};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static cli_report *begin_report(const command_line *c) {
    cli_report *report = cli_report_create();
    cli_report_title(report, "%s, executed: %s = %.0f on %ld process%s.", c->loaded.algorithm->name,
                     c->loaded.algorithm->sizes[0].name, c->N, c->processes,
                     c->processes == 1 ? "" : "es");
    for (size_t i = 0; i < COLUMNS; i++) {
        cli_report_column(report, &columns[i]);
    }
    cli_note(report, "T_work is what the processes work on average, T_rest the rest: messages, "
                     "operations and waiting.");
    cli_note(report, "Messages, calls of collective operations, their bytes and the flop, added up "
                     "over all processes, are those of the formulas.");
    return report;
}

static int run_all(command_line *c) {
    cli_interrupts_catch();
    cli_report *report = begin_report(c);
    isocast_status status = ISOCAST_OK;
    bool fits = true;
    for (long r = 0; r < c->repetitions && status == ISOCAST_OK && fits; r++) {
        campaign_kernel_row row;
        campaign_report_progress(&c->campaign.listener, (size_t)r + 1, (size_t)c->repetitions,
                                 "run %ld of %ld", r + 1, c->repetitions);
        status = campaign_kernel_launch(&c->setup, NULL, c->system, c->N, r, &row);
        fits = row.row[0] != '\0';
        for (size_t i = 0; i < COLUMNS && status == ISOCAST_OK && fits; i++) {
            cli_report_number(report, campaign_kernel_value(&row, columns[i].name));
        }
    }
    cli_campaign_clear(&c->campaign);
    int result = exit_of(c, status);
    if (result == CLI_EXIT_OK) {
        result = fits ? cli_reports_write(&report, 1, &c->call.common) : CLI_EXIT_SYSTEM;
    } else {
        cli_report_free(report);
    }
    return result;
}

static int launch(command_line *c, const char *name) {
    if (c->repetitions < 1 || c->processes == 0) {
        return cli_usage_error(&usage, "%s must be above 0",
                               c->processes == 0 ? "-n" : "--repetitions");
    }
    int status = find_processors(c);
    CLI_THEN(status, load(c, name));
    CLI_THEN(status, load_machine(c));
    c->program = cli_locate_program("isocast-schedule");
    c->setup.program = c->program;
    if (status == CLI_EXIT_OK && c->program == NULL) {
        status = cli_locate_lacks("run", "isocast-schedule", CLI_WITHOUT_MPI);
    }
    return status == CLI_EXIT_OK ? run_all(c) : status;
}

static int run(void *context) {
    command_line *c = context;
    cli_campaign_begin(&c->call, &c->campaign);
    c->setup.listener = &c->campaign.listener;
    int status = launch(c, c->call.positional[0]);
    free(c->program);
    isocast_system_free(c->system);
    campaign_steps_free(&c->steps);
    cli_launcher_free(&c->launcher);
    cli_loaded_free(&c->loaded);
    return status;
}

int cmd_run(int argc, char **argv) {
    command_line c = {.processes = -1, .repetitions = 3, .setup = {.seed = 1}};
    const cli_option options[] = {
        {"--processes", 'n', CLI_OPTION_COUNT, "P",
         "processes to start (default: one for each processor)", &c.processes},
        {"--set", 0, CLI_OPTION_LIST, "NAME=VALUE",
         "a size of the algorithm, which is needed, a parameter or a definition; may be given "
         "several times",
         &c.settings},
        {"--machine", 0, CLI_OPTION_INPUT, "MACHINE",
         "machine file of this machine: its time per flop, and its marked speeds", &c.machine_name},
        {"--repetitions", 0, CLI_OPTION_COUNT, "R", "runs, each a launch of its own (default: 3)",
         &c.repetitions},
        {"--limit", 0, CLI_OPTION_TIME, "TIME",
         "what a process may compute in a run; a run with more is refused (default: 1h)",
         &c.steps.limit},
        {"--keep-sizes", 0, CLI_OPTION_FLAG, NULL,
         "run sizes and processes that the algorithm file is not valid for", &c.keep_sizes},
        {"--launcher", 0, CLI_OPTION_TEXT, "LAUNCHER", CLI_LAUNCHER_HELP, &c.launcher_text},
        {"--oversubscribe", 0, CLI_OPTION_FLAG, NULL,
         "allow more processes than processors: they take turns, and T says little",
         &c.oversubscribe},
        {0}};
    return cli_call_run(&usage, options, argc, argv, &c.call, run, &c);
}
