/* isocast study: from a program to a prediction that is held against runs. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibrate/campaign/claim.h"
#include "calibrate/campaign/program_file.h"
#include "calibrate/campaign/record_run.h"
#include "calibrate/campaign/simulation.h"
#include "campaign.h"
#include "cli/options/exit.h"
#include "cli/options/launcher_option.h"
#include "cli/options/load.h"
#include "cli/options/number.h"
#include "cli/options/prediction_options.h"
#include "cli/options/ranks_join.h"
#include "cli/output/provenance.h"
#include "command.h"
#include "model/base/input.h"
#include "model/runs/calm.h"
#include "model/runs/runs.h"
#include "model/spec/machine_load.h"
#include "model/spec/platform_load.h"
#include "model/spec/system.h"
#include "study_run.h"

static const cli_usage usage = {
    .command = "study",
    .arguments = "'PROGRAM [ARGUMENT...]'|--resume FOLDER",
    .summary =
        "Predicts how an MPI program scales, from runs that it makes: chooses sizes and numbers of "
        "processes, records, derives formulas, calibrates this machine, predicts, and shows how "
        "far off the prediction is at a size that nothing was fitted to. {N} stands for the size "
        "in the command line of the program, {p} for the number of processes.",
    .details =
        "The command line of the program is split into words at blanks, quotes keep them together, "
        "and no shell sees it. Each step is a command of isocast, which is printed before it runs. "
        "The folder has all that they write: commands.txt, the records, algorithm.yaml, "
        "machine.yaml, prediction.json, validation.json and their pictures.\n"
        "Compile the program with -g. A run on one process must take 0.02 s or more at some size. "
        "The exit status is 3 where the program is not one that formulas can be made for, and 5 "
        "where it does not run.\n"
        "\n"
        "Examples:\n"
        "  isocast study './jacobi {N} 100' --to 1,2,4,16\n"
        "  isocast study './jacobi {N} 100' --at N=2000 --to 4,16 --platform ethernet-128\n"
        "  isocast study './jacobi {N}' --at N=9000 --offers tender.yaml --spend 500kEUR\n"
        "  isocast study --resume study",
    .output = "the folder that gets everything, which must not exist (default: study)",
    .fewest = 0,
    .most = (size_t)-1,
    .words = (size_t)-1};

typedef struct command_line {
    cli_call call;
    cli_study study;
    const char *sizes_text, *resume;
    double budget;
    const char *resumed; /* the identity of a study that goes on, whose words these are; or NULL */
    double *sizes;
    size_t size_count;
    cli_launcher launcher;
    char *command; /* of the program */
    char *folder;
    char *isocast;
    FILE *journal;
    campaign_study_plan plan;
} command_line;

static int fail(const char *what, const char *path) {
    fprintf(stderr, "isocast study: %s %s: %s\n", what, path, strerror(errno));
    return CLI_EXIT_SYSTEM;
}

static char *path_in(const command_line *c, const char *name) {
    isocast_buffer path = {0};
    isocast_buffer_printf(&path, "%s/%s", c->folder, name);
    return isocast_buffer_take(&path);
}

static FILE *open_in(const command_line *c, const char *name, const char *mode) {
    char *path = path_in(c, name);
    FILE *file = path != NULL ? fopen(path, mode) : NULL;
    if (file == NULL) {
        fail("cannot open", path != NULL ? path : name);
    }
    free(path);
    return file;
}

/* ---- the command line ---- */

/* The word of the program that has the size. */
static int find_size(command_line *c) {
    const campaign_own_program *program = &c->study.program;
    isocast_buffer why = {0};
    bool good = campaign_own_program_check(program, &why);
    bool sized = false;
    for (size_t i = program->words.count; i > 0; i--) {
        if (strstr(program->words.items[i - 1], "{N}") != NULL) {
            c->study.size_word = i - 1;
            sized = true;
        }
    }
    if (!good && sized) {
        why.length = 0;
        isocast_buffer_puts(&why, "it has a name in braces that has no value: {N}, {p}, {px}, {py} "
                                  "and {pz} have one. Write the number in the place of another");
    }
    if (good && c->study.size_word == 0) {
        isocast_buffer_puts(&why, "{N} must be an argument of the program. A script may take it, "
                                  "and become the program of that size");
        good = false;
    }
    if (good && campaign_is_launcher(program->words.items[0])) {
        isocast_buffer_printf(&why,
                              "%s is a launcher, and isocast starts one itself for each number of "
                              "processes: name the program alone, and give another launcher with "
                              "--launcher",
                              program->words.items[0]);
        good = false;
    }
    int status = good ? CLI_EXIT_OK
                      : cli_usage_error(&usage, "the program's command line: %s",
                                        why.text != NULL ? why.text : "out of memory");
    isocast_buffer_free(&why);
    return status;
}

