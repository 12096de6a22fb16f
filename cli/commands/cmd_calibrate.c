/* isocast calibrate: runs the probe through the launcher, keeps its samples, fits a machine file.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calibrate/campaign/kernel_time.h"
#include "calibrate/campaign/machine_result.h"
#include "calibrate/campaign/simulated_launches.h"
#include "calibrate/campaign/twin.h"
#include "calibrate_plan.h"
#include "campaign.h"
#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/locate.h"
#include "cli/output/output.h"
#include "cli/output/render.h"
#include "command.h"
#include "model/base/text.h"
#include "model/spec/machine_load.h"
#include "model/spec/platform_load.h"
#include "platform_session.h"

/* What a twin of a machine is worth, as a report. */

static void add_columns(cli_report *report) {
    static const cli_column columns[] = {
        {.name = "operation", .kind = CLI_COLUMN_TEXT},
        {.name = "points", .kind = CLI_COLUMN_COUNT},
        {.name = "messages_alone", .heading = "messages alone", .kind = CLI_COLUMN_SHARE},
        {.name = "fitted", .kind = CLI_COLUMN_SHARE},
        {.name = "left_out", .heading = "left out", .kind = CLI_COLUMN_COUNT},
        {.name = "p", .kind = CLI_COLUMN_COUNT},
        {.name = "twin", .kind = CLI_COLUMN_SHARE},
        {.name = "formulas", .kind = CLI_COLUMN_SHARE},
        {.name = "better", .kind = CLI_COLUMN_TEXT}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
}

static bool is_compared(const campaign_twin_row *row) {
    return !isnan(row->twin) && !isnan(row->formulas);
}

static const char *better_of(const campaign_twin_row *row) {
    if (!is_compared(row)) {
        return NULL;
    }
    return campaign_twin_is_better(row) ? "twin" : "formulas";
}

static void add_row(cli_report *report, const char *name, const campaign_twin_row *row) {
    cli_report_text(report, name);
    cli_report_number(report, (double)row->points);
    cli_report_number(report, row->before);
    cli_report_number(report, row->after);
    cli_report_number(report, (double)row->held_points);
    cli_report_number(report, row->held_points > 0 ? row->held_p : NAN);
    cli_report_number(report, row->twin);
    cli_report_number(report, row->formulas);
    cli_report_text(report, better_of(row));
}

/* What was found by many messages at once. */
static void add_scales(cli_report *report, const campaign_twin *twin) {
    const fit_network_scales *scales = &twin->scales;
    cli_note(report,
             "A link carries %.3g messages at once at the rate of the fastest one. Latencies%s "
             "count %.3g times. Collectives: %s.",
             scales->capacity, twin->network.has_between ? "" : " between nodes, as within one,",
             scales->latency, isocast_collectives_name(twin->collectives));
    if (isfinite(scales->node)) {
        cli_note(report,
                 "A node carries %.3g messages within it at once at the rate of the fastest one.",
                 scales->node);
    } else if (scales->memory != 1) {
        cli_note(report, "Bytes within a node count %.3g times.", scales->memory);
    }
}

static void add_verdict(cli_report *report, const campaign_twin *twin) {
    if (!twin->searched) {
        cli_note(report, "No collective was measured whose placement is known. The twin has "
                         "messages between two processes alone.");
    } else if (is_compared(&twin->all)) {
        cli_note(report, "On the most processes, which nothing was fitted to, the %s. Use %s.",
                 campaign_twin_is_better(&twin->all)
                     ? "twin is nearer to the timings than formulas"
                     : "formulas are nearer to the timings than the twin",
                 campaign_twin_is_better(&twin->all) ? "predict --platform with the twin"
                                                     : "the machine file");
    } else {
        cli_note(report, twin->held_simulated
                             ? "The timings have no formula to compare the twin with."
                             : "The twin was not tested on more processes than it was fitted to: "
                               "there are no such timings, or no time to simulate them.");
    }
    CLI_NOTE_IF(twin->ended_early, report,
                "The budget ended the search: more --budget may give a better twin.");
}

/* A row for each operation, one for all collectives, and in words which to use. Free with
 * cli_report_free(). */
static cli_report *report_twin(const campaign_twin *twin, const isocast_machine *machine) {
    cli_report *report = cli_report_create();
    cli_report_title(report, "A twin of %s: relative errors of simulated times, medians",
                     machine->name);
    add_columns(report);
    for (size_t i = 0; i < twin->row_count; i++) {
        const campaign_twin_row *row = &twin->rows[i];
        add_row(report, isocast_known_operations[row->operation].name, row);
    }
    add_row(report, "all collectives", &twin->all);
    cli_note(report, "messages alone: with messages between two processes fitted; fitted: with "
                     "collectives, too. left out: points on p processes, which nothing was fitted "
                     "to; twin and formulas are the errors there.");
    add_scales(report, twin);
    cli_note(report,
             "%zu sets of parameters were tried; %zu simulations were run, %zu results came from "
             "the cache.",
             twin->evaluations, twin->launches, twin->cached);
    add_verdict(report, twin);
    return report;
}

/* So many nodes of each class the platform has, where nothing else is asked for: those that a
 * prediction does not use cost nothing. */
static const long nodes_usual = 1024;

/* What of the rest of the command line it takes. */
typedef struct cli_twin_setting {
    const cli_call *call;
    const char *name;    /* of the platform; NULL: the machine's name and -twin */
    const char *command; /* the command line, for the file */
    double budget;       /* s */
} cli_twin_setting;

/* A twin on its way. */
typedef struct twin_making {
    const cli_twin *options;
    const cli_twin_setting *setting;
    cli_campaign campaign;
    cli_loaded loaded; /* the machine */
    char *probe;
    campaign_point_cache cache;
    campaign_twin_timings timings;
    campaign_twin twin;
    isocast_diagnostics diagnostics;
} twin_making;

/* Refuses options that only go with --twin, where it is not given; `simulates`: what else is asked
 * for keeps simulated times, too. Gives an exit status. */
static int twin_check(const cli_usage *usage, const cli_twin *twin, bool simulates) {
    if (twin->machine == NULL && twin->nodes >= 0) {
        return cli_usage_error(usage, "--nodes goes with --twin");
    }
    if (twin->machine == NULL && !simulates && cli_cache_given(twin->cache, twin->no_cache)) {
        return cli_usage_error(usage, "--cache and --no-cache go with --twin, and with --command "
                                      "on a platform");
    }
    return twin->nodes != 0 ? cli_cache_check(usage, twin->cache, twin->no_cache)
                            : cli_usage_error(usage, "--nodes must be above 0");
}

static int load(const cli_usage *usage, twin_making *c) {
    bool quiet = c->setting->call->common.quiet;
    isocast_status status = ISOCAST_OK;
    int located = cli_locate_spec(CLI_SPEC_MACHINE, c->options->machine, &c->loaded.machine_path);
    if (located != CLI_EXIT_OK) {
        return located;
    }
    status = isocast_machine_load(c->loaded.machine_path, &c->diagnostics, &c->loaded.machine);
    CLI_THEN(status, campaign_twin_timings_load(c->loaded.machine, c->loaded.machine_path,
                                                &c->diagnostics, &c->timings));
    status = cli_diagnostics_report(&c->diagnostics, quiet, status);
    return status == ISOCAST_OK ? cli_simulated_program(usage, "isocast-probe-simulated", &c->probe)
                                : cli_exit_of(status);
}

static int make(twin_making *c) {
    const isocast_machine *machine = c->loaded.machine;
    isocast_buffer name = {0};
    isocast_buffer_printf(&name, "%s-twin", machine->name);
    if (name.failed) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    long nodes = c->options->nodes > 0 ? c->options->nodes : nodes_usual;
    const campaign_twin_request request = {.machine = machine,
                                           .timings = &c->timings,
                                           .probe = c->probe,
                                           .version = ISOCAST_VERSION,
                                           .command = c->setting->command,
                                           .source = c->loaded.machine_path,
                                           .name = c->setting->name != NULL ? c->setting->name
                                                                            : name.text,
                                           .cache = &c->cache,
                                           .listener = &c->campaign.listener,
                                           .budget = c->setting->budget,
                                           .nodes = (double)nodes};
    cli_interrupts_catch();
    cli_cache_open(c->options->cache, c->options->no_cache, &c->campaign.listener, &c->cache);
    isocast_status status = campaign_twin_make(&request, &c->twin);
    isocast_buffer_free(&name);
    return cli_campaign_exit(&c->campaign, &c->diagnostics,
                             status == ISOCAST_ARGUMENT ? ISOCAST_INVALID : status);
}

static int write_twin(twin_making *c) {
    cli_output outputs[2] = {{.path = c->setting->call->common.output, .text = c->twin.text}, {0}};
    c->twin.text = (isocast_buffer){0};
    cli_report *report = report_twin(&c->twin, c->loaded.machine);
    cli_reports_render(&report, 1, &c->setting->call->common, &outputs[1].text);
    return cli_outputs_write(outputs, 2);
}

/* Writes the platform file to the output, and what it is worth to standard output. Gives an exit
 * status. */
static int twin_make(const cli_twin *twin, const cli_twin_setting *setting) {
    twin_making c = {.options = twin, .setting = setting};
    cli_campaign_begin(setting->call, &c.campaign);
    int status = load(setting->call->usage, &c);
    CLI_THEN(status, make(&c));
    CLI_THEN(status, write_twin(&c));
    campaign_twin_free(&c.twin);
    campaign_twin_timings_free(&c.timings);
    cli_loaded_free(&c.loaded);
    free(c.probe);
    return status;
}

/* A calibration, and what it learns of the platform. */
typedef struct learning {
    const cli_calibration *c;
    campaign_subject subject;
} learning;

/* The sizes that are run on each system; before anything is known, what the systems call. */
static isocast_status need(void *context, bool first) {
    const learning *l = context;
    const cli_calibration *c = l->c;
    const size_t sizes = first ? 1 : c->kernel.size_count;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < c->system_count; i++) {
        for (size_t k = 0; k < sizes && status == ISOCAST_OK; k++) {
            status = campaign_subject_need(&l->subject, c->systems[i],
                                           first ? NAN : c->kernel.sizes[k], NULL);
        }
    }
    return status;
}

