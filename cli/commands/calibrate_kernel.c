#include "calibrate_kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/campaign/kernel_time.h"
#include "calibrate/campaign/run_plan.h"
#include "cli/options/exit.h"
#include "cli/options/locate.h"
#include "cli/options/number.h"
#include "model/base/source_read.h"
#include "model/spec/machine_load.h"

static const char default_sizes[] = "200..1600*2";
enum { DEFAULT_REPETITIONS = 5 };

int cli_kernel_calibration_check(const cli_usage *usage, const cli_kernel_calibration *k,
                                 const char *algorithm, const char *operations,
                                 const char *platform) {
    const cli_own_program *own = &k->own;
    bool others = own->settings.count > 0 || own->time != NULL || own->folder != NULL ||
                  own->environment.count > 0 || k->sizes_text != NULL || k->repetitions >= 0 ||
                  k->machine_name != NULL || own->speed > 0;
    if (own->command == NULL) {
        return others ? cli_usage_error(usage, "--set, --sizes, --repetitions, --time, --folder, "
                                               "--environment, --own-speed and --machine go with "
                                               "--command")
                      : CLI_EXIT_OK;
    }
    if (platform != NULL && k->machine_name != NULL) {
        return cli_usage_error(usage, "--platform and --machine exclude each other: the time per "
                                      "flop is added to the one file or to the other");
    }
    if (platform == NULL && own->speed > 0) {
        return cli_usage_error(usage, "--own-speed goes with --platform");
    }
    if (algorithm == NULL) {
        return cli_usage_error(usage, "--command needs --for ALGORITHM: its work is what the time "
                                      "is divided by, and its 'kernel' names the time per flop");
    }
    bool alone = k->machine_name != NULL || platform != NULL;
    if (alone && operations != NULL) {
        return cli_usage_error(usage,
                               "with --command and %s nothing but the program is measured, so "
                               "--operations has no meaning",
                               platform != NULL ? "--platform" : "--machine");
    }
    return k->repetitions != 0 ? CLI_EXIT_OK
                               : cli_usage_error(usage, "--repetitions must be above 0");
}

static int read_sizes(const cli_usage *usage, cli_kernel_calibration *k) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        isocast_numbers_parse("--sizes", k->sizes_text != NULL ? k->sizes_text : default_sizes,
                              &diagnostics, &k->sizes, &k->size_count);
    status = cli_diagnostics_tell(&diagnostics, false, status);
    int result = status == ISOCAST_INVALID ? CLI_EXIT_USAGE : cli_exit_of(status);
    for (size_t i = 0; result == CLI_EXIT_OK && i < k->size_count; i++) {
        if (k->sizes[i] < 1 || k->sizes[i] != floor(k->sizes[i])) {
            result = cli_usage_error(usage, "a size must be a whole number from 1 on, not %g",
                                     k->sizes[i]);
        }
    }
    return result;
}

/* "here.yaml" has its runs in here.runs.csv. */
static int name_runs(const char *output, cli_kernel_calibration *k) {
    isocast_buffer path = {0};
    cli_beside_output(output, ".runs.csv", &path);
    isocast_status status = path.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    snprintf(k->runs_path, sizeof k->runs_path, "%s", path.text != NULL ? path.text : "");
    isocast_buffer_free(&path);
    return cli_exit_of(status);
}

int cli_kernel_calibration_read(const cli_usage *usage, const char *output, bool on_platform,
                                bool quiet, cli_loaded *loaded, cli_kernel_calibration *k) {
    int status = name_runs(output, k);
    if (status == CLI_EXIT_OK) {
        status = cli_own_program_read(usage, &k->own, on_platform, k->runs_path, &k->kernel);
    }
    if (status == CLI_EXIT_OK) {
        status = cli_own_program_apply(usage, &k->own, true, quiet, loaded->algorithm);
    }
    if (status == CLI_EXIT_OK && loaded->algorithm->kernel == NULL) {
        status = cli_usage_error(usage,
                                 "--command: %s names no kernel; add 'kernel: %s' to %s, and the "
                                 "time per flop gets that name",
                                 loaded->algorithm->name, k->kernel.name,
                                 loaded->algorithm->tree->source->name);
    }
    snprintf(k->kernel.algorithm, sizeof k->kernel.algorithm, "%s", loaded->algorithm->name);
    return status == CLI_EXIT_OK ? read_sizes(usage, k) : status;
}

