/* isocast scalability: psi computed from measured runs by trend lines, or from a list of sizes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/options.h"
#include "cli/output/json_text.h"
#include "cli/output/provenance.h"
#include "cli/report/report_scalability.h"
#include "command.h"

static const cli_usage usage = {
    .command = "scalability",
    .arguments = "RUNS.csv|LIST.csv",
    .summary =
        "Computes the scalability psi of an algorithm and systems from measured runs: a trend "
        "line of the speed-efficiency E = W/(T C) over N gives the N that each system needs.",
    .details =
        "RUNS.csv has a row for each run with the columns system, N, T (seconds) and C (marked "
        "speed in flop/s) at least; --machine gives C where that column is missing, as in what "
        "isocast measure writes, and --platform where the runs were simulated. Repetitions count "
        "by their median. The runs may come from any program; --work gives W(N).\n"
        "LIST.csv has the columns system, C and N, no T and one row a system: psi alone, and no "
        "--efficiency.\n"
        "A trend line is the polynomial with the least leave-one-out error of E among those that "
        "pass E where the measured points do; or a monotone line, where there is none or where its "
        "error is less. Where E is passed several times, the status is 'several', the smallest N "
        "is given, and the others are listed. The exit status is 4 where a system does not pass E "
        "within the sizes measured.\n"
        "\n"
        "Examples:\n"
        "  isocast scalability runs.csv --work gaussian-elimination --efficiency 0.3\n"
        "  isocast scalability runs.csv --work gaussian-elimination --efficiency 0.3 \\\n"
        "      --machine here.yaml\n"
        "  isocast scalability list.csv --work matrix-multiplication --format json",
    .fewest = 1,
    .most = 1};

/* The options as given. */
typedef struct asked {
    const char *runs;
    const char *work;
    const char *machine;   /* NULL: none */
    const char *platform;  /* NULL: none */
    const char *algorithm; /* of the rows; NULL: as they name it */
    double efficiency;     /* NAN: none */
    long degree;           /* -1: none */
    bool monotone;
    cli_list settings; /* of --set */
} asked;

enum { NO_DEGREE = -1 };

static int check_asked(const asked *a) {
    if (a->work == NULL) {
        return cli_usage_error(&usage, "--work ALGORITHM is needed: its work formula gives W(N)");
    }
    if (a->efficiency <= 0) {
        return cli_usage_error(&usage, "--efficiency must be above 0");
    }
    if (a->degree != NO_DEGREE && (a->degree < 1 || a->degree > ISOCAST_TREND_DEGREE_MAX)) {
        return cli_usage_error(&usage, "--degree is 1 to %d, not %ld", ISOCAST_TREND_DEGREE_MAX,
                               a->degree);
    }
    if (a->degree != NO_DEGREE && a->monotone) {
        return cli_usage_error(&usage, "--degree and --monotone exclude each other");
    }
    if (isnan(a->efficiency) && (a->degree != NO_DEGREE || a->monotone)) {
        return cli_usage_error(&usage, "--degree and --monotone are of trend lines, which need "
                                       "--efficiency");
    }
    if (a->machine != NULL && a->platform != NULL) {
        return cli_usage_error(&usage, "--machine and --platform exclude each other");
    }
    int inputs = (strcmp(a->runs, "-") == 0) + (strcmp(a->work, "-") == 0) +
                 (a->machine != NULL && strcmp(a->machine, "-") == 0);
    return inputs > 1 ? cli_usage_error(&usage, "only one file can be standard input")
                      : CLI_EXIT_OK;
}

