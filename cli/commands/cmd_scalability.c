/* isocast scalability: psi computed from measured runs by trend lines, or from a list of sizes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/data_file.h"
#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/metric_option.h"
#include "cli/options/options.h"
#include "cli/options/size_option.h"
#include "cli/output/fields.h"
#include "cli/output/json_text.h"
#include "cli/report/report_matrix.h"
#include "cli/report/report_scalability.h"
#include "command.h"
#include "model/base/source_read.h"
#include "scalability_sets.h"

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
} asked;

enum { NO_DEGREE = -1 };

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
    int inputs = (strcmp(a->runs, "-") == 0) + (strcmp(a->work, "-") == 0) +
                 (a->reference != NULL && strcmp(a->reference, "-") == 0) +
                 (a->machine != NULL && strcmp(a->machine, "-") == 0);
    return inputs > 1 ? cli_usage_error(&usage, "only one file can be standard input")
                      : CLI_EXIT_OK;
}

static double psi_of(const void *context, size_t from, size_t to) {
    return isocast_scalability_psi(context, from, to);
}

/* psi between all pairs of the rows' systems. */
static isocast_status make_matrix(const isocast_scalability *s, isocast_psi_matrix **out) {
    const char **names = malloc((s->count + 1) * sizeof *names);
    if (names == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < s->count; i++) {
        names[i] = s->rows[i].system;
    }
    isocast_status status = isocast_psi_matrix_create(names, s->count, psi_of, s, out);
    free(names);
    return status;
}

static int write_view(const cli_scalability_view *view, const cli_common *common) {
    if (strcmp(common->format, "json") == 0) {
        return cli_json_write(cli_fields_document(&cli_scalability_document, view), common);
    }
    if (view->subject.matrix == NULL) {
        cli_report *report = cli_report_of_scalability(view);
        return cli_reports_write(&report, 1, common);
    }
    cli_report *reports[CLI_MATRIX_REPORTS] = {NULL};
    isocast_buffer title = {0};
    cli_title_of_scalability(view, &title);
    size_t count = cli_reports_of_matrix(
        view->subject.matrix, common->format, title.text != NULL ? title.text : "",
        isocast_metric_row_of(view->scalability->metric)->psi, reports);
    isocast_buffer_free(&title);
    return cli_reports_write(reports, count, common);
}

static int write_result(const asked *a, cli_scalability_view *view, const cli_common *common) {
    isocast_psi_matrix *matrix = NULL;
    size_t count = view->scalability->count;
    int status = CLI_EXIT_OK;
    if (a->matrix && count > ISOCAST_MATRIX_SYSTEMS_MAX) {
        status = cli_usage_error(&usage, "--matrix takes at most %d systems, the runs have %zu",
                                 ISOCAST_MATRIX_SYSTEMS_MAX, count);
    } else if (a->matrix) {
        isocast_status made = make_matrix(view->scalability, &matrix);
        status = made == ISOCAST_OK ? CLI_EXIT_OK : cli_exit_of(made);
    }
    view->subject.matrix = matrix;
    status = status == CLI_EXIT_OK ? write_view(view, common) : status;
    isocast_psi_matrix_free(matrix);
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
                   const isocast_runs *runs, bool quiet, isocast_scalability **out) {
    isocast_diagnostics diagnostics = {0};
    isocast_work *work = NULL;
    isocast_set_table *reference = NULL;
    isocast_status result = isocast_work_create(loaded->algorithm, &diagnostics, &work);
    if (result == ISOCAST_OK) {
        result = load_reference(a, &diagnostics, &reference);
    }
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
    result = cli_diagnostics_tell(&diagnostics, quiet, result);
    isocast_work_free(work);
    isocast_set_table_free(reference);
    return cli_exit_of(result);
}

