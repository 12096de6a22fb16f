#include "calibrate_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/campaign/kernel_run.h"
#include "calibrate/campaign/kernel_time.h"
#include "calibrate/campaign/run_plan.h"
#include "calibrate/campaign/simulated_launches.h"
#include "calibrate/campaign/simulation.h"
#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/locate.h"
#include "cli/options/number.h"
#include "cli/options/prediction_options.h"
#include "model/base/known_operation.h"
#include "model/base/nearest.h"
#include "model/base/source_read.h"
#include "model/spec/machine_load.h"
#include "model/spec/system.h"
#include "platform_session.h"

/* What isocast calibrate measures, by --operations, and what it says of the algorithm of --for
 * where the machine file will lack something that it calls. */
static int choice_by_names(const cli_usage *usage, const char *text,
                           campaign_selection *selection) {
    isocast_span unknown;
    if (campaign_selection_want_list(selection, text, &unknown) == ISOCAST_OK) {
        return CLI_EXIT_OK;
    }
    if (text[0] == '\0') {
        return cli_usage_error(usage, "--operations is an empty list; name what to measure");
    }
    size_t count = selection->count;
    const char **names = calloc(count + 2, sizeof *names);
    char *word = strndup(text + unknown.begin, unknown.end - unknown.begin);
    isocast_buffer hint = {0};
    if (names != NULL && word != NULL) {
        for (size_t i = 0; i < count; i++) {
            names[i] = selection->items[i].name;
        }
        names[count] = "usual";
        names[count + 1] = "all";
        isocast_nearest_hint(&hint, word, names, count + 2,
                             "besides the groups usual and all there are");
    }
    bool failed = names == NULL || word == NULL || hint.failed;
    int status = failed ? cli_exit_of(ISOCAST_NO_MEMORY)
                        : cli_usage_error(usage, "--operations: '%s' cannot be measured; %s", word,
                                          hint.text);
    isocast_buffer_free(&hint);
    free(word);
    free(names);
    return status;
}

/* Warns where the algorithm's kernel is none that the probe measures: computing then takes W/C,
 * which nobody would see from the file. */
static void choice_report_kernel(const campaign_selection *selection,
                                 const isocast_algorithm *algorithm,
                                 const campaign_listener *listener) {
    if (algorithm->kernel != NULL && !campaign_selection_has(selection, algorithm->kernel)) {
        campaign_report(
            listener, CAMPAIGN_WARNING,
            "the machine file gets no time per flop for kernel '%s' of %s, which is none "
            "of isocast's kernels: --command './PROGRAM {N}' measures it from your "
            "program",
            algorithm->kernel, algorithm->name);
    }
}

/* Work takes no time in a simulation. */
static bool is_work(const char *operation) {
    const isocast_known_operation *known = isocast_known_operation_find(operation);
    return known != NULL && known->kind == ISOCAST_OPERATION_WORK;
}

void cli_choice_report_unmeasured(const campaign_selection *selection,
                                  const isocast_algorithm *algorithm, const fit *f, bool simulated,
                                  const campaign_listener *listener) {
    isocast_buffer names = {0};
    for (size_t i = 0; i < selection->count; i++) {
        const campaign_measurable *item = &selection->items[i];
        bool found = !item->wanted || item->is_kernel || (simulated && is_work(item->name));
        for (size_t k = 0; k < f->operation_count && !found; k++) {
            found = strcmp(f->operations[k].name, item->name) == 0;
        }
        if (!found) {
            isocast_buffer_printf(&names, "%s%s", names.length > 0 ? ", " : "", item->name);
        }
    }
    if (names.length > 0 && !names.failed) {
        campaign_report(listener, CAMPAIGN_WARNING,
                        "%s called by %s could not be measured: give more --budget, or more "
                        "processes where there was one",
                        names.text, algorithm->name);
    }
    isocast_buffer_free(&names);
}

/* Launches of each set: enough to state a spread. */
enum { LAUNCHES = 5 };