/* The program as one text, as --command of other commands takes it. */
static int read_program(command_line *c) {
    isocast_buffer text = {0};
    for (size_t i = 0; i < c->call.count; i++) {
        isocast_buffer_puts(&text, i > 0 ? " " : "");
        if (c->call.count > 1) {
            cli_argument_put(c->call.positional[i], &text);
        } else {
            isocast_buffer_puts(&text, c->call.positional[i]);
        }
    }
    c->command = isocast_buffer_take(&text);
    if (c->command == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    c->study.command = c->command;
    isocast_buffer why = {0};
    bool good = campaign_own_program_split(c->command, &c->study.program, &why);
    int status = good ? find_size(c)
                      : cli_usage_error(&usage, "the program's command line: %s",
                                        why.text != NULL ? why.text : "out of memory");
    isocast_buffer_free(&why);
    return status;
}

static int read_sizes(command_line *c) {
    if (c->sizes_text == NULL) {
        return CLI_EXIT_OK;
    }
    int status = cli_numbers_read("--sizes", c->sizes_text, &c->sizes, &c->size_count);
    for (size_t i = 0; status == CLI_EXIT_OK && i < c->size_count; i++) {
        bool rises = i == 0 || c->sizes[i] > c->sizes[i - 1];
        if (!rises || c->sizes[i] < 1 || c->sizes[i] != floor(c->sizes[i])) {
            status = cli_usage_error(&usage, "--sizes takes whole numbers that rise, from 1 on");
        }
    }
    if (status == CLI_EXIT_OK && c->size_count < CAMPAIGN_STUDY_RECORDED) {
        status = cli_usage_error(&usage,
                                 "--sizes takes %d sizes or more: formulas need three, and "
                                 "one is held out",
                                 CAMPAIGN_STUDY_RECORDED);
    }
    return status;
}

static int check_options(const command_line *c) {
    int alone = cli_ranks_refuse(&usage, "isocast study './program {N}' --to 1,2,4");
    if (alone != CLI_EXIT_OK) {
        return alone;
    }
    if (c->call.count == 0) {
        return cli_usage_error(&usage, "name the program with its arguments, such as "
                                       "'./jacobi {N} 100'");
    }
    if (c->study.to == NULL && c->study.offers == NULL) {
        return cli_usage_error(&usage, "name the systems to predict, such as --to 1,2,4,16");
    }
    if (c->study.offers == NULL && c->study.spend != NULL) {
        return cli_usage_error(&usage, "--spend goes with --offers");
    }
    if (!(c->budget >= 10)) {
        return cli_usage_error(&usage, "--budget must be 10 s or more: runs of several sizes and "
                                       "numbers of processes are to fit into it");
    }
    if (c->call.common.output != NULL && strcmp(c->call.common.output, "-") == 0) {
        return cli_usage_error(&usage, "-o takes a folder, not standard output");
    }
    return CLI_EXIT_OK;
}

/* The systems of --to, on the platform or on as many nodes as this one. */
static int check_systems(const command_line *c) {
    isocast_diagnostics diagnostics = {0};
    isocast_platform *platform = NULL;
    isocast_machine *here = NULL;
    isocast_system **systems = NULL;
    size_t count = 0;
    static const char text[] =
        "machine: here\nnodes: {node: {count: 1, processors: 1, marked_speed: 1}}\n";
    int exit = c->study.platform != NULL
                   ? cli_load_platform(c->study.platform, c->call.common.quiet, &platform)
                   : cli_exit_of(isocast_machine_read_text("this machine", text, sizeof text - 1,
                                                           &diagnostics, &here));
    if (exit == CLI_EXIT_OK) {
        isocast_status parsed =
            isocast_systems_parse(platform != NULL ? platform->hardware : here, NULL, "--to",
                                  c->study.to, &diagnostics, &systems, &count);
        exit = cli_exit_with_text(&diagnostics, parsed);
    }
    isocast_diagnostics_clear(&diagnostics);
    isocast_systems_free(systems, count);
    isocast_platform_free(platform);
    isocast_machine_free(here);
    return exit;
}

/* What the answer is asked about is looked at before minutes are spent on it. */
static int check_question(const command_line *c) {
    double N = NAN;
    if (c->study.at != NULL &&
        (strncmp(c->study.at, "N=", 2) != 0 || !cli_number_parse(c->study.at + 2, &N) || N <= 0)) {
        return cli_usage_error(&usage, "--at takes N=NUMBER, such as N=2000; not '%s'",
                               c->study.at);
    }
    const campaign_study_step none = {.kind = CAMPAIGN_STUDY_END};
    return c->study.offers != NULL
               ? cli_study_answer(&c->study, &none, "isocast check --quiet {offers}")
               : check_systems(c);
}

/* ---- the folder ---- */

/* What makes a file this one, wherever its folder is moved to; one that comes from elsewhere is
 * another one, and commands in it are not run. */
static void put_identity(const struct stat *file, isocast_buffer *out) {
    isocast_buffer_printf(out, "%" PRIuMAX ":%" PRIuMAX, (uintmax_t)file->st_dev,
                          (uintmax_t)file->st_ino);
}

/* study.txt: its identity, the working folder, and the command line, as a shell takes words. */
static int write_question(const command_line *c) {
    FILE *file = open_in(c, "study.txt", "wxe");
    char *working = realpath(".", NULL);
    struct stat status;
    isocast_buffer text = {0};
    bool good = file != NULL && working != NULL && fstat(fileno(file), &status) == 0;
    if (good) {
        put_identity(&status, &text);
        isocast_buffer_puts(&text, "\n");
        cli_argument_put(working, &text);
        isocast_buffer_puts(&text, "\n");
        for (int i = 0; i < c->call.argc; i++) {
            isocast_buffer_puts(&text, i > 0 ? " " : "");
            cli_argument_put(c->call.argv[i], &text);
        }
        good = !text.failed && fprintf(file, "%s\n", text.text) > 0;
    }
    if (file != NULL) {
        good = fclose(file) == 0 && good;
    }
    free(working);
    isocast_buffer_free(&text);
    return good ? CLI_EXIT_OK : fail("cannot write study.txt in", c->folder);
}

static int make_folder(command_line *c) {
    if (mkdir(c->folder, 0777) != 0) {
        return errno != EEXIST
                   ? fail("cannot make the folder", c->folder)
                   : cli_usage_error(&usage,
                                     "%s exists: isocast study --resume %s goes on with a study "
                                     "there, and -o names another folder",
                                     c->folder, c->folder);
    }
    static const char *const folders[] = {"tries", "records", "held"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char *path = path_in(c, folders[i]);
        if (path == NULL || mkdir(path, 0777) != 0) {
            free(path);
            return fail("cannot make folders in", c->folder);
        }
        free(path);
    }
    return write_question(c);
}

/* A study that goes on must stand where it began, as its files name each other. */
static int check_place(const command_line *c) {
    char *path = path_in(c, "study.txt");
    struct stat status;
    isocast_buffer identity = {0};
    if (path != NULL && stat(path, &status) == 0) {
        put_identity(&status, &identity);
    }
    bool same = identity.text != NULL && strcmp(identity.text, c->resumed) == 0;
    if (!same) {
        fprintf(stderr, "isocast study: --resume: the folder was moved; it goes on as %s\n",
                c->folder);
    }
    free(path);
    isocast_buffer_free(&identity);
    return same ? CLI_EXIT_OK : CLI_EXIT_INVALID;
}

/* A step and what it came to, as a row. */
static void put_step(FILE *journal, const campaign_study_step *step,
                     const campaign_study_result *r) {
    fprintf(journal, "%d,%.17g,%ld,%zu,%d,%.17g,%.17g,%.17g,%.17g,%ld,%ld,%ld,%ld\n", step->kind,
            step->N, step->p, step->run, r->failed, r->seconds, r->T, r->busy, r->memory,
            r->asked[0], r->asked[1], r->asked[2], r->asked[3]);
    fflush(journal);
}

static bool read_step(const char *line, campaign_study_step *step, campaign_study_result *r) {
    int kind = 0;
    int failed = 0;
    double *const numbers[] = {&r->seconds, &r->T, &r->busy, &r->memory};
    int fields = sscanf(line, "%d,%lf,%ld,%zu,%d,%lf,%lf,%lf,%lf,%ld,%ld,%ld,%ld", &kind, &step->N,
                        &step->p, &step->run, &failed, numbers[0], numbers[1], numbers[2],
                        numbers[3], &r->asked[0], &r->asked[1], &r->asked[2], &r->asked[3]);
    bool good = fields == 13;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        good = good && isfinite(*numbers[i]) && *numbers[i] >= 0;
    }
    step->kind = (campaign_study_kind)kind;
    r->failed = failed != 0;
    return good;
}

