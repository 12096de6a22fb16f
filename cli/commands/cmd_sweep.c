/* isocast sweep: an algorithm on a machine where parameters of both vary, over millions of rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calibrate/campaign/launcher.h"
#include "campaign.h"
#include "cli/options/exit.h"
#include "cli/options/ranks_join.h"
#include "cli/output/growing.h"
#include "cli/output/ordered.h"
#include "cli/output/progress.h"
#include "cli/report/sweep_text.h"
#include "command.h"
#include "model/base/text.h"
#include "sweep_plan.h"

/* Computes the blocks of a sweep on threads and ranks, and writes their lines in order. */

typedef struct sweep_run_request {
    const char *command; /* for messages */
    const isocast_sweep *sweep;
    cli_sweep_format format;
    const char *question; /* for the head */
    const char *output;   /* NULL or "-": standard output */
    bool resume;
    bool quiet;
    size_t threads; /* of this process, at least one */
    const cli_ranks *ranks;
} sweep_run_request;

/* What computes one block after the other in a thread. */
typedef struct maker {
    isocast_sweep_worker *worker;
    cli_sweep_text *text;
} maker;

/* What a rank states rank 0 before anything is computed. */
typedef struct rank_state {
    int planned; /* exit status */
    char hash[CLI_SWEEP_HASH + 1];
} rank_state;

/* What rank 0 states all of them then. */
typedef struct rank_order {
    int status;   /* exit status: go on where it is OK */
    double first; /* block */
} rank_order;

/* What goes before the lines of a block on their way to rank 0; a block whose status is not OK, or
 * whose number is below 0, is the rank's last word. */
typedef struct rank_head {
    double number;
    double unsolved;
    isocast_status status;
} rank_head;

typedef struct run {
    const sweep_run_request *request;
    cli_growing output;
    isocast_buffer head;
    isocast_buffer message; /* of another rank, or for rank 0 */
    double blocks;
    double written; /* rows in the file */
    double before;  /* of them when this command began to compute */
    double unsolved;
    bool interrupted;
    bool shows_progress;
    struct timespec began, shown;
    int status;
} run;

static double seconds_since(struct timespec from, struct timespec now) {
    return (double)(now.tv_sec - from.tv_sec) + 1e-9 * (double)(now.tv_nsec - from.tv_nsec);
}

/* "12:34:56" for what is left. */
static void put_time_left(double seconds, isocast_buffer *out) {
    if (seconds < 1e7) {
        long whole = lround(seconds);
        isocast_buffer_printf(out, ", %ld:%02ld:%02ld left", whole / 3600, whole / 60 % 60,
                              whole % 60);
    }
}

static void show_progress(run *r) {
    static const double every = 0.2; /* s */
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!r->shows_progress || seconds_since(r->shown, now) < every) {
        return;
    }
    r->shown = now;
    double rows = isocast_sweep_rows(r->request->sweep);
    double rate = (r->written - r->before) / fmax(seconds_since(r->began, now), every);
    isocast_buffer text = {0};
    isocast_buffer_printf(&text, "sweep: %.0f of %.0f rows, %.1f %%, %.3g rows a minute",
                          r->written, rows, 100 * r->written / rows, 60 * rate);
    put_time_left((rows - r->written) / rate, &text);
    if (!text.failed) {
        cli_progress_show("%s", text.text);
    }
    isocast_buffer_free(&text);
}

static isocast_status make_block(void *context, double block, cli_piece *piece) {
    maker *m = context;
    isocast_sweep_records records;
    isocast_status status = isocast_sweep_compute(m->worker, block, &records);
    if (status == ISOCAST_OK) {
        piece->unsolved = cli_sweep_lines(m->text, &records, &piece->text);
    }
    return status;
}

static double rows_to(const run *r, double block) {
    return fmin((block + 1) * ISOCAST_SWEEP_BLOCK, isocast_sweep_rows(r->request->sweep));
}

/* Writes the lines of a block; false where that is the end. */
static bool write_block(run *r, double block, isocast_status status, double unsolved,
                        const char *text, size_t length) {
    if (status != ISOCAST_OK) {
        r->status = cli_exit_of(status);
        return false;
    }
    r->status = cli_growing_append(&r->output, text, length);
    if (r->status != CLI_EXIT_OK) {
        return false;
    }
    r->unsolved += unsolved;
    r->written = rows_to(r, block);
    show_progress(r);
    r->interrupted = r->interrupted || cli_interrupts_came();
    return !r->interrupted;
}

