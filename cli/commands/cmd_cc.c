/* isocast cc: the simulator's compiler, with what measures the time of a program added. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/campaign/launcher.h"
#include "cli/options/exit.h"
#include "cli/options/locate.h"
#include "cli/options/options.h"
#include "command.h"
#include "model/base/buffer.h"

static const char help[] =
    "Usage: isocast cc ARGUMENT...\n"
    "\n"
    "Compiles an MPI program for simulated platforms: runs smpicc (SimGrid) with\n"
    "these arguments, and with files that let 'isocast measure --platform --command'\n"
    "know the program's simulated time, and that mend MPI_Alltoall on an odd number\n"
    "of processes. It prints the command that it runs.\n"
    "\n"
    "Example:\n"
    "  isocast cc -O2 -o jacobi jacobi.c\n";

/* Whether the compiler makes a program of its arguments, and not something on the way to it. */
static bool links(int argc, char **argv) {
    bool input = false;
    for (int i = 1; i < argc; i++) {
        static const char *const stops[] = {"-c",        "-E", "-S", "-M", "-MM", "-fsyntax-only",
                                            "--version", "-v"};
        for (size_t k = 0; k < sizeof stops / sizeof stops[0]; k++) {
            if (strcmp(argv[i], stops[k]) == 0) {
                return false;
            }
        }
        input = input || argv[i][0] != '-';
    }
    return input;
}

static void print_command(const char *const *words) {
    isocast_buffer text = {0};
    for (size_t i = 0; words[i] != NULL; i++) {
        isocast_buffer_printf(&text, " %s", words[i]);
    }
    fprintf(stderr, "isocast cc:%s\n", text.text != NULL ? text.text : "");
    isocast_buffer_free(&text);
}

static int run(const char *const *words) {
    print_command(words);
    const launcher_request request = {
        .alone = true, .processes = 1, .command = words, .through = true};
    launcher_end end;
    isocast_status status = launcher_run(&request, &end);
    if (status == ISOCAST_PROGRAM && end.cause == LAUNCHER_FAILED) {
        fprintf(stderr, "isocast cc: %s ended with exit status %d\n", words[0], end.exit_code);
    } else if (status != ISOCAST_OK) {
        fprintf(stderr, "isocast cc: %s\n", end.text);
    }
    return status == ISOCAST_OK ? CLI_EXIT_OK : CLI_EXIT_SYSTEM;
}

int cmd_cc(int argc, char **argv) {
    if (argc == 1 ||
        (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))) {
        fputs(help, argc == 1 ? stderr : stdout);
        return argc == 1 ? CLI_EXIT_USAGE : CLI_EXIT_OK;
    }
    char *header = cli_locate_part("own_time.h");
    char *sources[] = {cli_locate_part("own_time.c"), cli_locate_part("own_alltoall.c")};
    enum { SOURCES = sizeof sources / sizeof sources[0] };
    bool missing = header == NULL;
    for (size_t i = 0; i < SOURCES; i++) {
        missing = missing || sources[i] == NULL;
    }
    const char **words = calloc((size_t)argc + 4 + SOURCES, sizeof *words);
    int status = CLI_EXIT_SYSTEM;
    if (words == NULL) {
        status = cli_exit_of(ISOCAST_NO_MEMORY);
    } else if (missing) {
        fputs("isocast cc: own_time.c, own_time.h and own_alltoall.c are not installed beside "
              "isocast\n",
              stderr);
    } else {
        size_t count = 0;
        words[count++] = "smpicc";
        words[count++] = "-include";
        words[count++] = header;
        for (int i = 1; i < argc; i++) {
            words[count++] = argv[i];
        }
        for (size_t i = 0; links(argc, argv) && i < SOURCES; i++) {
            words[count++] = sources[i];
        }
        status = run(words);
    }
    free(words);
    free(header);
    for (size_t i = 0; i < SOURCES; i++) {
        free(sources[i]);
    }
    return status;
}