/* Runs the program; *text gets the platform file with its time per flop. */
static isocast_status measure_kernel(cli_calibration *c, const learning *l, isocast_buffer *text) {
    const campaign_run_points points =
        cli_kernel_calibration_points(&c->kernel, c->systems, c->system_count);
    const campaign_kernel_setup setup = {.listener = &c->campaign.listener,
                                         .kernel = c->kernel.kernel,
                                         .seed = c->request.seed,
                                         .machine = c->platform->hardware,
                                         .own = &c->kernel.own.program,
                                         .simulation = &c->simulation};
    const campaign_kernel_time_request request = {.setup = &setup,
                                                  .algorithm =
                                                      isocast_model_algorithm(l->subject.model),
                                                  .text = l->subject.machine->tree->source,
                                                  .points = &points,
                                                  .runs_path = c->kernel.runs_path};
    isocast_buffer entry = {0};
    isocast_platform *read = NULL;
    isocast_status status = campaign_kernel_time_measure(&request, &c->diagnostics, &entry);
    CLI_THEN(status,
             campaign_kernel_entry_put(c->platform->hardware->tree, c->loaded.algorithm->kernel,
                                       entry.text, &c->diagnostics, text));
    if (status == ISOCAST_OK) {
        /* A file in a form that lines cannot be added to is not written. */
        status = isocast_platform_read_text(c->call.common.output, text->text, text->length,
                                            &c->diagnostics, &read);
    }
    isocast_platform_free(read);
    isocast_buffer_free(&entry);
    return status;
}