/* Takes the next message of a rank: a block or its last word. */
static bool receive(run *r, int rank, rank_head *head) {
    const ranks_functions *ranks = r->request->ranks->functions;
    size_t length = ranks->expect(rank);
    r->message.length = 0;
    char *bytes = malloc(length);
    if (bytes != NULL) {
        ranks->receive(rank, bytes, length);
        memcpy(head, bytes, sizeof *head);
        isocast_buffer_append(&r->message, bytes + sizeof *head, length - sizeof *head);
    }
    free(bytes);
    return bytes != NULL && !r->message.failed;
}

/* In rank 0: writes the blocks of the others that follow one of its own. */
static bool write_others(run *r, double block) {
    for (int rank = 1; rank < r->request->ranks->count; rank++) {
        rank_head head = {0};
        if (block + rank >= r->blocks) {
            return true;
        }
        if (!receive(r, rank, &head)) {
            r->status = cli_exit_of(ISOCAST_NO_MEMORY);
            return false;
        }
        if (!write_block(r, head.number, head.status, head.unsolved, r->message.text,
                         r->message.length)) {
            return false;
        }
    }
    return true;
}

/* Rank 0, which may be the only one. */
static bool take_and_write(void *context, const cli_piece *piece) {
    run *r = context;
    return write_block(r, piece->number, piece->status, piece->unsolved, piece->text.text,
                       piece->text.length) &&
           write_others(r, piece->number);
}

static void send(run *r, const rank_head *head, const isocast_buffer *lines) {
    r->message.length = 0;
    isocast_buffer_append(&r->message, (const char *)head, sizeof *head);
    if (lines != NULL) {
        isocast_buffer_append(&r->message, lines->text, lines->length);
    }
    if (r->message.failed) {
        const rank_head failure = {.number = -1, .status = ISOCAST_NO_MEMORY};
        r->request->ranks->functions->send(&failure, sizeof failure);
    } else {
        r->request->ranks->functions->send(r->message.text, r->message.length);
    }
}

/* The other ranks. */
static bool take_and_send(void *context, const cli_piece *piece) {
    run *r = context;
    const rank_head head = {piece->number, piece->unsolved, piece->status};
    send(r, &head, piece->status == ISOCAST_OK ? &piece->text : NULL);
    return !r->request->ranks->functions->stopped();
}

static void free_makers(maker *makers, void **pointers, size_t count) {
    for (size_t i = 0; makers != NULL && i < count; i++) {
        isocast_sweep_worker_free(makers[i].worker);
        cli_sweep_text_free(makers[i].text);
    }
    free(makers);
    free(pointers);
}

/* Computes the blocks of this rank from `first` on. */
static isocast_status compute(run *r, double first) {
    const sweep_run_request *request = r->request;
    size_t count = request->threads;
    maker *makers = calloc(count, sizeof *makers);
    void **pointers = calloc(count, sizeof *pointers);
    isocast_status status = makers != NULL && pointers != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        status = isocast_sweep_worker_create(request->sweep, &makers[i].worker);
        makers[i].text = cli_sweep_text_create(request->sweep, request->format);
        status = makers[i].text == NULL ? ISOCAST_NO_MEMORY : status;
        pointers[i] = &makers[i];
    }
    if (status == ISOCAST_OK) {
        const cli_ordered ordered = {.first = first + request->ranks->rank,
                                     .step = request->ranks->count,
                                     .end = r->blocks,
                                     .threads = count,
                                     .makers = pointers,
                                     .make = make_block,
                                     .take =
                                         request->ranks->rank == 0 ? take_and_write : take_and_send,
                                     .context = r};
        status = cli_ordered_run(&ordered);
    }
    free_makers(makers, pointers, count);
    return status;
}

/* In rank 0: whether all ranks have the same question. */
static int agree(const run *r, const rank_state *all) {
    for (int rank = 1; rank < r->request->ranks->count; rank++) {
        if (all[rank].planned != CLI_EXIT_OK || strcmp(all[rank].hash, all[0].hash) != 0) {
            fprintf(stderr,
                    "isocast %s: process %d reads other files than process 0, or cannot read them; "
                    "all processes need the same files\n",
                    r->request->command, rank);
            return CLI_EXIT_INVALID;
        }
    }
    return CLI_EXIT_OK;
}