static int refuse_journal(const command_line *c) {
    fprintf(stderr,
            "isocast study: %s/steps.csv is not of this study, or of another version of isocast: "
            "begin another one with -o\n",
            c->folder);
    return CLI_EXIT_INVALID;
}

/* The first row of steps.csv has what the machine had when the study began: a plan that goes on is
 * made for that, as there may be more or less memory free by now. */
static int begin_plan(command_line *c) {
    campaign_study_request request = {.budget = c->budget,
                                      .processors = cli_launcher_processors(&c->launcher),
                                      .memory = INFINITY,
                                      .sizes = c->sizes,
                                      .size_count = c->size_count};
    char line[128];
    bool begun = c->resumed != NULL && fgets(line, sizeof line, c->journal) != NULL &&
                 strchr(line, '\n') != NULL;
    char after = '\0';
    if (begun && (sscanf(line, "%ld,%lf%c", &request.processors, &request.memory, &after) != 3 ||
                  after != '\n' || request.processors < 1 || !(request.memory > 0))) {
        return refuse_journal(c);
    }
    if (!begun) {
        const campaign_listener silent = {0};
        if (campaign_memory_limit(&silent, &request.memory) != ISOCAST_OK) {
            request.memory = INFINITY;
        }
        rewind(c->journal);
        fprintf(c->journal, "%ld,%.17g\n", request.processors, request.memory);
        fflush(c->journal);
    }
    campaign_study_begin(&request, &c->plan);
    return CLI_EXIT_OK;
}

