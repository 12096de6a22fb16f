/* The command isocast: picks the subcommand, and sees to it that standard output closed well. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options/exit.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "command.h"
#include "model/base/diagnostic.h"
#include "model/base/numerics.h"

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} command;

#define ROW(name, text, summary) {text, cmd_##name, summary},
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

static void print_help(void) {
    puts("Usage: isocast COMMAND [ARGUMENTS] [OPTIONS]\n"
         "\n"
         "Predicts how a parallel program scales, from analytic models.\n"
         "\n"
         "Commands:");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        printf("  %-14s %s\n", commands[i].name, commands[i].summary);
    }
    puts("\n"
         "'isocast help COMMAND' shows the options of a command.\n"
         "\n"
         "Exit status:\n"
         "  0  all went well\n"
         "  1  a check failed (validate: an error over its limit)\n"
         "  2  the command line is wrong\n"
         "  3  an input file is wrong\n"
         "  4  at least one row has no solution (the others are printed)\n"
         "  5  the system failed: a file cannot be written, mpiexec is missing\n"
         "\n"
         "Example:\n"
         "  isocast predict gaussian-elimination-published sunwulf --base C2 --at N=310 \\\n"
         "      --to C4,C8,C16,C32");
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
        fputs("isocast: no command is given\ntry 'isocast --help'\n", stderr);
        return CLI_EXIT_USAGE;
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
    /* A file over the limit of its size is a failed write to tell about, not a silent death. */
    (void)signal(SIGXFSZ, SIG_IGN);
    if (!cli_stderr_clean()) {
        fputs("isocast: out of memory\n", stderr);
        return CLI_EXIT_SYSTEM;
    }
    isocast_numerics_prepare();
    int status = run(argc, argv);
    return cli_output_close(status);
}
