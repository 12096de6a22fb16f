/* isocast record: runs an MPI program as it is, and writes what it sent and computed. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibrate/campaign/claim.h"
#include "calibrate/campaign/record_run.h"
#include "calibrate/campaign/simulation.h"
#include "campaign.h"
#include "cli/options/exit.h"
#include "cli/options/launcher_option.h"
#include "cli/options/locate.h"
#include "cli/options/options.h"
#include "cli/options/ranks_join.h"
#include "cli/output/output.h"
#include "command.h"
#include "model/base/quantity.h"

static const cli_usage usage = {
    .command = "record",
    .arguments = "-- PROGRAM [ARGUMENT...]",
    .summary =
        "Runs an MPI program as it is and writes a record: from which places it calls MPI, how "
        "often, with which sizes and partners, and how long it computes between. Counts and sizes "
        "do not depend on the machine: more processes than processors record them as well.",
    .details = "A program whose own command starts its processes, such as mpiexec, is run as it "
               "stands. Compiled with -g, the record has functions and lines. A program that "
               "fails leaves what was recorded until then; the exit status is 5.\n"
               "\n"
               "Examples:\n"
               "  isocast record -n 4 -- ./jacobi 240\n"
               "  isocast record -o records/ -- mpiexec -n 16 ./jacobi 480",
    .output = "the record, or a folder in which it gets the name PROGRAM-ARGUMENTS-pP.csv "
              "(default: that name in the working folder). A file that is there is not "
              "overwritten",
    .fewest = 1,
    .most = (size_t)-1,
    .words = (size_t)-1};

typedef struct command_line {
    cli_call call;
    long processes; /* below 0: one for each processor */
    const char *launcher_text;
    cli_launcher launcher;
    cli_campaign campaign;
    isocast_diagnostics diagnostics;
    const char **command; /* NULL-terminated */
    bool alone;
    char *library;
    char *path;   /* of the record; NULL while that waits for the number of processes */
    char *folder; /* of the parts */
} command_line;

static bool is_folder(const char *path) {
    struct stat status;
    size_t length = strlen(path);
    return (length > 0 && path[length - 1] == '/') ||
           (stat(path, &status) == 0 && S_ISDIR(status.st_mode));
}

static bool exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

/* The program's name without its folder, and its arguments, as part of a file name. */
static void put_name(const char **words, isocast_buffer *out) {
    enum { NAME_MOST = 100 };
    const char *slash = strrchr(words[0], '/');
    size_t begin = out->length;
    isocast_buffer_puts(out, slash != NULL ? slash + 1 : words[0]);
    for (size_t i = 1; words[i] != NULL && out->length - begin < NAME_MOST; i++) {
        isocast_buffer_printf(out, "-%.40s", words[i]);
    }
    for (size_t i = begin; out->text != NULL && i < out->length; i++) {
        char byte = out->text[i];
        bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                     (byte >= '0' && byte <= '9') || (byte == '.' && i > begin) || byte == '-' ||
                     byte == '_' || byte == '+';
        out->text[i] = plain ? byte : '_';
    }
}

/* Claims the first name that is free, or gives NULL, with errno: with -2, -3 and so on where there
 * are records of the same run, or another command writes one at this moment. */
static char *free_path(const command_line *c, const record_joined *joined) {
    enum { NUMBER_MOST = 10000 };
    const char *output = c->call.common.output != NULL ? c->call.common.output : ".";
    bool given = c->call.common.output != NULL && !is_folder(output);
    isocast_buffer path = {0};
    for (int number = 1; number < NUMBER_MOST; number++) {
        path.length = 0;
        if (strcmp(output, ".") != 0) {
            size_t length = strlen(output);
            isocast_buffer_printf(&path, "%s%s", output,
                                  given || output[length - 1] == '/' ? "" : "/");
        }
        if (!given) {
            put_name(c->command + joined->first_word, &path);
            isocast_buffer_printf(&path, "-p%zu", joined->processes);
        }
        if (number > 1) {
            isocast_buffer_printf(&path, "-%d", number);
        }
        isocast_buffer_puts(&path, given ? "" : ".csv");
        errno = ENOMEM;
        if (path.failed) {
            break;
        }
        if (campaign_claim_try(path.text)) {
            if (!exists(path.text)) {
                return isocast_buffer_take(&path);
            }
            campaign_claim_release(path.text);
            errno = EEXIST;
        } else if (errno != EAGAIN) {
            break;
        }
    }
    int cause = errno;
    isocast_buffer_free(&path);
    errno = cause;
    return NULL;
}

static char *parts_folder(const command_line *c) {
    isocast_buffer path = {0};
    const char *output = c->call.common.output;
    if (output != NULL && is_folder(output)) {
        isocast_buffer_printf(&path, "%s/", output);
    } else if (output != NULL) {
        isocast_buffer_puts(&path, output);
    }
    isocast_buffer_printf(&path, ".parts-%ld", (long)getpid());
    return isocast_buffer_take(&path);
}

