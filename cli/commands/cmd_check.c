/* isocast check: every problem of algorithm, machine and platform files, alone and bound together.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/campaign/event.h"
#include "calibrate/campaign/recheck.h"
#include "campaign.h"
#include "cli/options/exit.h"
#include "cli/options/launcher_option.h"
#include "cli/options/load.h"
#include "cli/options/locate.h"
#include "cli/options/options.h"
#include "cli/options/spec_kind.h"
#include "cli/output/output.h"
#include "cli/output/render.h"
#include "command.h"
#include "model/offers/offers_file.h"
#include "model/solve/model.h"
#include "model/solve/negatives.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/algorithm_program.h"
#include "model/spec/machine_load.h"
#include "model/spec/platform.h"
#include "model/spec/platform_factors.h"
#include "model/spec/platform_load.h"
#include "model/spec/unknown_operations.h"

/* Whether a machine file still describes a machine, as a report. */

static void add_columns(cli_report *report) {
    static const cli_column columns[] = {
        {.name = "operation", .kind = CLI_COLUMN_TEXT},
        {.name = "p", .kind = CLI_COLUMN_COUNT},
        {.name = "m", .unit = "B", .kind = CLI_COLUMN_COUNT},
        {.name = "predicted", .unit = "s", .kind = CLI_COLUMN_NUMBER, .compared = 1},
        {.name = "measured", .unit = "s", .kind = CLI_COLUMN_NUMBER, .compared = 1},
        {.name = "ratio", .kind = CLI_COLUMN_NUMBER, .digits = 3},
        {.name = "ratio_low", .heading = "from", .kind = CLI_COLUMN_NUMBER, .digits = 3},
        {.name = "ratio_high", .heading = "to", .kind = CLI_COLUMN_NUMBER, .digits = 3},
        {.name = "status", .kind = CLI_COLUMN_TEXT}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
}

static const char *word_of(campaign_recheck_place place) {
    static const char *const words[] = {[CAMPAIGN_RECHECK_INSIDE] = "ok",
                                        [CAMPAIGN_RECHECK_OUTSIDE] = "outside",
                                        [CAMPAIGN_RECHECK_WIDE] = "wide"};
    return words[place];
}

/* A row for each point, and the verdict below. Free with cli_report_free(). */
static cli_report *report_recheck(const campaign_recheck *r, const isocast_machine *machine) {
    cli_report *report = cli_report_create();
    cli_report_title(report, "%s, as its file says and as it is now", machine->name);
    add_columns(report);
    for (size_t i = 0; i < r->count; i++) {
        const campaign_recheck_point *point = &r->points[i];
        cli_report_text(report, point->name);
        const double numbers[] = {point->p,
                                  point->m,
                                  point->predicted,
                                  point->measured,
                                  point->measured / point->predicted,
                                  campaign_recheck_low(point),
                                  campaign_recheck_high(point)};
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
            cli_report_number(report, numbers[k]);
        }
        cli_report_text(report, word_of(campaign_recheck_place_of(point)));
    }
    cli_note(report, "Kernels: seconds of a flop at the working set m. The band from-to holds 99 "
                     "%% of what errors and launches let expect of the ratio.");
    CLI_NOTE_IF(r->reporting < r->count, report,
                "wide: the band is so wide that a point inside it shows nothing.");
    cli_note(report, "%zu of %zu points are outside: the file %s this machine.", r->outside,
             r->reporting,
             r->verdict == CAMPAIGN_RECHECK_HOLDS ? "still describes" : "no longer describes");
    return report;
}

/* The command line. */
typedef struct command_line {
    cli_call call;
    bool together;
    bool formulas;
    cli_settings settings;
    const char *machine_name; /* NULL: files are checked */
    const char *launcher;     /* NULL: the default */
    double budget;            /* s */
    double started;           /* s of campaign_clock() */
} command_line;

