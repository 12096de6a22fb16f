/* The command isocast: picks the subcommand, and sees to it that standard output closed well. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/campaign/claim.h"
#include "cli/options/exit.h"
#include "cli/options/write_all.h"
#include "cli/output/json_text.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "command.h"
#include "model/base/nearest.h"
#include "model/base/numerics.h"
#include "model/base/refused.h"

#define GROUP(name, heading) GROUP_##name,
typedef enum command_group { CLI_COMMAND_GROUPS(GROUP) GROUP_COUNT } command_group;
#undef GROUP

#define GROUP(name, heading) heading,
static const char *const group_headings[GROUP_COUNT] = {CLI_COMMAND_GROUPS(GROUP)};
#undef GROUP

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    command_group group;
    const char *summary;
} command;

#define ROW(name, text, group, summary) {text, cmd_##name, GROUP_##group, summary},
static const command commands[] = {CLI_COMMAND_ROWS(ROW)};
#undef ROW
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const command *find_command(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

/* A first way through the commands. It can be pasted into a shell as it stands. */
static const char where_to_begin[] =
    "Where to begin:\n"
    "  isocast doctor    # what is missing on this machine\n"
    "  isocast list      # the names that commands take\n"
    "  # How N must grow so that more nodes keep the efficiency:\n"
    "  isocast predict gaussian-elimination-published sunwulf --base C2 --at N=310 \\\n"
    "      --to C4,C8,C16,C32\n"
    "  # Where the time goes:\n"
    "  isocast explain gaussian-elimination-published sunwulf --at N=2000 --to C8\n"
    "  # Measure this machine for a minute, then predict for it:\n"
    "  isocast calibrate -o here.yaml\n"
    "  isocast predict gaussian-elimination here.yaml --at N=1000 --to 1,2\n";

static const char what_it_is[] =
    "Predicts how a parallel program scales, from a model of it and of the machine.\n";

static void print_help(void) {
    printf("Usage: isocast COMMAND [ARGUMENTS] [OPTIONS]\n\n%s", what_it_is);
    for (size_t group = 0; group < GROUP_COUNT; group++) {
        printf("\n%s:\n", group_headings[group]);
        for (size_t i = 0; i < COMMAND_COUNT; i++) {
            if (commands[i].group == group) {
                printf("  %-14s  %s\n", commands[i].name, commands[i].summary);
            }
        }
    }
    printf("\n"
           "'isocast help COMMAND' shows the options of a command.\n"
           "\n"
           "%s"
           "\n"
           "Exit status:\n"
           "  0  all went well\n"
           "  1  a check failed (validate: an error over its limit; doctor: a part missing)\n"
           "  2  the command line is wrong\n"
           "  3  an input file is wrong\n"
           "  4  at least one row has no solution (the others are printed)\n"
           "  5  the system failed: a file cannot be written, mpiexec is missing\n",
           where_to_begin);
}

/* No command is a wrong command line, as a script with an empty variable gives, so that the page
 * goes where messages go. */
static int show_begin(void) {
    fprintf(stderr,
            "isocast: no command is given\n\n%s\n%s\n"
            "'isocast help' lists all commands, 'isocast help COMMAND' shows one.\n",
            what_it_is, where_to_begin);
    return CLI_EXIT_USAGE;
}

static int unknown_command(const char *name) {
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        names[i] = commands[i].name;
    }
    const char *nearest = isocast_nearest_name(name, names, COMMAND_COUNT);
    const char *what = name[0] == '-' ? "option" : "command";
    if (nearest != NULL) {
        fprintf(stderr, "isocast: unknown %s '%s' (did you mean %s?)\n", what, name, nearest);
    } else {
        fprintf(stderr, "isocast: unknown %s '%s'\n", what, name);
    }
    fputs("try 'isocast --help'\n", stderr);
    return CLI_EXIT_USAGE;
}

static int help_command(const char *name) {
    const command *found = find_command(name);
    if (found == NULL) {
        return unknown_command(name);
    }
    char help[] = "--help";
    char *arguments[] = {(char *)found->name, help, NULL};
    return found->run(2, arguments);
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        return show_begin();
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        puts("isocast " ISOCAST_VERSION);
        return CLI_EXIT_OK;
    }
    if (strcmp(name, "help") == 0 && argc > 2) {
        return help_command(argv[2]);
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help();
        return CLI_EXIT_OK;
    }
    const command *found = find_command(name);
    return found == NULL ? unknown_command(name) : found->run(argc - 1, argv + 1);
}

/* A standard stream that is closed from the start must not become the next file that is opened.
 * Each gets a stand-in on which its use fails (and messages vanish). */
static void keep_standard_streams(void) {
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDWR};
    for (int stream = 0; stream < 3; stream++) {
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF && open("/dev/null", modes[stream]) < 0) {
            _exit(CLI_EXIT_SYSTEM);
        }
    }
}

int main(int argc, char **argv) {
    keep_standard_streams();
    /* A file over the limit of its size is a failed write to state about, not a silent death. */
    (void)signal(SIGXFSZ, SIG_IGN);
    if (!cli_stderr_clean()) {
        fputs("isocast: out of memory\n", stderr);
        return CLI_EXIT_SYSTEM;
    }
    isocast_numerics_prepare();
    cli_json_prepare();
    int status = run(argc, argv);
    if (isocast_was_refused() && status != CLI_EXIT_SYSTEM) {
        status = cli_exit_of(ISOCAST_NO_MEMORY);
    }
    bool shown = cli_write_shown() || __fpending(stdout) > 0;
    status = cli_output_close(status);
    campaign_claims_release();
    cli_exit_say(argc > 1 ? argv[1] : NULL, status, shown);
    return status;
}
