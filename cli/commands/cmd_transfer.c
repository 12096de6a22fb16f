/* isocast transfer: runs measured on one machine, predicted on another from both data sheets. */
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/options.h"
#include "cli/output/fields.h"
#include "cli/report/results.h"
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

/* The command line. */
typedef struct asked {
    cli_call call;
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

/* Status 4 where nothing is predicted in a row; what was asked for is printed all the same. */
static int exit_of_rows(const isocast_transfer *transfer) {
    for (size_t i = 0; i < transfer->count; i++) {
        if (transfer->rows[i].status != ISOCAST_TRANSFER_OK) {
            return CLI_EXIT_NO_SOLUTION;
        }
    }
    return CLI_EXIT_OK;
}

static int transfer_runs(const asked *a, const cli_loaded *sites, const cli_loaded *program) {
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
    int status = cli_exit_with(&diagnostics, a->call.common.quiet, result);
    if (status == CLI_EXIT_OK && transfer != NULL) {
        const cli_transfer_view view = {.subject = {.algorithm = program->algorithm,
                                                    .runs = runs->source->name,
                                                    .provenance = {&a->call, NULL}},
                                        .transfer = transfer,
                                        .request = &request,
                                        .from_path = sites[0].machine_path,
                                        .to_path = sites[1].machine_path};
        const cli_written how = {&cli_transfer_document, cli_reports_of_transfer, NULL};
        status = cli_result_write(&how, &view, &a->call.common, NULL, 0);
        CLI_THEN(status, exit_of_rows(transfer));
    }
    isocast_transfer_free(transfer);
    isocast_work_free(work);
    isocast_runs_free(runs);
    return status;
}

static int predict(const asked *a) {
    const bool quiet = a->call.common.quiet;
    cli_loaded sites[2] = {{0}, {0}};
    cli_loaded program = {0};
    int status = cli_load_hardware(a->from, quiet, &sites[0]);
    if (status != CLI_EXIT_SYSTEM) {
        int other = cli_load_hardware(a->to, quiet, &sites[1]);
        status = other > status ? other : status;
    }
    if (status == CLI_EXIT_OK && a->with != NULL) {
        status = cli_load_apart_set(a->with, NULL, &a->settings, quiet, &program);
    }
    CLI_THEN(status, transfer_runs(a, sites, &program));
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

static int run(void *context) {
    asked *a = context;
    a->runs = a->call.positional[0];
    int status = check_asked(a);
    return status == CLI_EXIT_OK ? predict(a) : status;
}

int cmd_transfer(int argc, char **argv) {
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
    return cli_call_run(&usage, options, argc, argv, &a.call, run, &a);
}