/* Takes the steps that were made already. A row that is cut off is made again. */
static int replay(command_line *c) {
    char line[512];
    int status = CLI_EXIT_OK;
    long end = ftell(c->journal);
    while (status == CLI_EXIT_OK && fgets(line, sizeof line, c->journal) != NULL &&
           strchr(line, '\n') != NULL) {
        campaign_study_step step = {0};
        campaign_study_result result = {0};
        const campaign_study_step *due = &c->plan.step;
        bool good = read_step(line, &step, &result) && step.kind == due->kind && step.N == due->N &&
                    step.p == due->p && step.run == due->run;
        if (!good) {
            status = refuse_journal(c);
        } else {
            campaign_study_take(&c->plan, &result);
            end = ftell(c->journal);
        }
    }
    if (status != CLI_EXIT_OK) {
        return status;
    }
    bool cut = ftruncate(fileno(c->journal), end) == 0 && fseek(c->journal, end, SEEK_SET) == 0;
    return cut ? status : fail("cannot write to steps.csv in", c->folder);
}

static int open_files(command_line *c) {
    char *path = path_in(c, "steps.csv");
    isocast_buffer why = {0};
    isocast_status claimed = path != NULL ? campaign_claim_take(path, &why) : ISOCAST_NO_MEMORY;
    if (claimed == ISOCAST_IO) {
        fprintf(stderr, "isocast study: %s\n",
                why.text != NULL ? why.text : "another command writes the study");
    }
    free(path);
    isocast_buffer_free(&why);
    if (claimed != ISOCAST_OK) {
        return cli_exit_of(claimed);
    }
    c->journal = open_in(c, "steps.csv", c->resumed != NULL ? "r+e" : "w+xe");
    c->study.commands = c->journal != NULL ? open_in(c, "commands.txt", "ae") : NULL;
    c->study.said = c->study.commands != NULL ? open_in(c, "output.txt", "ae") : NULL;
    return c->study.said != NULL ? CLI_EXIT_OK : CLI_EXIT_SYSTEM;
}

/* ---- the steps ---- */

