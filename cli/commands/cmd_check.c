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
#include "cli/report/report_recheck.h"
#include "command.h"
#include "interrupt.h"
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

typedef struct cli_machine_check {
    const cli_usage *usage;
    const cli_common *common;
    const char *machine_name;
    const char *launcher; /* NULL: the default */
    double budget;        /* s */
    double started;       /* s of campaign_clock() */
} cli_machine_check;

static int load_machine(const cli_machine_check *a, isocast_machine **out) {
    char *path = NULL;
    int located = cli_locate_spec(CLI_SPEC_MACHINE, a->machine_name, &path);
    if (located != CLI_EXIT_OK) {
        return located;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_machine_load(path, &diagnostics, out);
    status = cli_diagnostics_tell(&diagnostics, a->common->quiet, status);
    free(path);
    return cli_exit_of(status);
}

/* The table, where it can be told whether the file holds; else why not. */
static int write_result(const cli_machine_check *a, const isocast_machine *machine,
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
    cli_report *table = cli_report_recheck(result, machine);
    int status = cli_reports_write(&table, 1, a->common);
    if (status == CLI_EXIT_OK && result->verdict == CAMPAIGN_RECHECK_FAILS) {
        fprintf(stderr,
                "isocast check: %zu of %zu points are outside their bands: %s no longer describes "
                "this machine\n",
                result->outside, result->telling, a->machine_name);
        status = CLI_EXIT_CHECK_FAILED;
    }
    return status;
}

static int report(const cli_machine_check *a, const isocast_machine *machine, const samples *s) {
    campaign_recheck result;
    int status = cli_exit_of(campaign_recheck_make(machine, s, &result));
    if (status == CLI_EXIT_OK) {
        status = write_result(a, machine, &result);
    }
    campaign_recheck_free(&result);
    return status;
}

static int measure(const cli_machine_check *a, const char *probe, const isocast_machine *machine,
                   const cli_launcher *launcher) {
    cli_campaign campaign;
    cli_campaign_begin(a->usage->command, a->common->quiet, &campaign);
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
        status =
            cli_usage_error(a->usage, "--against-machine: %s has no operation that can be measured",
                            a->machine_name);
    }
    if (status == CLI_EXIT_OK) {
        status = report(a, machine, &recorder.samples);
    }
    campaign_recorder_free(&recorder);
    return status;
}

/* Measures, and writes the table. CLI_EXIT_OK where the file holds, CLI_EXIT_CHECK_FAILED where it
 * does not, another exit status where that cannot be told, which is said on stderr. */
static int check_against_machine(const cli_machine_check *a) {
    isocast_machine *machine = NULL;
    int status = load_machine(a, &machine);
    if (status == CLI_EXIT_OK && machine->simulated) {
        status = cli_usage_error(a->usage,
                                 "--against-machine: %s was calibrated in simulation, and says "
                                 "nothing of this machine",
                                 a->machine_name);
    }
    char *probe = cli_locate_program("isocast-probe");
    if (status == CLI_EXIT_OK && probe == NULL) {
        status =
            cli_locate_fail("check", "the program isocast-probe is not installed beside isocast");
    }
    cli_launcher launcher = {0};
    if (status == CLI_EXIT_OK) {
        status = cli_launcher_find(a->usage, a->launcher, &launcher);
    }
    if (status == CLI_EXIT_OK) {
        status = measure(a, probe, machine, &launcher);
    }
    cli_launcher_free(&launcher);
    free(probe);
    if (machine != NULL) {
        isocast_machine_free(machine);
    }
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

/* Reads the file once, as it may be a pipe. */
static isocast_status load(const char *path, isocast_diagnostics *diagnostics, checked *file) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_read(path, diagnostics, &source);
    if (status == ISOCAST_OK) {
        status = cli_spec_kind_of(source, diagnostics, &file->kind);
    }
    if (status != ISOCAST_OK) {
        isocast_source_free(source);
        return status;
    }
    /* The loader tells again whatever reading the tree had to warn about. */
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
        return isocast_machine_read(source, diagnostics, &file->machine);
    }
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
    status = cli_diagnostics_tell(&diagnostics, quiet, status);
    int suggested = CLI_EXIT_OK;
    if (status == ISOCAST_INVALID && access(file->path, F_OK) != 0) {
        suggested = cli_locate_suggest(name);
    }
    return suggested != CLI_EXIT_OK ? suggested : cli_exit_of(status);
}