static int write_result(const cli_scalability_view *view, json_t *provenance,
                        const cli_common *common) {
    if (strcmp(common->format, "json") == 0) {
        return cli_json_write(cli_json_scalability(view, provenance), common);
    }
    json_decref(provenance);
    cli_report *report = cli_report_of_scalability(view);
    return cli_reports_write(&report, 1, common);
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

static int compute(const asked *a, const cli_loaded *loaded, const isocast_machine *hardware,
                   const isocast_runs *runs, bool quiet, isocast_scalability **out) {
    isocast_diagnostics diagnostics = {0};
    isocast_work *work = NULL;
    isocast_status result = isocast_work_create(loaded->algorithm, &diagnostics, &work);
    if (result == ISOCAST_OK) {
        isocast_scalability_request request = {.runs = runs,
                                               .work = work,
                                               .machine = hardware,
                                               .algorithm = a->algorithm,
                                               .efficiency = a->efficiency,
                                               .degree =
                                                   a->degree == NO_DEGREE ? 0 : (int)a->degree,
                                               .monotone = a->monotone};
        result = isocast_scalability_compute(&request, &diagnostics, out);
    }
    result = cli_diagnostics_tell(&diagnostics, quiet, result);
    isocast_work_free(work);
    return cli_exit_of(result);
}

/* Times are due where there is an efficiency to find in them. */
static int load_runs(const asked *a, bool quiet, isocast_runs **out) {
    isocast_diagnostics diagnostics = {0};
    isocast_status result = isnan(a->efficiency)
                                ? isocast_runs_load_list(a->runs, &diagnostics, out)
                                : isocast_runs_load(a->runs, &diagnostics, out);
    result = cli_diagnostics_tell(&diagnostics, quiet, result);
    int status = cli_exit_of(result);
    if (status == CLI_EXIT_OK && isnan(a->efficiency) && (*out)->has_times) {
        status = cli_usage_error(&usage, "--efficiency E is needed for runs (%s has a column T)",
                                 a->runs);
    }
    return status;
}

static int run(int argc, char **argv, const asked *a, const cli_common *common) {
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
    if (status == CLI_EXIT_OK) {
        status = load_runs(a, common->quiet, &runs);
    }
    if (status == CLI_EXIT_OK) {
        status = compute(a, &loaded, hardware, runs, common->quiet, &scalability);
    }
    if (status == CLI_EXIT_OK && scalability != NULL) {
        cli_scalability_view view = {scalability, loaded.algorithm, runs->source->name};
        status = write_result(&view, cli_provenance(argc, argv, &loaded), common);
        status = status == CLI_EXIT_OK ? exit_of_rows(scalability) : status;
    }
    isocast_scalability_free(scalability);
    isocast_runs_free(runs);
    isocast_platform_free(platform);
    cli_loaded_free(&loaded);
    return status;
}

int cmd_scalability(int argc, char **argv) {
    cli_common common = {0};
    asked a = {.efficiency = NAN, .degree = NO_DEGREE};
    const cli_option options[] = {
        {"--work", 0, CLI_OPTION_INPUT, "ALGORITHM", "the algorithm whose work formula gives W(N)",
         &a.work},
        {"--efficiency", 0, CLI_OPTION_NUMBER, "E", "the speed-efficiency to hold, such as 0.3",
         &a.efficiency},
        {"--machine", 0, CLI_OPTION_INPUT, "MACHINE",
         "machine file that gives C where the runs do not (default: the column C alone)",
         &a.machine},
        {"--platform", 0, CLI_OPTION_INPUT, "PLATFORM",
         "platform that gives C, for runs that were simulated on it", &a.platform},
        {"--algorithm", 0, CLI_OPTION_TEXT, "NAME",
         "which rows to take, where the column algorithm names several (default: those of --work)",
         &a.algorithm},
        {"--degree", 0, CLI_OPTION_COUNT, "D",
         "degree of the trend lines, 1 to 5 (default: the one with the smallest leave-one-out "
         "error)",
         &a.degree},
        {"--monotone", 0, CLI_OPTION_FLAG, NULL,
         "use monotone lines as trend lines, not polynomials", &a.monotone},
        CLI_SET_OPTION(&a.settings),
        {0}};
    const char **positional = NULL;
    size_t count = 0;
    cli_parse parsed = cli_options_parse(&usage, options, argc, argv, &common, &positional, &count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON) {
        a.runs = positional[0];
        status = check_asked(&a);
        if (status == CLI_EXIT_OK) {
            status = run(argc, argv, &a, &common);
        }
    }
    free(positional);
    free(a.settings.items);
    return status;
}
