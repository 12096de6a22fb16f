/* isocast transfer: runs measured on one machine, predicted on another from both data sheets. */
#include <stdlib.h>
#include <string.h>

#include "cli/options/data_file.h"
#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/options.h"
#include "cli/output/fields.h"
#include "cli/output/json_text.h"
#include "cli/report/report_transfer.h"
#include "command.h"

static const cli_usage usage = {
    .command = "transfer",
    .arguments = "RUNS.csv --from HERE --to THERE",
    .summary =
        "Predicts the time of a program on another machine: from its runs on the one that there "
        "is, and the data sheets of both.",
    .details =
        "RUNS.csv has a row for each run on HERE with the columns system, p, N and T (seconds); it "
        "may come from any program. The columns nodes and threads (of a process) count where they "
        "are there; without nodes, runs are on full nodes. Of the column machine the rows of HERE "
        "count where it names several.\n"
        "HERE and THERE are platform files, or machine files, with memory_bandwidth of the node. "
        "T is predicted on as many nodes, with a 90 % interval. The part of T that more nodes "
        "shorten goes by the memory bandwidth of the nodes, the clock and number of their "
        "processors, and their speed; the rest also by the network. Runs that leave processors of "
        "their nodes idle show the share that is bound by memory.\n"
        "With an algorithm, E is predicted, too, and N': the size with which E there is what it is "
        "here.\n"
        "\n"
        "Examples:\n"
        "  isocast transfer runs.csv --from ours.yaml --to offered.yaml\n"
        "  isocast transfer runs.csv --from ours.yaml --to offered.yaml \\\n"
        "      --with matrix-multiplication --format csv",
    .fewest = 1,
    .most = 1};

/* The options as given. */
typedef struct asked {
    const char *runs;
    const char *from, *to;
    const char *with;      /* NULL: no algorithm */
    const char *algorithm; /* of the rows; NULL: as they name it */
    cli_settings settings;
} asked;

static isocast_transfer_site site_of(const cli_loaded *loaded) {
    return loaded->platform != NULL
               ? (isocast_transfer_site){loaded->platform->hardware, &loaded->platform->network}
               : (isocast_transfer_site){loaded->machine, NULL};
}

static int write_result(const cli_transfer_view *view, const cli_common *common) {
    if (strcmp(common->format, "json") == 0) {
        return cli_json_write(cli_fields_document(&cli_transfer_document, view), common);
    }
    cli_report *report = cli_report_of_transfer(view);
    return cli_reports_write(&report, 1, common);
}

/* Status 4 where nothing is predicted in a row; what was asked for is printed all the same. */
static int exit_of_rows(const isocast_transfer *transfer) {
    for (size_t i = 0; i < transfer->count; i++) {
        if (transfer->rows[i].status != ISOCAST_TRANSFER_OK) {
            return CLI_EXIT_NO_SOLUTION;
        }
    }
    return CLI_EXIT_OK;
}

static int transfer_runs(int argc, char **argv, const asked *a, const cli_loaded *sites,
                         const cli_loaded *program, const cli_common *common) {
    isocast_diagnostics diagnostics = {0};
    isocast_runs *runs = NULL;
    isocast_work *work = NULL;
    isocast_transfer *transfer = NULL;
    isocast_transfer_request request = {
        .from = site_of(&sites[0]), .to = site_of(&sites[1]), .algorithm = a->algorithm};
    isocast_status result = isocast_runs_load(a->runs, &diagnostics, &runs);
    if (result == ISOCAST_OK && program->algorithm != NULL) {
        result = isocast_work_create(program->algorithm, &diagnostics, &work);
    }
    if (result == ISOCAST_OK) {
        request.runs = runs;
        request.work = work;
        result = isocast_transfer_compute(&request, &diagnostics, &transfer);
    }
    int status = cli_exit_of(cli_diagnostics_tell(&diagnostics, common->quiet, result));
    if (status == CLI_EXIT_OK && transfer != NULL) {
        const cli_transfer_view view = {.subject = {.algorithm = program->algorithm,
                                                    .runs = runs->source->name,
                                                    .provenance = {.argc = argc, .argv = argv}},
                                        .transfer = transfer,
                                        .request = &request,
                                        .from_path = sites[0].machine_path,
                                        .to_path = sites[1].machine_path};
        status = write_result(&view, common);
        status = status == CLI_EXIT_OK ? exit_of_rows(transfer) : status;
    }
    isocast_transfer_free(transfer);
    isocast_work_free(work);
    isocast_runs_free(runs);
    return status;
}

static int run(int argc, char **argv, const asked *a, const cli_common *common) {
    cli_loaded sites[2] = {{0}, {0}};
    cli_loaded program = {0};
    int status = cli_load_hardware(a->from, common->quiet, &sites[0]);
    if (status != CLI_EXIT_SYSTEM) {
        int other = cli_load_hardware(a->to, common->quiet, &sites[1]);
        status = other > status ? other : status;
    }
    if (status == CLI_EXIT_OK && a->with != NULL) {
        status = cli_load_apart_set(a->with, NULL, &a->settings, common->quiet, &program);
    }
    if (status == CLI_EXIT_OK) {
        status = transfer_runs(argc, argv, a, sites, &program, common);
    }
    cli_loaded_free(&program);
    cli_loaded_free(&sites[0]);
    cli_loaded_free(&sites[1]);
    return status;
}

static int check_asked(const asked *a) {
    if (a->from == NULL || a->to == NULL) {
        return cli_usage_error(&usage, "%s is needed: the file of the machine that %s",
                               a->from == NULL ? "--from HERE" : "--to THERE",
                               a->from == NULL ? "the runs are of" : "T is asked for");
    }
    int inputs = (strcmp(a->runs, "-") == 0) + (strcmp(a->from, "-") == 0) +
                 (strcmp(a->to, "-") == 0) + (a->with != NULL && strcmp(a->with, "-") == 0);
    if (inputs > 1) {
        return cli_usage_error(&usage, "only one file can be standard input");
    }
    if (a->with == NULL && a->settings.set.count > 0) {
        return cli_usage_error(&usage,
                               "--set changes numbers of an algorithm: name it with --with");
    }
    return cli_data_file_check(&usage, a->runs, "RUNS.csv");
}

int cmd_transfer(int argc, char **argv) {
    cli_common common = {0};
    asked a = {0};
    const cli_option options[] = {
        {"--from", 0, CLI_OPTION_INPUT, "HERE", "platform or machine that the runs are of",
         &a.from},
        {"--to", 0, CLI_OPTION_INPUT, "THERE", "platform or machine that T is asked for", &a.to},
        {"--with", 0, CLI_OPTION_INPUT, "ALGORITHM",
         "algorithm of the program, whose work gives E, N' and psi", &a.with},
        {"--algorithm", 0, CLI_OPTION_TEXT, "NAME",
         "which rows to read, by the column algorithm (default: those of ALGORITHM, or all where "
         "the column names one algorithm only)",
         &a.algorithm},
        CLI_SET_OPTION(&a.settings),
        {0}};
    const char **positional = NULL;
    size_t count = 0;
    cli_parse parsed = cli_options_parse(&usage, options, argc, argv, &common, &positional, &count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON) {
        a.runs = positional[0];
        status = check_asked(&a);
        status = status == CLI_EXIT_OK ? run(argc, argv, &a, &common) : status;
    }
    free(positional);
    free(a.settings.set.items);
    return status;
}