/* Why a program that ran is none that formulas are made for; NULL: it is one. */
static const char *unsuited(const cli_study_seen *seen) {
    const double threads_most = 0.1;
    if (seen->nameless) {
        return "the program has no debug information, by which its calls of MPI are known: compile "
               "it with -g";
    }
    if (seen->threads > threads_most) {
        return "the program computes in several threads of a process, and formulas are about one: "
               "let it have one, such as by OMP_NUM_THREADS=1 in the environment";
    }
    return NULL;
}

static int refuse(const command_line *c, const char *why) {
    fprintf(stderr, "isocast study: %s\n", why);
    return c->plan.good_N > 0 ? CLI_EXIT_INVALID : CLI_EXIT_SYSTEM;
}

static int stopped(const command_line *c, isocast_status status) {
    if (status != ISOCAST_NO_MEMORY) {
        fprintf(stderr, "isocast study: %s; isocast study --resume %s goes on\n",
                status == ISOCAST_INTERRUPTED ? "interrupted" : "the step could not be made",
                c->folder);
        cli_exit_reported();
        return CLI_EXIT_SYSTEM;
    }
    return cli_exit_of(status);
}

/* Follows the plan to its end. */
static int follow(command_line *c) {
    bool again = false; /* the last step failed, and is made again where the study goes on */
    for (;;) {
        const campaign_study_step step = c->plan.step;
        if (step.kind == CAMPAIGN_STUDY_END) {
            return CLI_EXIT_OK;
        }
        if (step.kind == CAMPAIGN_STUDY_REFUSE) {
            int status = refuse(c, step.why);
            if (again) {
                fprintf(stderr, "isocast study: --resume %s tries the last step again\n",
                        c->folder);
            }
            return status;
        }
        campaign_study_result result = {0};
        cli_study_seen seen = {0};
        c->study.spent = c->plan.spent;
        isocast_status status = cli_interrupts_came()
                                    ? ISOCAST_INTERRUPTED
                                    : cli_study_step(&c->study, &step, &result, &seen);
        if (status != ISOCAST_OK) {
            return stopped(c, status);
        }
        if (step.kind == CAMPAIGN_STUDY_TRY && result.failed && !seen.recorded &&
            c->plan.good_N == 0) {
            return refuse(c, "the program did not come to MPI_Init of an MPI that is recorded, so "
                             "that nothing is known of it");
        }
        const char *why =
            step.kind <= CAMPAIGN_STUDY_RECORD && !result.failed ? unsuited(&seen) : NULL;
        if (why != NULL) {
            fprintf(stderr, "isocast study: %s\n", why);
            return CLI_EXIT_INVALID;
        }
        campaign_study_take(&c->plan, &result);
        again = result.failed && c->plan.step.kind == CAMPAIGN_STUDY_REFUSE && c->plan.good_N > 0;
        if (!again) {
            put_step(c->journal, &step, &result);
        }
    }
}

/* ---- the answers ---- */

/* Runs at the size that is held out on p processes. */
static size_t count_runs(const command_line *c, const isocast_runs *runs, double p) {
    size_t count = 0;
    for (size_t i = 0; i < runs->count; i++) {
        count += runs->rows[i].N == c->plan.held_N && runs->rows[i].p == p;
    }
    return count;
}

/* One system of the validation, and why its error is large where it is. */
static void report_row(const command_line *c, const json_t *row, const isocast_runs *runs,
                       bool busy) {
    enum { LEAST = 3 };
    const double repeats = 0.05;
    const double close = 0.1;
    double p = json_number_value(json_object_get(row, "p"));
    double T = json_number_value(json_object_get(row, "T"));
    double predicted = json_number_value(json_object_get(row, "T_predicted"));
    double spread = json_number_value(json_object_get(row, "spread"));
    size_t calm = (size_t)json_integer_value(json_object_get(row, "runs"));
    size_t all = count_runs(c, runs, p);
    double error = predicted / T - 1;
    if (!(T > 0 && predicted > 0)) {
        return;
    }
    printf("Held out: T at N = %.0f on p = %.0f is predicted %.1f %% too %s, %.3g s for %.3g s. "
           "%zu of %zu runs there took at most %g times as long as the shortest",
           c->plan.held_N, p, 100 * fabs(error), error < 0 ? "short" : "long", predicted, T, calm,
           all, ISOCAST_CALM_WITHIN);
    if (calm > 1) {
        printf(", and differ by %.1f %%", 100 * spread);
    }
    fputs(".", stdout);
    if (fabs(error) <= close) {
        puts("");
    } else if (calm < LEAST) {
        puts(" So few runs show little.");
    } else if (2 * calm < all || spread > repeats) {
        puts(" Runs that differ so much show little: the machine did something else.");
    } else if (!c->plan.timed) {
        puts(" The time per flop of the program could not be measured.");
    } else {
        puts(busy ? " The time per flop comes from runs of which something else slowed many: study "
                    "the "
                    "program again when the machine is idle."
                  : " Either the time per flop changes near this size, as where data outgrow a "
                    "cache, "
                    "or the machine was faster or slower at other sizes.");
    }
}