/* The table, where it can be reported whether the file holds; else why not. */
static int write_result(const command_line *a, const isocast_machine *machine,
                        const campaign_recheck *result) {
    switch (result->verdict) {
    case CAMPAIGN_RECHECK_NOT_COVERED:
        fputs("isocast check: the machine file has no operation that was measured now within the "
              "sizes and processes that it covers\n",
              stderr);
        return CLI_EXIT_SYSTEM;
    case CAMPAIGN_RECHECK_UNSTEADY:
        fputs("isocast check: launches differ so much, now or in the file, that it is not known; "
              "measure when the machine is quiet\n",
              stderr);
        return CLI_EXIT_SYSTEM;
    case CAMPAIGN_RECHECK_HOLDS:
    case CAMPAIGN_RECHECK_FAILS:
        break;
    }
    cli_report *table = report_recheck(result, machine);
    int status = cli_reports_write(&table, 1, &a->call.common);
    if (status == CLI_EXIT_OK && result->verdict == CAMPAIGN_RECHECK_FAILS) {
        fprintf(stderr,
                "isocast check: %zu of %zu points are outside their bands: %s no longer describes "
                "this machine\n",
                result->outside, result->reporting, a->machine_name);
        status = CLI_EXIT_CHECK_FAILED;
    }
    return status;
}

static int report(const command_line *a, const isocast_machine *machine, const samples *s) {
    campaign_recheck result;
    int status = cli_exit_of(campaign_recheck_make(machine, s, &result));
    CLI_THEN(status, write_result(a, machine, &result));
    campaign_recheck_free(&result);
    return status;
}

static int measure(const command_line *a, const char *probe, const isocast_machine *machine,
                   const cli_launcher *launcher) {
    cli_campaign campaign;
    cli_campaign_begin(&a->call, &campaign);
    campaign_site site = {
        .probe = probe, .launcher = launcher->command, .processors = launcher->processors};
    node_describe(&site.node);
    campaign_recorder recorder = {.listener = &campaign.listener, .file = {.file = -1}};
    cli_interrupts_catch();
    isocast_status measured =
        campaign_recheck_measure(machine, &site, a->budget, a->started, &recorder);
    isocast_diagnostics diagnostics = {0};
    int status = cli_campaign_exit(&campaign, &diagnostics, measured);
    if (measured == ISOCAST_ARGUMENT) {
        status = cli_usage_error(a->call.usage,
                                 "--against-machine: %s has no operation that can be measured",
                                 a->machine_name);
    }
    CLI_THEN(status, report(a, machine, &recorder.samples));
    campaign_recorder_free(&recorder);
    return status;
}

/* Measures, and writes the table. CLI_EXIT_OK where the file holds, CLI_EXIT_CHECK_FAILED where it
 * does not, another exit status where that cannot be reported, which is said on stderr. */
static int check_against_machine(const command_line *a) {
    cli_loaded loaded = {0};
    int status = cli_load_machine(a->machine_name, a->call.common.quiet, &loaded);
    if (status == CLI_EXIT_OK && loaded.machine->simulated) {
        status = cli_usage_error(a->call.usage,
                                 "--against-machine: %s was calibrated in simulation, and says "
                                 "nothing of this machine",
                                 a->machine_name);
    }
    char *probe = cli_locate_program("isocast-probe");
    if (status == CLI_EXIT_OK && probe == NULL) {
        status = cli_locate_lacks("check", "isocast-probe", CLI_WITHOUT_MPI);
    }
    cli_launcher launcher = {0};
    CLI_THEN(status, cli_launcher_find(a->call.usage, a->launcher, &launcher));
    CLI_THEN(status, measure(a, probe, loaded.machine, &launcher));
    cli_launcher_free(&launcher);
    free(probe);
    cli_loaded_free(&loaded);
    return status;
}

static const cli_usage usage = {
    .command = "check",
    .arguments = "FILE...",
    .summary = "Reports every problem of algorithm, machine, platform and offers files as "
               "file:line:column "
               "with the source line and a caret. A FILE may also be the name of an installed "
               "one; - is standard input.",
    .details = "The key 'algorithm', 'machine', 'platform' or 'offers' states what a file is. "
               "Of offers the machine and algorithm files that they name are checked, too. "
               "Problems go to standard error; the exit status is 3 where a file has a problem. "
               "A value of --set goes to each file that has something of its name.\n"
               "With --against-machine a few points of a calibrated machine file are measured "
               "again, here and now; the exit status is 1 where more than a tenth of them are "
               "outside the band that errors and the spread of launches allow.\n"
               "\n"
               "Examples:\n"
               "  isocast check specs/algorithms/*.yaml specs/platforms/*.yaml\n"
               "  isocast check --together my-algorithm.yaml sunwulf\n"
               "  isocast check --against-machine here.yaml",
    .fewest = 0,
    .most = (size_t)-1};

