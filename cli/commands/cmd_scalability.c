/* isocast scalability: psi computed from measured runs by trend lines, or from a list of sizes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/options.h"
#include "cli/options/word_option.h"
#include "cli/output/fields.h"
#include "cli/report/results.h"
#include "command.h"
#include "model/base/metric.h"
#include "model/base/source_read.h"
#include "model/runs/scalability.h"
#include "model/runs/set_times.h"

static const cli_usage usage = {
    .command = "scalability",
    .arguments = "RUNS.csv|LIST.csv|TIMES.csv",
    .summary =
        "Computes the scalability psi of an algorithm and systems from measured runs: a trend "
        "line of the speed-efficiency E = W/(T C) over N gives the N that each system needs. "
        "--metric chooses another metric, --matrix gives psi between all pairs of systems.",
    .details =
        "RUNS.csv has a row for each run with the columns system, N, T (seconds) and C (marked "
        "speed in flop/s) at least; --machine gives C where that column is missing, as in what "
        "isocast measure writes, and --platform where the runs were simulated. Repetitions count "
        "by their median. The runs may come from any program; --work gives W(N).\n"
        "LIST.csv has the columns system, C and N, no T and one row a system: psi alone, and no "
        "--efficiency.\n"
        "TIMES.csv has the columns set and T_s (seconds): times on processor sets (4x2: 4 "
        "processors on each of 2 nodes), each taken at the work that holds what the metric holds. "
        "It needs no --work. --reference gives R_f of the sets: columns set and T_ref_s, R_f or "
        "both; R_f = n T_ref(1)/T_ref. A file of such reference times alone prints R_f.\n"
        "A trend line is the polynomial with the smallest leave-one-out error of E among those "
        "that "
        "pass E where the measured points do; or a monotone line, where there is none or where its "
        "error is less; or cubics through the four nearest points, where theirs is less still. "
        "Where E is passed several times, the status is 'several', the smallest N "
        "is given, and the others are listed. The exit status is 4 where a system does not pass E "
        "within the sizes measured.\n"
        "\n"
        "Examples:\n"
        "  isocast scalability runs.csv --work gaussian-elimination --efficiency 0.3\n"
        "  isocast scalability runs.csv --work gaussian-elimination --efficiency 0.3 \\\n"
        "      --machine here.yaml\n"
        "  isocast scalability list.csv --work matrix-multiplication --format json\n"
        "  isocast scalability times.csv --metric isospeed --reference reference.csv \\\n"
        "      --matrix --format csv",
    .fewest = 1,
    .most = 1};

/* The options as given. */
typedef struct asked {
    cli_call call;
    const char *runs;
    const char *work;
    const char *machine;   /* NULL: none */
    const char *platform;  /* NULL: none */
    const char *algorithm; /* of the rows; NULL: as they name it */
    const char *reference; /* file of reference times; NULL: none */
    const char *metric;    /* NULL: isospeed-e */
    const char *size;      /* NULL: sum */
    double efficiency;     /* NAN: none */
    double speed;          /* flop/s; NAN: none */
    isocast_metric held;
    isocast_system_measure measure;
    double target; /* what is held, by the metric; NAN: none */
    long degree;   /* -1: none */
    bool monotone;
    bool matrix;
    cli_settings settings;
    const char *of_runs; /* an option that was given and goes with runs alone; NULL: none */
} asked;

enum { NO_DEGREE = -1 };

/* Writes it; a matrix of psi between all pairs of `names` (shape [count]; `what` has them) where
 * one is asked for. */
static int write_result(const asked *a, const char *what, const char *const *names, size_t count,
                        double (*psi)(const void *context, size_t from, size_t to),
                        const cli_written *how, cli_view *view) {
    isocast_psi_matrix *matrix = NULL;
    int status = CLI_EXIT_OK;
    if (a->matrix && count > ISOCAST_MATRIX_SYSTEMS_MAX) {
        status = cli_usage_error(&usage, "--matrix takes at most %d systems, the %s %zu",
                                 ISOCAST_MATRIX_SYSTEMS_MAX, what, count);
    } else if (a->matrix) {
        status = cli_exit_of(isocast_psi_matrix_create(names, count, psi, view->result, &matrix));
    }
    view->subject.matrix = matrix;
    CLI_THEN(status, cli_result_write(how, view, &a->call.common, NULL, 0));
    isocast_psi_matrix_free(matrix);
    return status;
}