static int learn(cli_calibration *c, learning *l) {
    const cli_platform_texts texts = {.platform = c->platform_name,
                                      .cache = c->twin.cache,
                                      .no_cache = c->twin.no_cache,
                                      .budget = c->request.budget};
    cli_platform_question question = {.need = need, .context = l};
    return cli_platform_learn(&c->call, &texts, &question, &l->subject, 1);
}

/* Plans, learns what the algorithm calls on the systems at the sizes, runs the program, and writes
 * the platform file with the time per flop under `compute`; the runs go beside it. Gives an exit
 * status; reports on stderr. */
static int add_simulated(cli_calibration *c) {
    isocast_buffer text = {0};
    int status = cli_calibration_plan_program(c);
    if (status == CLI_EXIT_OK) {
        c->simulation.own_speed = cli_own_program_speed(
            c->call.usage, &c->kernel.own, c->platform->hardware, c->call.common.quiet);
    }
    learning l = {.c = c,
                  .subject = {.algorithm = c->loaded.algorithm,
                              .platform = c->platform,
                              .name = c->platform_name}};
    cli_platform_program program = {0};
    if (status == CLI_EXIT_OK) {
        cli_platform_program_find(&c->loaded, &program);
        cli_platform_program_take(&program, &l.subject);
        status = learn(c, &l);
    }
    if (status == CLI_EXIT_OK) {
        cli_interrupts_catch();
        status = cli_calibration_exit(c, measure_kernel(c, &l, &text));
    }
    if (status == CLI_EXIT_OK) {
        status = cli_output_write_text(c->call.common.output, &text);
        text = (isocast_buffer){0};
    }
    isocast_buffer_free(&text);
    campaign_subject_free(&l.subject);
    cli_platform_program_free(&program);
    return status;
}