static const char *const kind_words[] = {[CLI_KIND_UNKNOWN] = NULL,
                                         [CLI_KIND_ALGORITHM] = "algorithm",
                                         [CLI_KIND_MACHINE] = "machine",
                                         [CLI_KIND_PLATFORM] = "platform",
                                         [CLI_KIND_OFFERS] = "offers"};

/* One file of the command line. */
typedef struct checked {
    char *path; /* of the file, where the command line gives a name */
    const char *name;
    cli_kind kind;
    isocast_algorithm *algorithm; /* where it is one and has no error */
    isocast_machine *machine;     /* likewise */
    isocast_platform *platform;   /* likewise */
    isocast_offers_file *offers;  /* likewise */
    size_t errors;
    size_t warnings;
} checked;

/* What is wrong with the platform that a machine file holds; warnings of the rest were reported. */
static isocast_status check_held(const isocast_machine *machine, isocast_diagnostics *diagnostics) {
    const isocast_source *source = machine->tree->source;
    isocast_diagnostics own = {0};
    isocast_platform *platform = NULL;
    if (!isocast_platform_is_held(machine->tree)) {
        return ISOCAST_OK;
    }
    isocast_status status =
        isocast_platform_read_text(source->name, source->text, source->length, &own, &platform);
    isocast_platform_free(platform);
    isocast_diagnostics_clear(status == ISOCAST_OK ? &own : diagnostics);
    if (status != ISOCAST_OK) {
        *diagnostics = own;
    }
    return status;
}

/* Reads the file once, as it may be a pipe. */
static isocast_status load(const char *path, isocast_diagnostics *diagnostics, checked *file) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_read(path, diagnostics, &source);
    CLI_THEN(status, cli_spec_kind_of(source, diagnostics, &file->kind));
    if (status != ISOCAST_OK) {
        isocast_source_free(source);
        return status;
    }
    /* The loader states again whatever reading the tree had to warn about. */
    isocast_diagnostics_clear(diagnostics);
    switch (file->kind) {
    case CLI_KIND_ALGORITHM:
        return isocast_algorithm_read(source, diagnostics, &file->algorithm);
    case CLI_KIND_PLATFORM:
        status = isocast_platform_read(source, diagnostics, &file->platform);
        if (status == ISOCAST_OK) {
            isocast_platform_warn_falling(file->platform, diagnostics);
        }
        return status;
    case CLI_KIND_OFFERS:
        return isocast_offers_file_read(source, diagnostics, &file->offers);
    default:
        status = isocast_machine_read(source, diagnostics, &file->machine);
        return status == ISOCAST_OK ? check_held(file->machine, diagnostics) : status;
    }
}

static int worse(int a, int b) {
    return a > b ? a : b;
}

/* What a file of offers names at a place, and what it makes of a machine. */
static int check_named(const checked *file, cli_spec_kind kind, size_t index, bool quiet) {
    bool is_machine = kind == CLI_SPEC_MACHINE;
    const isocast_tree_node *named = is_machine
                                         ? isocast_offers_file_machine(file->offers, index)
                                         : isocast_offers_file_algorithm(file->offers, index);
    isocast_diagnostics diagnostics = {0};
    isocast_algorithm *algorithm = NULL;
    isocast_machine *machine = NULL;
    char *name = NULL;
    char *path = NULL;
    int status = cli_locate_named(kind, isocast_offers_file_source(file->offers), named->span,
                                  named->text, &name);
    CLI_THEN(status, cli_locate_spec(kind, name, &path));
    free(name);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    isocast_status loaded = is_machine ? isocast_machine_load(path, &diagnostics, &machine)
                                       : isocast_algorithm_load(path, &diagnostics, &algorithm);
    if (loaded == ISOCAST_OK && is_machine) {
        loaded = isocast_offers_file_apply(file->offers, index, machine, &diagnostics);
    }
    status = cli_exit_with(&diagnostics, quiet, loaded);
    isocast_algorithm_free(algorithm);
    isocast_machine_free(machine);
    free(path);
    return status;
}