/* Whether something else slowed more than a third of the runs. */
static bool is_busy(const isocast_runs *runs) {
    bool *is = malloc((runs->count + 1) * sizeof *is);
    size_t calm = runs->count;
    if (is != NULL) {
        isocast_runs_find_calm(runs, is, &calm);
    }
    free(is);
    return 3 * calm < 2 * runs->count;
}

/* The runs that T was compared with and the time per flop comes from; NULL where there are none. */
static isocast_runs *load_runs(const command_line *c) {
    char *path = path_in(c, "machine.runs.csv");
    isocast_runs *runs = NULL;
    isocast_diagnostics diagnostics = {0};
    if (path != NULL && access(path, R_OK) == 0) {
        isocast_runs_load(path, &diagnostics, &runs);
    }
    isocast_diagnostics_clear(&diagnostics);
    free(path);
    return runs;
}

/* A reader of the table has to know this first. */
static void warn_of_busy(const command_line *c) {
    isocast_runs *runs = load_runs(c);
    if (runs != NULL && is_busy(runs)) {
        fputs(
            "isocast study: something else slowed more than a third of the runs: the numbers below "
            "are worth little. Study the program again when the machine is idle\n",
            stderr);
    }
    isocast_runs_free(runs);
}

static void report_validation(const command_line *c) {
    char *path = path_in(c, "validation.json");
    isocast_runs *runs = load_runs(c);
    json_error_t error;
    json_t *whole = path != NULL ? json_load_file(path, 0, &error) : NULL;
    if (whole != NULL && runs != NULL) {
        const json_t *row = NULL;
        size_t i;
        bool busy = is_busy(runs);
        json_array_foreach(json_object_get(whole, "rows"), i, row) {
            report_row(c, row, runs, busy);
        }
    }
    isocast_runs_free(runs);
    json_decref(whole);
    free(path);
}

static void report_rest(const command_line *c) {
    int weak = campaign_study_is_weak(&c->plan);
    if (weak >= 0) {
        printf("%s\n", weak == 1 ? "Each process has N by itself: the work grows with p (weak "
                                   "scaling)."
                                 : "The processes share N: the work is the same for all p (strong "
                                   "scaling).");
    }
    if (c->plan.system_count == 0) {
        printf("T was measured nowhere: the program runs on %ld processes or more, and here are "
               "%ld processors.\n",
               c->plan.base, c->plan.request.processors);
    }
    if (c->study.platform != NULL || c->study.offers != NULL) {
        puts(c->study.marked_speed == NULL
                 ? "Only runs of this machine were compared. For a data sheet, a flop of the "
                   "program is what this machine computes in a nanosecond. Where the data sheet "
                   "means another flop, T is off by as much: give the speed of a processor of this "
                   "machine in its measure with --marked-speed."
                 : "Only runs of this machine were compared. T on a data sheet assumes that its "
                   "processors reach the same share of their marked speed in this program.");
    }
    if (c->plan.held_p > 0) {
        printf("The record on p = %ld at N = %.0f checked the formulas and made none of them.\n",
               c->plan.held_p, c->plan.checked_N);
    }
    printf("%s/algorithm.yaml says what the program does, and at its end what the records could "
           "not show. %s/commands.txt has the commands.\n",
           c->folder, c->folder);
}

/* Runs a command for a file, which is drawn where it comes to an end. Gives its exit status. */
static int answer(command_line *c, const char *file, const char *template) {
    const campaign_study_step step = {.N = c->plan.held_N};
    c->study.file = file;
    int status = cli_study_answer(&c->study, &step, template);
    if (file != NULL && (status == CLI_EXIT_OK || status == CLI_EXIT_NO_SOLUTION)) {
        cli_study_answer(&c->study, &step,
                         "isocast plot {folder}/{file}.json -o {folder}/{file}.svg");
    }
    return status;
}