/* Processes that cannot all have their memory here would stop this machine. */
static int check_processes(const command_line *c) {
    static const double least = 10e6; /* B of a process with an MPI library */
    const campaign_listener silent = {0};
    double room = INFINITY;
    isocast_status status = campaign_memory_limit(&silent, &room);
    if (status != ISOCAST_OK || c->alone || c->launcher_text != NULL ||
        (double)c->processes * least <= room) {
        return CLI_EXIT_OK;
    }
    double due = (double)c->processes * least;
    int digits = isocast_quantity_digits_apart(room, due, 3);
    isocast_buffer text = {0};
    isocast_buffer_printf(&text, "%ld processes take ", c->processes);
    isocast_quantity_format(due, "B", digits, &text);
    isocast_buffer_puts(&text, " of memory and more, and this machine has ");
    isocast_quantity_format(room, "B", digits, &text);
    int refused = text.failed ? cli_exit_of(ISOCAST_NO_MEMORY)
                              : cli_usage_error(&usage, "%s: give a smaller -n", text.text);
    isocast_buffer_free(&text);
    return refused;
}

static int prepare(command_line *c) {
    int alone = cli_ranks_refuse(&usage, "isocast record -n 4 -- ./program, or isocast record -- "
                                         "mpiexec -n 4 ./program");
    if (alone != CLI_EXIT_OK) {
        return alone;
    }
    c->alone = campaign_is_launcher(c->command[0]);
    if (c->processes == 0) {
        return cli_usage_error(&usage, "-n needs one process or more");
    }
    const char *output = c->call.common.output;
    if (output != NULL && strcmp(output, "-") == 0) {
        return cli_usage_error(&usage, "the program writes to standard output: -o takes a file or "
                                       "a folder");
    }
    if (output != NULL && !is_folder(output) && exists(output)) {
        return cli_usage_error(&usage, "%s exists; a record is not overwritten", output);
    }
    if (output != NULL && is_folder(output) && mkdir(output, 0777) != 0 && !exists(output)) {
        perror("isocast record: the folder of -o cannot be made");
        return CLI_EXIT_SYSTEM;
    }
    if (c->alone && (c->processes > 0 || c->launcher_text != NULL)) {
        return cli_usage_error(&usage,
                               "%s starts the processes itself: give it their number, and leave "
                               "out -n and --launcher",
                               c->command[0]);
    }
    int status = cli_launcher_find(&usage, c->launcher_text, &c->launcher);
    if (status == CLI_EXIT_OK && c->processes < 0) {
        c->processes = cli_launcher_processors(&c->launcher);
    }
    CLI_THEN(status, check_processes(c));
    c->library = cli_locate_part("libisocast-record.so");
    if (status == CLI_EXIT_OK && c->library == NULL) {
        return cli_locate_lacks("record", "libisocast-record.so", CLI_WITHOUT_MPICH);
    }
    c->folder = parts_folder(c);
    return status != CLI_EXIT_OK || c->folder != NULL ? status : cli_exit_of(ISOCAST_NO_MEMORY);
}

static int write_record(command_line *c, isocast_buffer *text, const record_joined *joined) {
    bool given = c->call.common.output != NULL && !is_folder(c->call.common.output);
    c->path = free_path(c, joined);
    if (c->path == NULL && errno == ENOMEM) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    if (c->path == NULL) {
        fprintf(stderr, "isocast record: cannot write the record: %s\n", strerror(errno));
        return CLI_EXIT_SYSTEM;
    }
    int status = cli_output_write_text(c->path, text);
    if (status == CLI_EXIT_OK && given && strcmp(c->path, c->call.common.output) != 0) {
        fprintf(stderr, "isocast record: %s was made while the program ran; the record is in %s\n",
                c->call.common.output, c->path);
        return CLI_EXIT_SYSTEM;
    }
    if (status == CLI_EXIT_OK && !c->call.common.quiet) {
        fprintf(stderr, "isocast record: %s: %zu call %s, %.0f calls of %zu %s in %.3g s\n",
                c->path, joined->sites, joined->sites == 1 ? "site" : "sites", joined->calls,
                joined->heard, joined->heard == 1 ? "process" : "processes", joined->T);
    }
    return status;
}

static int record(command_line *c) {
    int status = prepare(c);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    cli_interrupts_catch();
    const campaign_record_request request = {.listener = &c->campaign.listener,
                                             .library = c->library,
                                             .launcher = c->launcher.command,
                                             .alone = c->alone,
                                             .processes = c->processes,
                                             .command = c->command,
                                             .folder = c->folder};
    isocast_buffer text = {0};
    record_joined joined = {0};
    isocast_status recorded = campaign_record(&request, &text, &joined);
    int written = text.length > 0 ? write_record(c, &text, &joined) : CLI_EXIT_OK;
    isocast_buffer_free(&text);
    status = cli_campaign_exit(&c->campaign, &c->diagnostics, recorded);
    return status != CLI_EXIT_OK ? status : written;
}

static int run(void *context) {
    command_line *c = context;
    c->command = calloc(c->call.count + 1, sizeof *c->command);
    if (c->command == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    memcpy(c->command, c->call.positional, c->call.count * sizeof *c->command);
    cli_campaign_begin(&c->call, &c->campaign);
    int status = record(c);
    free(c->command);
    free(c->library);
    free(c->path);
    free(c->folder);
    cli_launcher_free(&c->launcher);
    return status;
}

int cmd_record(int argc, char **argv) {
    command_line c = {.processes = -1};
    const cli_option options[] = {
        {"--processes", 'n', CLI_OPTION_COUNT, "P",
         "processes to start (default: one for each processor)", &c.processes},
        {"--launcher", 0, CLI_OPTION_TEXT, "LAUNCHER", CLI_LAUNCHER_HELP, &c.launcher_text},
        {0}};
    return cli_call_run(&usage, options, argc, argv, &c.call, run, &c);
}