/* The files that offers are of, and those of the applications of a suite. */
static int check_offered(checked *file, bool quiet) {
    int worst = CLI_EXIT_OK;
    for (size_t i = 0; i < isocast_offers_file_count(file->offers); i++) {
        int status = check_named(file, CLI_SPEC_MACHINE, i, quiet);
        file->errors += status != CLI_EXIT_OK;
        worst = worse(worst, status);
    }
    for (size_t i = 0; i < file->offers->suite.count; i++) {
        int status = check_named(file, CLI_SPEC_ALGORITHM, i, quiet);
        file->errors += status != CLI_EXIT_OK;
        worst = worse(worst, status);
    }
    if (worst != CLI_EXIT_OK) {
        isocast_offers_file_free(file->offers);
        file->offers = NULL;
    }
    return worst;
}

static int check_file(const char *name, bool quiet, checked *file) {
    isocast_diagnostics diagnostics = {0};
    int located = cli_locate_any_spec(name, &file->path);
    if (located != CLI_EXIT_OK) {
        return located;
    }
    file->name = strcmp(file->path, "-") == 0 ? "<stdin>" : file->path;
    isocast_status status = load(file->path, &diagnostics, file);
    if (status == ISOCAST_OK && file->algorithm != NULL) {
        status = isocast_negatives_look(file->algorithm, &diagnostics);
    }
    if (status == ISOCAST_OK && file->algorithm != NULL) {
        status = isocast_algorithm_rehearse(file->algorithm, &diagnostics);
    }
    if (status != ISOCAST_OK) {
        isocast_algorithm_free(file->algorithm);
        file->algorithm = NULL;
    }
    file->errors = diagnostics.errors;
    file->warnings = diagnostics.warnings;
    status = cli_diagnostics_report(&diagnostics, quiet, status);
    int suggested = CLI_EXIT_OK;
    if (status == ISOCAST_INVALID && access(file->path, F_OK) != 0) {
        suggested = cli_locate_suggest(name);
    }
    int result = suggested != CLI_EXIT_OK ? suggested : cli_exit_of(status);
    return result == CLI_EXIT_OK && file->offers != NULL ? check_offered(file, quiet) : result;
}

/* Puts the settings into the files that know them. Offers have none. */
static int set_all(checked *files, size_t count, const cli_settings *settings) {
    size_t *known = calloc(settings->set.count + 1, sizeof *known);
    if (known == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    isocast_diagnostics reported = {0};
    int status = CLI_EXIT_OK;
    for (size_t i = 0; i < count && status == CLI_EXIT_OK; i++) {
        cli_loaded loaded = {.algorithm = files[i].algorithm,
                             .machine = files[i].machine,
                             .platform = files[i].platform};
        status = cli_apply_known_settings(settings, &loaded, known, &reported);
        cli_settings_free(&loaded);
    }
    CLI_THEN(status, cli_check_settings_known(settings, known, &reported));
    isocast_diagnostics_clear(&reported);
    free(known);
    return status;
}

static int check_pair(const checked *algorithm, const checked *machine, bool quiet) {
    isocast_diagnostics diagnostics = {0};
    isocast_model *model = NULL;
    isocast_status status =
        isocast_model_create(algorithm->algorithm, machine->machine, &diagnostics, &model);
    isocast_model_free(model);
    return cli_exit_with(&diagnostics, quiet, status);
}

/* An algorithm alone may call any operation. One that nothing of the line knows is probably a slip.
 */
static int warn_of_operations(checked *files, size_t count, bool quiet) {
    isocast_diagnostics diagnostics = {0};
    const isocast_machine **machines = calloc(count, sizeof *machines);
    if (machines == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    for (size_t i = 0; i < count; i++) {
        machines[i] = files[i].machine;
    }
    for (size_t i = 0; i < count; i++) {
        if (files[i].algorithm != NULL) {
            size_t before = diagnostics.warnings;
            isocast_algorithm_warn_operations(files[i].algorithm, machines, count, &diagnostics);
            files[i].warnings += diagnostics.warnings - before;
        }
    }
    free(machines);
    return cli_exit_with(&diagnostics, quiet, ISOCAST_OK);
}

/* Binds every sound algorithm of the line to every sound machine. */
static int check_together(const checked *files, size_t count, bool quiet) {
    int worst = CLI_EXIT_OK;
    size_t pairs = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            if (files[i].kind == CLI_KIND_ALGORITHM && files[k].kind == CLI_KIND_MACHINE) {
                pairs++;
                if (files[i].algorithm != NULL && files[k].machine != NULL) {
                    worst = worse(worst, check_pair(&files[i], &files[k], quiet));
                }
            }
        }
    }
    if (pairs == 0) {
        worst = cli_usage_error(&usage, "--together takes at least one algorithm and one machine");
    }
    return worst;
}