#define TO_JSON " --format json --quiet -o {folder}/{file}.json"
#define PREDICT "isocast predict {folder}/algorithm.yaml "
#define QUESTION " --at {at} --to {to}"
#define OFFERS "isocast offers {folder}/algorithm.yaml {offers} --at {at} --budget={spend}"

static int give_answers(command_line *c) {
    char at[64];
    snprintf(at, sizeof at, "N=%.0f", c->plan.measured[c->plan.measured_count - 1]);
    c->study.at = c->study.at != NULL ? c->study.at : at;
    c->study.format = c->call.common.format;
    c->study.machine = c->plan.timed ? "machine" : "calibrated";
    warn_of_busy(c);
    static const char *const templates[][2] = {
        {PREDICT "{folder}/{machine}.yaml" QUESTION TO_JSON,
         PREDICT "{folder}/{machine}.yaml" QUESTION " --format {format}"},
        {PREDICT "--platform {platform}" QUESTION TO_JSON,
         PREDICT "--platform {platform}" QUESTION " --format {format}"},
        {OFFERS TO_JSON, OFFERS " --format {format}"}};
    size_t which = c->study.offers != NULL ? 2 : c->study.platform != NULL ? 1 : 0;
    int status = answer(c, which == 2 ? "offers" : "prediction", templates[which][0]);
    if (status == CLI_EXIT_OK || status == CLI_EXIT_NO_SOLUTION) {
        status = answer(c, NULL, templates[which][1]);
    }
    bool measured = c->plan.system_count > 0 &&
                    answer(c, "validation",
                           "isocast validate {folder}/algorithm.yaml {folder}/{machine}.yaml "
                           "{folder}/machine.runs.csv --sizes {N} --calm" TO_JSON) == CLI_EXIT_OK;
    if (strcmp(c->call.common.format, "table") == 0) {
        printf("\n");
        if (measured) {
            report_validation(c);
        }
        report_rest(c);
    }
    return status;
}

static int study(command_line *c) {
    const char *obstacle = campaign_program_obstacle(c->study.program.words.items[0], NULL);
    if (obstacle != NULL) {
        fprintf(stderr, "isocast study: %s did not start: %s\n", c->study.program.words.items[0],
                obstacle);
        return CLI_EXIT_SYSTEM;
    }
    int status = c->resumed != NULL ? check_place(c) : check_question(c);
    status = status == CLI_EXIT_OK && c->resumed == NULL ? make_folder(c) : status;
    CLI_THEN(status, open_files(c));
    CLI_THEN(status, begin_plan(c));
    status = status == CLI_EXIT_OK && c->resumed != NULL ? replay(c) : status;
    if (status == CLI_EXIT_OK) {
        cli_interrupts_catch();
        status = follow(c);
    }
    return status == CLI_EXIT_OK ? give_answers(c) : status;
}

static int begin(command_line *c) {
    int status = check_options(c);
    CLI_THEN(status, read_program(c));
    CLI_THEN(status, read_sizes(c));
    CLI_THEN(status, cli_launcher_find(&usage, c->study.launcher, &c->launcher));
    if (status != CLI_EXIT_OK) {
        return status;
    }
    const char *output = c->call.common.output != NULL ? c->call.common.output : "study";
    size_t length = strlen(output);
    while (length > 1 && output[length - 1] == '/') {
        length--;
    }
    c->folder = strndup(output, length);
    c->isocast = realpath("/proc/self/exe", NULL);
    if (c->folder == NULL || c->isocast == NULL) {
        return fail("cannot find", "/proc/self/exe");
    }
    c->study.folder = c->folder;
    c->study.isocast = c->isocast;
    c->study.quiet = c->call.common.quiet;
    return study(c);
}

/* ---- going on ---- */

static int study_again(int argc, char **argv, const char *resumed);