/* Opens the output and finds the first block. */
static int begin(run *r, const rank_state *states, cli_growing_request *growing,
                 rank_order *order) {
    int status = states[0].planned;
    CLI_THEN(status, agree(r, states));
    if (status == CLI_EXIT_OK) {
        status = cli_growing_open(growing, &r->output);
        r->before = r->written = r->output.next * ISOCAST_SWEEP_BLOCK;
        r->unsolved = r->output.unsolved;
    }
    *order = (rank_order){status, r->output.next};
    return status;
}

static bool read_line(const void *context, const char *line, size_t length, double number,
                      bool *solved) {
    const sweep_run_request *request = context;
    return cli_sweep_line_read(request->format, line, length, number, solved);
}

/* In rank 0, after its own last block: has the others end, and hears their last words. */
static void end_others(run *r) {
    const cli_ranks *ranks = r->request->ranks;
    if (ranks->functions == NULL) {
        return;
    }
    ranks->functions->stop();
    for (int rank = 1; rank < ranks->count; rank++) {
        rank_head head = {.number = 0};
        while (head.number >= 0) {
            if (!receive(r, rank, &head)) {
                r->status = CLI_EXIT_SYSTEM;
                break;
            }
        }
    }
}

static int finish(run *r) {
    if (r->shows_progress) {
        cli_progress_clear();
    }
    if (r->interrupted && r->status == CLI_EXIT_OK) {
        const char *output = r->request->output;
        bool file = output != NULL && strcmp(output, "-") != 0;
        fprintf(stderr, "isocast %s: interrupted after %.0f of %.0f rows%s\n", r->request->command,
                fmax(r->written, r->output.lines), isocast_sweep_rows(r->request->sweep),
                file ? "; the same command with --resume goes on" : "");
        r->status = CLI_EXIT_SYSTEM;
    }
    if (r->status == CLI_EXIT_OK && r->unsolved > 0) {
        r->status = CLI_EXIT_NO_SOLUTION;
    }
    bool complete = r->status == CLI_EXIT_OK || r->status == CLI_EXIT_NO_SOLUTION;
    return cli_growing_close(&r->output, complete, r->status);
}

/* Rank 0 knows what the file has; the others are reported. */
static int start(run *r, int planned, cli_growing_request *growing, rank_order *order) {
    const cli_ranks *ranks = r->request->ranks;
    rank_state own = {.planned = planned};
    if (planned == CLI_EXIT_OK && !cli_sweep_head(r->request->sweep, r->request->format,
                                                  r->request->question, &r->head, own.hash)) {
        own.planned = cli_exit_of(ISOCAST_NO_MEMORY);
    }
    rank_state *states = calloc((size_t)ranks->count, sizeof *states);
    if (states == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    states[0] = own;
    if (ranks->functions != NULL) {
        ranks->functions->gather(&own, sizeof own, states);
    }
    if (ranks->rank == 0) {
        begin(r, states, growing, order);
    }
    if (ranks->functions != NULL) {
        ranks->functions->share(order, sizeof *order);
    }
    free(states);
    return order->status;
}

/* All blocks of this rank, and the end. */
static int carry_out(run *r, const rank_order *order) {
    const sweep_run_request *request = r->request;
    r->blocks = isocast_sweep_blocks(request->sweep);
    clock_gettime(CLOCK_MONOTONIC, &r->began);
    cli_interrupts_catch();
    isocast_status status = compute(r, order->first);
    if (request->ranks->rank > 0) {
        const rank_head last = {.number = -1, .status = status};
        send(r, &last, NULL);
        return CLI_EXIT_OK;
    }
    r->status = r->status == CLI_EXIT_OK ? cli_exit_of(status) : r->status;
    end_others(r);
    return finish(r);
}

/* Runs a sweep to its end, or until it is interrupted. Every rank calls it, also one whose question
 * could not be read: `planned` is the exit status of that. Gives the exit status. */
static int sweep_run(const sweep_run_request *request, int planned) {
    run r = {.request = request,
             .output = {.file = -1},
             .shows_progress = !request->quiet && isatty(STDERR_FILENO) == 1};
    cli_growing_request growing = {
        .command = request->command,
        .path = request->output,
        .resume = request->resume,
        .head = &r.head,
        .lines_most = planned == CLI_EXIT_OK ? isocast_sweep_rows(request->sweep) : 0,
        .block = ISOCAST_SWEEP_BLOCK,
        .read_line = read_line,
        .context = request};
    rank_order order = {.status = CLI_EXIT_OK};
    int status = start(&r, planned, &growing, &order);
    if (status == CLI_EXIT_OK) {
        status = carry_out(&r, &order);
    } else {
        status =
            request->ranks->rank == 0 ? cli_growing_close(&r.output, false, status) : CLI_EXIT_OK;
    }
    isocast_buffer_free(&r.head);
    isocast_buffer_free(&r.message);
    return status;
}

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
    cli_call call;
    cli_ranks ranks;
    bool runs; /* the command line says so */
} sweep_options;

