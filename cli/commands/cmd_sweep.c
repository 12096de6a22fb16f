/* isocast sweep: an algorithm on a machine where parameters of both vary, over millions of rows. */
#include <stdlib.h>
#include <string.h>

#include "calibrate/campaign/launcher.h"
#include "cli/options/ranks_join.h"
#include "command.h"
#include "model/base/text.h"
#include "sweep_plan.h"
#include "sweep_run.h"

static const cli_usage usage = {
    .command = "sweep",
    .arguments = "ALGORITHM MACHINE|--platform PLATFORM",
    .summary =
        "Predicts while parameters of the algorithm or the machine vary: a row for each "
        "point, target (or size) and system, written as it is computed. ALGORITHM and "
        "MACHINE are files or names of installed specifications. With --platform a data sheet "
        "takes the place of the machine.",
    .details =
        "VALUES are a list with ranges by steps (1us,2us or 1us..64us*2 or 1us..9us+2us), or a "
        "range with a number of values (1us..50us:lin:25, or :log:25 for equal factors). Several "
        "--vary make a grid, of which the last one changes quickest. With --design a range "
        "without a number (1us..50us or 1us..50us:log) is drawn from: random draws are "
        "independent, latin is a Latin hypercube, sobol a Sobol sequence; the same seed gives the "
        "same rows.\n"
        "With --platform, numbers of the platform vary, too: network.link_latency, "
        "network.link_bandwidth, network.node_latency, network.node_bandwidth, "
        "network.eager_limit, and class.speed. Each set of their values is a platform of its own "
        "that is simulated; there may be 1000 of them, and 100000 rows. How many simulations are "
        "needed is printed before they begin, and --budget limits how long they take.\n"
        "The file begins with the question, its hash, and the unit of each column; numbers are in "
        "SI units. The last column is the status of the row, as in predict; where a row has no "
        "solution, the exit status is 4. A file that is there is never replaced: --resume "
        "goes on with it, to the same bytes as without an interruption.\n"
        "Started by mpiexec, the processes share the rows, and the first one writes.\n"
        "\n"
        "Examples:\n"
        "  isocast sweep gaussian-elimination-published sunwulf \\\n"
        "      --vary 't_c=10ns..100ns:log:25' --efficiency 0.3 --to C4,C8 -o sweep.csv\n"
        "  isocast sweep matrix-multiplication sunwulf \\\n"
        "      --vary 'sunblade.marked_speed=10Mflop/s..1Gflop/s:log' \\\n"
        "      --vary 't_c=10ns..100ns:log' --design sobol:1000 \\\n"
        "      --at N=2000 --to 'sunblade:16' -o sweep.jsonl\n"
        "  isocast sweep gaussian-elimination --platform ethernet-128 \\\n"
        "      --vary network.link_latency=0.5us..50us:log:25 --efficiency 0.3 --to 4,8",
    .output = "write to FILE as the rows are computed: CSV, or JSON lines where FILE ends in "
              ".jsonl; - is standard output (the default)",
    .fewest = 1,
    .most = 2};

typedef struct sweep_options {
    sweep_texts texts;
    long threads;
    bool resume;
    cli_common common;
} sweep_options;

enum { OWN_OPTIONS = 5 };

/* What predict takes, without --base: a sweep has no base. */
static void put_table(sweep_options *o, cli_option *options) {
    const cli_option own[OWN_OPTIONS] = {
        {"--vary", 0, CLI_OPTION_LIST, "NAME=VALUES",
         "what varies, and its values: anything that --set can set; may be repeated",
         &o->texts.vary},
        {"--design", 0, CLI_OPTION_TEXT, "DESIGN",
         "draw from ranges without a number of values: random:COUNT, latin:COUNT or sobol:COUNT",
         &o->texts.design},
        {"--seed", 0, CLI_OPTION_COUNT, "NUMBER", "seed of the draws (default: 1)", &o->texts.seed},
        {"--threads", 0, CLI_OPTION_COUNT, "NUMBER",
         "threads that compute (default: one for each processor; with mpiexec one)", &o->threads},
        {"--resume", 0, CLI_OPTION_FLAG, NULL,
         "go on with the output file of the same command that was cut off", &o->resume}};
    memcpy(options, own, sizeof own);
    cli_option table[CLI_PREDICTION_OPTIONS + 1];
    cli_prediction_options_table(&o->texts.prediction, table);
    size_t count = OWN_OPTIONS;
    for (size_t i = 0; i < CLI_PREDICTION_OPTIONS; i++) {
        if (strcmp(table[i].name, "--base") != 0) {
            options[count++] = table[i];
        }
        if (strcmp(table[i].name, "--at") == 0) {
            options[count - 1].help = "a size of the problem, such as N=1000, instead of an "
                                      "efficiency; several sizes by commas or by repeating the "
                                      "option, several values as N=512..65536*2 or N=100,200";
        }
    }
    cli_platform_options_table(&o->texts.platform, false, options + count);
    options[count + CLI_PLATFORM_OPTIONS] = (cli_option){0};
}