/* "3 overhead terms", "1 system". */
static void append_count(isocast_buffer *out, size_t count, const char *one, const char *many) {
    isocast_buffer_printf(out, ", %zu %s", count, count == 1 ? one : many);
}

static void append_summary(const checked *file, isocast_buffer *out) {
    isocast_buffer_printf(out, "%s: ok (", file->name);
    if (file->algorithm != NULL) {
        isocast_buffer_printf(out, "algorithm %s", file->algorithm->name);
        append_count(out, file->algorithm->overhead_count, "overhead term", "overhead terms");
    } else if (file->platform != NULL) {
        const isocast_machine *hardware = file->platform->hardware;
        isocast_buffer_printf(out, "platform %s", hardware->name);
        append_count(out, hardware->class_count, "node class", "node classes");
        append_count(out, hardware->system_count, "system", "systems");
        if (hardware->compute_count > 0) {
            append_count(out, hardware->compute_count, "time per flop", "times per flop");
        }
        const isocast_network *network = &file->platform->network;
        bool plain = network->latency_factor.count == 0 && network->bandwidth_factor.count == 0;
        isocast_buffer_printf(out, ", %s, %s%s", isocast_topology_name(network->topology),
                              network->kind != NULL ? network->kind : "no kind of network",
                              plain ? ", latency and bandwidth without factors" : "");
    } else if (file->offers != NULL) {
        size_t count = isocast_offers_file_count(file->offers);
        isocast_buffer_printf(out, "%zu offer%s", count, count == 1 ? "" : "s");
    } else {
        isocast_buffer_printf(out, "machine %s", file->machine->name);
        append_count(out, file->machine->class_count, "node class", "node classes");
        append_count(out, file->machine->system_count, "system", "systems");
        append_count(out, file->machine->operation_count, "operation", "operations");
        if (file->machine->algorithm_count > 0) {
            append_count(out, file->machine->algorithm_count, "misfit of an algorithm",
                         "misfits of algorithms");
        }
    }
    if (file->warnings > 0) {
        append_count(out, file->warnings, "warning", "warnings");
    }
    isocast_buffer_puts(out, ")\n");
}

static bool is_sound(const checked *file) {
    return file->algorithm != NULL || file->machine != NULL || file->platform != NULL ||
           file->offers != NULL;
}

static void append_formula(const char *name, const isocast_formula *formula, isocast_buffer *out) {
    if (formula != NULL) {
        isocast_buffer_printf(out, "%s: ", name);
        isocast_formula_format(formula, out);
        isocast_buffer_puts(out, "\n");
    }
}

/* What T is made of, as the file would say it. */
static void append_formulas(const isocast_algorithm *algorithm, isocast_buffer *out) {
    append_formula("work", algorithm->work, out);
    append_formula("sequential", algorithm->sequential, out);
    append_formula("compute", algorithm->compute, out);
    isocast_buffer_puts(out, "overhead:\n");
    for (size_t i = 0; i < algorithm->overhead_count; i++) {
        isocast_buffer_puts(out, "  ");
        append_formula(algorithm->overhead[i].name, algorithm->overhead[i].formula, out);
    }
}

/* A line for each sound file; the others have had their say on standard error. */
static int write_lines(const checked *files, size_t count, bool formulas,
                       const cli_common *common) {
    isocast_buffer text = {0};
    for (size_t i = 0; i < count; i++) {
        if (is_sound(&files[i]) && !common->quiet) {
            append_summary(&files[i], &text);
        }
        if (files[i].algorithm != NULL && formulas) {
            append_formulas(files[i].algorithm, &text);
        }
    }
    return cli_output_write_text(common->output, &text);
}