/* By --format, or the ending of the file. */
static int read_format(const cli_common *common, cli_sweep_format *out) {
    bool by_name = common->output != NULL && (isocast_text_ends(common->output, ".jsonl") ||
                                              isocast_text_ends(common->output, ".ndjson"));
    bool csv = strcmp(common->format, "csv") == 0;
    bool json = strcmp(common->format, "json") == 0;
    if (strcmp(common->format, "markdown") == 0 || strcmp(common->format, "latex") == 0 ||
        strcmp(common->format, "html") == 0) {
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

static int run_plan(void *context) {
    sweep_options *o = context;
    o->runs = true;
    const cli_common *common = &o->call.common;
    const cli_ranks *ranks = &o->ranks;
    sweep_plan plan = {0};
    cli_sweep_format format = CLI_SWEEP_CSV;
    bool to_stream = common->output == NULL || strcmp(common->output, "-") == 0;
    int status =
        cli_platform_check(&o->call, o->call.count,
                           ranks->count > 1 ? "a sweep under mpiexec" : NULL, &o->texts.platform);
    CLI_THEN(status, read_format(common, &format));
    if (status == CLI_EXIT_OK && o->resume && to_stream) {
        status = cli_usage_error(&usage, "--resume goes on with a file: name it with -o FILE");
    }
    if (status == CLI_EXIT_OK && o->texts.platform.platform != NULL && ranks->count > 1) {
        status = cli_usage_error(&usage, "--platform is simulated by one process: start it without "
                                         "mpiexec");
    }
    CLI_THEN(status, sweep_plan_read(&o->call, &o->texts, &plan));
    const sweep_run_request asked = {.command = usage.command,
                                     .sweep = plan.sweep,
                                     .format = format,
                                     .question = plan.text,
                                     .output = common->output,
                                     .resume = o->resume,
                                     .quiet = common->quiet,
                                     .threads = threads_of(o, ranks),
                                     .ranks = ranks};
    status = sweep_run(&asked, status);
    sweep_plan_free(&plan);
    return status;
}

int cmd_sweep(int argc, char **argv) {
    sweep_options o = {
        .texts = {.prediction = CLI_PREDICTION_TEXTS, .platform = CLI_PLATFORM_TEXTS, .seed = 1}};
    o.texts.prediction.set.at = &o.texts.prediction.at;
    /* What predict takes, without --base: a sweep has no base. */
    const cli_option options[] = {
        {"--vary", 0, CLI_OPTION_LIST, "NAME=VALUES",
         "what varies, and its values: anything that --set can set; may be repeated",
         &o.texts.vary},
        {"--design", 0, CLI_OPTION_TEXT, "DESIGN",
         "draw from ranges without a number of values: random:COUNT, latin:COUNT or sobol:COUNT",
         &o.texts.design},
        {"--seed", 0, CLI_OPTION_COUNT, "NUMBER", "seed of the draws (default: 1)", &o.texts.seed},
        {"--threads", 0, CLI_OPTION_COUNT, "NUMBER",
         "threads that compute (default: one for each processor; with mpiexec one)", &o.threads},
        {"--resume", 0, CLI_OPTION_FLAG, NULL,
         "go on with the output file of the same command that was cut off", &o.resume},
        CLI_PREDICTION_OPTIONS(&o.texts.prediction,
                               "a size of the problem, such as N=1000, instead of an efficiency; "
                               "several sizes by commas or by repeating the option, several "
                               "values as N=512..65536*2 or N=100,200"),
        CLI_LAWS_OPTION(&o.texts.platform),
        CLI_PLATFORM_OPTIONS(&o.texts.platform, CLI_PLATFORM_HELP, CLI_BUDGET_HELP),
        {0}};
    int status = cli_ranks_join(usage.command, &o.ranks);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    /* All ranks have the same command line, so that all of them end here or none does. */
    status = cli_call_run(&usage, options, argc, argv, &o.call, run_plan, &o);
    if (!o.runs && o.ranks.rank > 0) {
        status = CLI_EXIT_OK;
    }
    cli_ranks_leave(&o.ranks);
    return status;
}