/* Nodes as this one, as many as the launcher's processors need. */
static isocast_status describe_site(const campaign_site *site, isocast_diagnostics *diagnostics,
                                    isocast_machine **out) {
    isocast_buffer text = {0};
    isocast_buffer_printf(
        &text, "machine: here\nnodes: {node: {count: %.0f, processors: %ld, marked_speed: 1}}\n",
        ceil((double)campaign_site_processors(site) / (double)site->node.processors),
        site->node.processors);
    isocast_status status = text.failed ? ISOCAST_NO_MEMORY
                                        : isocast_machine_read_text("this machine", text.text,
                                                                    text.length, diagnostics, out);
    isocast_buffer_free(&text);
    return status;
}

static bool has_one(const cli_reference *r, size_t class) {
    for (size_t i = 0; i < r->system_count; i++) {
        if (r->systems[i]->p == 1 && r->systems[i]->classes[0] == class) {
            return true;
        }
    }
    return false;
}

/* The list, with one processor of each class that process 0 is on. */
static void complete_list(const isocast_machine *machine, const cli_reference *r,
                          isocast_buffer *out) {
    for (size_t class = 0; class < machine->class_count; class ++) {
        bool used = false;
        for (size_t i = 0; i < r->system_count; i++) {
            used = used || r->systems[i]->classes[0] == class;
        }
        if (used && !has_one(r, class) && machine->class_count == 1) {
            isocast_buffer_puts(out, "1x1,");
        } else if (used && !has_one(r, class)) {
            isocast_buffer_printf(out, "%s:1,", machine->classes[class].name);
        }
    }
    isocast_buffer_puts(out, r->text);
}

static isocast_status read_list(const isocast_machine *machine, isocast_diagnostics *diagnostics,
                                cli_reference *r) {
    isocast_status status = isocast_systems_parse(machine, NULL, "--reference", r->text,
                                                  diagnostics, &r->systems, &r->system_count);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_buffer whole = {0};
    complete_list(machine, r, &whole);
    isocast_systems_free(r->systems, r->system_count);
    r->systems = NULL;
    r->system_count = 0;
    status = whole.failed ? ISOCAST_NO_MEMORY
                          : isocast_systems_parse(machine, NULL, "--reference", whole.text,
                                                  diagnostics, &r->systems, &r->system_count);
    isocast_buffer_free(&whole);
    return status;
}

/* A set that is written in two ways is one. */
static isocast_status keep_each_once(const isocast_machine *machine, cli_reference *r) {
    r->sets = calloc(r->system_count + 1, sizeof(isocast_system *));
    isocast_status status = r->sets != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t i = 0; i < r->system_count && status == ISOCAST_OK; i++) {
        bool known = false;
        for (size_t k = 0; k < r->count && !known && status == ISOCAST_OK; k++) {
            status = isocast_system_is_placed_as(machine, r->sets[k], r->systems[i], &known);
        }
        if (!known) {
            r->sets[r->count++] = r->systems[i];
        }
    }
    return status;
}

static int check_set(const cli_usage *usage, const campaign_site *site,
                     const isocast_machine *hardware, bool oversubscribe,
                     const isocast_system *set) {
    if (hardware != NULL) {
        return cli_system_size_check(usage, set, hardware);
    }
    if (campaign_site_is_oversubscribed(site, set->p) && !oversubscribe) {
        return cli_usage_error(usage,
                               "system %s has %.10g processes, this machine %ld processors: that "
                               "would measure the scheduler",
                               set->name, set->p, campaign_site_processors(site));
    }
    isocast_buffer why = {0};
    bool possible = campaign_placement_possible(set, site->launcher, &why);
    int status = possible ? CLI_EXIT_OK
                          : cli_usage_error(usage, "--reference: %s",
                                            why.text != NULL ? why.text : "cannot be placed");
    isocast_buffer_free(&why);
    return status;
}