/* The samples' file: beside the machine file, unless --samples names another. */
static int open_samples(cli_calibration *c) {
    isocast_buffer path = {0};
    if (c->samples_path != NULL) {
        isocast_buffer_puts(&path, c->samples_path);
    } else {
        cli_beside_output(c->call.common.output, c->call.usage->beside, &path);
    }
    snprintf(c->plans_path, sizeof c->plans_path, "%.4080s.plans",
             path.text != NULL ? path.text : "");
    c->request.plans = c->plans_path;
    isocast_status opened =
        path.failed
            ? ISOCAST_NO_MEMORY
            : campaign_sample_file_open(path.text, c->resume, &c->campaign.listener,
                                        &c->diagnostics, &c->recorder.samples, &c->recorder.file);
    isocast_buffer_free(&path);
    return cli_calibration_exit(c, opened);
}

/* What a calibration that goes on must have in common with the one that was interrupted. */
static int note_plan(cli_calibration *c) {
    char plan[1024];
    snprintf(plan, sizeof plan, "%s %s; seed %ld; %s",
             c->platform_name != NULL ? c->platform_name : "processes",
             c->platform_name != NULL ? c->systems_text : c->processes_text, c->request.seed,
             c->algorithm_name != NULL    ? c->algorithm_name
             : c->operations_text != NULL ? c->operations_text
                                          : "usual operations");
    isocast_buffer earlier = {0};
    isocast_status noted = campaign_recorder_note_plan(&c->recorder, plan, &earlier);
    int status = cli_calibration_exit(c, noted);
    if (noted == ISOCAST_ARGUMENT) {
        status =
            cli_usage_error(c->call.usage, "--resume: the calibration to go on with has %s, not %s",
                            earlier.text != NULL ? earlier.text : "", plan);
    }
    isocast_buffer_free(&earlier);
    return status;
}

/* What the samples were measured on and how, at the head of their file. */
static int note_environment(cli_calibration *c) {
    const campaign_site *site = &c->request.site;
    char seed[32];
    snprintf(seed, sizeof seed, "%ld", c->request.seed);
    const struct {
        const char *key;
        const char *value;
    } facts[] = {{"isocast", ISOCAST_VERSION},
                 {"date", c->date},
                 {"command", c->command},
                 {"seed", seed},
                 {"processor", site->node.model},
                 {"system", site->node.kernel},
                 {"governor", site->node.governor},
                 {"launcher", site->launcher != NULL ? site->launcher : LAUNCHER_DEFAULT}};
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < sizeof facts / sizeof facts[0]; i++) {
        status = campaign_recorder_note(&c->recorder, facts[i].key, facts[i].value);
    }
    return cli_calibration_exit(c, status);
}

static bool was_oversubscribed(const cli_calibration *c) {
    for (size_t i = 0; i < c->request.process_count; i++) {
        if (campaign_site_is_oversubscribed(&c->request.site, c->processes[i])) {
            return true;
        }
    }
    return false;
}