static int write_report(const checked *files, size_t count, const cli_common *common) {
    cli_report *report = cli_report_create();
    cli_report_column(report, &(cli_column){.name = "file", .kind = CLI_COLUMN_TEXT});
    cli_report_column(report, &(cli_column){.name = "kind", .kind = CLI_COLUMN_TEXT});
    cli_report_column(report, &(cli_column){.name = "status", .kind = CLI_COLUMN_TEXT});
    cli_report_column(report, &(cli_column){.name = "errors", .kind = CLI_COLUMN_COUNT});
    cli_report_column(report, &(cli_column){.name = "warnings", .kind = CLI_COLUMN_COUNT});
    for (size_t i = 0; i < count; i++) {
        cli_report_text(report, files[i].name);
        cli_report_text(report, kind_words[files[i].kind]);
        cli_report_text(report, is_sound(&files[i]) ? "ok" : "invalid");
        cli_report_number(report, (double)files[i].errors);
        cli_report_number(report, (double)files[i].warnings);
    }
    return cli_reports_write(&report, 1, common);
}

static int check_all(const command_line *c) {
    const cli_common *common = &c->call.common;
    size_t count = c->call.count;
    checked *files = calloc(count, sizeof *files);
    if (files == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    int worst = CLI_EXIT_OK;
    for (size_t i = 0; i < count && worst != CLI_EXIT_SYSTEM; i++) {
        worst = worse(worst, check_file(c->call.positional[i], common->quiet, &files[i]));
    }
    if (c->settings.set.count > 0 && worst == CLI_EXIT_OK) {
        worst = set_all(files, count, &c->settings);
    }
    if (worst != CLI_EXIT_SYSTEM) {
        worst = worse(worst, c->together ? check_together(files, count, common->quiet)
                                         : warn_of_operations(files, count, common->quiet));
    }
    if (worst != CLI_EXIT_SYSTEM) {
        bool lines = strcmp(common->format, "table") == 0;
        worst = worse(worst, lines ? write_lines(files, count, c->formulas, common)
                                   : write_report(files, count, common));
    }
    for (size_t i = 0; i < count; i++) {
        isocast_algorithm_free(files[i].algorithm);
        isocast_machine_free(files[i].machine);
        isocast_platform_free(files[i].platform);
        isocast_offers_file_free(files[i].offers);
        free(files[i].path);
    }
    free(files);
    return worst;
}

static int run(void *context) {
    const command_line *c = context;
    if (c->machine_name == NULL) {
        return c->call.count > 0
                   ? check_all(c)
                   : cli_usage_error(&usage, "too few arguments; write isocast check FILE..., or "
                                             "use --against-machine");
    }
    if (c->call.count > 0) {
        return cli_usage_error(&usage, "--against-machine takes no further files");
    }
    if (c->settings.set.count > 0) {
        return cli_usage_error(&usage, "--against-machine checks the file as it stands; it goes "
                                       "without --set");
    }
    return c->budget > 0 ? check_against_machine(c)
                         : cli_usage_error(&usage, "--budget must be above 0");
}

int cmd_check(int argc, char **argv) {
    command_line c = {.settings = {.keeps_sizes = true}, .budget = 20, .started = campaign_clock()};
    const cli_option options[] = {
        {"--together", 0, CLI_OPTION_FLAG, NULL,
         "also check that every machine has what every algorithm calls for", &c.together},
        {"--formulas", 0, CLI_OPTION_FLAG, NULL,
         "also print the formulas of T of algorithm files, as those with a program: get them",
         &c.formulas},
        CLI_SET_OPTION(&c.settings),
        {"--against-machine", 0, CLI_OPTION_INPUT, "MACHINE",
         "measure a few points again, and check that the machine file still describes this machine",
         &c.machine_name},
        {"--budget", 0, CLI_OPTION_TIME, "TIME", "how long to measure again (default: 20s)",
         &c.budget},
        {"--launcher", 0, CLI_OPTION_TEXT, "LAUNCHER",
         "starts MPI programs to measure again, as in calibrate", &c.launcher},
        {0}};
    return cli_call_run(&usage, options, argc, argv, &c.call, run, &c);
}