int cli_kernel_calibration_load(const cli_kernel_calibration *k, const char *output, bool quiet,
                                isocast_buffer *text) {
    char *path = NULL;
    int located = k->machine_name != NULL
                      ? cli_locate_spec(CLI_SPEC_MACHINE, k->machine_name, &path)
                      : CLI_EXIT_OK;
    if (located != CLI_EXIT_OK) {
        return located;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_status status =
        isocast_source_read(path != NULL ? path : output, &diagnostics, &source);
    free(path);
    if (status == ISOCAST_OK) {
        isocast_buffer_append(text, source->text, source->length);
        status = text->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    isocast_source_free(source);
    return cli_exit_of(cli_diagnostics_tell(&diagnostics, quiet, status));
}

/* "1,2": the numbers of processes that one node has processors for. */
static isocast_status list_systems(const cli_kernel_site *at, const isocast_machine *machine,
                                   isocast_diagnostics *diagnostics, isocast_system ***systems,
                                   size_t *count) {
    isocast_buffer text = {0};
    for (size_t i = 0; i < at->count; i++) {
        if (at->processes[i] <= (double)at->site->node.processors) {
            isocast_buffer_printf(&text, "%s%.0f", text.length > 0 ? "," : "", at->processes[i]);
        }
    }
    isocast_status status = text.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK && text.length == 0) {
        status = campaign_fail(at->listener, ISOCAST_ARGUMENT,
                               "no number of --processes fits on one node of %ld processors, on "
                               "which the time per flop is measured",
                               at->site->node.processors);
    }
    if (status == ISOCAST_OK) {
        status = isocast_systems_parse(machine, at->algorithm->kernel, "--processes", text.text,
                                       diagnostics, systems, count);
    }
    isocast_buffer_free(&text);
    return status;
}

campaign_run_points cli_kernel_calibration_points(const cli_kernel_calibration *k,
                                                  isocast_system *const *systems, size_t count) {
    return (campaign_run_points){.systems = systems,
                                 .system_count = count,
                                 .sizes = k->sizes,
                                 .size_count = k->size_count,
                                 .repetitions = k->repetitions > 0 ? (size_t)k->repetitions
                                                                   : DEFAULT_REPETITIONS,
                                 .most = k->repetitions > 0 ? 0 : CAMPAIGN_CALM_MOST};
}

static isocast_status measure_on(const cli_kernel_calibration *k, const cli_kernel_site *at,
                                 const isocast_machine *machine, isocast_diagnostics *diagnostics,
                                 isocast_buffer *text) {
    isocast_system **systems = NULL;
    size_t count = 0;
    isocast_buffer entry = {0};
    isocast_buffer whole = {0};
    campaign_kernel_setup setup = {.listener = at->listener,
                                   .launcher = at->site->launcher,
                                   .kernel = k->kernel,
                                   .seed = at->seed,
                                   .machine = machine,
                                   .processors = campaign_site_processors(at->site),
                                   .own = &k->own.program};
    isocast_status status = list_systems(at, machine, diagnostics, &systems, &count);
    const campaign_run_points points = cli_kernel_calibration_points(k, systems, count);
    campaign_kernel_time_request request = {.setup = &setup,
                                            .algorithm = at->algorithm,
                                            .text = machine->tree->source,
                                            .points = &points,
                                            .runs_path = k->runs_path};
    if (status == ISOCAST_OK) {
        status = campaign_kernel_time_measure(&request, diagnostics, &entry);
    }
    if (status == ISOCAST_OK) {
        status = campaign_kernel_entry_put(machine->tree, at->algorithm->kernel, entry.text,
                                           diagnostics, &whole);
    }
    isocast_systems_free(systems, count);
    isocast_buffer_free(&entry);
    if (status == ISOCAST_OK) {
        isocast_buffer_free(text);
        *text = whole;
    } else {
        isocast_buffer_free(&whole);
    }
    return status;
}

isocast_status cli_kernel_calibration_measure(const cli_kernel_calibration *k,
                                              const cli_kernel_site *at,
                                              isocast_diagnostics *diagnostics,
                                              isocast_buffer *text) {
    isocast_machine *machine = NULL;
    const char *name = k->machine_name != NULL ? k->machine_name : "the machine file";
    isocast_status status = text->failed ? ISOCAST_NO_MEMORY
                                         : isocast_machine_read_text(name, text->text, text->length,
                                                                     diagnostics, &machine);
    if (status == ISOCAST_OK) {
        status = measure_on(k, at, machine, diagnostics, text);
    }
    isocast_machine_free(machine);
    return status;
}

void cli_kernel_calibration_free(cli_kernel_calibration *k) {
    cli_own_program_free(&k->own);
    free(k->sizes);
}