/* Fits the samples, writes the machine file, and then shows what came out. */
static int write_machine(cli_calibration *c) {
    char host[64] = "here";
    gethostname(host, sizeof host - 1);
    const char *otherwise = c->platform != NULL ? c->platform->hardware->name : host;
    campaign_machine_facts facts = {.name = c->name != NULL ? c->name : otherwise,
                                    .date = c->date,
                                    .version = ISOCAST_VERSION,
                                    .command = c->command,
                                    .node = c->request.site.node,
                                    .platform = c->platform,
                                    .system_count = c->system_count,
                                    .seed = c->request.seed,
                                    .oversubscribed = was_oversubscribed(c),
                                    .others = c->others};
    campaign_machine machine = {.t_c = NAN};
    isocast_buffer text = {0};
    int status =
        cli_calibration_exit(c, campaign_machine_fit(&c->recorder, c->platform != NULL, &machine));
    if (status == CLI_EXIT_OK) {
        campaign_machine_write(&machine, &facts, &c->recorder, &text);
        status = cli_calibration_exit(
            c, cli_reference_append(&c->reference, &c->campaign.listener, &text));
    }
    CLI_THEN(status, cli_output_write_text(c->call.common.output, &text));
    if (status == CLI_EXIT_OK) {
        campaign_machine_report(&machine, &facts, &c->recorder);
        if (c->algorithm_name != NULL) {
            cli_choice_report_unmeasured(&c->selection, c->loaded.algorithm, &machine.fit,
                                         c->platform != NULL, &c->campaign.listener);
        }
    }
    campaign_machine_free(&machine);
    return status;
}

/* Adds the time per flop of the user's program to the machine file: that of --machine, or the one
 * that was just written, which stays where the program fails. Does nothing where no program is
 * asked for. Gives an exit status; reports on stderr. */
static int add_kernel(cli_calibration *c) {
    if (!cli_own_program_asked(&c->kernel.own)) {
        return CLI_EXIT_OK;
    }
    const cli_kernel_site at = {.site = &c->request.site,
                                .listener = &c->campaign.listener,
                                .algorithm = c->loaded.algorithm,
                                .processes = c->processes,
                                .count = c->request.process_count,
                                .seed = c->request.seed};
    isocast_buffer text = {0};
    cli_interrupts_catch();
    int status =
        cli_kernel_calibration_load(&c->kernel, c->call.common.output, c->call.common.quiet, &text);
    CLI_THEN(status, cli_calibration_exit(c, cli_kernel_calibration_measure(
                                                 &c->kernel, &at, &c->diagnostics, &text)));
    if (status == CLI_EXIT_OK) {
        return cli_output_write_text(c->call.common.output, &text);
    }
    isocast_buffer_free(&text);
    return status;
}

static isocast_status measure_samples(cli_calibration *c) {
    return c->platform != NULL
               ? campaign_calibrate_simulated(c->probe, c->request.selection, c->request.budget,
                                              &c->simulation, c->systems, c->system_count,
                                              &c->recorder, &c->diagnostics)
               : campaign_calibrate(&c->request, &c->recorder, &c->others);
}