/* isocast scalability TIMES.csv of processor sets: psi from times and reference times. */

/* The files as sources. */
typedef struct inputs {
    isocast_source *first;     /* of the command's argument */
    isocast_source *reference; /* of --reference; NULL: none */
} inputs;

static isocast_status read_inputs(const asked *a, isocast_diagnostics *diagnostics, inputs *in) {
    isocast_status status = isocast_source_read(a->runs, diagnostics, &in->first);
    if (a->reference != NULL) {
        isocast_status second = isocast_source_read(a->reference, diagnostics, &in->reference);
        CLI_THEN(status, second);
    }
    return status;
}

static double psi_of_sets(const void *context, size_t from, size_t to) {
    return isocast_set_psi(context, from, to);
}

static int write_sets(const asked *a, const isocast_set_table *table) {
    cli_view view = {{.provenance = {&a->call, NULL}}, table};
    const char **names = malloc((table->count + 1) * sizeof *names);
    if (names == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    for (size_t i = 0; i < table->count; i++) {
        names[i] = table->rows[i].set;
    }
    const cli_written how = {&cli_sets_document, cli_reports_of_sets, NULL};
    int status = write_result(a, "file has", names, table->count, psi_of_sets, &how, &view);
    free(names);
    return status;
}

/* What the command line lacks, or has too much of, for the kind of file that was read. */
static int check_asked_of_sets(const asked *a, bool has_times, isocast_metric *metric) {
    if (!has_times && (a->matrix || a->metric != NULL || a->reference != NULL)) {
        return cli_usage_error(&usage,
                               "%s holds the times of the reference program alone (T_ref_s): psi "
                               "needs a file with a column T_s",
                               a->runs);
    }
    if (has_times && a->metric == NULL) {
        return cli_usage_error(&usage,
                               "say what the times of %s were taken at: --metric isospeed (one "
                               "average speed) or --metric time-scale (one efficiency)",
                               a->runs);
    }
    int status = a->metric == NULL ? CLI_EXIT_OK : cli_metric_read(&usage, a->metric, metric);
    return status == CLI_EXIT_OK && has_times ? cli_metric_needs_psi(&usage, *metric) : status;
}

static int read_and_write(const asked *a, const inputs *in, isocast_diagnostics *diagnostics) {
    bool is_sets = false;
    bool has_times = false;
    isocast_status status =
        isocast_set_times_recognise(in->first, diagnostics, &is_sets, &has_times);
    if (status != ISOCAST_OK) {
        return cli_exit_with(diagnostics, a->call.common.quiet, status);
    }
    if (!is_sets) {
        return cli_usage_error(&usage, "--work ALGORITHM is needed: its work formula gives W(N)");
    }
    if (a->of_runs != NULL) {
        return cli_usage_error(&usage,
                               "%s goes with runs, which have columns system, N and T; %s has "
                               "times of processor sets (column set)",
                               a->of_runs, a->runs);
    }
    isocast_metric metric = ISOCAST_METRIC_ISOSPEED_E;
    int checked = check_asked_of_sets(a, has_times, &metric);
    if (checked != CLI_EXIT_OK) {
        return checked;
    }
    isocast_set_table *table = NULL;
    const isocast_source *times = has_times ? in->first : NULL;
    const isocast_source *reference = has_times ? in->reference : in->first;
    status = isocast_set_table_read(times, reference, a->algorithm, metric, diagnostics, &table);
    int exit = cli_exit_with(diagnostics, a->call.common.quiet, status);
    CLI_THEN(exit, write_sets(a, table));
    isocast_set_table_free(table);
    return exit;
}

/* Reads the files and writes the result; gives an exit status. */
static int run_files_of_sets(const asked *a) {
    isocast_diagnostics diagnostics = {0};
    inputs in = {NULL, NULL};
    isocast_status status = read_inputs(a, &diagnostics, &in);
    int exit;
    if (status != ISOCAST_OK) {
        exit = cli_exit_with(&diagnostics, a->call.common.quiet, status);
    } else {
        exit = read_and_write(a, &in, &diagnostics);
    }
    isocast_source_free(in.first);
    isocast_source_free(in.reference);
    return exit;
}

static int check_asked(const asked *a) {
    if (a->efficiency <= 0 || a->speed <= 0) {
        return cli_usage_error(&usage, "%s must be above 0",
                               a->efficiency <= 0 ? "--efficiency" : "--speed");
    }
    if (a->degree != NO_DEGREE && (a->degree < 1 || a->degree > ISOCAST_TREND_DEGREE_MAX)) {
        return cli_usage_error(&usage, "--degree is 1 to %d, not %ld", ISOCAST_TREND_DEGREE_MAX,
                               a->degree);
    }
    if (a->degree != NO_DEGREE && a->monotone) {
        return cli_usage_error(&usage, "--degree and --monotone exclude each other");
    }
    if (isnan(a->efficiency) && isnan(a->speed) && (a->degree != NO_DEGREE || a->monotone)) {
        return cli_usage_error(&usage, "--degree and --monotone are of trend lines, which need "
                                       "--efficiency");
    }
    if (a->machine != NULL && a->platform != NULL) {
        return cli_usage_error(&usage, "--machine and --platform exclude each other");
    }
    int standard = (strcmp(a->runs, "-") == 0) + (strcmp(a->work, "-") == 0) +
                   (a->reference != NULL && strcmp(a->reference, "-") == 0) +
                   (a->machine != NULL && strcmp(a->machine, "-") == 0);
    return standard > 1 ? cli_usage_error(&usage, "only one file can be standard input")
                        : CLI_EXIT_OK;
}

static double psi_of(const void *context, size_t from, size_t to) {
    return isocast_scalability_psi(context, from, to);
}

static int write_rows(const asked *a, cli_view *view) {
    const isocast_scalability *s = view->result;
    const char **names = malloc((s->count + 1) * sizeof *names);
    if (names == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    for (size_t i = 0; i < s->count; i++) {
        names[i] = s->rows[i].system;
    }
    const cli_written how = {&cli_scalability_document, cli_reports_of_scalability, NULL};
    int status = write_result(a, "runs have", names, s->count, psi_of, &how, view);
    free(names);
    return status;
}

/* Status 4 where a system has no N; what was asked for is printed all the same. */
static int exit_of_rows(const isocast_scalability *s) {
    for (size_t i = 0; i < s->count; i++) {
        if (s->rows[i].status != ISOCAST_SCALABILITY_OK &&
            s->rows[i].status != ISOCAST_SCALABILITY_SEVERAL) {
            return CLI_EXIT_NO_SOLUTION;
        }
    }
    return CLI_EXIT_OK;
}

/* The reference times, where there are any. */
static isocast_status load_reference(const asked *a, isocast_diagnostics *diagnostics,
                                     isocast_set_table **out) {
    if (a->reference == NULL) {
        return ISOCAST_OK;
    }
    isocast_source *source = NULL;
    isocast_status status = isocast_source_read(a->reference, diagnostics, &source);
    if (status == ISOCAST_OK) {
        status =
            isocast_set_table_read(NULL, source, NULL, ISOCAST_METRIC_ISOSPEED, diagnostics, out);
    }
    isocast_source_free(source);
    return status;
}

static int compute(const asked *a, const cli_loaded *loaded, const isocast_machine *hardware,
                   const isocast_runs *runs, isocast_scalability **out) {
    isocast_diagnostics diagnostics = {0};
    isocast_work *work = NULL;
    isocast_set_table *reference = NULL;
    isocast_status result = isocast_work_create(loaded->algorithm, &diagnostics, &work);
    CLI_THEN(result, load_reference(a, &diagnostics, &reference));
    if (result == ISOCAST_OK) {
        isocast_scalability_request request = {.runs = runs,
                                               .work = work,
                                               .machine = hardware,
                                               .algorithm = a->algorithm,
                                               .efficiency = a->target,
                                               .degree =
                                                   a->degree == NO_DEGREE ? 0 : (int)a->degree,
                                               .monotone = a->monotone,
                                               .metric = a->held,
                                               .measure = a->measure,
                                               .reference = reference};
        result = isocast_scalability_compute(&request, &diagnostics, out);
    }
    isocast_work_free(work);
    isocast_set_table_free(reference);
    return cli_exit_with(&diagnostics, a->call.common.quiet, result);
}

/* Times are due where there is an efficiency to find in them. */
static int load_runs(const asked *a, isocast_runs **out) {
    isocast_diagnostics diagnostics = {0};
    isocast_status result = isnan(a->target) ? isocast_runs_load_list(a->runs, &diagnostics, out)
                                             : isocast_runs_load(a->runs, &diagnostics, out);
    int status = cli_exit_with(&diagnostics, a->call.common.quiet, result);
    const isocast_metric_row *metric = isocast_metric_row_of(a->held);
    if (status == CLI_EXIT_OK && isnan(a->target) && (*out)->has_times) {
        status =
            cli_usage_error(&usage, "%s is needed for runs (%s has a column T)",
                            metric->unit[0] != '\0' ? "--speed SPEED" : "--efficiency E", a->runs);
    } else if (status == CLI_EXIT_OK && isnan(a->target) && metric->reading != ISOCAST_READ_WORK) {
        status = cli_usage_error(
            &usage, "%s is read off times, and %s has none: give runs, with a column T",
            metric->name, a->runs);
    }
    return status;
}

static int run_runs(asked *a) {
    const bool quiet = a->call.common.quiet;
    cli_loaded loaded = {0};
    int status = cli_load_apart_set(a->work, a->machine, &a->settings, quiet, &loaded);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    isocast_runs *runs = NULL;
    isocast_scalability *scalability = NULL;
    isocast_platform *platform = NULL;
    const isocast_machine *hardware = loaded.machine;
    if (a->platform != NULL) {
        status = cli_load_platform(a->platform, quiet, &platform);
        hardware = status == CLI_EXIT_OK ? platform->hardware : NULL;
    }
    if (status == CLI_EXIT_OK && a->size != NULL && hardware == NULL) {
        status = cli_usage_error(&usage, "--size is read from a machine file: name it with "
                                         "--machine");
    } else if (status == CLI_EXIT_OK && a->size != NULL) {
        status = cli_size_read(&usage, a->size, hardware, &a->measure);
    }
    CLI_THEN(status, load_runs(a, &runs));
    CLI_THEN(status, compute(a, &loaded, hardware, runs, &scalability));
    if (status == CLI_EXIT_OK && scalability != NULL && !scalability->asked_machine &&
        a->settings.marked_speed != NULL) {
        status = cli_usage_error(&usage,
                                 "--marked-speed has no effect: %s has C of every system; leave "
                                 "out its column C to take C from the machine file",
                                 a->runs);
    } else if (status == CLI_EXIT_OK && scalability != NULL) {
        cli_view view = {cli_subject_of(&a->call, &loaded), scalability};
        view.subject.machine = scalability->asked_machine ? hardware : NULL;
        view.subject.metric = scalability->metric;
        view.subject.runs = runs->source->name;
        status = write_rows(a, &view);
        CLI_THEN(status, exit_of_rows(scalability));
    }
    isocast_scalability_free(scalability);
    isocast_runs_free(runs);
    isocast_platform_free(platform);
    cli_loaded_free(&loaded);
    return status;
}

/* What is held, and its value. */
static int read_metric(asked *a) {
    int status = cli_metric_read(&usage, a->metric, &a->held);
    CLI_THEN(status, cli_metric_target(&usage, a->held, a->efficiency, a->speed, &a->target));
    if (status == CLI_EXIT_OK && a->matrix) {
        status = cli_metric_needs_psi(&usage, a->held);
    }
    if (status == CLI_EXIT_OK && a->reference != NULL &&
        isocast_metric_row_of(a->held)->size != ISOCAST_SIZE_REFERENCE_FACTOR) {
        status = cli_usage_error(&usage, "--reference gives R_f, which %s does not use",
                                 isocast_metric_name(a->held));
    }
    return status;
}

/* Without an algorithm only times of processor sets can be read. */
static int run_sets(asked *a) {
    const struct {
        const char *name;
        bool given;
    } others[] = {{"--efficiency", !isnan(a->efficiency)},
                  {"--speed", !isnan(a->speed)},
                  {"--machine", a->machine != NULL},
                  {"--platform", a->platform != NULL},
                  {"--size", a->size != NULL},
                  {"--degree", a->degree != NO_DEGREE},
                  {"--monotone", a->monotone}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        a->of_runs = others[i].given && a->of_runs == NULL ? others[i].name : a->of_runs;
    }
    return run_files_of_sets(a);
}

static int run(void *context) {
    asked *a = context;
    a->runs = a->call.positional[0];
    int status = cli_data_file_check(&usage, a->runs, "RUNS.csv");
    if (status != CLI_EXIT_OK) {
        return status;
    }
    if (a->reference != NULL && strcmp(a->reference, "-") == 0 && strcmp(a->runs, "-") == 0) {
        return cli_usage_error(&usage, "only one file can be standard input");
    }
    if (a->work == NULL) {
        return run_sets(a);
    }
    status = check_asked(a);
    CLI_THEN(status, read_metric(a));
    return status == CLI_EXIT_OK ? run_runs(a) : status;
}

int cmd_scalability(int argc, char **argv) {
    asked a = {
        .efficiency = NAN, .speed = NAN, .degree = NO_DEGREE, .settings = {.keeps_sizes = true}};
    const cli_option options[] = {
        {"--work", 0, CLI_OPTION_INPUT, "ALGORITHM", "the algorithm whose work formula gives W(N)",
         &a.work},
        {"--efficiency", 0, CLI_OPTION_SHARE, "E", "the speed-efficiency to hold, such as 0.3",
         &a.efficiency},
        {"--machine", 0, CLI_OPTION_INPUT, "MACHINE",
         "machine file that gives C where the runs do not (default: the column C alone)",
         &a.machine},
        {"--platform", 0, CLI_OPTION_INPUT, "PLATFORM",
         "platform that gives C, for runs that were simulated on it", &a.platform},
        {"--algorithm", 0, CLI_OPTION_TEXT, "NAME",
         "which rows to take, where the column algorithm names several (default: those of --work), "
         "or the column program of TIMES.csv",
         &a.algorithm},
        {"--degree", 0, CLI_OPTION_COUNT, "D",
         "degree of the trend lines, 1 to 5 (default: the one with the smallest leave-one-out "
         "error)",
         &a.degree},
        {"--monotone", 0, CLI_OPTION_FLAG, NULL,
         "use monotone lines as trend lines, not polynomials", &a.monotone},
        {"--size", 0, CLI_OPTION_TEXT, "WHICH", CLI_SIZE_HELP, &a.size},
        {"--metric", 0, CLI_OPTION_TEXT, "METRIC", CLI_METRIC_HELP, &a.metric},
        {"--speed", 0, CLI_OPTION_SPEED, "SPEED", CLI_SPEED_HELP, &a.speed},
        {"--reference", 0, CLI_OPTION_INPUT, "REFERENCE.csv",
         "reference times of the systems, or R_f itself (columns set, T_ref_s, R_f); without it "
         "R_f is p",
         &a.reference},
        {"--matrix", 0, CLI_OPTION_FLAG, NULL,
         "print psi between all pairs of systems; CSV has the columns from, to, psi", &a.matrix},
        CLI_SET_OPTION(&a.settings),
        CLI_MARKED_SPEED_OPTION(&a.settings.marked_speed),
        {0}};
    return cli_call_run(&usage, options, argc, argv, &a.call, run, &a);
}