/* The words of study.txt, which this user's own command wrote where it stands. */
static int read_question(const char *folder, campaign_own_program *question) {
    const launcher_words *words = &question->words;
    enum { MOST = 65536 };
    isocast_buffer path = {0};
    isocast_buffer_printf(&path, "%s/study.txt", folder);
    FILE *file = path.text != NULL ? isocast_input_look(path.text) : NULL;
    char *text = calloc(MOST + 1, 1);
    struct stat status;
    bool good = file != NULL && text != NULL && fread(text, 1, MOST, file) > 0 &&
                fstat(fileno(file), &status) == 0;
    isocast_buffer why = {0};
    isocast_buffer identity = {0};
    if (good) {
        put_identity(&status, &identity);
        good = campaign_own_program_split(text, question, &why) && words->count > 3 &&
               identity.text != NULL;
    }
    int exit = good ? CLI_EXIT_OK : CLI_EXIT_INVALID;
    if (!good) {
        fprintf(stderr, "isocast study: --resume: %s is no folder of a study\n", folder);
    } else if (strcmp(words->items[0], identity.text) != 0 || status.st_uid != geteuid()) {
        fprintf(stderr,
                "isocast study: --resume: %s was not made here, and commands of others are not "
                "run. Its command line is the last one of %s\n",
                folder, path.text);
        exit = CLI_EXIT_INVALID;
    } else if (chdir(words->items[1]) != 0) {
        exit = fail("cannot go to the folder", words->items[1]);
    }
    if (file != NULL) {
        fclose(file);
    }
    free(text);
    isocast_buffer_free(&why);
    isocast_buffer_free(&identity);
    isocast_buffer_free(&path);
    return exit;
}

static int resume(const command_line *c) {
    if (c->call.count > 0 || c->study.to != NULL || c->study.offers != NULL ||
        c->call.common.output != NULL) {
        return cli_usage_error(&usage, "--resume FOLDER stands alone: the folder knows the rest");
    }
    campaign_own_program question = {0};
    const launcher_words *words = &question.words;
    int status = read_question(c->resume, &question);
    CLI_THEN(status, study_again((int)words->count - 2, words->items + 2, words->items[0]));
    campaign_own_program_free(&question);
    return status;
}

static int run(void *context) {
    command_line *c = context;
    int status = c->resume != NULL && c->resumed == NULL ? resume(c) : begin(c);
    FILE *const files[] = {c->journal, c->study.commands, c->study.said};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (files[i] != NULL && fclose(files[i]) != 0 && status == CLI_EXIT_OK) {
            status = fail("cannot write to", c->folder);
        }
    }
    campaign_own_program_free(&c->study.program);
    cli_launcher_free(&c->launcher);
    free(c->sizes);
    free(c->command);
    free(c->folder);
    free(c->isocast);
    return status;
}

static int study_again(int argc, char **argv, const char *resumed) {
    command_line c = {.budget = 600, .resumed = resumed};
    const cli_option options[] = {
        {"--to", 0, CLI_OPTION_TEXT, "SYSTEMS",
         "the systems to predict, as in predict: numbers of processes of this machine, or systems "
         "of --platform",
         &c.study.to},
        {"--at", 0, CLI_OPTION_TEXT, "N=NUMBER",
         "the size to predict (default: the largest one that was measured)", &c.study.at},
        {"--budget", 0, CLI_OPTION_TIME, "TIME", "how long all runs may take (default: 10 min)",
         &c.budget},
        {"--sizes", 0, CLI_OPTION_TEXT, "LIST",
         "sizes to run the program at, four or more; one of them is held out (default: some whose "
         "runs take 0.2 to 2 s on one process, and that no number of processes divides)",
         &c.sizes_text},
        {"--platform", 0, CLI_OPTION_INPUT, "PLATFORM",
         "predict for this platform in place of this machine", &c.study.platform},
        {"--offers", 0, CLI_OPTION_INPUT, "FILE",
         "answer which of these offers to buy, as in offers, in place of a prediction",
         &c.study.offers},
        {"--spend", 0, CLI_OPTION_TEXT, "AMOUNT", "with --offers: what may be spent",
         &c.study.spend},
        {"--marked-speed", 0, CLI_OPTION_TEXT, "SPEED",
         "marked speed of a processor of this machine in the measure of --platform or --offers, as "
         "in derive (default: as calibrated)",
         &c.study.marked_speed},
        {"--launcher", 0, CLI_OPTION_TEXT, "LAUNCHER", CLI_LAUNCHER_HELP, &c.study.launcher},
        {"--resume", 0, CLI_OPTION_TEXT, "FOLDER",
         "go on with the study in this folder, which was interrupted", &c.resume},
        {0}};
    return cli_call_run(&usage, options, argc, argv, &c.call, run, &c);
}

int cmd_study(int argc, char **argv) {
    return study_again(argc, argv, NULL);
}