/* Reads the sets, and adds one processor where it is missing, as R_f compares with that. hardware:
 * of the platform; NULL: this machine, as `site` states it. Reports what is wrong; gives an exit
 * status. */
static int reference_read(const cli_usage *usage, const campaign_site *site,
                          const isocast_machine *hardware, bool oversubscribe, cli_reference *out) {
    if (out->text == NULL) {
        return out->ratio == 0 ? CLI_EXIT_OK
                               : cli_usage_error(usage, "--ratio is of the reference program: name "
                                                        "the sets to run it on with --reference");
    }
    if (out->ratio < 0) {
        return cli_usage_error(usage, "--ratio must be above 0");
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        hardware == NULL ? describe_site(site, &diagnostics, &out->node) : ISOCAST_OK;
    const isocast_machine *machine = hardware != NULL ? hardware : out->node;
    CLI_THEN(status, read_list(machine, &diagnostics, out));
    CLI_THEN(status, keep_each_once(machine, out));
    int checked = cli_exit_with_text(&diagnostics, status);
    for (size_t i = 0; checked == CLI_EXIT_OK && i < out->count && out->sets[i] != NULL; i++) {
        checked = check_set(usage, site, hardware, oversubscribe, out->sets[i]);
    }
    return checked;
}

isocast_status cli_reference_measure(const campaign_site *site, campaign_simulation *simulation,
                                     const campaign_listener *listener, cli_reference *reference) {
    campaign_reference_request request = {.site = site,
                                          .simulation = simulation,
                                          .listener = listener,
                                          .sets = reference->sets,
                                          .count = reference->count,
                                          .ratio = reference->ratio > 0 ? reference->ratio
                                                                        : CAMPAIGN_REFERENCE_RATIO,
                                          .launches = LAUNCHES};
    return reference->text != NULL ? campaign_reference_measure(&request, &reference->section)
                                   : ISOCAST_OK;
}

isocast_status cli_reference_append(const cli_reference *reference,
                                    const campaign_listener *listener, isocast_buffer *text) {
    if (reference->text == NULL) {
        return ISOCAST_OK;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_machine *machine = NULL;
    size_t without = text->length;
    isocast_buffer_append(text, reference->section.text, reference->section.length);
    isocast_status status = text->failed
                                ? ISOCAST_NO_MEMORY
                                : isocast_machine_read_text("machine", text->text, text->length,
                                                            &diagnostics, &machine);
    if (status == ISOCAST_INVALID) {
        campaign_report(
            listener, CAMPAIGN_WARNING,
            "R_f is left out of the file: its nodes are of several classes, and the sets "
            "of --reference do not name them");
        text->length = without;
        text->text[without] = '\0';
        status = ISOCAST_OK;
    }
    isocast_machine_free(machine);
    isocast_diagnostics_clear(&diagnostics);
    return status;
}

static void reference_free(cli_reference *reference) {
    isocast_systems_free(reference->systems, reference->system_count);
    free(reference->sets);
    isocast_machine_free(reference->node);
    isocast_buffer_free(&reference->section);
}

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
    int result = cli_exit_with_text(&diagnostics, status);
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

/* Reads them; the settings that the algorithm knows are applied to it. output: the file that gets
 * the time per flop. Gives an exit status; reports on stderr. */
static int kernel_calibration_read(const cli_usage *usage, const char *output, bool on_platform,
                                   cli_loaded *loaded, cli_kernel_calibration *k) {
    int status = name_runs(output, k);
    CLI_THEN(status, cli_own_program_read(usage, &k->own, on_platform, k->runs_path, &k->kernel));
    CLI_THEN(status, cli_own_program_apply(usage, &k->own, true, loaded->algorithm));
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
    return cli_exit_with(&diagnostics, quiet, status);
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
    CLI_THEN(status, isocast_systems_parse(machine, at->algorithm->kernel, "--processes", text.text,
                                           diagnostics, systems, count));
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
                                 .most = k->repetitions > 0 ? 0 : CAMPAIGN_CALM_MOST,
                                 .kept = CAMPAIGN_CALM_MOST};
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
    CLI_THEN(status, campaign_kernel_time_measure(&request, diagnostics, &entry));
    CLI_THEN(status, campaign_kernel_entry_put(machine->tree, at->algorithm->kernel, entry.text,
                                               diagnostics, &whole));
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
    CLI_THEN(status, measure_on(k, at, machine, diagnostics, text));
    isocast_machine_free(machine);
    return status;
}

static void kernel_calibration_free(cli_kernel_calibration *k) {
    cli_own_program_free(&k->own);
    free(k->sizes);
}

int cli_calibration_exit(cli_calibration *c, isocast_status status) {
    return cli_campaign_exit(&c->campaign, &c->diagnostics, status);
}

static int read_systems(cli_calibration *c) {
    int loaded = cli_load_platform(c->platform_name, c->call.common.quiet, &c->platform);
    if (loaded != CLI_EXIT_OK) {
        return loaded;
    }
    c->simulation.platform = c->platform;
    int status = cli_systems_read("--systems", c->systems_text, c->platform->hardware, NULL,
                                  &c->systems, &c->system_count);
    for (size_t i = 0; i < c->system_count; i++) {
        const isocast_system *system = c->systems[i];
        bool sends = system->p >= 2 || cli_own_program_asked(&c->kernel.own);
        if (!sends) {
            return cli_usage_error(c->call.usage,
                                   "system %s has one process: there are no messages to time",
                                   system->name);
        }
        int size = cli_system_size_check(c->call.usage, system, c->platform->hardware);
        if (size != CLI_EXIT_OK) {
            return size;
        }
        /* Before samples are begun. */
        isocast_status fits = campaign_simulation_check(system, &c->campaign.listener);
        CLI_THEN(fits, campaign_memory_check(system->p, &c->campaign.listener));
        if (fits != ISOCAST_OK) {
            return cli_calibration_exit(c, fits);
        }
    }
    return status;
}

static int read_processes(cli_calibration *c) {
    int read = cli_numbers_read("--processes", c->processes_text, &c->processes,
                                &c->request.process_count);
    if (read != CLI_EXIT_OK) {
        return read;
    }
    c->request.processes = c->processes;
    for (size_t i = 0; i < c->request.process_count; i++) {
        double p = c->processes[i];
        if (p < 1 || p != floor(p) || p > 1e6) {
            return cli_usage_error(c->call.usage, "%g is not a number of processes", p);
        }
        if (campaign_site_is_oversubscribed(&c->request.site, p) && !c->oversubscribe) {
            return cli_usage_error(c->call.usage,
                                   "%g processes on %ld processors would measure the scheduler; "
                                   "--oversubscribe does it all the same, and labels the result",
                                   p, campaign_site_processors(&c->request.site));
        }
    }
    return CLI_EXIT_OK;
}

/* The probe of real machines. */
static int locate_probe(char **out) {
    *out = cli_locate_program("isocast-probe");
    return *out != NULL ? CLI_EXIT_OK
                        : cli_locate_lacks("calibrate", "isocast-probe", CLI_WITHOUT_MPI);
}

static int find_probe(cli_calibration *c) {
    int status = c->platform_name != NULL
                     ? cli_simulated_program(c->call.usage, "isocast-probe-simulated", &c->probe)
                     : locate_probe(&c->probe);
    c->request.site.probe = c->probe;
    return status;
}

/* The algorithm of --for, and the program that --command runs of it. */
static int load_algorithm(cli_calibration *c) {
    int status = c->algorithm_name != NULL
                     ? cli_load_apart(c->algorithm_name, NULL, c->call.common.quiet, &c->loaded)
                     : CLI_EXIT_OK;
    return status == CLI_EXIT_OK && cli_own_program_asked(&c->kernel.own)
               ? kernel_calibration_read(c->call.usage, c->call.common.output,
                                         c->platform_name != NULL, &c->loaded, &c->kernel)
               : status;
}

static void choose_for_algorithm(cli_calibration *c) {
    const isocast_algorithm *algorithm = c->loaded.algorithm;
    campaign_selection_want_algorithm(&c->selection, algorithm);
    if (c->platform_name == NULL && !cli_own_program_asked(&c->kernel.own)) {
        choice_report_kernel(&c->selection, algorithm, &c->campaign.listener);
    }
    c->weighting = (campaign_weighting){.algorithm = algorithm,
                                        .processes = c->processes,
                                        .process_count = c->request.process_count,
                                        .processors = c->request.site.node.processors};
    c->request.weighting = &c->weighting;
}

/* The simulator's probe runs under smpirun alone; that of real machines lists the same. */
static int list_measurables(cli_calibration *c) {
    char *probe = NULL;
    int status = locate_probe(&probe);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    status =
        cli_calibration_exit(c, campaign_probe_list(probe, &c->campaign.listener, &c->selection));
    free(probe);
    return status;
}

/* What is usual on a platform depends on it: its probe does not know. */
static int choose_operations(cli_calibration *c) {
    bool named = c->operations_text != NULL || c->algorithm_name != NULL;
    if (!named && c->platform_name == NULL) {
        return CLI_EXIT_OK;
    }
    int status = list_measurables(c);
    c->request.selection = &c->selection;
    if (status == CLI_EXIT_OK && c->algorithm_name != NULL) {
        choose_for_algorithm(c);
    } else if (status == CLI_EXIT_OK && named) {
        status = choice_by_names(c->call.usage, c->operations_text, &c->selection);
    }
    return status;
}

static int find_launcher(cli_calibration *c) {
    campaign_site *site = &c->request.site;
    node_describe(&site->node);
    int status = cli_launcher_find(c->call.usage, c->launcher_text, &c->launcher);
    site->launcher = c->launcher.command;
    site->processors = c->launcher.processors;
    return status;
}

static int read_counts(cli_calibration *c) {
    if (c->platform_name != NULL) {
        return read_systems(c);
    }
    long processors = campaign_site_processors(&c->request.site);
    if (processors > 2) {
        snprintf(c->all_processes, sizeof c->all_processes, "1..%ld*2,%ld", processors - 1,
                 processors);
    } else {
        snprintf(c->all_processes, sizeof c->all_processes, processors == 2 ? "1,%ld" : "%ld",
                 processors);
    }
    c->processes_text = c->processes_text != NULL ? c->processes_text : c->all_processes;
    return read_processes(c);
}

static int read_reference(cli_calibration *c) {
    return reference_read(c->call.usage, &c->request.site,
                          c->platform != NULL ? c->platform->hardware : NULL, c->oversubscribe,
                          &c->reference);
}

typedef int step(cli_calibration *c);

/* The steps, up to the first that fails. */
static int follow(cli_calibration *c, step *const *steps, size_t count) {
    int status = CLI_EXIT_OK;
    for (size_t i = 0; status == CLI_EXIT_OK && i < count; i++) {
        status = steps[i](c);
    }
    return status;
}

int cli_calibration_plan(cli_calibration *c) {
    step *const steps[] = {find_launcher,  read_counts, load_algorithm,
                           read_reference, find_probe,  choose_operations};
    return follow(c, steps, sizeof steps / sizeof steps[0]);
}

int cli_calibration_plan_program(cli_calibration *c) {
    step *const steps[] = {find_launcher, read_counts, load_algorithm};
    return follow(c, steps, sizeof steps / sizeof steps[0]);
}

void cli_calibration_free(cli_calibration *c) {
    cli_launcher_free(&c->launcher);
    reference_free(&c->reference);
    kernel_calibration_free(&c->kernel);
    cli_loaded_free(&c->loaded);
    free(c->probe);
    free(c->processes);
    isocast_systems_free(c->systems, c->system_count);
    campaign_simulation_free(&c->simulation);
    isocast_platform_free(c->platform);
    campaign_recorder_free(&c->recorder);
}