/* Whatever ends the measuring, what it gave is kept. */
static int measure(cli_calibration *c) {
    time_t now = time(NULL);
    struct tm utc;
    strftime(c->date, sizeof c->date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    cli_interrupts_catch();
    int status = note_plan(c);
    CLI_THEN(status, note_environment(c));
    CLI_THEN(status, cli_calibration_exit(c, measure_samples(c)));
    unlink(c->plans_path);
    if (status == CLI_EXIT_OK) {
        status = cli_calibration_exit(c, campaign_sample_file_finish(&c->recorder.file));
    } else if (status != CLI_EXIT_USAGE) {
        campaign_sample_file_keep(&c->recorder.file);
    }
    return status;
}

/* The budget is a promise; where it was not kept the user learns why. */
static void report_budget(const cli_calibration *c) {
    static const double kept_within = 1.1;
    double taken = campaign_clock() - c->request.started;
    size_t launches = c->recorder.progress.launches;
    if (c->platform_name == NULL && !c->resume && taken > kept_within * c->request.budget &&
        launches > 0) {
        fprintf(
            stderr,
            "isocast calibrate: took %.0f s of a budget of %.0f s: %zu launches do not fit into "
            "it; give more time or fewer --launches\n",
            taken, c->request.budget, launches);
    }
}

static int measure_reference(cli_calibration *c) {
    return cli_calibration_exit(
        c, cli_reference_measure(&c->request.site, c->platform != NULL ? &c->simulation : NULL,
                                 &c->campaign.listener, &c->reference));
}

/* Measures what was planned and writes the machine file. Gives an exit status; reports on stderr.
 * Whatever ends it, the samples are kept. */
static int measure_machine(cli_calibration *c) {
    int status = open_samples(c);
    CLI_THEN(status, measure(c));
    bool measured = status == CLI_EXIT_OK;
    if (measured) {
        status = measure_reference(c);
    }
    CLI_THEN(status, write_machine(c));
    if (measured && status != CLI_EXIT_OK) {
        fprintf(stderr, "isocast calibrate: the samples are in %s\n", c->recorder.file.path);
    }
    return status;
}

static const cli_usage usage = {
    .command = "calibrate",
    .arguments = "",
    .summary = "Measures communication and the kernels' time per flop on this machine and writes a "
               "machine file; the raw samples go to a file beside it.",
    .details = "Examples:\n"
               "  isocast calibrate -o here.yaml\n"
               "  isocast calibrate --platform sunwulf --systems C2,C4,C8 -o simulated.yaml\n"
               "  isocast calibrate --processes 1,2 --launches 8 --budget 60s -o here.yaml\n"
               "  isocast calibrate --command './jacobi {N}' --for jacobi.yaml \\\n"
               "      --sizes 400,800,1600 --machine here.yaml -o here.yaml\n"
               "  isocast calibrate --command './jacobi-simulated {N}' --for jacobi.yaml \\\n"
               "      --platform ethernet-128 --systems 16 -o with-jacobi.yaml\n"
               "  isocast calibrate --twin here.yaml -o here-twin.yaml",
    .output =
        "the machine file to write; it appears whole or not at all. This option is required, and "
        "takes a file. The samples go beside it",
    .beside = ".samples.csv",
    .fewest = 0,
    .most = 0};

/* s; simulations of what an algorithm calls may take as long as those of predict --platform. */
static const double budget_usual = 60;
static const double budget_simulated = 600;

static int calibrate(cli_calibration *c) {
    if (c->twin.machine != NULL) {
        const cli_twin_setting setting = {&c->call, c->name, c->command, c->request.budget};
        return twin_make(&c->twin, &setting);
    }
    if (c->platform_name != NULL && cli_own_program_asked(&c->kernel.own)) {
        return add_simulated(c);
    }
    bool adds = c->kernel.machine_name != NULL;
    int status = adds ? cli_calibration_plan_program(c) : cli_calibration_plan(c);
    if (status == CLI_EXIT_OK && !adds) {
        status = measure_machine(c);
        report_budget(c);
    }
    return status == CLI_EXIT_OK ? add_kernel(c) : status;
}

/* The command line as it was given, for the machine file. */
static char *join_arguments(const cli_call *call) {
    isocast_buffer text = {0};
    isocast_buffer_puts(&text, "isocast");
    for (int i = 0; i < call->argc; i++) {
        isocast_buffer_printf(&text, " %s", call->argv[i]);
    }
    return isocast_buffer_take(&text);
}

static int check_options(const cli_calibration *c) {
    bool simulated = c->platform_name != NULL;
    if (c->call.common.output == NULL || strcmp(c->call.common.output, "-") == 0) {
        return cli_usage_error(&usage, "-o MACHINE.yaml is needed: the samples go beside it");
    }
    if (simulated != (c->systems_text != NULL)) {
        return cli_usage_error(
            &usage,
            simulated ? "--platform also needs --systems: what to simulate, such as --systems 2,4,8"
                      : "--systems goes with --platform; a measurement takes --processes");
    }
    if (simulated && (c->processes_text != NULL || c->launcher_text != NULL)) {
        return cli_usage_error(&usage, "a simulation takes --systems, not --processes, and "
                                       "starts by itself");
    }
    if (c->algorithm_name != NULL && c->operations_text != NULL) {
        return cli_usage_error(&usage, "--for and --operations exclude each other");
    }
    if (simulated && c->resume) {
        return cli_usage_error(&usage, "a simulation takes seconds; --resume is for measuring");
    }
    if (c->launches == 0 || !(c->request.budget > 0)) {
        return cli_usage_error(&usage, "--launches and --budget must be above 0");
    }
    bool measures = c->platform_name != NULL || c->processes_text != NULL ||
                    c->algorithm_name != NULL || c->operations_text != NULL ||
                    c->reference.text != NULL || c->samples_path != NULL || c->resume ||
                    c->launcher_text != NULL || c->oversubscribe || c->kernel.own.command != NULL ||
                    c->kernel.machine_name != NULL;
    if (c->twin.machine != NULL && measures) {
        return cli_usage_error(&usage, "--twin measures nothing: it goes with --name, --nodes, "
                                       "--budget, --cache and --no-cache alone");
    }
    int twin = twin_check(&usage, &c->twin, simulated && c->kernel.own.command != NULL);
    if (twin != CLI_EXIT_OK) {
        return twin;
    }
    int kernel = cli_kernel_calibration_check(&usage, &c->kernel, c->algorithm_name,
                                              c->operations_text, c->platform_name);
    if (kernel != CLI_EXIT_OK) {
        return kernel;
    }
    unsigned code;
    size_t length = c->name != NULL ? strlen(c->name) : 0;
    if (length > 0 && isocast_text_find_control(c->name, length, &code) < length) {
        return cli_usage_error(&usage, "--name holds a control character");
    }
    return CLI_EXIT_OK;
}

static int run(void *context) {
    cli_calibration *c = context;
    cli_campaign_begin(&c->call, &c->campaign);
    c->recorder.listener = &c->campaign.listener;
    if (isnan(c->request.budget)) {
        bool runs_own = c->kernel.own.command != NULL;
        c->request.budget = c->platform_name == NULL ? budget_usual
                            : runs_own               ? budget_simulated
                                                     : INFINITY;
    }
    int status = check_options(c);
    CLI_THEN(status, cli_output_check(c->call.common.output));
    char *command = join_arguments(&c->call);
    if (status == CLI_EXIT_OK) {
        c->request.launches = c->launches > 0 ? c->launches : 0;
        c->command = command;
        status = command != NULL ? calibrate(c) : cli_exit_of(ISOCAST_NO_MEMORY);
    }
    free(command);
    cli_calibration_free(c);
    return status;
}

int cmd_calibrate(int argc, char **argv) {
    cli_calibration c = {.request = {.seed = 1, .budget = NAN, .started = campaign_clock()},
                         .recorder = {.file = {.file = -1}},
                         .kernel = {.repetitions = -1},
                         .twin = {.nodes = -1},
                         .launches = -1,
                         .others = NAN};
    const cli_option options[] = {
        {"--processes", 0, CLI_OPTION_TEXT, "LIST",
         "numbers of processes to measure with (default: 1, 2, 4 and so on, and all processors)",
         &c.processes_text},
        {"--platform", 0, CLI_OPTION_INPUT, "PLATFORM",
         "calibrate this platform in simulation, instead of this machine", &c.platform_name},
        {"--systems", 0, CLI_OPTION_TEXT, "LIST", "systems of the platform to simulate",
         &c.systems_text},
        {"--twin", 0, CLI_OPTION_INPUT, "MACHINE",
         "measure nothing: write a platform file that behaves in simulation as the timings of this "
         "machine file say, and compare it with formulas",
         &c.twin.machine},
        {"--nodes", 0, CLI_OPTION_COUNT, "N",
         "nodes of each class in the platform of --twin (default: 1024)", &c.twin.nodes},
        {"--cache", 0, CLI_OPTION_TEXT, "FOLDER",
         "with --twin, and with --command on a platform: keep simulated times there (default: "
         "isocast in $XDG_CACHE_HOME, or in ~/.cache)",
         &c.twin.cache},
        {"--no-cache", 0, CLI_OPTION_FLAG, NULL, "likewise: simulate all again, and keep nothing",
         &c.twin.no_cache},
        {"--for", 0, CLI_OPTION_INPUT, "ALGORITHM",
         "measure what this algorithm's formulas need, and spend most time where its prediction is "
         "least certain",
         &c.algorithm_name},
        {"--command", 0, CLI_OPTION_TEXT, "COMMAND",
         "also run this MPI program of the algorithm of --for, on one process and more up to a "
         "full node, and keep the time per flop of its kernel; its time is not part of the budget. "
         "With --platform: run it in simulation on --systems, and write the platform file with "
         "that time per flop, and nothing else",
         &c.kernel.own.command},
        /* No CLI_OPTION_INPUT: -o may be the same file, which is only added to. */
        {"--machine", 0, CLI_OPTION_TEXT, "MACHINE",
         "with --command: add the time per flop to this machine file, and measure nothing else",
         &c.kernel.machine_name},
        {"--sizes", 0, CLI_OPTION_TEXT, "LIST",
         "sizes N to run --command with (default: 200..1600*2)", &c.kernel.sizes_text},
        {"--set", 0, CLI_OPTION_LIST, "NAME=VALUE",
         "what {NAME} stands for in --command, and the algorithm's size, parameter or definition "
         "of "
         "that name; may be given several times",
         &c.kernel.own.settings},
        {"--repetitions", 0, CLI_OPTION_COUNT, "R",
         "runs of --command at each size (default: 5, and up to 60 where something else slowed "
         "some)",
         &c.kernel.repetitions},
        {"--time", 0, CLI_OPTION_TEXT, "WHAT",
         "the time of --command, as in measure: run, region, or a regular expression (default: "
         "run)",
         &c.kernel.own.time},
        {"--folder", 0, CLI_OPTION_TEXT, "FOLDER",
         "folder that --command works in (default: this one)", &c.kernel.own.folder},
        {"--environment", 0, CLI_OPTION_LIST, "NAME=VALUE",
         "variable of the environment of --command; may be given several times",
         &c.kernel.own.environment},
        {"--own-speed", 0, CLI_OPTION_SPEED, "SPEED",
         "with --command and --platform: speed of this machine, as in measure (default: the "
         "platform's)",
         &c.kernel.own.speed},
        {"--operations", 0, CLI_OPTION_TEXT, "LIST",
         "operations and kernels to measure: names, usual (those that the shipped algorithms "
         "need), or all (default: usual)",
         &c.operations_text},
        {"--reference", 0, CLI_OPTION_TEXT, "SETS",
         "also measure R_f of these processor sets (1x2,2x1,1x2+2x1), with a reference program "
         "that does the same on every process; its time is not part of the budget",
         &c.reference.text},
        {"--ratio", 0, CLI_OPTION_NUMBER, "R",
         "flop that the reference program does for each byte that it sends (default: 100)",
         &c.reference.ratio},
        {"--launches", 0, CLI_OPTION_COUNT, "K",
         "independent launches; their spread is part of every error (default: as many as fit the "
         "budget)",
         &c.launches},
        {"--budget", 0, CLI_OPTION_TIME, "TIME",
         "how long the whole command takes; on a platform all simulations, which are ended then, "
         "with --command but those of the program (default: 60s; 10 min with --command on a "
         "platform; none with --platform alone)",
         &c.request.budget},
        {"--seed", 0, CLI_OPTION_COUNT, "S", "seed of the random order of measuring (default: 1)",
         &c.request.seed},
        {"--samples", 0, CLI_OPTION_OUTPUT, "FILE",
         "where the raw samples go (default: beside the machine file)", &c.samples_path},
        {"--launcher", 0, CLI_OPTION_TEXT, "LAUNCHER", CLI_LAUNCHER_HELP, &c.launcher_text},
        {"--name", 0, CLI_OPTION_TEXT, "NAME", "name of the machine (default: this host's name)",
         &c.name},
        {"--resume", 0, CLI_OPTION_FLAG, NULL,
         "go on with a calibration that was interrupted; give the same other options", &c.resume},
        {"--oversubscribe", 0, CLI_OPTION_FLAG, NULL,
         "allow more processes than processors; the file says so", &c.oversubscribe},
        {0}};
    return cli_call_run(&usage, options, argc, argv, &c.call, run, &c);
}