/* Puts the settings into the files that know them. Offers have none. */
static int set_all(checked *files, size_t count, const cli_settings *settings) {
    size_t *known = calloc(settings->set.count + 1, sizeof *known);
    if (known == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    isocast_diagnostics told = {0};
    int status = CLI_EXIT_OK;
    for (size_t i = 0; i < count && status == CLI_EXIT_OK; i++) {
        cli_loaded loaded = {.algorithm = files[i].algorithm,
                             .machine = files[i].machine,
                             .platform = files[i].platform};
        status = cli_apply_known_settings(settings, &loaded, known, &told);
        cli_settings_free(&loaded);
    }
    if (status == CLI_EXIT_OK) {
        status = cli_check_settings_known(settings, known, &told);
    }
    isocast_diagnostics_clear(&told);
    free(known);
    return status;
}

static int check_pair(const checked *algorithm, const checked *machine, bool quiet) {
    isocast_diagnostics diagnostics = {0};
    isocast_model *model = NULL;
    isocast_status status =
        isocast_model_create(algorithm->algorithm, machine->machine, &diagnostics, &model);
    status = cli_diagnostics_tell(&diagnostics, quiet, status);
    isocast_model_free(model);
    return cli_exit_of(status);
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
    return cli_exit_of(cli_diagnostics_tell(&diagnostics, quiet, ISOCAST_OK));
}

static int worse(int a, int b) {
    return a > b ? a : b;
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

/* How files are checked, and what is said of them. */
typedef struct file_check {
    bool together;
    bool formulas;
} file_check;

static int check_all(const char *const *names, size_t count, const file_check *how,
                     const cli_settings *settings, const cli_common *common) {
    checked *files = calloc(count, sizeof *files);
    if (files == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    int worst = CLI_EXIT_OK;
    for (size_t i = 0; i < count && worst != CLI_EXIT_SYSTEM; i++) {
        worst = worse(worst, check_file(names[i], common->quiet, &files[i]));
    }
    if (settings->set.count > 0 && worst == CLI_EXIT_OK) {
        worst = set_all(files, count, settings);
    }
    if (worst != CLI_EXIT_SYSTEM) {
        worst = worse(worst, how->together ? check_together(files, count, common->quiet)
                                           : warn_of_operations(files, count, common->quiet));
    }
    if (worst != CLI_EXIT_SYSTEM) {
        bool lines = strcmp(common->format, "table") == 0;
        worst = worse(worst, lines ? write_lines(files, count, how->formulas, common)
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

static int check_files(const char *const *names, size_t count, const file_check *how,
                       const cli_settings *settings, const cli_common *common) {
    return count > 0
               ? check_all(names, count, how, settings, common)
               : cli_usage_error(&usage, "too few arguments; write isocast check FILE..., or use "
                                         "--against-machine");
}

static int check_machine(const cli_machine_check *check, size_t count,
                         const cli_settings *settings) {
    if (count > 0) {
        return cli_usage_error(&usage, "--against-machine takes no further files");
    }
    if (settings->set.count > 0) {
        return cli_usage_error(&usage, "--against-machine checks the file as it stands; it goes "
                                       "without --set");
    }
    return check->budget > 0 ? check_against_machine(check)
                             : cli_usage_error(&usage, "--budget must be above 0");
}

int cmd_check(int argc, char **argv) {
    file_check how = {0};
    cli_settings settings = {0};
    cli_common common;
    cli_machine_check check = {
        .usage = &usage, .common = &common, .budget = 20, .started = campaign_clock()};
    const cli_option options[] = {
        {"--together", 0, CLI_OPTION_FLAG, NULL,
         "also check that every machine has what every algorithm calls for", &how.together},
        {"--formulas", 0, CLI_OPTION_FLAG, NULL,
         "also print the formulas of T of algorithm files, as those with a program: get them",
         &how.formulas},
        CLI_SET_OPTION(&settings),
        {"--against-machine", 0, CLI_OPTION_INPUT, "MACHINE",
         "measure a few points again, and check that the machine file still describes this machine",
         &check.machine_name},
        {"--budget", 0, CLI_OPTION_TIME, "TIME", "how long to measure again (default: 20s)",
         &check.budget},
        {"--launcher", 0, CLI_OPTION_TEXT, "LAUNCHER",
         "starts MPI programs to measure again, as in calibrate", &check.launcher},
        {0}};
    const char **positional = NULL;
    size_t count = 0;
    cli_parse parsed = cli_options_parse(&usage, options, argc, argv, &common, &positional, &count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON) {
        status = check.machine_name != NULL
                     ? check_machine(&check, count, &settings)
                     : check_files(positional, count, &how, &settings, &common);
    }
    free(settings.set.items);
    free(positional);
    return status;
}