/* Times are due where there is an efficiency to find in them. */
static int load_runs(const asked *a, bool quiet, isocast_runs **out) {
    isocast_diagnostics diagnostics = {0};
    isocast_status result = isnan(a->target) ? isocast_runs_load_list(a->runs, &diagnostics, out)
                                             : isocast_runs_load(a->runs, &diagnostics, out);
    result = cli_diagnostics_tell(&diagnostics, quiet, result);
    int status = cli_exit_of(result);
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

static int run(int argc, char **argv, asked *a, const cli_common *common) {
    cli_loaded loaded = {0};
    int status = cli_load_apart_set(a->work, a->machine, &a->settings, common->quiet, &loaded);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    isocast_runs *runs = NULL;
    isocast_scalability *scalability = NULL;
    isocast_platform *platform = NULL;
    const isocast_machine *hardware = loaded.machine;
    if (a->platform != NULL) {
        status = cli_load_platform(a->platform, common->quiet, &platform);
        hardware = status == CLI_EXIT_OK ? platform->hardware : NULL;
    }
    if (status == CLI_EXIT_OK && a->size != NULL && hardware == NULL) {
        status = cli_usage_error(&usage, "--size is read from a machine file: name it with "
                                         "--machine");
    } else if (status == CLI_EXIT_OK && a->size != NULL) {
        status = cli_size_read(&usage, a->size, hardware, &a->measure);
    }
    if (status == CLI_EXIT_OK) {
        status = load_runs(a, common->quiet, &runs);
    }
    if (status == CLI_EXIT_OK) {
        status = compute(a, &loaded, hardware, runs, common->quiet, &scalability);
    }
    if (status == CLI_EXIT_OK && scalability != NULL && !scalability->asked_machine &&
        a->settings.marked_speed != NULL) {
        status = cli_usage_error(&usage,
                                 "--marked-speed has no effect: %s has C of every system; leave "
                                 "out its column C to take C from the machine file",
                                 a->runs);
    } else if (status == CLI_EXIT_OK && scalability != NULL) {
        cli_scalability_view view = {.subject = cli_subject_of(argc, argv, &loaded),
                                     .scalability = scalability};
        view.subject.machine = scalability->asked_machine ? hardware : NULL;
        view.subject.metric = scalability->metric;
        view.subject.runs = runs->source->name;
        status = write_result(a, &view, common);
        status = status == CLI_EXIT_OK ? exit_of_rows(scalability) : status;
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
    if (status == CLI_EXIT_OK) {
        status = cli_metric_target(&usage, a->held, a->efficiency, a->speed, &a->target);
    }
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
static int run_sets(int argc, char **argv, const asked *a, const cli_common *common) {
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
    cli_scalability_sets sets = {.usage = &usage,
                                 .common = common,
                                 .argc = argc,
                                 .argv = argv,
                                 .times = a->runs,
                                 .reference = a->reference,
                                 .program = a->algorithm,
                                 .metric = a->metric,
                                 .matrix = a->matrix};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        sets.of_runs = others[i].given && sets.of_runs == NULL ? others[i].name : sets.of_runs;
    }
    return cli_scalability_sets_run(&sets);
}

static int go_on(int argc, char **argv, asked *a, const cli_common *common) {
    if (a->reference != NULL && strcmp(a->reference, "-") == 0 && strcmp(a->runs, "-") == 0) {
        return cli_usage_error(&usage, "only one file can be standard input");
    }
    if (a->work == NULL) {
        return run_sets(argc, argv, a, common);
    }
    int status = check_asked(a);
    status = status == CLI_EXIT_OK ? read_metric(a) : status;
    return status == CLI_EXIT_OK ? run(argc, argv, a, common) : status;
}

int cmd_scalability(int argc, char **argv) {
    cli_common common = {0};
    asked a = {.efficiency = NAN, .speed = NAN, .degree = NO_DEGREE};
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
    const char **positional = NULL;
    size_t count = 0;
    cli_parse parsed = cli_options_parse(&usage, options, argc, argv, &common, &positional, &count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON) {
        a.runs = positional[0];
        status = cli_data_file_check(&usage, a.runs, "RUNS.csv");
        status = status == CLI_EXIT_OK ? go_on(argc, argv, &a, &common) : status;
    }
    free(positional);
    free(a.settings.set.items);
    return status;
}