/* By --format, or the ending of the file. */
static int read_format(const cli_common *common, cli_sweep_format *out) {
    bool by_name = common->output != NULL && (isocast_text_ends(common->output, ".jsonl") ||
                                              isocast_text_ends(common->output, ".ndjson"));
    bool csv = strcmp(common->format, "csv") == 0;
    bool json = strcmp(common->format, "json") == 0;
    if (strcmp(common->format, "markdown") == 0) {
        return cli_usage_error(&usage, "a sweep is written as csv or json, which is a line a row");
    }
    if ((csv && by_name) ||
        (json && common->output != NULL && isocast_text_ends(common->output, ".csv"))) {
        return cli_usage_error(&usage, "--format %s does not fit the name of %s", common->format,
                               common->output);
    }
    *out = json || (by_name && !csv) ? CLI_SWEEP_JSON : CLI_SWEEP_CSV;
    return CLI_EXIT_OK;
}

/* Ranks fill the processors themselves. */
static size_t threads_of(const sweep_options *o, const cli_ranks *ranks) {
    enum { THREADS_MAX = 256 };
    long threads = o->threads > 0 ? o->threads : ranks->count > 1 ? 1 : launcher_processors();
    return threads < 1 ? 1 : threads > THREADS_MAX ? THREADS_MAX : (size_t)threads;
}

static int sweep(const sweep_options *o, const char *const *positional, size_t count,
                 cli_ranks *ranks) {
    sweep_plan plan = {0};
    cli_sweep_format format = CLI_SWEEP_CSV;
    bool to_stream = o->common.output == NULL || strcmp(o->common.output, "-") == 0;
    int status = cli_platform_check(&usage, &o->texts.platform, positional, count);
    status = status == CLI_EXIT_OK ? read_format(&o->common, &format) : status;
    if (status == CLI_EXIT_OK && o->resume && to_stream) {
        status = cli_usage_error(&usage, "--resume goes on with a file: name it with -o FILE");
    }
    if (status == CLI_EXIT_OK && o->texts.platform.platform != NULL && ranks->count > 1) {
        status = cli_usage_error(&usage, "--platform is simulated by one process: start it without "
                                         "mpiexec");
    }
    if (status == CLI_EXIT_OK) {
        status = sweep_plan_read(&usage, positional, &o->texts, o->common.quiet, &plan);
    }
    const sweep_run_request run = {.command = usage.command,
                                   .sweep = plan.sweep,
                                   .format = format,
                                   .question = plan.text,
                                   .output = o->common.output,
                                   .resume = o->resume,
                                   .quiet = o->common.quiet,
                                   .threads = threads_of(o, ranks),
                                   .ranks = ranks};
    status = sweep_run(&run, status);
    sweep_plan_free(&plan);
    return status;
}

int cmd_sweep(int argc, char **argv) {
    sweep_options o = {.texts = {.seed = 1}};
    cli_option options[CLI_PREDICTION_OPTIONS + CLI_PLATFORM_OPTIONS + OWN_OPTIONS + 1];
    put_table(&o, options);
    const char **positional = NULL;
    size_t count;
    cli_ranks ranks = {0};
    int status = cli_ranks_join(usage.command, &ranks);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    /* All ranks have the same command line, so that all of them end here or none does. */
    cli_parse parsed =
        cli_options_parse(&usage, options, argc, argv, &o.common, &positional, &count);
    status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON) {
        status = sweep(&o, positional, count, &ranks);
    } else if (ranks.rank > 0) {
        status = CLI_EXIT_OK;
    }
    cli_ranks_leave(&ranks);
    free(positional);
    free(o.texts.vary.items);
    cli_prediction_texts_free(&o.texts.prediction);
    return status;
}
